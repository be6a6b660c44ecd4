//! Where pieces in hand may be dropped. Mirrors a part of `hdl/src/movegen/targets.rs`.

use crate::attacks::ray::{BOARD, RANK};
use crate::position::{Bitboard, Pieces, Position};
use hayasashi_spec::piece::*;
use hayasashi_spec::position::{HAND_OFFSET, HAND_WIDTH};

/// Destinations of the drops of each kind that the mover holds, pawn first; `evasion` is what a check leaves.
///
/// Excludes second pawns (nifu) and drops that could never move again, not yet pawn-drop mate.
#[inline]
pub(super) fn targets(position: &Position, own: &Pieces, their: &Pieces, evasion: Bitboard) -> [Bitboard; HAND_KINDS] {
    let to = BOARD & !(own.all | their.all) & evasion;
    let mut drops = [0; HAND_KINDS];
    if to == 0 || position.hands[0] == 0 {
        return drops;
    }
    for (k, drop) in drops.iter_mut().enumerate() {
        let held = position.hands[0] >> HAND_OFFSET[k] & ((1 << HAND_WIDTH[k]) - 1);
        *drop = if held != 0 { to } else { 0 };
    }
    drops[PAWN as usize - 1] &= !RANK[0] & !Position::files_of(own.pawn);
    drops[LANCE as usize - 1] &= !RANK[0];
    drops[KNIGHT as usize - 1] &= !(RANK[0] | RANK[1]);
    drops
}
