//! Where the kings stand, which decides how each side sees the board.
//!
//! ```text
//!           +--------+                +---------+
//!   image  =>  Spot  => image_out    =>         => image_out
//!           |        => kings 2 x 81 =>  Kings  => own, their   see `KING_VIEW`
//!           +--------+        write  =>         |
//!                                     +---------+
//! ```
//!
//! Latency one clock each, one position per clock. A view is mirrored when its king stands on files 6 to 9. `write` (enable,
//! code, row) makes the own view that row with that code everywhere, which is how an address reaches the block RAMs while
//! a table is loaded.

use crate::network;
use crate::network::Word;
use crate::position::board::{index, turn_plane, Board, IMAGE};
use hayasashi_spec::piece::*;
use hayasashi_spec::table::ROW_NO_KING;
use rust_hdl::prelude::*;

/// Layout of what is known of a king: whether the view is one code everywhere; for each bit of the codes that bit, or
/// else whether the board is mirrored; whether there is no king; the king's row of the table if the board is not mirrored
/// and if it is (zero for no king). See [`row`].
pub const KING_VIEW: &[usize] = &[1, CODE_BITS, 1, 6, 6];
/// Layout of a write: enable, code, row.
pub const WRITE: &[usize] = &[1, CODE_BITS, 6];

/// Layout of a bus with our king and their king, as we see them.
pub const BOTH_KINGS: &[usize] = &[SQUARES; 2];

network! {
    /// Finds the kings.
    Spot = spot {
        in image: IMAGE;
        out image_out: IMAGE;
        out kings: BOTH_KINGS;
    }
}

network! {
    /// Decides how each side sees the board.
    Kings = kings {
        in image: IMAGE;
        in kings: BOTH_KINGS;
        in write: WRITE;
        out image_out: IMAGE;
        out own: KING_VIEW;
        out their: KING_VIEW;
    }
}

fn spot<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let board = Board::from_image(inputs[0]);
    let (kings, theirs) = (board.kind(KING), board.code[4]);
    vec![inputs[0].to_vec(), vec![kings & !theirs, kings & theirs]]
}

fn kings<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [image, kings, write] = *inputs else { panic!("three inputs") };
    let (own, their) = (king_view(kings[0]), king_view(turn_plane(kings[1])));
    let [enable, code, row] = *write else { panic!("three fields") };
    let written = [enable, code, W::zero(1), row, row];
    let own = written.iter().zip(own).map(|(&written, own)| enable.choose(written, own));
    vec![image.to_vec(), own.collect(), their]
}

fn king_view<W: Word>(king: W) -> Vec<W> {
    let row = |plane: W| index(plane).slice(0, 6);
    let far = king.slice(5 * SIDE, 4 * SIDE).any();
    vec![W::zero(1), W::join(&[far; CODE_BITS]), !king.any(), row(king), row(mirrored(king))]
}

/// The row of the table for what is known of a king.
pub fn row<W: Word>(king: &[W]) -> W {
    let [_, far, none, straight, mirrored] = *king else { panic!("five fields") };
    far.bit(0).choose(mirrored, straight) | W::constant(ROW_NO_KING as u128, 6).when(none)
}

/// A plane with its files exchanged.
pub fn mirrored<W: Word>(plane: W) -> W {
    let wires: Vec<u8> = (0..SQUARES).map(|s| mirror(s) as u8).collect();
    plane.wires(&wires)
}
