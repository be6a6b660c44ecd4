//! Pieces in hand.

use super::piece::{PieceKind, FULL_SET};

/// The pieces that one side holds, packed into one field per kind. A guard bit above each field lets one subtraction
/// compare two hands kind by kind.
///
/// | bits | kind | bits | kind |
/// |---|---|---|---|
/// | 0–4 | pawn | 18–20 | gold |
/// | 6–8 | lance | 22–23 | bishop |
/// | 10–12 | knight | 25–26 | rook |
/// | 14–16 | silver | 5, 9, 13, 17, 21, 24, 27 | guards, zero |
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[repr(transparent)]
pub struct Hand(u32);

/// Lowest bit of each kind's field, by kind code (0 and 8 unused).
const SHIFT: [u8; 8] = [31, 0, 6, 10, 14, 18, 22, 25];
/// Field of each kind, by kind code.
const FIELD: [u32; 8] = [0, 31, 7 << 6, 7 << 10, 7 << 14, 7 << 18, 3 << 22, 3 << 25];
/// One piece of each kind, by kind code.
const ONE: [u32; 8] = [0, 1, 1 << 6, 1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 25];
const GUARDS: u32 = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 21 | 1 << 24 | 1 << 27;

impl Hand {
    /// No pieces.
    pub const EMPTY: Hand = Hand(0);

    /// Number of pieces of a kind; 0 for kinds that are never in hand.
    #[inline(always)]
    pub const fn count(self, kind: PieceKind) -> u8 {
        if kind as u8 > 7 {
            return 0;
        }
        ((self.0 & FIELD[kind as usize & 7]) >> SHIFT[kind as usize & 7]) as u8
    }

    /// Whether at least one piece of a kind is held.
    #[inline(always)]
    pub const fn has(self, kind: PieceKind) -> bool {
        (kind as u8) < 8 && self.0 & FIELD[kind as usize & 7] != 0
    }

    /// Whether no piece is held.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether any piece other than a pawn is held.
    #[inline(always)]
    pub(super) const fn has_other_than_pawns(self) -> bool {
        self.0 & !FIELD[1] != 0
    }

    /// The packed bits, in the layout of [`Hand`].
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The hand of these bits, in the layout of [`Hand`]. `None` if a count is greater than the pieces there are, or another bit
    /// is set.
    pub(super) fn from_bits(bits: u32) -> Option<Hand> {
        let hand = Hand(bits);
        let is_hand = FIELD.iter().fold(bits, |rest, field| rest & !field) == 0
            && PieceKind::HAND.iter().all(|&kind| hand.count(kind) <= FULL_SET[kind as usize]);
        is_hand.then_some(hand)
    }

    /// Adds one piece of a kind code 1–7 (0 adds nothing).
    #[inline(always)]
    pub(super) fn add(&mut self, code: u8) {
        self.0 += ONE[(code & 7) as usize];
    }

    /// Removes one piece of a kind code 1–7 that is held.
    #[inline(always)]
    pub(super) fn remove(&mut self, code: u8) {
        self.0 -= ONE[(code & 7) as usize];
    }

    /// Whether this hand holds at least as many pieces of every kind as `other`.
    #[inline]
    pub const fn covers(self, other: Hand) -> bool {
        ((self.0 | GUARDS) - other.0) & GUARDS == GUARDS
    }

    /// This hand with one more piece of a kind, unless it is full; kinds that are never in hand add nothing.
    #[inline]
    pub const fn with(self, kind: PieceKind) -> Hand {
        if kind as u8 > 7 {
            return self;
        }
        Hand(self.0 + ONE[kind as usize & 7])
    }

    /// This hand with one piece fewer of a kind, if it holds one.
    #[inline]
    pub const fn without(self, kind: PieceKind) -> Hand {
        if !self.has(kind) {
            return self;
        }
        Hand(self.0 - ONE[kind as usize & 7])
    }

    /// This hand with the count of one kind taken from `other`.
    #[inline]
    pub const fn with_kind_of(self, kind: PieceKind, other: Hand) -> Hand {
        if kind as u8 > 7 {
            return self;
        }
        let field = FIELD[kind as usize & 7];
        Hand(self.0 & !field | other.0 & field)
    }

    /// The greater of the two counts of each kind.
    #[inline]
    pub const fn or(self, other: Hand) -> Hand {
        let own = self.fields_not_below(other);
        Hand(self.0 & own | other.0 & !own)
    }

    /// The smaller of the two counts of each kind.
    #[inline]
    pub const fn and(self, other: Hand) -> Hand {
        let own = self.fields_not_below(other);
        Hand(other.0 & own | self.0 & !own)
    }

    /// All bits of the fields of those kinds of which this hand holds at least as many as `other`.
    #[inline]
    const fn fields_not_below(self, other: Hand) -> u32 {
        // A guard bit remains set where its field did not borrow.
        let guards = ((self.0 | GUARDS) - other.0) & GUARDS;
        let mut fields = 0;
        let mut code = 1;
        while code < 8 {
            let guard = (FIELD[code] << 1) & !FIELD[code];
            if guards & guard != 0 {
                fields |= FIELD[code];
            }
            code += 1;
        }
        fields
    }

    /// The pieces of both hands; together they must not exceed a full set.
    #[inline]
    pub const fn plus(self, other: Hand) -> Hand {
        Hand(self.0 + other.0)
    }

    /// Kinds held with their counts, pawn first.
    pub fn iter(self) -> impl Iterator<Item = (PieceKind, u8)> {
        PieceKind::HAND.into_iter().map(move |kind| (kind, self.count(kind))).filter(|&(_, count)| count > 0)
    }

    /// A hand of the given counts, by kind code (index 0 unused); `None` above a full set.
    pub fn from_counts(counts: [u8; 8]) -> Option<Hand> {
        let mut bits = 0;
        for code in 1..8 {
            if counts[code] > FULL_SET[code] {
                return None;
            }
            bits += ONE[code] * counts[code] as u32;
        }
        Some(Hand(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_superiority() {
        let full = Hand::from_counts(FULL_SET).unwrap();
        for kind in PieceKind::HAND {
            assert_eq!(full.count(kind), FULL_SET[kind as usize]);
            let mut hand = Hand::EMPTY;
            hand.add(kind.code());
            assert_eq!(hand.iter().collect::<Vec<_>>(), [(kind, 1)]);
            assert!(full.covers(hand) && !hand.covers(full) && hand.covers(Hand::EMPTY));
            let mut less = full;
            less.remove(kind.code());
            assert!(full.covers(less) && !less.covers(full));
        }
        assert!(full.covers(full));
        assert_eq!(full.bits() & GUARDS, 0);
        let (few, many) = (Hand::EMPTY.with(PieceKind::Pawn).with(PieceKind::Rook), full.without(PieceKind::Rook));
        assert_eq!((few.or(many), few.and(many)), (many.or(few), many.and(few)));
        for kind in PieceKind::HAND {
            let counts = (few.count(kind), many.count(kind));
            assert_eq!(few.or(many).count(kind), counts.0.max(counts.1));
            assert_eq!(few.and(many).count(kind), counts.0.min(counts.1));
            assert_eq!(full.with_kind_of(kind, few).count(kind), counts.0);
        }
        assert_eq!(Hand::EMPTY.without(PieceKind::Gold).plus(few), few);
        assert_eq!(Hand::from_counts([0, 19, 0, 0, 0, 0, 0, 0]), None);
    }
}
