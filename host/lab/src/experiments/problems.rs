//! Next-move problems: a position, and the first moves that solve it.
//!
//! ```text
//! # category TAB difficulty TAB SFEN TAB first moves in USI notation
//! tesuji	1	6k2/9/9/9/1r4NR1/9/9/9/9 b 2b4g4s3n4l18p 1	3e2c 3e4c
//! ```

use super::ExperimentError;
use hayasashi_shogi::rules::{Move, Position, PositionCommand};
use std::path::Path;

/// A problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Its kind.
    pub category: String,
    /// How hard it is, as the file says.
    pub difficulty: String,
    /// The position; the attacker's king may be missing.
    pub position: Position,
    /// Any of these solves it.
    pub accepted: Vec<Move>,
}

/// What a file has.
#[derive(Debug, Default)]
pub struct Reading {
    /// The problems, in the order of their lines.
    pub problems: Vec<Problem>,
    /// Lines that are none, each with file, line and what is wrong.
    pub faults: Vec<ExperimentError>,
}

/// Reads a file; blank lines and lines that begin with `#` are skipped, those that are no problem are told.
///
/// # Errors
/// A file that cannot be read, or the first of its faults where it has no problem at all.
pub fn read(file: &Path) -> Result<Reading, ExperimentError> {
    let failed = |reason| ExperimentError::File { verb: "read", file: file.into(), reason };
    let text = std::fs::read_to_string(file).map_err(failed)?;
    let wrong = |line, reason| ExperimentError::Problem { file: file.into(), line, reason };
    let mut reading = Reading::default();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match Problem::parse(line) {
            Ok(problem) => reading.problems.push(problem),
            Err(reason) => reading.faults.push(wrong(number + 1, reason)),
        }
    }
    if reading.problems.is_empty() {
        let ends = || wrong(text.lines().count().max(1), "the file ends without a problem".into());
        return Err(reading.faults.into_iter().next().unwrap_or_else(ends));
    }
    Ok(reading)
}

impl Problem {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(line: &str) -> Result<Problem, String> {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        let &[category, difficulty, sfen, moves] = &fields[..] else {
            return Err(format!("{} fields instead of 4", fields.len()));
        };
        if category.is_empty() {
            return Err("no category".into());
        }
        let position = PositionCommand::parse_problem(sfen).map_err(|e| e.to_string())?.position;
        let accept = |text| {
            let legal = Move::from_usi(text).filter(|&mv| position.is_legal(mv));
            legal.ok_or_else(|| format!("`{text}` is no legal move of `{sfen}`"))
        };
        let accepted = moves.split_ascii_whitespace().map(accept).collect::<Result<Vec<_>, _>>()?;
        match accepted.is_empty() {
            true => Err("no move that solves it".into()),
            false => Ok(Problem { category: category.into(), difficulty: difficulty.into(), position, accepted }),
        }
    }

    /// What is asked and accepted, to recognise the problem by.
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
    fn problems_are_read_and_told() {
        let problem = Problem::parse(TWO).unwrap();
        assert_eq!((problem.category.as_str(), problem.difficulty.as_str()), ("tesuji", "1"));
        assert_eq!(problem.accepted, ["3e2c", "3e4c"].map(|m| Move::from_usi(m).unwrap()));
        assert_eq!(problem.text(), "tesuji 6k2/9/9/9/1r4NR1/9/9/9/9 b 2b4g4s3n4l18p 1 3e2c 3e4c");
    }

    #[test]
    fn what_is_no_problem_is_told_with_file_and_line_and_passed_over() {
        let file = std::env::temp_dir().join(format!("hayasashi-{}-problems.tsv", std::process::id()));
        let read_text = |text: &str| {
            std::fs::write(&file, text).unwrap();
            read(&file)
        };
        let wrong = [
            (TWO.replace("3e4c", "3e3c"), "`3e3c` is no legal move"),
            (TWO.replace("6k2", "6k3"), "6k3"),
            (TWO.replace("\t3e2c 3e4c", ""), "3 fields"),
            (TWO.replace("3e2c 3e4c", " "), "no move that solves"),
            (TWO.replace("tesuji", ""), "no category"),
        ];
        for (line, reason) in wrong {
            let reading = read_text(&format!("# comment\n\n{TWO}\n{line}\n{TWO}\n")).unwrap();
            let faults: Vec<String> = reading.faults.iter().map(|fault| fault.to_string()).collect();
            assert_eq!((reading.problems.len(), faults.len()), (2, 1));
            let fault = &faults[0];
            assert!(fault.contains("problems.tsv:4: ") && fault.contains(reason) && fault.contains("hint"), "{fault}");
            // Where nothing else is there, it is an error.
            assert!(read_text(&line).unwrap_err().to_string().contains("problems.tsv:1: "));
        }
        assert!(read_text("# nothing\n").unwrap_err().to_string().contains("without a problem"));
        std::fs::remove_file(&file).unwrap();
        assert!(read(&file).unwrap_err().to_string().contains("cannot read"));
    }
}
