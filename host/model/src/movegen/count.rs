//! The number of legal moves, without enumerating them. Mirrors `hdl/src/movegen/count.rs`.

use super::targets::Targets;
use crate::position::Position;
use hayasashi_spec::moves::MoveCount;
use hayasashi_spec::opcode::{RESULT_CHECK, RESULT_UCHIFUZUME};

impl Targets {
    /// The number of moves and the `RESULT_…` bits.
    #[inline]
    pub fn count(&self) -> MoveCount {
        let boards = self.promote.iter().chain(&self.plain);
        let moves = boards.chain(&self.drops).map(|plane| plane.count_ones() as u16).sum();
        let mut flags = 0;
        if self.in_check {
            flags |= RESULT_CHECK;
        }
        if self.uchifuzume {
            flags |= RESULT_UCHIFUZUME;
        }
        MoveCount { moves, flags }
    }
}

/// Counts the legal moves of a position.
#[inline]
pub fn count(position: &Position) -> MoveCount {
    Targets::find(position).count()
}
