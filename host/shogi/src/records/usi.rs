//! Lists of games in USI's notation, one on each line.
//!
//! ```text
//! [black | white | draw TAB] (startpos | sfen SFEN | SFEN) [moves MOVE…] [TAB score…] [TAB anything]
//! ```
//!
//! A score is in centipawns for the mover before the move of its place, `-` where there is none. Blank lines and lines
//! that begin with `#` are skipped.

use super::{import::Wrong, GameResult, RecordedGame};
use crate::rules::{PositionCommand, PositionError};

/// Reads a line; `None` where it has no game.
///
/// # Errors
/// The ply at fault, where there is one, and what is wrong.
pub fn line(text: &str) -> Option<Result<RecordedGame, Wrong>> {
    let text = text.trim_end_matches(['\r', '\n']);
    if text.trim().is_empty() || text.trim_start().starts_with('#') {
        return None;
    }
    Some(read(text))
}

fn read(text: &str) -> Result<RecordedGame, Wrong> {
    let mut fields = text.split('\t').peekable();
    let result = match fields.peek().map(|f| f.trim()) {
        Some("black") => Some(GameResult::Black),
        Some("white") => Some(GameResult::White),
        Some("draw") => Some(GameResult::Draw),
        _ => None,
    };
    if result.is_some() {
        fields.next();
    }
    let command = PositionCommand::parse(fields.next().unwrap_or("")).map_err(|error| match error {
        PositionError::Illegal { ply, .. } | PositionError::Syntax { ply, .. } => (Some(ply), error.to_string()),
        error => (None, error.to_string()),
    })?;
    let scores = scores(fields.next().unwrap_or(""), command.moves.len()).map_err(|reason| (None, reason))?;
    Ok(RecordedGame { start: command.start, moves: command.moves, result, scores })
}

fn scores(text: &str, moves: usize) -> Result<Vec<Option<i16>>, String> {
    let scores: Result<Vec<Option<i16>>, String> = text
        .split_ascii_whitespace()
        .map(|word| match word {
            "-" => Ok(None),
            _ => word.parse().map(Some).map_err(|_| format!("the score '{word}' is no number of centipawns")),
        })
        .collect();
    match scores? {
        scores if scores.is_empty() || scores.len() == moves => Ok(scores),
        scores => Err(format!("{} scores for {moves} moves; write '-' where there is none", scores.len())),
    }
}
