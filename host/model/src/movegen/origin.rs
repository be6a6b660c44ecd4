//! The origin of a move. Mirrors `hdl/src/movegen/origin.rs`.

use crate::attacks::ray::first_on_ray;
use crate::position::Bitboard;
use hayasashi_spec::moves::{Direction, RAYS};
use hayasashi_spec::piece::SIDE;

/// The origin of the piece that arrives on `to` in direction `d`.
#[inline]
pub(crate) fn origin(to: usize, d: usize, occupied: Bitboard) -> usize {
    let back = if d < RAYS {
        first_on_ray(to, RAYS - 1 - d, occupied)
    } else {
        // A knight's jump is two ranks north and one file east or west.
        1 << if d == Direction::KnightEast as usize { to + SIDE + 2 } else { to + 2 - SIDE }
    };
    back.trailing_zeros() as usize
}
