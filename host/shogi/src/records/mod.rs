//! Game records: files and whole folders of CSA, KIF, KI2, JKF and lists in USI's notation, in any usual encoding.
//!
//! What a file is written in is told from what it says, not from its name. Handicap games and games that begin anywhere
//! else are understood: [`RecordedGame::start`] is where they begin. A game that cannot be read, or has an illegal move, is a
//! [`Fault`] that names the file, the game and the ply; the others are read nonetheless.

mod game;
mod import;
mod text;
mod usi;

pub use game::{GameResult, Positions, RecordedGame};
pub use import::Format;

use crate::rules::Color;
use std::{
    fmt,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Endings of files that are looked at in folders; a file that is named itself may have any.
const ENDINGS: [&str; 10] = ["csa", "kif", "kifu", "ki2", "ki2u", "jkf", "json", "usi", "sfen", "txt"];

/// Why there is nothing to read.
#[derive(Debug, Error)]
pub enum RecordsError {
    /// A file or folder cannot be read.
    #[error("cannot read `{}`: {reason}; hint: give files or folders that exist", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// There is no game.
    #[error("no game in {files} files of {}; {faults} faulty games{}; hint: records end in .{}", named(paths), first(first_fault), ENDINGS.join(", ."))]
    Nothing {
        /// Where it was looked.
        paths: Vec<PathBuf>,
        /// Files that were read.
        files: usize,
        /// Games that could not be read.
        faults: usize,
        /// The first of them.
        first_fault: Option<Fault>,
    },
}

fn named(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| format!("`{}`", path.display())).collect::<Vec<_>>().join(", ")
}

fn first(fault: &Option<Fault>) -> String {
    fault.as_ref().map_or(String::new(), |fault| format!(", the first: {fault}"))
}

/// A game that was left out, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The file.
    pub file: PathBuf,
    /// Which game in it (in a list: which line), from 1.
    pub game: usize,
    /// The ply, from 1, where one is at fault.
    pub ply: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.game)?;
        self.ply.map_or(Ok(()), |ply| write!(f, ", ply {ply}"))?;
        write!(f, ": {}", self.reason)
    }
}

/// What was read.
#[derive(Debug, Default)]
pub struct Reading {
    /// The games, in the order of files' names.
    pub games: Vec<RecordedGame>,
    /// Games left out.
    pub faults: Vec<Fault>,
    /// Files read.
    pub files: usize,
    /// Games that do not begin at the initial position.
    pub handicaps: usize,
}

/// Reads files, and folders with all that is below them. `tell` hears of each file.
///
/// # Errors
/// A path that cannot be read, or no game at all.
pub fn read(paths: &[PathBuf], tell: &mut dyn FnMut(&Path)) -> Result<Reading, RecordsError> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => collect(path, &mut files)?,
            false => files.push(path.clone()),
        }
    }
    let mut reading = Reading::default();
    for file in files {
        tell(&file);
        let bytes = std::fs::read(&file).map_err(|reason| RecordsError::Read { path: file.clone(), reason })?;
        reading.files += 1;
        reading.take(&file, &bytes);
    }
    if reading.games.is_empty() {
        let (files, faults) = (reading.files, reading.faults.len());
        let first_fault = reading.faults.into_iter().next();
        return Err(RecordsError::Nothing { paths: paths.to_vec(), files, faults, first_fault });
    }
    Ok(reading)
}

/// The records of a folder, by name.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), RecordsError> {
    let failed = |reason| RecordsError::Read { path: folder.into(), reason };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    for path in paths {
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        if path.is_dir() {
            collect(&path, files)?;
        } else if ending.is_some_and(|e| ENDINGS.contains(&e.as_str())) {
            files.push(path);
        }
    }
    Ok(())
}

impl Reading {
    /// Takes the games of a file.
    pub fn take(&mut self, file: &Path, bytes: &[u8]) {
        let mut fault = |game, ply, reason| self.faults.push(Fault { file: file.into(), game, ply, reason });
        let Some(text) = text::decode(bytes) else {
            return fault(1, None, "neither UTF-8, Shift_JIS, EUC-JP nor UTF-16; hint: save it in one of them".into());
        };
        let format = Format::of(&text);
        let games: Vec<(usize, Result<RecordedGame, import::Wrong>)> = match format {
            Format::Usi => {
                let lines = text.lines().enumerate().filter_map(|(i, line)| Some((i + 1, usi::line(line)?)));
                lines.collect()
            }
            _ => import::games(&text, format).into_iter().enumerate().map(|(i, game)| (i + 1, game)).collect(),
        };
        for (number, game) in games {
            match game {
                Ok(game) if Color::ALL.iter().any(|&c| game.start.king_square(c).is_none()) => {
                    fault(number, None, "a side has no king: a problem, not a game".into());
                }
                Ok(game) if game.moves.is_empty() => fault(number, None, "no moves".into()),
                Ok(game) => {
                    self.handicaps += (game.start != crate::rules::Position::startpos()) as usize;
                    self.games.push(game);
                }
                Err((ply, reason)) => fault(number, ply, reason),
            }
        }
    }
}
