//! Moves and lists of moves.

use super::piece::PieceKind;
use super::square::{Square, SQUARES};
use std::fmt;
use std::mem::MaybeUninit;
use std::ops::Deref;

/// `from` value of the drop of a pawn; the other hand kinds follow (81 pawn … 87 rook).
const DROP_FROM: u16 = SQUARES as u16;
const PROMOTE: u16 = 1 << 14;

/// A move in 16 bits, in absolute squares (the board is not turned for White).
///
/// | bits | contents |
/// |---|---|
/// | 0–6 | destination square |
/// | 7–13 | origin square, or `81 + kind code - 1` for a drop (81 pawn … 87 rook) |
/// | 14 | promotes |
/// | 15 | zero |
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    /// No move: origin and destination are both square 0. The default of tables; never generated.
    pub const NONE: Move = Move(0);

    /// A move of the piece on `from`.
    #[inline(always)]
    pub const fn board(from: Square, to: Square, promote: bool) -> Move {
        Move(to.index() as u16 | (from.index() as u16) << 7 | if promote { PROMOTE } else { 0 })
    }

    /// A drop; `None` if the kind is never in hand.
    #[inline]
    pub const fn drop(kind: PieceKind, to: Square) -> Option<Move> {
        match kind as u16 {
            code @ 1..=7 => Some(Move(to.index() as u16 | (DROP_FROM + code - 1) << 7)),
            _ => None,
        }
    }

    /// The move of a 16-bit value in the layout of [`Move`]; `None` if a field is out of range.
    pub const fn from_bits(bits: u16) -> Option<Move> {
        let (to, from) = (bits & 127, bits >> 7 & 127);
        if to >= 81 || from >= 88 || bits >> 15 != 0 || (from >= 81 && bits & PROMOTE != 0) {
            return None;
        }
        Some(Move(bits))
    }

    /// The 16 bits.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Destination.
    #[inline(always)]
    pub const fn to(self) -> Square {
        // SAFETY: every constructor keeps the field below 81.
        unsafe { Square::new_unchecked((self.0 & 127) as u8) }
    }

    /// Origin, `None` for a drop.
    #[inline(always)]
    pub const fn from(self) -> Option<Square> {
        Square::new((self.0 >> 7 & 127) as u8)
    }

    /// The kind dropped, `None` for a board move.
    #[inline]
    pub const fn dropped(self) -> Option<PieceKind> {
        match self.drop_code() {
            0 => None,
            code => PieceKind::from_code(code),
        }
    }

    /// Code of the kind dropped, 0 for a board move.
    #[inline(always)]
    pub(super) const fn drop_code(self) -> u8 {
        ((self.0 >> 7 & 127) as u8).saturating_sub(80)
    }

    /// Whether this is a drop.
    #[inline(always)]
    pub const fn is_drop(self) -> bool {
        self.0 >> 7 & 127 >= DROP_FROM
    }

    /// Whether the piece promotes.
    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.0 & PROMOTE != 0
    }

    /// The move of a USI text such as `7g7f`, `8h2b+` or `P*5e`; `None` for any other text.
    pub fn from_usi(text: &str) -> Option<Move> {
        if !text.is_ascii() {
            return None;
        }
        match text.len() {
            4 if text.as_bytes()[1] == b'*' => {
                let letter = text.as_bytes()[0] as char;
                let kind = letter.is_ascii_uppercase().then(|| PieceKind::from_letter(letter))??;
                Move::drop(kind, Square::from_usi(&text[2..])?)
            }
            4 | 5 => {
                let promote = match &text[4..] {
                    "" => false,
                    "+" => true,
                    _ => return None,
                };
                let (from, to) = (Square::from_usi(&text[..2])?, Square::from_usi(&text[2..4])?);
                (from != to).then(|| Move::board(from, to, promote))
            }
            _ => None,
        }
    }

    /// The USI text.
    pub fn to_usi(self) -> String {
        self.to_string()
    }
}

