//! Reads boards that are embedded in the program, and boards in files given by path.

use super::{Board, BoardError, FIRST_NUMBER};
use std::{fs, path::Path};

/// The files of a board that the build script embedded.
struct Embedded {
    stem: &'static str,
    text: &'static str,
    /// File name and text of each constraint file.
    constraints: &'static [(&'static str, &'static str)],
}

static EMBEDDED: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/boards.rs"));

/// The embedded boards' stems in alphabetical order.
pub fn stems() -> impl Iterator<Item = &'static str> {
    EMBEDDED.iter().map(|b| b.stem)
}

pub(super) fn embedded(stem: &str) -> Result<Board, BoardError> {
    let Some(found) = EMBEDDED.iter().find(|b| b.stem == stem) else {
        let known: Vec<String> = stems().map(|s| format!("`{s}`")).collect();
        return Err(BoardError::Unknown { given: stem.into(), known: known.join(", ") });
    };
    with_unique_number(Board::parse(found.stem, found.text, found.constraints)?)
}

pub(super) fn read(path: &Path) -> Result<Board, BoardError> {
    let file = path.display().to_string();
    let failed = |path: &Path, reason: String| BoardError::Read { file: path.display().to_string(), reason };
    let text = fs::read_to_string(path).map_err(|e| failed(path, e.to_string()))?;
    let stem =
        path.file_stem().and_then(|s| s.to_str()).ok_or_else(|| failed(path, "the path has no file name".into()))?;
    let mut constraints = Vec::new();
    for extension in ["lpf", "cst", "xdc"] {
        let beside = path.with_extension(extension);
        if beside.is_file() {
            let text = fs::read_to_string(&beside).map_err(|e| failed(&beside, e.to_string()))?;
            constraints.push((format!("{stem}.{extension}"), text));
        }
    }
    let constraints: Vec<(&str, &str)> = constraints.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let board = Board::parse(stem, &text, &constraints).map_err(|e| with_path(e, file.clone()))?;
    with_unique_number(board).map_err(|e| with_path(e, file))
}

/// The same error with the path of the file.
fn with_path(error: BoardError, path: String) -> BoardError {
    match error {
        BoardError::Read { reason, .. } => BoardError::Read { file: path, reason },
        BoardError::Parse { reason, .. } => BoardError::Parse { file: path, reason },
        BoardError::Value { key, value, reason, .. } => BoardError::Value { file: path, key, value, reason },
        BoardError::Number { number, other, free, .. } => BoardError::Number { file: path, number, other, free },
        unknown @ BoardError::Unknown { .. } => unknown,
    }
}

/// Refuses a board whose number is that of an embedded board with another stem.
fn with_unique_number(board: Board) -> Result<Board, BoardError> {
    let others: Vec<Board> = EMBEDDED
        .iter()
        .filter(|b| b.stem != board.stem)
        .filter_map(|b| Board::parse(b.stem, b.text, b.constraints).ok())
        .collect();
    let Some(other) = others.iter().find(|b| b.number == board.number) else { return Ok(board) };
    let free = (FIRST_NUMBER..).find(|n| others.iter().all(|b| b.number != *n)).unwrap_or(FIRST_NUMBER);
    Err(BoardError::Number {
        file: format!("{}.toml", board.stem),
        number: board.number,
        other: format!("{}.toml", other.stem),
        free,
    })
}
