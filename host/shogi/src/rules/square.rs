//! Squares of the board.
//!
//! ```text
//!   file  9  8  7  6  5  4  3  2  1
//!        72 63 54 45 36 27 18  9  0   a    <- White's camp
//!        73 64 55 46 37 28 19 10  1   b
//!         :                       :   :
//!        80 71 62 53 44 35 26 17  8   i    <- Black's camp
//! ```

use std::fmt;

/// Squares of the board.
pub const SQUARES: usize = 81;

/// A square: index `9 * file + rank`, file 1 = 0 and rank a = 0. Always below [`SQUARES`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// Square 1a, index 0.
    pub(super) const FIRST: Square = Square(0);

    /// The square of an index, if it is below 81.
    #[inline(always)]
    pub const fn new(index: u8) -> Option<Square> {
        if (index as usize) < SQUARES {
            Some(Square(index))
        } else {
            None
        }
    }

    /// The square of a file and a rank, both counted from 0 (file 1, rank a), if both are below 9.
    #[inline]
    pub const fn from_file_rank(file: u8, rank: u8) -> Option<Square> {
        if file < 9 && rank < 9 {
            Some(Square(9 * file + rank))
        } else {
            None
        }
    }

    /// The square of an index known to be on the board.
    ///
    /// # Safety
    /// `index` must be below [`SQUARES`]; table look-ups rely on it.
    #[inline(always)]
    pub(super) const unsafe fn new_unchecked(index: u8) -> Square {
        debug_assert!((index as usize) < SQUARES);
        Square(index)
    }

    /// Index, 0–80.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // SAFETY: every constructor keeps the index below SQUARES. Without this hint each look-up in an
        // 81-entry table costs a bounds check.
        unsafe { std::hint::assert_unchecked((self.0 as usize) < SQUARES) };
        self.0 as usize
    }

    /// File counted from 0 (file 1).
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 / 9
    }

    /// Rank counted from 0 (rank a).
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 % 9
    }

    /// The same square seen from the other side of the board (turned by 180°).
    #[inline]
    pub const fn turn(self) -> Square {
        Square(80 - self.0)
    }

    /// Every square, lowest index first.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..SQUARES as u8).map(Square)
    }

    /// The square of its USI name, `1a` … `9i`.
    pub fn from_usi(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [file @ b'1'..=b'9', rank @ b'a'..=b'i'] => Square::from_file_rank(file - b'1', rank - b'a'),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    /// The USI name, such as `7g`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'1' + self.file()) as char, (b'a' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_indices_agree() {
        for square in Square::all() {
            assert_eq!(Square::from_usi(&square.to_string()), Some(square));
            assert_eq!(Square::from_file_rank(square.file(), square.rank()), Some(square));
            assert_eq!(square.turn().turn(), square);
        }
        assert_eq!(Square::from_usi("1a").map(Square::index), Some(0));
        assert_eq!(Square::from_usi("9i").map(Square::index), Some(80));
        for bad in ["", "0a", "1j", "1", "1aa", "a1"] {
            assert_eq!(Square::from_usi(bad), None, "{bad:?}");
        }
        assert_eq!(Square::new(81), None);
    }
}