impl Default for Move {
    fn default() -> Move {
        Move::NONE
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from(), self.dropped()) {
            (_, Some(kind)) => write!(f, "{}*{}", kind.letter(), self.to()),
            (Some(from), _) => write!(f, "{}{}{}", from, self.to(), if self.is_promotion() { "+" } else { "" }),
            _ => f.write_str("none"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The most legal moves of any position of a game.
pub const MAX_MOVES: usize = 593;

/// A list of moves with a fixed capacity, on the stack; dereferences to a slice.
pub struct MoveList {
    len: usize,
    moves: [MaybeUninit<Move>; MoveList::CAPACITY],
}

impl MoveList {
    /// Capacity: [`MAX_MOVES`], and some more for positions that do not occur in games, such as those without a king.
    pub const CAPACITY: usize = 768;

    /// An empty list.
    #[inline(always)]
    pub const fn new() -> MoveList {
        MoveList { len: 0, moves: [const { MaybeUninit::uninit() }; MoveList::CAPACITY] }
    }

    /// Appends a move.
    ///
    /// # Panics
    /// If the list holds [`MoveList::CAPACITY`] moves.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len].write(mv);
        self.len += 1;
    }

    /// Empties the list.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The moves as a mutable slice.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [Move] {
        // SAFETY: the first `len` entries are initialised.
        unsafe { std::slice::from_raw_parts_mut(self.moves.as_mut_ptr().cast(), self.len) }
    }

    /// Removes the moves for which `keep` is false; the others keep their order.
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for i in 0..self.len {
            let mv = self[i];
            if keep(mv) {
                self.moves[kept].write(mv);
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Appends a drop of the kind code `kind` (1–7) on each of the squares.
    ///
    /// # Panics
    /// If they exceed [`MoveList::CAPACITY`].
    #[inline(always)]
    pub(super) fn push_drops(&mut self, kind: u8, to: &[Square]) {
        debug_assert!(matches!(kind, 1..=7));
        let from = (DROP_FROM + kind as u16 - 1) << 7;
        let room = &mut self.moves[self.len..self.len + to.len()];
        for (slot, &to) in room.iter_mut().zip(to) {
            slot.write(Move(to.index() as u16 | from));
        }
        self.len += to.len();
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];
    #[inline(always)]
    fn deref(&self) -> &[Move] {
        // SAFETY: the first `len` entries are initialised.
        unsafe { std::slice::from_raw_parts(self.moves.as_ptr().cast(), self.len) }
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;
    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usi_text_round_trips() {
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                for promote in [false, true] {
                    let mv = Move::board(from, to, promote);
                    assert_eq!((mv.from(), mv.to(), mv.is_promotion(), mv.dropped()), (Some(from), to, promote, None));
                    assert_eq!(Move::from_usi(&mv.to_usi()), Some(mv));
                    assert_eq!(Move::from_bits(mv.bits()), Some(mv));
                }
            }
            for kind in PieceKind::HAND {
                let mv = Move::drop(kind, from).unwrap();
                assert_eq!((mv.from(), mv.to(), mv.dropped(), mv.is_drop()), (None, from, Some(kind), true));
                assert_eq!(Move::from_usi(&mv.to_usi()), Some(mv));
            }
        }
    }

    #[test]
    fn malformed_texts_are_rejected() {
        for bad in
            ["", "7g", "7g7", "7g7f++", "7g7f-", "7g7g", "p*5e", "K*5e", "X*5e", "P*5e+", "0a1a", "7g7歩", "P＊5"]
        {
            assert_eq!(Move::from_usi(bad), None, "{bad:?}");
        }
        assert_eq!(Move::from_bits(81), None);
        assert_eq!(Move::from_bits(88 << 7), None);
        assert_eq!(Move::from_bits(1 << 15), None);
        assert_eq!(Move::drop(PieceKind::King, Square::new(0).unwrap()), None);
    }

    #[test]
    fn lists_keep_order() {
        let mut list = MoveList::new();
        let moves: Vec<_> = ["7g7f", "2g2f", "P*5e"].map(|m| Move::from_usi(m).unwrap()).into();
        moves.iter().for_each(|&m| list.push(m));
        assert_eq!(&list[..], moves);
        list.retain(|m| m != moves[1]);
        assert_eq!(&list[..], [moves[0], moves[2]]);
        list.clear();
        assert!(list.is_empty());
    }
}
