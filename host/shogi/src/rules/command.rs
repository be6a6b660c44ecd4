//! The argument of the USI command `position`.

use super::moves::{Move, MoveList};
use super::position::Position;
use super::sfen::SfenError;
use crate::text::excerpt;
use thiserror::Error;

/// Why a `position` command was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs, reason = "the messages name the fields")]
pub enum PositionError {
    /// Neither `startpos` nor `sfen`.
    #[error("`{token}` is not a position; hint: begin with `startpos` or `sfen`", token = excerpt(token))]
    Kind { token: String },
    /// A faulty SFEN.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// Something other than `moves` follows the position.
    #[error("`{token}` follows the position; hint: write `moves` before the moves", token = excerpt(token))]
    Trailing { token: String },
    /// Text that is not a move.
    #[error("move {ply} `{token}` is not a move; hint: moves are 7g7f, 8h2b+ or P*5e", token = excerpt(token))]
    Syntax { ply: usize, token: String },
    /// A move that is illegal in its position.
    #[error("move {ply} `{token}` is illegal in {sfen}, which has {moves} legal {}; hint: check the moves before it", if *moves == 1 { "move" } else { "moves" }, token = excerpt(token))]
    Illegal { ply: usize, token: String, sfen: String, moves: usize },
}

/// A position and moves from there, as in `position [startpos | sfen …] [moves …]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionCommand {
    /// The position that the moves start from.
    pub start: Position,
    /// The moves, all legal.
    pub moves: Vec<Move>,
    /// The position after all moves.
    pub position: Position,
}

impl PositionCommand {
    /// Reads `[position] (startpos | sfen <sfen>) [moves <move>…]`. A bare SFEN is also accepted.
    ///
    /// # Errors
    /// A faulty SFEN, text that is not a move, or an illegal move. Plies count from 1 at the first move given.
    pub fn parse(text: &str) -> Result<PositionCommand, PositionError> {
        PositionCommand::parse_with(text, Position::from_sfen)
    }

    /// [`PositionCommand::parse`] of a mate problem, see [`Position::from_problem_sfen`].
    ///
    /// # Errors
    /// The same, except that doubled pawns are accepted.
    pub fn parse_problem(text: &str) -> Result<PositionCommand, PositionError> {
        PositionCommand::parse_with(text, Position::from_problem_sfen)
    }

    fn parse_with(text: &str, read: fn(&str) -> Result<Position, SfenError>) -> Result<PositionCommand, PositionError> {
        let mut tokens = text.split_ascii_whitespace().peekable();
        tokens.next_if_eq(&"position");
        let start = match tokens.next_if(|&token| token == "startpos" || token == "sfen") {
            Some("startpos") => Position::startpos(),
            sfen_word => {
                let mut sfen: Vec<&str> = Vec::new();
                while let Some(token) = tokens.next_if(|&token| token != "moves") {
                    sfen.push(token);
                }
                if sfen_word.is_none() && !sfen.first().is_some_and(|board| board.contains('/')) {
                    return Err(PositionError::Kind { token: sfen.first().copied().unwrap_or("").into() });
                }
                read(&sfen.join(" "))?
            }
        };
        if let Some(token) = tokens.next().filter(|&token| token != "moves") {
            return Err(PositionError::Trailing { token: token.into() });
        }
        let mut position = start.clone();
        let mut moves = Vec::new();
        for (i, token) in tokens.enumerate() {
            let ply = i + 1;
            let mv = Move::from_usi(token).ok_or_else(|| PositionError::Syntax { ply, token: token.into() })?;
            if !position.is_legal(mv) {
                let mut legal = MoveList::new();
                position.legal_moves(&mut legal);
                let sfen = position.to_sfen();
                return Err(PositionError::Illegal { ply, token: token.into(), sfen, moves: legal.len() });
            }
            position.do_move(mv);
            moves.push(mv);
        }
        Ok(PositionCommand { start, moves, position })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_the_command() {
        for text in [
            "startpos",
            "position startpos moves",
            "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        ] {
            assert_eq!(PositionCommand::parse(text).unwrap().position, Position::startpos());
        }
        let command = PositionCommand::parse("position startpos moves 7g7f 3c3d 8h2b+").unwrap();
        assert_eq!(command.moves.len(), 3);
        let after = "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4";
        assert_eq!(command.position.to_sfen(), after);
        assert_eq!(PositionCommand::parse(&format!("sfen {after} moves 3a2b")).unwrap().start, command.position);
    }

    #[test]
    fn faults_are_named() {
        let check = |text: &str, expected: &str| {
            let error = PositionCommand::parse(text).map(|_| ()).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        };
        check("", "`` is not a position");
        check("position start", "`start` is not a position");
        check("startpos 7g7f", "`7g7f` follows the position");
        check("startpos moves 7g7f hello", "move 2 `hello` is not a move");
        check("startpos moves 7g7f 7g7f", "move 2 `7g7f` is illegal in lnsgkgsnl");
        check("sfen 9/9 b - 1 moves 7g7f", "the board `9/9` has 2 ranks");
        check("sfen", "the SFEN has no board");
    }
}
