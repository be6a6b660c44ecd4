//! Game records: files and folders of CSA, KIF, KI2 and JKF, and lists in USI notation, in UTF-8, Shift_JIS, EUC-JP or
//! UTF-16.
//!
//! The format of a file is detected from its content, not from its name. Handicap games and games from other positions
//! are supported: [`RecordedGame::start`] is the first position. A game that cannot be read, or has an illegal move, is
//! reported as a [`RecordFault`] with file, game and ply; the other games are read.
//!
//! * [`for_each`] reads games one at a time, [`read`] all of them
//! * [`RecordedGame`]: a game whose moves are legal by the rules of this crate

mod csa_move;
mod encoding;
mod format;
mod game;
mod usi;

pub use csa_move::{from_csa, to_csa};
pub use game::{GameResult, Positions, RecordedGame};

use crate::rules::{Color, Position};
use format::{Format, GameError};
use std::{
    fmt, io,
    ops::ControlFlow,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Extensions of the files that are read in folders. A file that is named itself may have any.
const EXTENSIONS: [&str; 10] = ["csa", "kif", "kifu", "ki2", "ki2u", "jkf", "json", "usi", "sfen", "txt"];

/// Why no games were read.
#[derive(Debug, Error)]
pub enum RecordsError {
    /// A file or folder cannot be read.
    #[error("cannot read `{}`: {reason}; hint: name files or folders that exist", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// The system's error.
        reason: io::Error,
    },
    /// There is no game.
    #[error("{}", no_games(paths, *files, *faults, first_fault.as_ref()))]
    Nothing {
        /// The paths that were searched.
        paths: Vec<PathBuf>,
        /// Files that were read.
        files: usize,
        /// Games that could not be read.
        faults: usize,
        /// The first of them.
        first_fault: Option<RecordFault>,
    },
}

fn no_games(paths: &[PathBuf], files: usize, faults: usize, first: Option<&RecordFault>) -> String {
    let paths: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
    let files = if files == 1 { "1 file".into() } else { format!("{files} files") };
    let games = if faults == 1 { "1 faulty game".into() } else { format!("{faults} faulty games") };
    let first = first.map_or(String::new(), |fault| format!("; the first: {fault}"));
    let extensions = EXTENSIONS.join("`, `.");
    format!("no game in {files} of {}, {games}{first}; hint: records end in `.{extensions}`", paths.join(", "))
}

/// A game that was left out, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordFault {
    /// The file.
    pub file: PathBuf,
    /// Number of the game in the file, from 1; in a list, its line.
    pub game: usize,
    /// The ply at fault, from 1, where the fault is a move.
    pub ply: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for RecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.game)?;
        self.ply.map_or(Ok(()), |ply| write!(f, ", ply {ply}"))?;
        write!(f, ": {}", self.reason)
    }
}

/// The games of files.
#[derive(Debug, Default)]
pub struct GameCollection {
    /// The games, in the order of the files' names.
    pub games: Vec<RecordedGame>,
    /// Games left out.
    pub faults: Vec<RecordFault>,
    /// Files read.
    pub files: usize,
    /// Games that do not begin at the initial position.
    pub handicaps: usize,
}

impl GameCollection {
    /// Adds the games of a file with this content.
    pub fn take(&mut self, file: &Path, bytes: &[u8]) {
        let _ = games_of(file, bytes, &mut |game| {
            self.add(game);
            ControlFlow::Continue(())
        });
    }

    fn add(&mut self, game: Result<RecordedGame, RecordFault>) {
        match game {
            Ok(game) => {
                self.handicaps += (game.start != Position::startpos()) as usize;
                self.games.push(game);
            }
            Err(fault) => self.faults.push(fault),
        }
    }
}

/// Reads the first game of a text in CSA's format.
///
/// # Errors
/// What is wrong with it.
pub fn csa_game(text: &str) -> Result<RecordedGame, String> {
    let games = format::games(text, Format::Csa);
    games.into_iter().next().unwrap_or_else(|| Err("no game".to_string().into())).map_err(|error| error.reason)
}

/// Reads all games of files, and of folders with everything below them. Calls `on_file` before each file.
///
/// # Errors
/// A path that cannot be read, or no game at all.
pub fn read(paths: &[PathBuf], on_file: &mut dyn FnMut(&Path)) -> Result<GameCollection, RecordsError> {
    let mut collection = GameCollection::default();
    collection.files = for_each(paths, on_file, &mut |game| {
        collection.add(game);
        ControlFlow::Continue(())
    })?;
    if collection.games.is_empty() {
        let (files, faults) = (collection.files, collection.faults.len());
        let first_fault = collection.faults.into_iter().next();
        return Err(RecordsError::Nothing { paths: paths.to_vec(), files, faults, first_fault });
    }
    Ok(collection)
}

/// Reads the games of files, and of folders with everything below them, one at a time, until `on_game` breaks. Calls
/// `on_file` before each file. Returns the number of files read.
///
/// # Errors
/// A path that cannot be read.
pub fn for_each(
    paths: &[PathBuf],
    on_file: &mut dyn FnMut(&Path),
    on_game: &mut dyn FnMut(Result<RecordedGame, RecordFault>) -> ControlFlow<()>,
) -> Result<usize, RecordsError> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => collect(path, &mut files)?,
            false => files.push(path.clone()),
        }
    }
    for (number, file) in (1..).zip(&files) {
        on_file(file);
        let bytes = std::fs::read(file).map_err(|reason| RecordsError::Read { path: file.clone(), reason })?;
        if games_of(file, &bytes, on_game).is_break() {
            return Ok(number);
        }
    }
    Ok(files.len())
}

/// The records of a folder and of those below it, by name.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), RecordsError> {
    let failed = |reason| RecordsError::Read { path: folder.into(), reason };
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>().map_err(failed)?;
    paths.sort();
    for path in paths {
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        if path.is_dir() {
            collect(&path, files)?;
        } else if extension.is_some_and(|e| EXTENSIONS.contains(&e.as_str())) {
            files.push(path);
        }
    }
    Ok(())
}

/// Gives each game of a file to `on_game`, until it breaks.
fn games_of(
    file: &Path,
    bytes: &[u8],
    on_game: &mut dyn FnMut(Result<RecordedGame, RecordFault>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let fault = |game, GameError { ply, reason }| RecordFault { file: file.into(), game, ply, reason };
    let Some(text) = encoding::decode(bytes) else {
        let reason = "neither UTF-8, Shift_JIS, EUC-JP nor UTF-16; hint: save the file in one of them";
        return on_game(Err(fault(1, reason.to_string().into())));
    };
    let mut on_game = |number, game: Result<RecordedGame, GameError>| {
        on_game(game.and_then(playable).map_err(|error| fault(number, error)))
    };
    match Format::of(&text) {
        Format::Usi => {
            let mut games = text.lines().enumerate().filter_map(|(line, text)| Some((line + 1, usi::line(text)?)));
            games.try_for_each(|(line, game)| on_game(line, game))
        }
        format => (1..).zip(format::games(&text, format)).try_for_each(|(number, game)| on_game(number, game)),
    }
}

/// Refuses mate problems and games without moves.
fn playable(game: RecordedGame) -> Result<RecordedGame, GameError> {
    if Color::ALL.iter().any(|&color| game.start.king_square(color).is_none()) {
        return Err("a side has no king: a problem, not a game".to_string().into());
    }
    if game.moves.is_empty() {
        return Err("no moves".to_string().into());
    }
    Ok(game)
}
