//! Positions from files: one SFEN on each line.

use crate::rules::Position;
use anyhow::Context;
use std::io::BufRead;

/// A line of a file of positions.
#[derive(Clone, Debug)]
pub struct Line {
    /// Line number, from 1.
    pub number: usize,
    /// The SFEN as it stands in the file.
    pub sfen: String,
    pub position: Position,
}

/// Reads a file of positions, `-` for standard input. Blank lines and lines that begin with `#` are passed over; what
/// follows a tab does not count.
///
/// # Errors
/// A file that cannot be read; a line that is not a possible position, with its number.
pub fn read(file: &str) -> anyhow::Result<Vec<Line>> {
    if file == "-" {
        return parse(std::io::stdin().lock(), "standard input");
    }
    let input = std::fs::File::open(file).with_context(|| {
        format!("cannot open the file of positions '{file}'; give an existing file, or - for standard input")
    })?;
    parse(std::io::BufReader::new(input), file)
}

fn parse(input: impl BufRead, name: &str) -> anyhow::Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (i, line) in input.lines().enumerate() {
        let number = i + 1;
        let line = line.with_context(|| format!("{name}, line {number}: cannot be read as UTF-8 text"))?;
        let sfen = line.split('\t').next().unwrap_or_default().trim();
        if sfen.is_empty() || sfen.starts_with('#') {
            continue;
        }
        let bare = sfen.strip_prefix("sfen ").unwrap_or(sfen);
        let position = if bare == "startpos" { Ok(Position::startpos()) } else { Position::from_sfen(bare) };
        let position = position.with_context(|| format!("{name}, line {number}: '{sfen}'"))?;
        lines.push(Line { number, sfen: bare.to_string(), position });
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let text =
            "# comment\n\nsfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\nstartpos\n4k4/9/9/9/9/9/9/9/4K4 b P 1\tsomething else\n";
        let lines = parse(text.as_bytes(), "test").unwrap();
        assert_eq!(lines.iter().map(|l| l.number).collect::<Vec<_>>(), [3, 4, 5]);
        assert_eq!(lines[2].position.to_sfen(), "4k4/9/9/9/9/9/9/9/4K4 b P 1");
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = parse("startpos\nnonsense\n".as_bytes(), "file.sfen").unwrap_err();
        assert!(error.to_string().contains("file.sfen, line 2: 'nonsense'"), "{error}");
    }
}
