//! What checks and pins leave to the pieces other than the king. Mirrors `hdl/src/attacks/legality.rs`.

use super::pins::{aligned, axis, AXES};
use super::ray::{BOARD, STEP};
use crate::position::{Bitboard, Pieces};
use hayasashi_spec::moves::Direction;

/// Checks and pins on the mover's king.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// Pieces that give check.
    pub checkers: Bitboard,
    /// Squares on which a piece other than the king may arrive: all without a check; in check the checker and the squares
    /// between it and the king; none in double check.
    pub evasion: Bitboard,
    /// Own pieces pinned to the king.
    pub pinned: Bitboard,
    /// The pinned pieces by the axis along which they may move.
    pub pinned_on: [Bitboard; AXES],
}

impl Checks {
    /// No king, or no check and no pin.
    const NONE: Checks = Checks { checkers: 0, evasion: BOARD, pinned: 0, pinned_on: [0; AXES] };

    /// Finds checks and pins. A side without a king has neither.
    #[inline]
    pub fn find(own: &Pieces, their: &Pieces) -> Checks {
        let mut checks = Checks::NONE;
        if own.king == 0 {
            return checks;
        }
        let king = own.king.trailing_zeros() as usize;
        let occupied = own.all | their.all;

        // Their pieces step south: a pawn that gives check stands north of the king.
        use Direction::*;
        let near = &STEP[king];
        let beside = their.gold | their.horse;
        let sideways = near[East as usize] | near[West as usize] | near[South as usize];
        let forward = near[NorthEast as usize] | near[NorthWest as usize];
        let backward = near[SouthEast as usize] | near[SouthWest as usize];
        let jumps = near[KnightEast as usize] | near[KnightWest as usize];
        checks.checkers = near[North as usize] & (their.pawn | their.silver | beside)
            | forward & (their.silver | their.gold | their.dragon)
            | sideways & beside
            | backward & (their.silver | their.dragon)
            | jumps & their.knight;

        let mut between = 0;
        for line in aligned(king, their, North) {
            let blockers = line.between & occupied;
            if blockers == 0 {
                checks.checkers |= 1 << line.slider;
                between |= line.between;
            } else if blockers & (blockers - 1) == 0 && blockers & own.all != 0 {
                checks.pinned |= blockers;
                checks.pinned_on[axis(line.direction)] |= blockers;
            }
        }
        if checks.checkers != 0 {
            let double = checks.checkers & (checks.checkers - 1) != 0;
            checks.evasion = if double { 0 } else { checks.checkers | between };
        }
        checks
    }

    /// The pieces of `pieces` that may move in ray direction `d` despite pins.
    #[inline(always)]
    pub fn free(&self, pieces: Bitboard, d: usize) -> Bitboard {
        pieces & (!self.pinned | self.pinned_on[axis(d)])
    }
}
