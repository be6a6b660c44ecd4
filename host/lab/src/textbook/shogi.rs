//! Shogi, evaluated by the chip's table.

use super::{Deterministic, Game, QuiescenceMoves, Turn};
use hayasashi_accel::view;
use hayasashi_model::{evaluate::EvalTable, position::Position as ModelPosition};
use hayasashi_shogi::rules::{Color, Move, MoveList, Position};
use std::sync::Arc;

/// A shogi position; Black is Max. Repetition and declaration are not modelled.
#[derive(Clone)]
pub struct Shogi {
    position: Position,
    table: Arc<EvalTable>,
}

impl Shogi {
    /// A position with its evaluation table.
    pub fn new(position: Position, table: Arc<EvalTable>) -> Shogi {
        Shogi { position, table }
    }
}

impl Game for Shogi {
    type Move = Move;
    /// The value of a mate.
    const MAX_VALUE: i32 = 100_000;

    fn turn(&self) -> Turn {
        match self.position.side_to_move() {
            Color::Black => Turn::Max,
            Color::White => Turn::Min,
        }
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = MoveList::new();
        self.position.legal_moves(&mut moves);
        moves.to_vec()
    }

    fn after(&self, &mv: &Move) -> Shogi {
        let mut next = self.clone();
        next.position.do_move(mv);
        next
    }

    fn value(&self) -> i32 {
        let mover = if self.turn() == Turn::Max { 1 } else { -1 };
        if !self.position.has_legal_move() {
            return -mover * Self::MAX_VALUE;
        }
        mover * self.table.score(&ModelPosition::from(&view::image(&self.position))) as i32
    }

    /// In check all evasions; otherwise captures, with the option to stand pat.
    fn quiescence_moves(&self) -> QuiescenceMoves<Move> {
        let in_check = self.position.in_check();
        let mut moves = MoveList::new();
        if in_check {
            self.position.evasions(&mut moves);
        } else {
            self.position.captures(&mut moves);
        }
        QuiescenceMoves { moves: moves.to_vec(), may_stand_pat: !in_check }
    }
}

impl Deterministic for Shogi {}
