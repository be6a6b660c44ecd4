//! Sets of squares.

use super::piece::Color;
use super::square::{Square, SQUARES};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares: bit `i` is the square of index `i`; bits 81 and above are always zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(u128);

/// One rank (counted from a = 0) of all nine files.
const fn rank_bits(rank: u32) -> u128 {
    let mut bits = 0;
    let mut file = 0;
    while file < 9 {
        bits |= 1u128 << (9 * file + rank);
        file += 1;
    }
    bits
}

/// The single-square sets.
static SINGLE: [Bitboard; SQUARES] = {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut i = 0;
    while i < SQUARES {
        table[i] = Bitboard(1 << i);
        i += 1;
    }
    table
};

impl Bitboard {
    /// No squares.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 81 squares.
    pub const ALL: Bitboard = Bitboard((1 << SQUARES) - 1);
    /// Ranks a to i.
    pub const RANKS: [Bitboard; 9] = {
        let mut table = [Bitboard::EMPTY; 9];
        let mut rank = 0;
        while rank < 9 {
            table[rank] = Bitboard(rank_bits(rank as u32));
            rank += 1;
        }
        table
    };

    /// The set of one square.
    #[inline(always)]
    pub fn single(square: Square) -> Bitboard {
        SINGLE[square.index()]
    }

    /// A set of the given bits; those above the board are dropped.
    #[inline(always)]
    pub const fn from_bits(bits: u128) -> Bitboard {
        Bitboard(bits & Bitboard::ALL.0)
    }

    /// The bits: bit `i` is the square of index `i`.
    #[inline(always)]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Bits 0–63 and 64–80 as two words.
    #[inline(always)]
    pub(super) const fn words(self) -> (u64, u64) {
        (self.0 as u64, (self.0 >> 64) as u64)
    }

    /// All nine squares of a file (0 = file 1).
    #[inline]
    pub const fn file(file: u8) -> Bitboard {
        Bitboard::from_bits(0x1ff << (9 * file as u32))
    }

    /// The promotion zone of a colour: the three ranks furthest from its camp.
    #[inline(always)]
    pub const fn zone(color: Color) -> Bitboard {
        Bitboard::far_ranks(color, 3)
    }

    /// The `ranks` ranks furthest from a colour's camp.
    #[inline(always)]
    pub const fn far_ranks(color: Color, ranks: usize) -> Bitboard {
        let mut bits = 0;
        let mut i = 0;
        while i < ranks {
            bits |= match color {
                Color::Black => Bitboard::RANKS[i].0,
                Color::White => Bitboard::RANKS[8 - i].0,
            };
            i += 1;
        }
        Bitboard(bits)
    }

    /// Whether the square is in the set.
    #[inline(always)]
    pub fn contains(self, square: Square) -> bool {
        !(self & Bitboard::single(square)).is_empty()
    }

