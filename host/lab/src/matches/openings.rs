//! Openings: the start positions of games.

use super::MatchError;
use hayasashi_shogi::{
    random::Random,
    rules::{Move, Position, PositionCommand},
};
use std::path::Path;

/// A start position, as a USI engine receives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The initial position and the moves from it.
    pub command: PositionCommand,
}

impl Opening {
    /// Reads `startpos [moves …]` or a SFEN.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Opening, String> {
        PositionCommand::parse(text).map(|command| Opening { command }).map_err(|e| e.to_string())
    }

    /// The arguments of USI's `position` after the moves `more`.
    pub fn usi<'a>(&'a self, more: impl IntoIterator<Item = &'a Move>) -> String {
        let start = match self.command.start == Position::startpos() {
            true => "startpos".to_string(),
            false => format!("sfen {}", self.command.start.to_sfen()),
        };
        let moves: String = self.command.moves.iter().chain(more).map(|m| format!(" {m}")).collect();
        if moves.is_empty() {
            start
        } else {
            format!("{start} moves{moves}")
        }
    }
}

/// Reads a file with one opening on each line. Blank lines are skipped; `#` and tab begin a comment.
///
/// # Errors
/// A file that cannot be read, a line that is not an opening, or a file without openings.
pub fn read(file: &Path) -> Result<Vec<Opening>, MatchError> {
    let text =
        std::fs::read_to_string(file).map_err(|reason| MatchError::File { verb: "read", file: file.into(), reason })?;
    let mut openings = Vec::new();
    for (number, line) in text.trim_start_matches('\u{FEFF}').lines().enumerate() {
        let line = line.split(['#', '\t']).next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let wrong = |reason| MatchError::Opening { file: file.into(), line: number + 1, reason };
        openings.push(Opening::parse(line).map_err(wrong)?);
    }
    match openings.is_empty() {
        true => Err(MatchError::NoOpenings(file.into())),
        false => Ok(openings),
    }
}

/// The order of `count` openings in a match with this seed; seed 0 keeps the file's order.
///
/// A Fisher-Yates shuffle with SplitMix64 as the generator, which gives the same order on every machine.
pub fn order(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    if seed != 0 {
        Random::from_state(seed).shuffle(&mut order);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_written_as_they_were_read() {
        for text in ["startpos", "startpos moves 7g7f 3c3d", "sfen 4k4/9/9/9/9/9/9/9/4K4 b G 1 moves G*5b"] {
            assert_eq!(Opening::parse(text).unwrap().usi([]), text);
        }
        let mv = Move::from_usi("2g2f").unwrap();
        assert_eq!(Opening::parse("startpos").unwrap().usi([&mv]), "startpos moves 2g2f");
        assert!(Opening::parse("startpos moves 7g7e").is_err());
    }

    #[test]
    fn an_order_is_a_permutation_that_depends_on_the_seed() {
        assert_eq!(order(4, 0), [0, 1, 2, 3]);
        let shuffled = order(100, 7);
        assert_ne!(shuffled, order(100, 8));
        assert_eq!(shuffled, order(100, 7));
        let mut sorted = shuffled;
        sorted.sort();
        assert_eq!(sorted, order(100, 0));
    }
}
