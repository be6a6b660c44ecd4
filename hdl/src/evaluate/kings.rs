//! Where the kings stand, which decides how each side sees the board.
//!
//! ```text
//!           +---------+
//!   image  =>  Kings  => image_out
//!           |         => own, their   mirrored 1, row 6
//!           +---------+
//! ```
//!
//! Latency one clock, one position per clock. A view is mirrored when its king stands on files 6 to 9.

use crate::network;
use crate::network::Word;
use crate::position::board::{index, Board, IMAGE};
use hayasashi_spec::piece::*;
use hayasashi_spec::table::ROW_NO_KING;
use rust_hdl::prelude::*;

/// Layout of what is known of a king: whether its side sees the board mirrored, and its row of the table.
pub const KING_VIEW: &[usize] = &[1, 6];

network! {
    /// Finds the kings.
    Kings = kings {
        in image: IMAGE;
        out image_out: IMAGE;
        out own: KING_VIEW;
        out their: KING_VIEW;
    }
}

fn kings<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let board = Board::from_image(inputs[0]);
    vec![inputs[0].to_vec(), king_view(&board), king_view(&board.turned())]
}

fn king_view<W: Word>(board: &Board<W>) -> Vec<W> {
    let king = board.kind(KING) & board.own();
    let far = king.slice(5 * SIDE, 4 * SIDE).any();
    let row = |plane: W| index(plane).slice(0, 6);
    let row = far.choose(row(mirrored(king)), row(king));
    vec![far, row | W::constant(ROW_NO_KING as u128, 6).when(!king.any())]
}

/// A plane with its files exchanged.
pub fn mirrored<W: Word>(plane: W) -> W {
    let wires: Vec<u8> = (0..SQUARES).map(|s| mirror(s) as u8).collect();
    plane.wires(&wires)
}
