//! Both sides' views of the board: the king's row and the squares to look up. Mirrors `hdl/src/evaluate/views.rs`.

use crate::position::Bitboard;
use hayasashi_spec::piece::*;
use hayasashi_spec::table::ROW_NO_KING;

/// Squares as the mover sees them → squares of a view: straight, mirrored, turned, turned and mirrored.
pub(super) static SEEN: [[u8; SQUARES]; 4] = {
    let mut seen = [[0; SQUARES]; 4];
    let mut s = 0;
    while s < SQUARES {
        seen[0][s] = s as u8;
        seen[1][s] = mirror(s) as u8;
        seen[2][s] = turn(s) as u8;
        seen[3][s] = mirror(turn(s)) as u8;
        s += 1;
    }
    seen
};

/// The row of a king (in its own side's view) and whether the view exchanges files.
pub(super) fn row(king: Bitboard) -> (usize, bool) {
    if king == 0 {
        return (ROW_NO_KING, false);
    }
    let square = king.trailing_zeros() as usize;
    if square < ROW_NO_KING {
        (square, false)
    } else {
        (mirror(square), true)
    }
}
