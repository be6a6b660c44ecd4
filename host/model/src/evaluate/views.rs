//! The two views of a position: the row of the table by a king's square. Mirrors `hdl/src/evaluate/views.rs`.

use crate::position::Bitboard;
use hayasashi_spec::table::king_row;

/// The row of a king (in its own side's view) and whether the view exchanges files.
pub(super) fn row(king: Bitboard) -> (usize, bool) {
    king_row((king != 0).then(|| king.trailing_zeros() as usize))
}
