//! Pawn-drop mate. Mirrors a part of `hdl/src/movegen/total.rs`.
//!
//! The drop is made and the board turned; it is mate if the other side has no legal move. Only the square in front of the
//! enemy king matters.

use super::targets::{king_moves, Targets};
use crate::attacks::ray::step;
use crate::position::{Bitboard, Pieces, Position};
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::PAWN;
use hayasashi_spec::position::Owner;

/// Removes the pawn drop that would be mate from `pawn_drops`; returns whether there was one.
#[inline]
pub(super) fn exclude(position: &Position, their: &Pieces, pawn_drops: &mut Bitboard) -> bool {
    let front = step::<{ Direction::South as usize }>(their.king) & *pawn_drops;
    if front == 0 || !is_mate(position, front.trailing_zeros() as usize) {
        return false;
    }
    *pawn_drops &= !front;
    true
}

/// Whether the drop of a pawn on `square` leaves the other side without a legal move.
#[inline(never)]
fn is_mate(position: &Position, square: usize) -> bool {
    let mut child = *position;
    child.set_piece(square, PAWN);
    let child = child.turned();
    // Most kings can move away or take the pawn, so their moves are tested first. The pawn that remains in the mover's
    // hand has no effect.
    let (own, their) = (child.pieces(Owner::Mover), child.pieces(Owner::Theirs));
    king_moves(&own, &their) == 0 && Targets::find(&child).none()
}
