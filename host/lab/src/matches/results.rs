//! The results file of a match: a [`Journal`] with the [`MatchSettings`] as its heading and one [`GameRecord`] for each
//! finished game. A game whose record is incomplete is played again.

use super::{
    journal::{self, Journal},
    statistics::{Pentanomial, WinLossDraw},
    MatchError,
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::Path};

/// The settings that identify a match. A match resumes only with the same settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchSettings {
    /// The first engine, whose score is reported.
    pub engine: String,
    /// The second engine.
    pub against: String,
    /// Search limit of the first engine.
    pub pace: String,
    /// Search limit of the second engine.
    pub against_pace: String,
    /// Adjudication and declaration rule.
    pub adjudication: String,
    /// The openings: their number and a checksum (FNV-1a) of their positions.
    pub openings: String,
    /// Seed of the order of the openings.
    pub seed: u64,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number, from 0. Games 2n and 2n + 1 are a pair; the first engine is Black in game 2n.
    pub game: u64,
    /// Index of the opening.
    pub opening: usize,
    /// Score of the first engine in half points: 0, 1 or 2.
    pub half_points: u8,
    /// `black`, `white` or `draw`.
    pub winner: String,
    /// Why it ended.
    pub ending: String,
    /// The whole game as USI: `startpos moves …`.
    pub usi: String,
}

/// Finished games by number.
pub type Games = BTreeMap<u64, GameRecord>;

/// The finished games, in memory and on disk.
pub struct ResultsFile {
    journal: Journal,
    games: Games,
}

impl ResultsFile {
    /// Opens or creates the results file of a match.
    ///
    /// # Errors
    /// A file of another match, or one that cannot be read, parsed or locked.
    pub fn open(file: &Path, settings: &MatchSettings) -> Result<ResultsFile, MatchError> {
        let (journal, games) = Journal::open(file, settings, MatchSettings::fields)?;
        Ok(ResultsFile { journal, games: by_number(games) })
    }

    /// Reads a results file without changing it; `None` if it is missing or empty.
    ///
    /// # Errors
    /// A file that cannot be read or parsed.
    pub fn read(file: &Path) -> Result<Option<(MatchSettings, Games)>, MatchError> {
        Ok(journal::read(file)?.map(|(settings, games)| (settings, by_number(games))))
    }

    /// Appends a game and synchronises it to the disk.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn add(&mut self, record: GameRecord) -> Result<(), MatchError> {
        self.journal.add(&record)?;
        self.games.insert(record.game, record);
        Ok(())
    }

    /// The finished games by number.
    pub fn games(&self) -> &Games {
        &self.games
    }

    /// Wins, losses and draws of the first engine.
    pub fn tally(&self) -> WinLossDraw {
        tally(&self.games)
    }

    /// The pairs with two finished games, by score.
    pub fn pentanomial(&self) -> Pentanomial {
        pentanomial(&self.games)
    }
}

fn by_number(games: Vec<GameRecord>) -> Games {
    games.into_iter().map(|record| (record.game, record)).collect()
}

/// Wins, losses and draws of the first engine.
pub fn tally(games: &Games) -> WinLossDraw {
    let mut tally = WinLossDraw::default();
    for record in games.values() {
        match record.half_points {
            0 => tally.losses += 1,
            1 => tally.draws += 1,
            _ => tally.wins += 1,
        }
    }
    tally
}

/// The pairs with two finished games, by score.
pub fn pentanomial(games: &Games) -> Pentanomial {
    let mut pairs = Pentanomial::default();
    for (number, record) in games.iter().filter(|(n, _)| *n % 2 == 0) {
        if let Some(other) = games.get(&(number + 1)) {
            pairs.add((record.half_points + other.half_points) as usize);
        }
    }
    pairs
}

impl MatchSettings {
    /// The fields by the names that error messages use.
    pub(super) fn fields(&self) -> Vec<(&'static str, String)> {
        vec![
            ("first engine", self.engine.clone()),
            ("second engine", self.against.clone()),
            ("limits", self.pace.clone()),
            ("limits of the second engine", self.against_pace.clone()),
            ("adjudication", self.adjudication.clone()),
            ("openings", self.openings.clone()),
            ("seed", self.seed.to_string()),
        ]
    }
}

/// FNV-1a (Fowler, Noll, Vo, 1991) of texts, to identify openings and problems.
pub fn checksum(texts: &[impl AsRef<str>]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.as_ref().bytes().chain([b'\n']));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ byte as u64).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn settings(seed: u64) -> MatchSettings {
        let text = String::new;
        MatchSettings {
            engine: "a".into(),
            against: "b".into(),
            pace: text(),
            against_pace: text(),
            adjudication: text(),
            openings: text(),
            seed,
        }
    }

    fn record(game: u64, half_points: u8) -> GameRecord {
        GameRecord {
            game,
            opening: 0,
            half_points,
            winner: "draw".into(),
            ending: "repetition".into(),
            usi: "startpos".into(),
        }
    }

    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let file = std::env::temp_dir().join(format!("hayasashi-{}-{name}", std::process::id()));
            let _ = std::fs::remove_file(&file);
            Scratch(file)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    #[test]
    fn an_incomplete_last_line_is_removed() {
        let file = Scratch::new("incomplete.jsonl");
        let mut results = ResultsFile::open(&file.0, &settings(0)).unwrap();
        [record(0, 2), record(1, 1), record(2, 0)].into_iter().for_each(|r| results.add(r).unwrap());
        drop(results);
        let whole = std::fs::read(&file.0).unwrap();
        // The first two games are kept wherever the last line was cut.
        let second = whole[..whole.len() - 1].iter().rposition(|&b| b == b'\n').unwrap() + 1;
        for length in [second, second + 1, whole.len() - 1] {
            std::fs::write(&file.0, &whole[..length]).unwrap();
            let mut results = ResultsFile::open(&file.0, &settings(0)).unwrap();
            assert_eq!(results.games().len(), 2, "{length}");
            assert_eq!(results.pentanomial(), Pentanomial([0, 0, 0, 1, 0]));
            results.add(record(2, 0)).unwrap();
            drop(results);
            assert_eq!(std::fs::read(&file.0).unwrap(), whole);
        }
        let results = ResultsFile::open(&file.0, &settings(0)).unwrap();
        assert_eq!(results.tally(), WinLossDraw { wins: 1, losses: 1, draws: 1 });
    }

    #[test]
    fn another_match_is_refused() {
        let file = Scratch::new("other.jsonl");
        // A file without games may be used for another match.
        ResultsFile::open(&file.0, &settings(9)).unwrap();
        ResultsFile::open(&file.0, &settings(1)).unwrap().add(record(0, 1)).unwrap();
        let error = ResultsFile::open(&file.0, &settings(2)).err().unwrap().to_string();
        assert!(error.contains("seed: `1` in the file, `2` requested"), "{error}");
        std::fs::write(&file.0, "not JSON\n").unwrap();
        assert!(matches!(ResultsFile::open(&file.0, &settings(1)), Err(MatchError::Results { line: 1, .. })));
    }

    #[test]
    fn checksums_are_fnv() {
        // The offset basis of FNV-1a; the texts are separated.
        assert_eq!(checksum(&[] as &[&str]), 0xcbf2_9ce4_8422_2325);
        assert_ne!(checksum(&["ab", "c"]), checksum(&["a", "bc"]));
    }
}
