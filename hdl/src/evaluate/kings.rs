//! Where the kings stand, which decides how each side sees the board.
//!
//! ```text
//!           +---------+
//!   image  =>  Kings  => image_out
//!           |         => own, their   mirrored 1, no king 1, row 6, row mirrored 6
//!           +---------+
//! ```
//!
//! Latency one clock, one position per clock. A view is mirrored when its king stands on files 6 to 9.

use crate::network;
use crate::network::Word;
use crate::position::board::{index, turn_plane, Board, IMAGE};
use hayasashi_spec::piece::*;
use hayasashi_spec::table::ROW_NO_KING;
use rust_hdl::prelude::*;

/// Layout of what is known of a king: whether its side sees the board mirrored, whether there is none, its row of the
/// table if the board is not mirrored and if it is (zero for no king). See [`row`].
pub const KING_VIEW: &[usize] = &[1, 1, 6, 6];

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
    let (kings, theirs) = (board.kind(KING), board.code[4]);
    vec![inputs[0].to_vec(), king_view(kings & !theirs), king_view(turn_plane(kings & theirs))]
}

fn king_view<W: Word>(king: W) -> Vec<W> {
    let row = |plane: W| index(plane).slice(0, 6);
    vec![king.slice(5 * SIDE, 4 * SIDE).any(), !king.any(), row(king), row(mirrored(king))]
}

/// The row of the table for what is known of a king.
pub fn row<W: Word>(king: &[W]) -> W {
    let [far, none, straight, mirrored] = *king else { panic!("four fields") };
    far.choose(mirrored, straight) | W::constant(ROW_NO_KING as u128, 6).when(none)
}

/// A plane with its files exchanged.
pub fn mirrored<W: Word>(plane: W) -> W {
    let wires: Vec<u8> = (0..SQUARES).map(|s| mirror(s) as u8).collect();
    plane.wires(&wires)
}
