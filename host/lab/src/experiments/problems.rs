//! Next-move problems: a position and the first moves that solve it.
//!
//! Each line of a file has four fields, separated by tabs:
//!
//! ```text
//! category    tesuji
//! difficulty  1
//! SFEN        6k2/9/9/9/1r4NR1/9/9/9/9 b 2b4g4s3n4l18p 1
//! moves       3e2c 3e4c
//! ```

use super::ExperimentError;
use hayasashi_shogi::{
    rules::{Move, Position, PositionCommand},
    text::excerpt,
};
use std::path::Path;

/// A next-move problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Category, such as `tesuji`.
    pub category: String,
    /// Difficulty, as the file states it.
    pub difficulty: String,
    /// The position; the attacker's king may be missing.
    pub position: Position,
    /// The first moves that solve it.
    pub accepted: Vec<Move>,
}

/// The contents of a problem file.
#[derive(Debug, Default)]
pub struct ProblemFile {
    /// The problems, in the order of their lines.
    pub problems: Vec<Problem>,
    /// One error for each line that is not a problem.
    pub faults: Vec<ExperimentError>,
}

/// Reads a file. Blank lines and lines that begin with `#` are skipped; lines that are not problems become `faults`.
///
/// # Errors
/// A file that cannot be read, or that has no problem; then the first of its faults.
pub fn read(file: &Path) -> Result<ProblemFile, ExperimentError> {
    let failed = |reason| ExperimentError::File { verb: "read", file: file.into(), reason };
    let text = std::fs::read_to_string(file).map_err(failed)?;
    let fault = |line, reason| ExperimentError::Problem { file: file.into(), line, reason };
    let mut contents = ProblemFile::default();
    for (number, line) in text.trim_start_matches('\u{FEFF}').lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match Problem::parse(line) {
            Ok(problem) => contents.problems.push(problem),
            Err(reason) => contents.faults.push(fault(number + 1, reason)),
        }
    }
    if contents.problems.is_empty() {
        let empty = || fault(text.lines().count().max(1), "the file has no problem".into());
        return Err(contents.faults.into_iter().next().unwrap_or_else(empty));
    }
    Ok(contents)
}

impl Problem {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with the line.
    pub fn parse(line: &str) -> Result<Problem, String> {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        let &[category, difficulty, sfen, moves] = &fields[..] else {
            return Err(format!("{} fields instead of 4", fields.len()));
        };
        if category.is_empty() {
            return Err("the category is empty".into());
        }
        let position = PositionCommand::parse_problem(sfen).map_err(|e| e.to_string())?.position;
        let accept = |text| {
            let legal = Move::from_usi(text).filter(|&mv| position.is_legal(mv));
            legal.ok_or_else(|| format!("`{}` is not a legal move in `{sfen}`", excerpt(text)))
        };
        let accepted = moves.split_ascii_whitespace().map(accept).collect::<Result<Vec<_>, _>>()?;
        match accepted.is_empty() {
            true => Err("the list of solving moves is empty".into()),
            false => Ok(Problem { category: category.into(), difficulty: difficulty.into(), position, accepted }),
        }
    }

    /// Category, position and accepted moves: the text that identifies the problem in checksums.
    pub fn text(&self) -> String {
        let moves: String = self.accepted.iter().map(|mv| format!(" {mv}")).collect();
        format!("{} {}{moves}", self.category, self.position.to_sfen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "tesuji\t1\t6k2/9/9/9/1r4NR1/9/9/9/9 b 2b4g4s3n4l18p 1\t3e2c 3e4c";

    #[test]
    fn problems_are_read_and_written() {
        let problem = Problem::parse(TWO).unwrap();
        assert_eq!((problem.category.as_str(), problem.difficulty.as_str()), ("tesuji", "1"));
        assert_eq!(problem.accepted, ["3e2c", "3e4c"].map(|m| Move::from_usi(m).unwrap()));
        assert_eq!(problem.text(), "tesuji 6k2/9/9/9/1r4NR1/9/9/9/9 b 2b4g4s3n4l18p 1 3e2c 3e4c");
    }

    #[test]
    fn faulty_lines_are_skipped_and_reported_with_file_and_line() {
        let file = std::env::temp_dir().join(format!("hayasashi-{}-problems.tsv", std::process::id()));
        let read_text = |text: &str| {
            std::fs::write(&file, text).unwrap();
            read(&file)
        };
        let wrong = [
            (TWO.replace("3e4c", "3e3c"), "`3e3c` is not a legal move"),
            (TWO.replace("6k2", "6k3"), "6k3"),
            (TWO.replace("\t3e2c 3e4c", ""), "3 fields"),
            (TWO.replace("3e2c 3e4c", " "), "list of solving moves is empty"),
            (TWO.replace("tesuji", ""), "category is empty"),
        ];
        for (line, reason) in wrong {
            let contents = read_text(&format!("# comment\n\n{TWO}\n{line}\n{TWO}\n")).unwrap();
            let faults: Vec<String> = contents.faults.iter().map(ToString::to_string).collect();
            assert_eq!((contents.problems.len(), faults.len()), (2, 1));
            let fault = &faults[0];
            assert!(fault.contains("problems.tsv:4: ") && fault.contains(reason) && fault.contains("hint"), "{fault}");
            // A file without any problem is an error.
            assert!(read_text(&line).unwrap_err().to_string().contains("problems.tsv:1: "));
        }
        assert!(read_text("# nothing\n").unwrap_err().to_string().contains("has no problem"));
        std::fs::remove_file(&file).unwrap();
        assert!(read(&file).unwrap_err().to_string().contains("cannot read"));
    }
}
