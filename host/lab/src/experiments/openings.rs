//! Positions to play from: of a file, or cut from game records as was done in 2002.

use super::ExperimentError;
use crate::matches::{openings, Opening};
use hayasashi_shogi::{records, rules::PositionCommand};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

/// The ply at which the records of the experiments of 2002 were cut.
pub const CUT: usize = 31;

/// Where openings come from.
#[derive(Clone, Debug)]
pub enum Openings {
    /// A file with one on each line.
    File(PathBuf),
    /// Records, or folders of records, cut after so many plies.
    Records(Vec<PathBuf>, usize),
}

impl Openings {
    /// Reads them. Of records with the same position the first counts; the moves before are kept.
    ///
    /// # Errors
    /// A file that cannot be read, a line that is no opening, or no game that is long enough.
    pub fn read(&self) -> Result<Vec<Opening>, ExperimentError> {
        match self {
            Openings::File(file) => Ok(openings::read(file)?),
            Openings::Records(paths, plies) => cut(paths, *plies),
        }
    }
}

fn cut(paths: &[PathBuf], plies: usize) -> Result<Vec<Opening>, ExperimentError> {
    let reading = records::read(paths, &mut |_: &Path| {})?;
    let games = reading.games.len();
    let (mut openings, mut seen) = (Vec::new(), HashSet::new());
    for mut game in reading.games {
        if game.moves.len() <= plies {
            continue;
        }
        game.moves.truncate(plies);
        let mut pos = game.start.clone();
        for &mv in &game.moves {
            pos.do_move(mv);
        }
        if seen.insert(pos.to_sfen()) {
            openings.push(Opening { command: PositionCommand { start: game.start, moves: game.moves, position: pos } });
        }
    }
    match openings.is_empty() {
        true => Err(ExperimentError::Short { games, plies }),
        false => Ok(openings),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_cut_and_what_is_the_same_is_taken_once() {
        let file = std::env::temp_dir().join(format!("hayasashi-{}-cut.usi", std::process::id()));
        let games =
            "startpos moves 7g7f 3c3d 2g2f 8c8d\nstartpos moves 2g2f 3c3d 7g7f 4a3b\nstartpos moves 7g7f 8c8d 2g2f\n";
        std::fs::write(&file, games).unwrap();
        let read = |plies| Openings::Records(vec![file.clone()], plies).read();
        let texts = |plies| read(plies).unwrap().iter().map(|o| o.usi([])).collect::<Vec<_>>();
        // After three plies the first two are one position, and the third game has no fourth.
        assert_eq!(texts(3), ["startpos moves 7g7f 3c3d 2g2f"]);
        let after_two = ["startpos moves 7g7f 3c3d", "startpos moves 2g2f 3c3d", "startpos moves 7g7f 8c8d"];
        assert_eq!(texts(2), after_two);
        let error = read(4).unwrap_err().to_string();
        std::fs::remove_file(&file).unwrap();
        assert!(error.contains("none of 3 games has more than 4 plies"), "{error}");
    }
}
