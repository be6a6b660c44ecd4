//! A game that was read from a record.

use crate::rules::{Color, Move, Position};

/// Result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// Black (sente) won.
    Black,
    /// White (gote) won.
    White,
    /// A draw.
    Draw,
}

impl GameResult {
    /// Points of a side: 1, ½ or 0.
    pub fn points(self, color: Color) -> f32 {
        match (self, color) {
            (GameResult::Draw, _) => 0.5,
            (GameResult::Black, Color::Black) | (GameResult::White, Color::White) => 1.0,
            _ => 0.0,
        }
    }
}

/// A game; every move is legal.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedGame {
    /// The first position.
    pub start: Position,
    /// Its moves.
    pub moves: Vec<Move>,
    /// The result, where the record has it.
    pub result: Option<GameResult>,
    /// By ply: a search's score before the move, in centipawns for the side to move; as long as `moves`, or empty.
    pub scores: Vec<Option<i16>>,
}

impl RecordedGame {
    /// Iterates over the positions, with the move played in each and its ply, from 0.
    pub fn positions(&self) -> Positions<'_> {
        Positions { game: self, pos: self.start.clone(), ply: 0 }
    }
}

/// Iterates over a game. It lends its position, so it cannot be an [`Iterator`].
pub struct Positions<'a> {
    game: &'a RecordedGame,
    pos: Position,
    ply: usize,
}

impl Positions<'_> {
    /// The next position, the move played in it, and its ply.
    #[allow(clippy::should_implement_trait, reason = "an iterator cannot lend its items")]
    pub fn next(&mut self) -> Option<(&Position, Move, usize)> {
        let mv = *self.game.moves.get(self.ply)?;
        if self.ply > 0 {
            self.pos.do_move(self.game.moves[self.ply - 1]);
        }
        self.ply += 1;
        Some((&self.pos, mv, self.ply - 1))
    }
}