    /// Whether the set has no squares.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        (self.0 as u64) | (self.0 >> 64) as u64 == 0
    }

    /// Whether the set has a square.
    #[inline(always)]
    pub const fn any(self) -> bool {
        !self.is_empty()
    }

    /// Whether the set has two or more squares.
    #[inline(always)]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Number of squares.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Squares of this set that are not in `other`.
    #[inline(always)]
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// The square of lowest index.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() {
            None
        } else {
            // SAFETY: no bit above 80 is set, so the lowest set bit is below 81.
            Some(unsafe { Square::new_unchecked(self.0.trailing_zeros() as u8) })
        }
    }

    /// Calls `f` with each square, lowest index first. Faster than the iterator: it walks words.
    #[inline(always)]
    pub fn for_each(self, mut f: impl FnMut(Square)) {
        let (mut low, mut high) = self.words();
        while low != 0 {
            // SAFETY: a bit index of a non-zero 64-bit word is below 64.
            f(unsafe { Square::new_unchecked(low.trailing_zeros() as u8) });
            low &= low - 1;
        }
        while high != 0 {
            // SAFETY: no bit above 80 is set, so those of the high word are below 17.
            f(unsafe { Square::new_unchecked(64 + high.trailing_zeros() as u8) });
            high &= high - 1;
        }
    }

    /// Every square one rank towards rank a (bit index − 1); rank a leaves the board.
    #[inline(always)]
    pub(super) const fn north(self) -> Bitboard {
        Bitboard((self.0 & !Bitboard::RANKS[0].0) >> 1)
    }

    /// Every square one rank towards rank i (bit index + 1); rank i leaves the board.
    #[inline(always)]
    pub(super) const fn south(self) -> Bitboard {
        Bitboard((self.0 & !Bitboard::RANKS[8].0) << 1)
    }

    /// Every square one rank forward as `color` sees it.
    #[inline(always)]
    pub(super) const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::Black => self.north(),
            Color::White => self.south(),
        }
    }

    /// Every square one file towards file 1 (bit index − 9).
    #[inline(always)]
    pub(super) const fn east(self) -> Bitboard {
        Bitboard(self.0 >> 9)
    }

    /// Every square one file towards file 9 (bit index + 9).
    #[inline(always)]
    pub(super) const fn west(self) -> Bitboard {
        Bitboard(self.0 << 9 & Bitboard::ALL.0)
    }

    /// All squares of the files that hold none of these squares (the unpromoted pawns of one side). One subtraction
    /// decides all nine files: with the top bit of each file set, taking the squares below it away clears that bit.
    #[inline(always)]
    pub(super) const fn open_files(self) -> Bitboard {
        let top = Bitboard::RANKS[8].0;
        let free = (top - (self.0 & !top)) & top & !self.0;
        Bitboard(free | (free - (free >> 8)))
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Bitboard) {
        self.0 ^= other.0;
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(self.0 ^ Bitboard::ALL.0)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a [`Bitboard`], lowest index first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;
    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0 .0 &= self.0 .0 - 1;
        Some(square)
    }
}

impl fmt::Debug for Bitboard {
    /// The board as Black sees it, file 9 on the left.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 0..9 {
            writeln!(f)?;
            for file in (0..9).rev() {
                f.write_str(if self.0 >> (9 * file + rank) & 1 != 0 { " *" } else { " ." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stay_on_the_board() {
        for square in Square::all() {
            let (file, rank) = (square.file(), square.rank());
            let one = Bitboard::single(square);
            let at = |file: Option<u8>, rank: Option<u8>| {
                file.zip(rank).and_then(|(f, r)| Square::from_file_rank(f, r)).map_or(Bitboard::EMPTY, Bitboard::single)
            };
            assert_eq!(one.north(), at(Some(file), rank.checked_sub(1)));
            assert_eq!(one.south(), at(Some(file), Some(rank + 1)));
            assert_eq!(one.east(), at(file.checked_sub(1), Some(rank)));
            assert_eq!(one.west(), at(Some(file + 1), Some(rank)));
        }
    }

    #[test]
    fn open_files_are_those_without_pawn() {
        let mut random = crate::random::Random::from_state(1);
        for round in 0..500 {
            let (mut pawns, mut expected) = (Bitboard::EMPTY, Bitboard::EMPTY);
            for file in 0..9 {
                // None, one, or several on a file.
                let on_file = match round % 3 {
                    0 => random.next() & random.next() & random.next(),
                    _ => 1 << random.below(13),
                };
                let on_file = Bitboard::from_bits((on_file as u128 & 0x1ff) << (9 * file));
                pawns |= on_file;
                if on_file.is_empty() {
                    expected |= Bitboard::file(file);
                }
            }
            assert_eq!(pawns.open_files(), expected);
        }
    }

    #[test]
    fn iteration_agrees_with_count() {
        let set = Bitboard::from_bits(0x1_0000_8001_0000_0000_0f0f | 1 << 80);
        let squares: Vec<_> = set.into_iter().collect();
        assert_eq!(squares.len() as u32, set.count());
        let mut walked = Vec::new();
        set.for_each(|square| walked.push(square));
        assert_eq!(walked, squares);
        assert!(squares.iter().all(|&square| set.contains(square)));
        assert_eq!(!!set, set);
        assert_eq!((!set).count(), 81 - set.count());
    }
}
