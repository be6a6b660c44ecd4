//! A position as five bit planes and two hands. Mirrors `hdl/src/position/board.rs`.
//!
//! As in the gateware, bit `b` of all 81 piece codes is one plane, so that the set of all pieces of a kind is a Boolean
//! function of the planes.

use crate::attacks::ray::{BOARD, RANK};
use hayasashi_spec::piece::*;
use hayasashi_spec::position::{Owner, HAND_OFFSET, HAND_WIDTH};

/// A set of squares; bit `9 * file + rank` as in [`hayasashi_spec::piece`].
pub type Bitboard = u128;

/// A position in the mover's view.
///
/// Built from a [`hayasashi_spec::position::PositionImage`] with `Position::from(&image)`. Images that cannot occur
/// can be held too, and say so in [`Position::faults`]; only then are moves and scores without meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Position {
    /// Bit `b` of the piece codes: bits 0–3 are the kind, bit 4 is set for their pieces.
    pub(crate) planes: [Bitboard; CODE_BITS],
    /// The mover's hand and theirs, packed as in the image.
    pub(crate) hands: [u32; 2],
    /// A reserved bit of the image was set.
    pub(crate) reserved: bool,
}

/// A set of squares seen from the other side of the board.
#[inline]
pub(crate) fn turn(squares: Bitboard) -> Bitboard {
    squares.reverse_bits() >> (128 - SQUARES)
}

impl Position {
    /// The piece code on a square.
    #[inline]
    pub fn piece(&self, square: usize) -> u8 {
        (0..CODE_BITS).fold(0, |code, b| code | ((self.planes[b] >> square) as u8 & 1) << b)
    }

    /// The kind of the piece on a square, 0 for none.
    #[inline]
    pub fn kind(&self, square: usize) -> u8 {
        self.piece(square) & !THEIRS
    }

    /// Puts a piece code on a square.
    #[inline]
    pub fn set_piece(&mut self, square: usize, code: u8) {
        for (b, plane) in self.planes.iter_mut().enumerate() {
            *plane = *plane & !(1 << square) | ((code >> b & 1) as u128) << square;
        }
    }

    /// How many pieces of a hand kind ([`PAWN`]`..=`[`ROOK`]) somebody holds.
    #[inline]
    pub fn hand(&self, owner: Owner, kind: u8) -> u8 {
        let k = kind as usize - 1;
        (self.hands[owner as usize] >> HAND_OFFSET[k]) as u8 & ((1 << HAND_WIDTH[k]) - 1)
    }

    /// Sets how many pieces of a hand kind somebody holds; the count is cut to the field's width.
    pub fn set_hand(&mut self, owner: Owner, kind: u8, count: u8) {
        let k = kind as usize - 1;
        let field = ((1u32 << HAND_WIDTH[k]) - 1) << HAND_OFFSET[k];
        let hand = &mut self.hands[owner as usize];
        *hand = *hand & !field | (count as u32) << HAND_OFFSET[k] & field;
    }

    /// Squares with a piece on them.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.planes[0] | self.planes[1] | self.planes[2] | self.planes[3]
    }

    /// The mover's king, or no square.
    #[inline]
    pub fn own_king(&self) -> Bitboard {
        self.kings() & !self.planes[4]
    }

    /// Their king, or no square.
    #[inline]
    pub fn their_king(&self) -> Bitboard {
        self.kings() & self.planes[4]
    }

    #[inline]
    fn kings(&self) -> Bitboard {
        self.planes[3] & !(self.planes[0] | self.planes[1] | self.planes[2])
    }

    /// The pieces of one side, sorted by how they move.
    #[inline]
    pub fn pieces(&self, owner: Owner) -> Pieces {
        let [k0, k1, k2, k3, theirs] = self.planes;
        let side = match owner {
            Owner::Mover => !theirs & BOARD,
            Owner::Theirs => theirs,
        };
        let (plain, promoted) = (side & !k3, side & k3);
        let (pair, low, high) = (k0 & k1, (k0 | k1) & !k2, k2 & !(k0 | k1));
        Pieces {
            all: side & (k0 | k1 | k2 | k3),
            pawn: plain & low & !k1,
            lance: plain & low & !k0,
            knight: plain & low & pair,
            silver: plain & high,
            gold: plain & k2 & k0 & !k1 | promoted & (low | high),
            bishop: plain & k2 & k1 & !k0,
            rook: plain & k2 & pair,
            king: promoted & !(k0 | k1 | k2),
            horse: promoted & k2 & k1 & !k0,
            dragon: promoted & k2 & pair,
        }
    }

    /// The same position seen by the other side, as if it had the move. Code 16 becomes an empty square.
    #[inline]
    pub fn turned(&self) -> Position {
        let mut planes = self.planes.map(turn);
        planes[4] = !planes[4] & (planes[0] | planes[1] | planes[2] | planes[3]);
        Position { planes, hands: [self.hands[1], self.hands[0]], reserved: self.reserved }
    }

    /// Files with an unpromoted pawn among `pawns`, all nine ranks of each.
    #[inline]
    pub(crate) fn files_of(pawns: Bitboard) -> Bitboard {
        // Fold each file's nine ranks into its rank a, then spread that over the file.
        let mut fold = pawns | pawns >> 1;
        fold |= fold >> 2;
        fold |= fold >> 4;
        // A bit of a folded rank a may come from ranks a–h of the same file only; rank i is added by itself.
        let fold = (fold | pawns >> (SIDE - 1)) & RANK[0];
        (fold << SIDE) - fold
    }
}

/// The pieces of one side, sorted by how they move.
#[derive(Clone, Copy, Debug)]
pub struct Pieces {
    /// All of them.
    pub all: Bitboard,
    /// Unpromoted pawns.
    pub pawn: Bitboard,
    /// Unpromoted lances.
    pub lance: Bitboard,
    /// Unpromoted knights.
    pub knight: Bitboard,
    /// Unpromoted silvers.
    pub silver: Bitboard,
    /// Golds and whatever moves like one: promoted pawns, lances, knights and silvers.
    pub gold: Bitboard,
    /// Unpromoted bishops.
    pub bishop: Bitboard,
    /// Unpromoted rooks.
    pub rook: Bitboard,
    /// The king.
    pub king: Bitboard,
    /// Promoted bishops.
    pub horse: Bitboard,
    /// Promoted rooks.
    pub dragon: Bitboard,
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayasashi_spec::piece::{turn as turn_square, DRAGON, KING, THEIRS};
    use hayasashi_spec::position::Owner;

    #[test]
    fn a_turned_position_turns_back() {
        let mut p = Position::default();
        p.set_piece(3, KING);
        p.set_piece(44, DRAGON | THEIRS);
        p.set_hand(Owner::Mover, 1, 18);
        let t = p.turned();
        assert_eq!(t.piece(turn_square(3)), KING | THEIRS);
        assert_eq!(t.piece(turn_square(44)), DRAGON);
        assert_eq!(t.hand(Owner::Theirs, 1), 18);
        assert_eq!(t.turned(), p);
    }
}
