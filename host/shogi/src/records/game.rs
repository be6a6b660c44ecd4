//! A game as it is learned from.

use crate::rules::{Color, Move, Position};

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// Black (sente).
    Black,
    /// White (gote).
    White,
    /// Nobody.
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

/// A game that was read: every move is legal.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedGame {
    /// Where it begins.
    pub start: Position,
    /// Its moves.
    pub moves: Vec<Move>,
    /// How it ended, where the record tells.
    pub result: Option<GameResult>,
    /// By ply: the score in centipawns that a search told the mover before the move; as long as `moves`, or empty.
    pub scores: Vec<Option<i16>>,
}

impl RecordedGame {
    /// The positions with the move made in each, and the ply, from 0.
    pub fn positions(&self) -> Positions<'_> {
        Positions { game: self, pos: self.start.clone(), ply: 0 }
    }
}

/// Walks over a game.
pub struct Positions<'a> {
    game: &'a RecordedGame,
    pos: Position,
    ply: usize,
}

impl Positions<'_> {
    /// The next position with the move made in it, and its ply.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Option<(&Position, Move, usize)> {
        let mv = *self.game.moves.get(self.ply)?;
        if self.ply > 0 {
            self.pos.do_move(self.game.moves[self.ply - 1]);
        }
        self.ply += 1;
        Some((&self.pos, mv, self.ply - 1))
    }
}
