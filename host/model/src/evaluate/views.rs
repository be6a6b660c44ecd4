//! The two views of a position: the row of the table by a king's square, and where a side finds a square. Mirrors
//! `hdl/src/evaluate/views.rs`.

use crate::position::{board::turn as turn_board, Bitboard, Position};
use hayasashi_spec::{
    moves::{Move16, DROP_FROM},
    piece::{KING, PROMOTED, SQUARES, THEIRS},
    table::{king_row, VIEW_SQUARES},
};

/// The row of a king (in its own side's view) and whether the view exchanges files.
pub(super) fn row(king: Bitboard) -> (usize, bool) {
    king_row((king != 0).then(|| king.trailing_zeros() as usize))
}

/// A side's view of a position.
#[derive(Clone, Copy)]
pub(super) struct View {
    /// Row of the table.
    pub row: usize,
    /// Whether files are exchanged.
    pub mirrored: bool,
    squares: &'static [u8; SQUARES],
    /// [`THEIRS`] for the other side, to exchange own and opposing pieces.
    flip: u8,
}

impl View {
    /// The mover's view (side 0), or the other one.
    #[inline(always)]
    pub fn new(position: &Position, side: usize) -> View {
        let king = if side == 0 { position.own_king() } else { turn_board(position.their_king()) };
        let (row, mirrored) = row(king);
        let squares = &VIEW_SQUARES[side][mirrored as usize];
        View { row, mirrored, squares, flip: if side == 0 { 0 } else { THEIRS } }
    }

    /// The slot and the code of a piece on a square of the mover's board.
    #[inline(always)]
    pub fn piece(&self, square: usize, code: u8) -> (usize, usize) {
        (self.squares[square] as usize, ((code ^ self.flip) & 31) as usize)
    }
}

/// What a legal move does, for what is updated by it.
pub(super) struct Made {
    pub to: usize,
    /// The kind on `to` after it.
    pub placed: u8,
    /// The captured kind, 0 for none.
    pub captured: u8,
    pub drops: bool,
    /// The kind that comes into the hand, 0 for none: also of a captured king, which only an impossible position has.
    pub gained: u8,
}

impl Made {
    /// A move of a piece of kind `moved`.
    #[inline(always)]
    pub fn new(before: &Position, mv: Move16, moved: u8) -> Made {
        let to = mv.to() as usize;
        let captured = before.piece(to) & !THEIRS;
        let placed = if mv.promotes() { moved | PROMOTED } else { moved };
        let gained = if captured == KING { 0 } else { captured & 7 };
        Made { to, placed, captured, drops: mv.from() >= DROP_FROM, gained }
    }
}
