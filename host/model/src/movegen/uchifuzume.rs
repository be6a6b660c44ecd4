//! Pawn-drop mate. Mirrors a part of `hdl/src/movegen/total.rs`.
//!
//! Exact by construction: the drop is made, the board turned, and the legal moves of the other side say whether it
//! is mate. Only one square is ever in question: the one in front of the enemy king.

use super::targets::{king_moves, Targets};
use crate::attacks::ray::step;
use crate::position::{Bitboard, Pieces, Position};
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::PAWN;
use hayasashi_spec::position::Owner;

/// Takes the pawn drop that would be mate out of `pawn_drops`; says whether there was one.
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
    // Most kings simply walk away or take the pawn: look there before anywhere else. The pawn left in the mover's
    // hand plays no part.
    let (own, their) = (child.pieces(Owner::Mover), child.pieces(Owner::Theirs));
    king_moves(&own, &their) == 0 && Targets::find(&child).none()
}
