//! Openings: positions to start games from.

use super::DuelError;
use hayasashi_shogi::{random::Random, rules::PositionCommand};
use std::path::Path;

/// A position, as it is told to engines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The start and the moves made.
    pub command: PositionCommand,
}

impl Opening {
    /// Reads `startpos [moves …]` or a SFEN.
    pub fn parse(text: &str) -> Result<Opening, String> {
        PositionCommand::parse(text).map(|command| Opening { command }).map_err(|e| e.to_string())
    }

    /// What follows `position ` in USI, where `more` moves have been made since.
    pub fn usi<'a>(&'a self, more: impl IntoIterator<Item = &'a hayasashi_shogi::rules::Move>) -> String {
        let start = match self.command.start == hayasashi_shogi::rules::Position::startpos() {
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

/// Reads a file of openings, one on each line; blank lines and what follows a `#` or a tab are skipped.
pub fn read(file: &Path) -> Result<Vec<Opening>, DuelError> {
    let text =
        std::fs::read_to_string(file).map_err(|reason| DuelError::File { verb: "read", file: file.into(), reason })?;
    let mut openings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split(['#', '\t']).next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let wrong = |reason| DuelError::Opening { file: file.into(), line: number + 1, reason };
        openings.push(Opening::parse(line).map_err(wrong)?);
    }
    match openings.is_empty() {
        true => Err(DuelError::NoOpening(file.into())),
        false => Ok(openings),
    }
}

/// The order in which `count` openings are taken for a match of this seed; seed 0 keeps the file's order.
///
/// A shuffle by Fisher and Yates with SplitMix64, so that a match is the same on every machine.
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
    fn openings_are_told_as_they_were_read() {
        for text in ["startpos", "startpos moves 7g7f 3c3d", "sfen 4k4/9/9/9/9/9/9/9/4K4 b G 1 moves G*5b"] {
            assert_eq!(Opening::parse(text).unwrap().usi([]), text);
        }
        let mv = hayasashi_shogi::rules::Move::from_usi("2g2f").unwrap();
        assert_eq!(Opening::parse("startpos").unwrap().usi([&mv]), "startpos moves 2g2f");
        assert!(Opening::parse("startpos moves 7g7e").is_err());
    }

    #[test]
    fn an_order_is_a_permutation_of_its_seed() {
        assert_eq!(order(4, 0), [0, 1, 2, 3]);
        let shuffled = order(100, 7);
        assert_ne!(shuffled, order(100, 8));
        assert_eq!(shuffled, order(100, 7));
        let mut sorted = shuffled.clone();
        sorted.sort();
        assert_eq!(sorted, order(100, 0));
    }
}
