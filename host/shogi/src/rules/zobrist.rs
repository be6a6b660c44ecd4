//! Zobrist keys (A. L. Zobrist, 1970): a random number per piece and square, combined by exclusive or.
//!
//! The key of the hands is a *sum* of one random number per piece, so that counts need no table. Board and hands have
//! separate keys, so that positions with the same board can be compared by their hands.

use super::piece::{Color, Piece, PieceKind};
use super::square::{Square, SQUARES};
use crate::random::split_mix;

/// The key when White is to move, part of the board key.
pub(super) const WHITE_TO_MOVE: u64 = 0x9d39_247e_3377_6d41;

/// By square and piece code.
static BOARD: [[u64; 32]; SQUARES] = {
    let mut table = [[0; 32]; SQUARES];
    let mut state = 1;
    let mut i = 0;
    while i < SQUARES * 32 {
        (state, table[i / 32][i % 32]) = split_mix(state);
        i += 1;
    }
    table
};

/// By colour and kind code.
static HAND: [[u64; 8]; 2] = {
    let mut table = [[0; 8]; 2];
    let mut state = 2;
    let mut i = 0;
    while i < 16 {
        (state, table[i / 8][i % 8]) = split_mix(state ^ 0x6a09_e667_f3bc_c908);
        i += 1;
    }
    table
};

/// Key of a piece code on a square.
#[inline(always)]
pub(super) fn on_board(code: u8, square: Square) -> u64 {
    BOARD[square.index()][(code & 31) as usize]
}

/// Key of one piece of a kind code in a hand, to be added for each.
#[inline(always)]
pub(super) fn in_hand(color: Color, code: u8) -> u64 {
    HAND[color.index()][(code & 7) as usize]
}

/// Key of a piece on a square, as [`super::Position::board_key`] combines them.
pub fn piece_key(piece: Piece, square: Square) -> u64 {
    on_board(piece.code(), square)
}

/// Key of one piece of a kind in a hand; [`super::Position::hand_key`] is the wrapping sum over all pieces held.
pub fn hand_piece_key(color: Color, kind: PieceKind) -> u64 {
    in_hand(color, kind.unpromote().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_are_distinct() {
        let mut keys: HashSet<u64> = BOARD.iter().flatten().chain(HAND.iter().flatten()).copied().collect();
        keys.insert(WHITE_TO_MOVE);
        assert_eq!(keys.len(), 81 * 32 + 16 + 1);
    }
}
