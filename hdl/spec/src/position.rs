//! The position image: one position in the mover's view, 64 bytes.
//!
//! The 512 bits of the image, least significant bit of byte 0 first:
//!
//! | bits | contents |
//! |---|---|
//! | 0–404 | 81 piece codes of 5 bits, square 0 first |
//! | 405–407 | zero |
//! | 408–428 | the mover's hand: pawns (5 bits), lances, knights, silvers, golds (3 each), bishops, rooks (2 each) |
//! | 429–431 | zero |
//! | 432–452 | their hand, likewise |
//! | 453–511 | zero |
//!
//! # Positions that cannot occur
//!
//! The chip and every software model answer a position with [`Fault`]s by [`crate::opcode::Status::Position`] and
//! these bits; the host reports the reason in words before it sends one. Each fault is found independently of the
//! others: codes 13 and 29 block other pieces but attack nothing and are of no kind; code 16 is an empty square.

use crate::piece::*;
use bytemuck::{Pod, Zeroable};

/// Bytes of a position image.
pub const IMAGE_BYTES: usize = 64;
/// First bit of the mover's hand.
pub const OWN_HAND_BIT: usize = 408;
/// First bit of their hand.
pub const THEIR_HAND_BIT: usize = 432;
/// Bits of each hand.
pub const HAND_BITS: usize = 21;
/// Bits of the count of each hand kind, [`PAWN`] first.
pub const HAND_WIDTH: [usize; HAND_KINDS] = [5, 3, 3, 3, 3, 2, 2];
/// First bit, within a hand, of the count of each hand kind.
pub const HAND_OFFSET: [usize; HAND_KINDS] = [0, 5, 8, 11, 14, 17, 19];

/// A position in the mover's view, packed as the module describes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[repr(C, align(8))]
pub struct PositionImage {
    /// The 512 bits, least significant bit of byte 0 first.
    pub bytes: [u8; IMAGE_BYTES],
}

impl Default for PositionImage {
    fn default() -> Self {
        PositionImage { bytes: [0; IMAGE_BYTES] }
    }
}

/// Whose hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// Of the side to move.
    Mover,
    /// Of the other side.
    Theirs,
}

impl PositionImage {
    /// Reads `width <= 8` bits from bit `at`.
    fn bits(&self, at: usize, width: usize) -> u8 {
        let low = self.bytes[at / 8] as u16;
        let high = *self.bytes.get(at / 8 + 1).unwrap_or(&0) as u16;
        ((low | high << 8) >> (at % 8)) as u8 & ((1u16 << width) - 1) as u8
    }

    fn set_bits(&mut self, at: usize, width: usize, value: u8) {
        for i in 0..width {
            let (byte, bit) = ((at + i) / 8, (at + i) % 8);
            self.bytes[byte] = self.bytes[byte] & !(1 << bit) | (value >> i & 1) << bit;
        }
    }

    /// The piece code on a square.
    pub fn piece(&self, square: usize) -> u8 {
        self.bits(CODE_BITS * square, CODE_BITS)
    }

    /// Puts a piece code on a square.
    pub fn set_piece(&mut self, square: usize, code: u8) {
        self.set_bits(CODE_BITS * square, CODE_BITS, code)
    }

    /// Number of pieces of a hand kind ([`PAWN`]`..=`[`ROOK`]) in a hand.
    pub fn hand(&self, owner: Owner, kind: u8) -> u8 {
        let k = kind as usize - 1;
        self.bits(Self::hand_bit(owner) + HAND_OFFSET[k], HAND_WIDTH[k])
    }

    /// Sets the number of pieces of a hand kind in a hand; the count is truncated to the field's width.
    pub fn set_hand(&mut self, owner: Owner, kind: u8, count: u8) {
        let k = kind as usize - 1;
        self.set_bits(Self::hand_bit(owner) + HAND_OFFSET[k], HAND_WIDTH[k], count)
    }

    fn hand_bit(owner: Owner) -> usize {
        match owner {
            Owner::Mover => OWN_HAND_BIT,
            Owner::Theirs => THEIR_HAND_BIT,
        }
    }
}

/// Why a position cannot occur. A status answer carries the union of the bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Fault {
    /// A reserved bit is set, or a piece code is 13, 16 or 29.
    Encoding = 1 << 0,
    /// Board and hands hold more of a kind than a full set, or one side has two kings.
    TooMany = 1 << 1,
    /// Two unpromoted pawns of one side on one file.
    TwoPawns = 1 << 2,
    /// A pawn, lance or knight that can never move again.
    Dead = 1 << 3,
    /// The mover could capture the enemy king.
    Capturable = 1 << 4,
}

impl Fault {
    /// Every fault, in the order of its bit.
    pub const ALL: [Fault; 5] = [Fault::Encoding, Fault::TooMany, Fault::TwoPawns, Fault::Dead, Fault::Capturable];

    /// The reason in words.
    pub fn text(self) -> &'static str {
        match self {
            Fault::Encoding => "a reserved bit is set or a piece code does not exist",
            Fault::TooMany => "more pieces of a kind than a set has, or two kings of one side",
            Fault::TwoPawns => "two unpromoted pawns of one side on one file",
            Fault::Dead => "a pawn, lance or knight where it can never move again",
            Fault::Capturable => "the side not to move is in check",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_overlap() {
        let mut image = PositionImage::default();
        for s in 0..SQUARES {
            image.set_piece(s, (s % 32) as u8);
        }
        for (k, count) in FULL_SET.into_iter().enumerate() {
            image.set_hand(Owner::Mover, k as u8 + 1, count);
            image.set_hand(Owner::Theirs, k as u8 + 1, 1);
        }
        for s in 0..SQUARES {
            assert_eq!(image.piece(s), (s % 32) as u8);
        }
        for (k, count) in FULL_SET.into_iter().enumerate() {
            assert_eq!(image.hand(Owner::Mover, k as u8 + 1), count);
            assert_eq!(image.hand(Owner::Theirs, k as u8 + 1), 1);
        }
    }
}
