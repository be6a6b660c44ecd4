//! Moves and the order in which the chip gives them.
//!
//! A [`Move16`], in the mover's view:
//!
//! | bits | contents |
//! |---|---|
//! | 0–6 | destination square |
//! | 7–13 | origin square, or `81 + kind - 1` for a drop (81 pawn … 87 rook) |
//! | 14 | promotes |
//! | 15 | zero |
//!
//! A [`MoveRecord`] adds a byte of flags and a byte of kinds.
//!
//! # Canonical order
//!
//! Each move is an arrival on a square from one of ten *directions* of travel (or a drop), so that a set of moves is
//! a set of 81-bit planes. The order is by, in turn:
//!
//! 1. **class**: captures with promotion, captures without, other promotions, other board moves, drops;
//! 2. **plane**: direction of travel in the order of [`Direction::ALL`] (board moves), or the kind dropped, pawn first;
//! 3. **destination square**, lowest index first.
//!
//! Class, plane and square determine a legal move: of all own pieces, only one can arrive on a square from one
//! direction (a nearer piece blocks those behind it).

use crate::opcode::{RESULT_BYTES, RESULT_CHECK, RESULT_UCHIFUZUME};
use bytemuck::{Pod, Zeroable};

/// A direction of travel in the mover's view; north is towards rank a, east towards file 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Direction {
    /// Up the board, towards rank a.
    North = 0,
    /// Diagonally up, towards rank a and file 1.
    NorthEast = 1,
    /// Diagonally up, towards rank a and file 9.
    NorthWest = 2,
    /// Sideways, towards file 1.
    East = 3,
    /// Sideways, towards file 9.
    West = 4,
    /// Diagonally down, towards rank i and file 1.
    SouthEast = 5,
    /// Diagonally down, towards rank i and file 9.
    SouthWest = 6,
    /// Down the board, towards rank i.
    South = 7,
    /// The knight's jump: two ranks north, one file east.
    KnightEast = 8,
    /// The knight's jump: two ranks north, one file west.
    KnightWest = 9,
}

/// Directions of travel, knight's jumps included.
pub const DIRECTIONS: usize = 10;
/// Directions in which rays run: all but the knight's jumps.
pub const RAYS: usize = 8;

impl Direction {
    /// All directions in canonical order.
    pub const ALL: [Direction; DIRECTIONS] = {
        use Direction::*;
        [North, NorthEast, NorthWest, East, West, SouthEast, SouthWest, South, KnightEast, KnightWest]
    };

    /// Change of file (west is +1) and of rank (south is +1) of one step.
    pub const fn step(self) -> (i8, i8) {
        match self {
            Direction::North => (0, -1),
            Direction::NorthEast => (-1, -1),
            Direction::NorthWest => (1, -1),
            Direction::East => (-1, 0),
            Direction::West => (1, 0),
            Direction::SouthEast => (-1, 1),
            Direction::SouthWest => (1, 1),
            Direction::South => (0, 1),
            Direction::KnightEast => (-1, -2),
            Direction::KnightWest => (1, -2),
        }
    }

    /// The opposite of a ray direction. The knight's jumps have none.
    pub const fn opposite(self) -> Option<Direction> {
        if (self as usize) < RAYS {
            Some(Direction::ALL[RAYS - 1 - self as usize])
        } else {
            None
        }
    }

    /// Whether one step in this direction is a move of the mover's piece of this kind.
    pub const fn steps(self, kind: u8) -> bool {
        use crate::piece::*;
        use Direction::*;
        match self {
            North => !matches!(kind, EMPTY | KNIGHT | BISHOP | NO_KIND),
            NorthEast | NorthWest => !matches!(kind, EMPTY | PAWN | LANCE | KNIGHT | ROOK | NO_KIND),
            East | West => {
                matches!(kind, GOLD | ROOK | KING | PRO_PAWN | PRO_LANCE | PRO_KNIGHT | PRO_SILVER | HORSE | DRAGON)
            }
            South => {
                matches!(kind, GOLD | ROOK | KING | PRO_PAWN | PRO_LANCE | PRO_KNIGHT | PRO_SILVER | HORSE | DRAGON)
            }
            SouthEast | SouthWest => matches!(kind, SILVER | BISHOP | KING | HORSE | DRAGON),
            KnightEast | KnightWest => kind == KNIGHT,
        }
    }

    /// Whether the mover's piece of this kind slides any distance in this direction.
    pub const fn slides(self, kind: u8) -> bool {
        use crate::piece::*;
        use Direction::*;
        match self {
            North => matches!(kind, LANCE | ROOK | DRAGON),
            East | West | South => matches!(kind, ROOK | DRAGON),
            NorthEast | NorthWest | SouthEast | SouthWest => matches!(kind, BISHOP | HORSE),
            KnightEast | KnightWest => false,
        }
    }
}

/// Classes of the canonical order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    /// Captures with promotion.
    CapturePromote = 0,
    /// Captures without promotion.
    Capture = 1,
    /// Promotions that capture nothing.
    Promote = 2,
    /// Moves on the board that neither capture nor promote.
    Quiet = 3,
    /// Drops.
    Drop = 4,
}

