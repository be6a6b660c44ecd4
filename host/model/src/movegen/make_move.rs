//! Making a move. Mirrors `hdl/src/movegen/make_move.rs`.

use crate::position::Position;
use hayasashi_spec::moves::Move16;
use hayasashi_spec::piece::{KING, PROMOTED, THEIRS};
use hayasashi_spec::position::HAND_OFFSET;

/// The position after a legal move, in the view of the side then to move.
#[inline]
pub fn make_move(position: &Position, mv: Move16) -> Position {
    let mut next = *position;
    let to = mv.to() as usize;
    if let Some(kind) = mv.dropped() {
        next.set_piece(to, kind);
        next.hands[0] -= 1 << HAND_OFFSET[kind as usize - 1];
    } else {
        let from = mv.from() as usize;
        let captured = next.piece(to) & !THEIRS;
        if captured != 0 && captured != KING {
            next.hands[0] += 1 << HAND_OFFSET[(captured & !PROMOTED) as usize - 1];
        }
        let promoted = if mv.promotes() { PROMOTED } else { 0 };
        let code = next.piece(from) | promoted;
        next.set_piece(from, 0);
        next.set_piece(to, code);
    }
    next.turned()
}
