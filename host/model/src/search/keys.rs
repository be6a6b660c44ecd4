//! The keys of both sides' views, updated move by move.

use crate::attacks::ray::squares;
use crate::position::Position;
use hayasashi_spec::moves::{Move16, DROP_FROM};
use hayasashi_spec::piece::*;
use hayasashi_spec::search_keys::{HAND_KEYS, PIECE_KEYS};

/// The parts of a position's key as the mover sees it, and as the other side sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// The exclusive or of the pieces' numbers.
    pub board: [u64; 2],
    /// The sum of the numbers of pieces in hand.
    pub hands: [u64; 2],
}

impl Keys {
    /// The keys of a position.
    pub fn new(position: &Position) -> Keys {
        let mut keys = Keys::default();
        let codes = position.codes();
        for s in squares(position.occupied()) {
            keys.toggle(s, codes[s]);
        }
        for kind in PAWN..=ROOK {
            for (side, owner) in [hayasashi_spec::position::Owner::Mover, hayasashi_spec::position::Owner::Theirs]
                .into_iter()
                .enumerate()
            {
                keys.hold(side, kind, position.hand(owner, kind) as u64);
            }
        }
        keys
    }

    #[inline(always)]
    fn toggle(&mut self, square: usize, code: u8) {
        self.board[0] ^= PIECE_KEYS[square][code as usize & 31];
        self.board[1] ^= PIECE_KEYS[turn(square)][(code ^ THEIRS) as usize & 31];
    }

    /// Adds so many pieces to a hand; a negative number wraps.
    #[inline(always)]
    fn hold(&mut self, side: usize, kind: u8, count: u64) {
        let k = kind as usize - 1;
        self.hands[0] = self.hands[0].wrapping_add(HAND_KEYS[side][k].wrapping_mul(count));
        self.hands[1] = self.hands[1].wrapping_add(HAND_KEYS[1 - side][k].wrapping_mul(count));
    }

    /// The keys after a legal move of a piece of kind `moved`.
    #[inline]
    pub fn make(mut self, before: &Position, mv: Move16, moved: u8) -> Keys {
        let to = mv.to() as usize;
        if mv.from() >= DROP_FROM {
            self.hold(0, moved, u64::MAX);
            self.toggle(to, moved);
            return self.turned();
        }
        let captured = before.piece(to);
        if captured != 0 {
            self.toggle(to, captured);
            if captured & !THEIRS != KING {
                self.hold(0, captured & 7, 1);
            }
        }
        self.toggle(mv.from() as usize, moved);
        self.toggle(to, if mv.promotes() { moved | PROMOTED } else { moved });
        self.turned()
    }

    /// The keys after a null move.
    #[inline]
    pub fn turned(self) -> Keys {
        Keys { board: [self.board[1], self.board[0]], hands: [self.hands[1], self.hands[0]] }
    }

    /// The key of the position: [`hayasashi_spec::search_keys::key`].
    #[inline]
    pub fn key(&self) -> u64 {
        self.board[0] ^ self.hands[0]
    }
}
