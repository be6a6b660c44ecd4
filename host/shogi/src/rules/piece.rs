//! Colours, piece kinds and pieces.

use std::num::NonZeroU8;

/// A side: Black (sente) moves first and towards rank a.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// Sente: upper-case letters in SFEN, promotes on ranks a–c.
    Black = 0,
    /// Gote: lower-case letters in SFEN, promotes on ranks g–i.
    White = 1,
}

impl Color {
    /// Both colours, Black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// 0 for Black, 1 for White.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    #[inline(always)]
    pub const fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

/// A kind of piece. Promotion sets bit 3 (`code | 8`); code 13, a promoted gold, does not exist.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceKind {
    /// Fuhyō.
    Pawn = 1,
    /// Kyōsha.
    Lance = 2,
    /// Keima.
    Knight = 3,
    /// Ginshō.
    Silver = 4,
    /// Kinshō.
    Gold = 5,
    /// Kakugyō.
    Bishop = 6,
    /// Hisha.
    Rook = 7,
    /// Ōshō.
    King = 8,
    /// Tokin: moves as a gold.
    ProPawn = 9,
    /// Promoted lance: moves as a gold.
    ProLance = 10,
    /// Promoted knight: moves as a gold.
    ProKnight = 11,
    /// Promoted silver: moves as a gold.
    ProSilver = 12,
    /// Promoted bishop.
    Horse = 14,
    /// Promoted rook.
    Dragon = 15,
}

use PieceKind::*;

/// Kinds by code; the unused codes 0 and 13 hold placeholders.
const BY_CODE: [PieceKind; 16] = [
    Pawn, Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, King, ProPawn, ProLance, ProKnight, ProSilver, Gold, Horse,
    Dragon,
];

impl PieceKind {
    /// All kinds in the order of their codes.
    pub const ALL: [PieceKind; 14] =
        [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, King, ProPawn, ProLance, ProKnight, ProSilver, Horse, Dragon];
    /// Kinds that can be held in hand, pawn first.
    pub const HAND: [PieceKind; 7] = [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook];

    /// Code, 1–15.
    #[inline(always)]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The kind of a code, `None` for 0, 13 and above 15.
    #[inline]
    pub const fn from_code(code: u8) -> Option<PieceKind> {
        match code {
            1..=12 | 14 | 15 => Some(BY_CODE[code as usize]),
            _ => None,
        }
    }

    /// The kind in the low four bits of the code of a piece.
    #[inline(always)]
    pub(super) const fn of_piece_code(code: u8) -> PieceKind {
        BY_CODE[(code & 15) as usize]
    }

    /// Whether a piece of this kind may promote: pawn, lance, knight, silver, bishop, rook.
    #[inline(always)]
    pub const fn is_promotable(self) -> bool {
        0b1101_1110 >> (self as u16) & 1 != 0
    }

    /// Whether this is a promoted kind.
    #[inline]
    pub const fn is_promoted(self) -> bool {
        self as u8 > King as u8
    }

    /// The promoted kind, if there is one.
    #[inline]
    pub const fn promote(self) -> Option<PieceKind> {
        if self.is_promotable() {
            Some(BY_CODE[self as usize | 8])
        } else {
            None
        }
    }

    /// The kind in hand of a captured piece of this kind; a king stays a king.
    #[inline]
    pub const fn unpromote(self) -> PieceKind {
        if self.is_promoted() {
            BY_CODE[self as usize & 7]
        } else {
            self
        }
    }

    /// Upper-case SFEN letter of the unpromoted kind.
    pub const fn letter(self) -> char {
        b"?PLNSGBRK"[self.unpromote() as usize] as char
    }

    /// The unpromoted kind of an SFEN letter of either case.
    pub const fn from_letter(letter: char) -> Option<PieceKind> {
        Some(match letter.to_ascii_uppercase() {
            'P' => Pawn,
            'L' => Lance,
            'N' => Knight,
            'S' => Silver,
            'G' => Gold,
            'B' => Bishop,
            'R' => Rook,
            'K' => King,
            _ => return None,
        })
    }
}

/// Pieces of each hand kind in a full set, by kind code (index 0 unused).
pub const FULL_SET: [u8; 8] = [0, 18, 4, 4, 4, 4, 2, 2];

/// A piece on the board: kind code in bits 0–3, colour in bit 4.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// A piece of a colour and a kind.
    #[inline(always)]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        match NonZeroU8::new(kind as u8 | (color as u8) << 4) {
            Some(code) => Piece(code),
            None => unreachable!(),
        }
    }

    /// The piece of a code from [`Piece::code`], `None` for 0 (an empty square).
    #[inline(always)]
    pub(super) const fn from_board_code(code: u8) -> Option<Piece> {
        match NonZeroU8::new(code) {
            Some(code) => Some(Piece(code)),
            None => None,
        }
    }

    /// Code: kind in bits 0–3, colour in bit 4.
    #[inline(always)]
    pub const fn code(self) -> u8 {
        self.0.get()
    }

    /// Kind, promoted or not.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        PieceKind::of_piece_code(self.code())
    }

    /// Owner.
    #[inline(always)]
    pub const fn color(self) -> Color {
        if self.code() & 16 == 0 {
            Color::Black
        } else {
            Color::White
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_promotion() {
        for kind in PieceKind::ALL {
            assert_eq!(PieceKind::from_code(kind.code()), Some(kind));
            assert_eq!(kind.promote().map(PieceKind::code), kind.is_promotable().then_some(kind.code() | 8));
            if let Some(promoted) = kind.promote() {
                assert!(promoted.is_promoted());
                assert_eq!(promoted.unpromote(), kind);
            }
            for color in Color::ALL {
                let piece = Piece::new(color, kind);
                assert_eq!((piece.color(), piece.kind()), (color, kind));
            }
        }
        assert_eq!(PieceKind::from_code(13), None);
        assert_eq!(PieceKind::from_code(0), None);
        assert_eq!(PieceKind::from_code(16), None);
        assert_eq!(size_of::<Option<Piece>>(), 1);
    }
}
