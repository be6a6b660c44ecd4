//! Lists of games in USI notation, one game on each line.
//!
//! ```text
//! [FIELD TAB]… ([position] startpos | sfen SFEN | SFEN) [moves MOVE…] [TAB SCORE…] [TAB FIELD]…
//! ```
//!
//! A field `black`, `white` or `draw` before the game is its result; other fields before it are skipped. A score is in
//! centipawns for the side to move, before the move at its index, or `-` where there is none. Blank lines and lines that
//! begin with `#` are skipped.

use super::{format::GameError, GameResult, RecordedGame};
use crate::{
    rules::{PositionCommand, PositionError},
    text::excerpt,
};

/// Reads a line; `None` if it has no game.
///
/// # Errors
/// The ply at fault, where there is one, and the reason.
pub fn line(text: &str) -> Option<Result<RecordedGame, GameError>> {
    let text = text.trim_end_matches(['\r', '\n']);
    if text.trim().is_empty() || text.trim_start().starts_with('#') {
        return None;
    }
    Some(read(text))
}

fn read(text: &str) -> Result<RecordedGame, GameError> {
    let fields: Vec<&str> = text.split('\t').map(str::trim).collect();
    let is_game = |field: &&str| ["startpos", "sfen ", "position "].iter().any(|word| field.starts_with(word));
    // Without one of the words the game is a bare SFEN, or a fault that is reported.
    let bare = result(fields[0]).is_some() as usize;
    let game = fields.iter().position(is_game).unwrap_or(bare);
    let result = fields.iter().take(game).find_map(|field| result(field));
    let command = PositionCommand::parse(fields.get(game).unwrap_or(&"")).map_err(|error| match error {
        PositionError::Illegal { ply, token, sfen, .. } => {
            GameError { ply: Some(ply), reason: format!("illegal move `{token}` in `{sfen}`") }
        }
        PositionError::Syntax { ply, token } => GameError {
            ply: Some(ply),
            reason: format!("`{}` is not a move; hint: moves are 7g7f, 8h2b+ or P*5e", excerpt(&token)),
        },
        error => error.to_string().into(),
    })?;
    let scores = scores(fields.get(game + 1).unwrap_or(&""), command.moves.len())?;
    Ok(RecordedGame { start: command.start, moves: command.moves, result, scores })
}

fn result(field: &str) -> Option<GameResult> {
    match field {
        "black" => Some(GameResult::Black),
        "white" => Some(GameResult::White),
        "draw" => Some(GameResult::Draw),
        _ => None,
    }
}

fn scores(text: &str, moves: usize) -> Result<Vec<Option<i16>>, String> {
    let scores: Result<Vec<Option<i16>>, String> = text
        .split_ascii_whitespace()
        .map(|word| match word {
            "-" => Ok(None),
            _ => word
                .parse()
                .map(Some)
                .map_err(|_| format!("the score `{}` is not a number of centipawns", excerpt(word))),
        })
        .collect();
    match scores? {
        scores if scores.is_empty() || scores.len() == moves => Ok(scores),
        scores => Err(format!("{} scores for {moves} moves; hint: write `-` where there is none", scores.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_games_with_or_without_a_result() {
        for (text, plies, result) in [
            ("startpos moves 7g7f 3c3d", 2, None),
            ("black\tstartpos moves 7g7f 3c3d 2g2f", 3, Some(GameResult::Black)),
            ("game 7\twhite\tposition startpos moves 7g7f\t-\tmore", 1, Some(GameResult::White)),
            ("draw\tposition startpos\r", 0, Some(GameResult::Draw)),
            ("draw\t4k4/9/9/9/9/9/9/9/4K4 b G 1 moves G*5b", 1, Some(GameResult::Draw)),
        ] {
            let game = line(text).unwrap().unwrap();
            assert_eq!((game.moves.len(), game.result), (plies, result), "{text}");
        }
        assert!(line(" \r").is_none() && line("# white\tstartpos").is_none());
        let error = line("white\tstartpos moves 7g7f 7g7f").unwrap().unwrap_err();
        assert!(error.ply == Some(2) && error.reason.starts_with("illegal move `7g7f`"), "{error:?}");
        assert!(line("white").unwrap().is_err());
    }
}