/// `from` value of the drop of a pawn; the other hand kinds follow.
pub const DROP_FROM: u8 = 81;
/// No position has more legal moves than this. With both kings on the board 593 is the most; positions without a king
/// have a few more (599 are known). A bound for all: at most 531 drops of seven kinds, and what rook (32), bishop (32),
/// three silvers and three lances (10 each), and the king (8) on the board can add to those beyond the seven drops that
/// each of their squares takes away: 531 + 50 + 18 + 1 = 600. The rest is margin.
pub const MAX_MOVES: usize = 640;

/// A move in 16 bits, as the module describes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord, Pod, Zeroable)]
#[repr(transparent)]
pub struct Move16(pub u16);

impl Move16 {
    /// A move of the piece on square `from` to square `to`.
    pub const fn board(from: u8, to: u8, promote: bool) -> Move16 {
        Move16(to as u16 | (from as u16) << 7 | (promote as u16) << 14)
    }

    /// The drop of a piece of `kind` (1 pawn … 7 rook) on square `to`.
    pub const fn drop(kind: u8, to: u8) -> Move16 {
        Move16(to as u16 | ((DROP_FROM + kind - 1) as u16) << 7)
    }

    /// Destination square.
    pub const fn to(self) -> u8 {
        (self.0 & 127) as u8
    }

    /// Origin square, or [`DROP_FROM`] and above for a drop.
    pub const fn from(self) -> u8 {
        (self.0 >> 7 & 127) as u8
    }

    /// The kind dropped, if this is a drop.
    pub const fn dropped(self) -> Option<u8> {
        if self.from() >= DROP_FROM {
            Some(self.from() - DROP_FROM + 1)
        } else {
            None
        }
    }

    /// Whether the piece promotes.
    pub const fn promotes(self) -> bool {
        self.0 >> 14 & 1 != 0
    }
}

/// The mover captures a piece.
pub const FLAG_CAPTURE: u8 = 1 << 0;
/// The moving piece promotes.
pub const FLAG_PROMOTE: u8 = 1 << 1;
/// The move gives check.
pub const FLAG_CHECK: u8 = 1 << 2;
/// A piece is dropped.
pub const FLAG_DROP: u8 = 1 << 3;
/// The move mates: it gives check, and the other side has no legal move. Only `EXPAND` sets it.
pub const FLAG_MATE: u8 = 1 << 4;

/// A move as `GENERATE` and `EXPAND` answer it: 4 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct MoveRecord {
    /// The move.
    pub mv: Move16,
    /// `FLAG_…` bits.
    pub flags: u8,
    /// Low nibble: kind of the moving piece before the move (or the kind dropped). High nibble: kind captured as it
    /// stood on the board (promoted or not), 0 for none.
    pub kinds: u8,
}

impl MoveRecord {
    /// Kind of the moving piece before the move.
    pub const fn moved(self) -> u8 {
        self.kinds & 15
    }

    /// Kind of the captured piece as it stood on the board, 0 for none.
    pub const fn captured(self) -> u8 {
        self.kinds >> 4
    }
}

/// The result header of a position, as `COUNT` answers it, and `GENERATE` and `EXPAND` before their move records: 4 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct MoveCount {
    /// Number of legal moves.
    pub moves: u16,
    /// `RESULT_…` bits.
    pub flags: u16,
}

const _: () = assert!(size_of::<MoveCount>() == RESULT_BYTES);

impl MoveCount {
    /// Whether the mover is in check.
    pub const fn in_check(self) -> bool {
        self.flags & RESULT_CHECK != 0
    }

    /// Whether a pawn drop is excluded only because it would be mate.
    pub const fn excludes_pawn_drop_mate(self) -> bool {
        self.flags & RESULT_UCHIFUZUME != 0
    }

    /// The bytes of the result header.
    pub const fn to_bytes(self) -> [u8; RESULT_BYTES] {
        let ([a, b], [c, d]) = (self.moves.to_le_bytes(), self.flags.to_le_bytes());
        [a, b, c, d]
    }

    /// Reads a result header.
    pub const fn from_bytes([a, b, c, d]: [u8; RESULT_BYTES]) -> MoveCount {
        MoveCount { moves: u16::from_le_bytes([a, b]), flags: u16::from_le_bytes([c, d]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_directions_undo_each_other() {
        for d in Direction::ALL.into_iter().take(RAYS) {
            let o = d.opposite().unwrap();
            assert_eq!((d.step().0 + o.step().0, d.step().1 + o.step().1), (0, 0), "{d:?} {o:?}");
        }
    }

    #[test]
    fn moves_keep_their_fields() {
        let m = Move16::board(80, 0, true);
        assert_eq!((m.from(), m.to(), m.promotes(), m.dropped()), (80, 0, true, None));
        let d = Move16::drop(7, 80);
        assert_eq!((d.from(), d.to(), d.promotes(), d.dropped()), (87, 80, false, Some(7)));
    }
}
