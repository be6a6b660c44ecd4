//! Start positions: from a file, or from game records cut at a fixed ply.

use super::ExperimentError;
use crate::matches::{openings, Opening};
use hayasashi_shogi::{records, rules::PositionCommand};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

/// The ply at which Taketoshi et al. (2002) cut their records.
pub const DEFAULT_CUT_PLY: usize = 31;

/// Where openings come from.
#[derive(Clone, Debug)]
pub enum OpeningSource {
    /// A file with one opening on each line.
    File(PathBuf),
    /// Records or folders of records, and the ply at which they are cut.
    Records(Vec<PathBuf>, usize),
}

impl OpeningSource {
    /// Reads the openings. Of several records with the same position at the cut only the first is used; an opening keeps the
    /// record's moves.
    ///
    /// # Errors
    /// A file that cannot be read, a line that is not an opening, or records that are all too short.
    pub fn read(&self) -> Result<Vec<Opening>, ExperimentError> {
        match self {
            OpeningSource::File(file) => Ok(openings::read(file)?),
            OpeningSource::Records(paths, plies) => cut(paths, *plies),
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
        true => Err(ExperimentError::ShortRecords { games, plies }),
        false => Ok(openings),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_cut_and_equal_positions_are_used_once() {
        let file = std::env::temp_dir().join(format!("hayasashi-{}-cut.usi", std::process::id()));
        let games =
            "startpos moves 7g7f 3c3d 2g2f 8c8d\nstartpos moves 2g2f 3c3d 7g7f 4a3b\nstartpos moves 7g7f 8c8d 2g2f\n";
        std::fs::write(&file, games).unwrap();
        let read = |plies| OpeningSource::Records(vec![file.clone()], plies).read();
        let texts = |plies| read(plies).unwrap().iter().map(|o| o.usi([])).collect::<Vec<_>>();
        // After three plies the first two games have the same position, and the third game is too short.
        assert_eq!(texts(3), ["startpos moves 7g7f 3c3d 2g2f"]);
        let after_two = ["startpos moves 7g7f 3c3d", "startpos moves 2g2f 3c3d", "startpos moves 7g7f 8c8d"];
        assert_eq!(texts(2), after_two);
        let error = read(4).unwrap_err().to_string();
        std::fs::remove_file(&file).unwrap();
        assert!(error.contains("none of the 3 games is longer than 4 plies"), "{error}");
    }
}
