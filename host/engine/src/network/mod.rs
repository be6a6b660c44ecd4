//! The correction of a network ([`hayasashi_spec::network`]), updated move by move.
//!
//! * [`UnitSums`]: the sums of the units of both views
//! * [`View`]: how a side sees the board, and its features

mod sums;

pub use sums::{MoveChange, UnitSums};

use hayasashi_model::evaluate::Evaluation;
use hayasashi_shogi::rules::{Color, PieceKind, Position};
use hayasashi_spec::{
    piece::{turn, CODES, THEIRS},
    table::{hand_slot, king_row, VIEW_SQUARES},
};

/// The score of a position from the table's score, both in centipawns for the mover.
pub fn corrected(evaluation: &Evaluation, table_score: i32, pos: &Position) -> i32 {
    evaluation
        .network
        .as_ref()
        .map_or(table_score, |network| UnitSums::new(network, pos).corrected(network, table_score, pos.side_to_move()))
}

/// How a side sees the board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct View {
    mirrored: bool,
    color: Color,
}

impl View {
    /// A side's view of a position.
    pub fn of(pos: &Position, color: Color) -> View {
        let own_side = |square: usize| if color == Color::Black { square } else { turn(square) };
        let (_, mirrored) = king_row(pos.king_square(color).map(|king| own_side(king.index())));
        View { mirrored, color }
    }

    /// The feature of a piece on a square.
    #[inline(always)]
    fn piece(self, square: usize, code: u8) -> usize {
        let slot = VIEW_SQUARES[self.color.index()][self.mirrored as usize][square] as usize;
        let flip = if self.color == Color::Black { 0 } else { THEIRS };
        slot * CODES + ((code ^ flip) & 31) as usize
    }

    /// The features of a view of `pos`.
    pub fn features(self, pos: &Position, mut each: impl FnMut(usize)) {
        for square in pos.occupied() {
            if let Some(piece) = pos.piece_on(square) {
                each(self.piece(square.index(), piece.code()));
            }
        }
        for kind in PieceKind::HAND {
            hand(kind.code(), pos.hand(self.color).count(kind), &mut each);
        }
    }
}

/// The feature of pieces in hand, if there are any.
#[inline(always)]
fn hand(kind: u8, count: u8, each: &mut impl FnMut(usize)) {
    if count > 0 {
        each(hand_slot(kind & 7) * CODES + (count & 31) as usize);
    }
}
