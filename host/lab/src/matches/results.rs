//! The file of finished games.
//!
//! A [`Journal`]: first the [`Setting`], then each [`GameRecord`] as its game ends. A game that was being written when the
//! power went is played again.

use super::{
    journal::{self, Journal},
    statistics::{Pentanomial, Tally},
    DuelError,
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::Path};

/// What a match is: a match that goes on must have the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// The first engine, whose score it is.
    pub engine: String,
    /// The second.
    pub against: String,
    /// Limits of the first engine's moves.
    pub pace: String,
    /// Limits of the second's.
    pub against_pace: String,
    /// Adjudication.
    pub adjudication: String,
    /// The openings: number, and a checksum (FNV-1a) of their positions.
    pub openings: String,
    /// Seed of their order.
    pub seed: u64,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number, from 0; games 2n and 2n + 1 are a pair, and the first engine is Black in the first of them.
    pub game: u64,
    /// Which opening, from 0.
    pub opening: usize,
    /// Half points of the first engine: 0, 1 or 2.
    pub half_points: u8,
    /// `black`, `white` or `draw`.
    pub winner: String,
    /// Why it ended.
    pub ending: String,
    /// The whole game as USI: `startpos moves …`.
    pub usi: String,
}

/// The games that are finished, in memory and on disk.
pub struct Results {
    journal: Journal,
    games: BTreeMap<u64, GameRecord>,
}

impl Results {
    /// Opens the file of a match, or makes it.
    pub fn open(file: &Path, setting: &Setting) -> Result<Results, DuelError> {
        let (journal, games) = Journal::open(file, setting, Setting::fields)?;
        Ok(Results { journal, games: by_number(games) })
    }

    /// Reads the file of a match; `None` where there is none.
    pub fn read(file: &Path) -> Result<Option<(Setting, BTreeMap<u64, GameRecord>)>, DuelError> {
        Ok(journal::read(file)?.map(|(setting, games)| (setting, by_number(games))))
    }

    /// Adds a game; when this returns it is on the disk.
    pub fn add(&mut self, record: GameRecord) -> Result<(), DuelError> {
        self.journal.add(&record)?;
        self.games.insert(record.game, record);
        Ok(())
    }

    /// The games by number.
    pub fn games(&self) -> &BTreeMap<u64, GameRecord> {
        &self.games
    }

    /// Wins, losses and draws of the first engine.
    pub fn tally(&self) -> Tally {
        tally(&self.games)
    }

    /// The pairs of which both games are finished.
    pub fn pentanomial(&self) -> Pentanomial {
        pentanomial(&self.games)
    }
}

fn by_number(games: Vec<GameRecord>) -> BTreeMap<u64, GameRecord> {
    games.into_iter().map(|record| (record.game, record)).collect()
}

/// Wins, losses and draws of the first engine.
pub fn tally(games: &BTreeMap<u64, GameRecord>) -> Tally {
    let mut tally = Tally::default();
    for record in games.values() {
        match record.half_points {
            0 => tally.losses += 1,
            1 => tally.draws += 1,
            _ => tally.wins += 1,
        }
    }
    tally
}

/// The pairs of which both games are finished.
pub fn pentanomial(games: &BTreeMap<u64, GameRecord>) -> Pentanomial {
    let mut pairs = Pentanomial::default();
    for (number, record) in games.iter().filter(|(n, _)| *n % 2 == 0) {
        if let Some(other) = games.get(&(number + 1)) {
            pairs.add((record.half_points + other.half_points) as usize);
        }
    }
    pairs
}

impl Setting {
    /// The fields with their names, as a difference is told.
    fn fields(&self) -> Vec<(&'static str, String)> {
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

/// FNV-1a (Fowler, Noll, Vo, 1991) of texts, to recognise openings by.
pub fn checksum<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    let bytes = texts.into_iter().flat_map(|text| text.bytes().chain([b'\n']));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ byte as u64).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn setting(seed: u64) -> Setting {
        let text = String::new;
        Setting {
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
    fn a_torn_line_is_cut_off_and_the_rest_kept() {
        let file = Scratch::new("torn.jsonl");
        let mut results = Results::open(&file.0, &setting(0)).unwrap();
        [record(0, 2), record(1, 1), record(2, 0)].into_iter().for_each(|r| results.add(r).unwrap());
        drop(results);
        let whole = std::fs::read(&file.0).unwrap();
        // Wherever the last line was torn, two games are left; nothing torn leaves all.
        let second = whole[..whole.len() - 1].iter().rposition(|&b| b == b'\n').unwrap() + 1;
        for length in [second, second + 1, whole.len() - 1] {
            std::fs::write(&file.0, &whole[..length]).unwrap();
            let mut results = Results::open(&file.0, &setting(0)).unwrap();
            assert_eq!(results.games().len(), 2, "{length}");
            assert_eq!(results.pentanomial(), Pentanomial([0, 0, 0, 1, 0]));
            results.add(record(2, 0)).unwrap();
            drop(results);
            assert_eq!(std::fs::read(&file.0).unwrap(), whole);
        }
        let results = Results::open(&file.0, &setting(0)).unwrap();
        assert_eq!(results.tally(), Tally { wins: 1, losses: 1, draws: 1 });
    }

    #[test]
    fn another_match_is_refused() {
        let file = Scratch::new("other.jsonl");
        // Without a finished game there is nothing to mix.
        Results::open(&file.0, &setting(9)).unwrap();
        Results::open(&file.0, &setting(1)).unwrap().add(record(0, 1)).unwrap();
        let error = Results::open(&file.0, &setting(2)).err().unwrap().to_string();
        assert!(error.contains("seed: 1 there, 2 here"), "{error}");
        std::fs::write(&file.0, "not JSON\n").unwrap();
        assert!(matches!(Results::open(&file.0, &setting(1)), Err(DuelError::Results { line: 1, .. })));
    }

    #[test]
    fn checksums_are_fnv() {
        // FNV-1a of "foobar\n" taken as one text, and of nothing.
        assert_eq!(checksum([]), 0xcbf2_9ce4_8422_2325);
        assert_ne!(checksum(["ab", "c"]), checksum(["a", "bc"]));
    }
}
