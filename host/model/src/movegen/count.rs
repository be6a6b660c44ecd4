//! The number of legal moves, without enumerating them. Mirrors `hdl/src/movegen/count.rs`.

use super::targets::Targets;
use crate::position::Position;
use hayasashi_spec::opcode::{RESULT_BYTES, RESULT_CHECK, RESULT_UCHIFUZUME};

/// What `COUNT` answers: the result header of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Count {
    /// Number of legal moves.
    pub moves: u16,
    /// `RESULT_…` bits.
    pub flags: u16,
}

impl Count {
    /// Whether the mover is in check.
    pub fn in_check(self) -> bool {
        self.flags & RESULT_CHECK != 0
    }

    /// Whether a pawn drop was excluded only because it would be mate.
    pub fn uchifuzume(self) -> bool {
        self.flags & RESULT_UCHIFUZUME != 0
    }

    /// The bytes of the result header.
    pub fn to_bytes(self) -> [u8; RESULT_BYTES] {
        let ([a, b], [c, d]) = (self.moves.to_le_bytes(), self.flags.to_le_bytes());
        [a, b, c, d]
    }
}

impl Targets {
    /// The number of moves and the `RESULT_…` bits.
    #[inline]
    pub fn count(&self) -> Count {
        let boards = self.promote.iter().chain(&self.plain);
        let moves = boards.chain(&self.drops).map(|plane| plane.count_ones() as u16).sum();
        let mut flags = 0;
        if self.in_check {
            flags |= RESULT_CHECK;
        }
        if self.uchifuzume {
            flags |= RESULT_UCHIFUZUME;
        }
        Count { moves, flags }
    }
}

/// Counts the legal moves of a position.
#[inline]
pub fn count(position: &Position) -> Count {
    Targets::find(position).count()
}
