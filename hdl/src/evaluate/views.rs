//! What each side sees: the king's row and the codes to look up.
//!
//! ```text
//!           +---------+
//!   image  =>  Views  => own, their   row 6, codes 5 x 81, own hand 21
//!           +---------+
//! ```
//!
//! Latency one clock, one position per clock. A view is mirrored when its king stands on files 6 to 9.

use crate::network;
use crate::network::{word::or_all, Word};
use crate::position::board::{index, Board, IMAGE};
use hayasashi_spec::piece::*;
use hayasashi_spec::position::HAND_BITS;
use hayasashi_spec::table::ROW_NO_KING;
use rust_hdl::prelude::*;

/// Layout of a view: row, planes of the code bits, the viewing side's hand.
pub const VIEW: &[usize] = &[6, SQUARES, SQUARES, SQUARES, SQUARES, SQUARES, HAND_BITS];

network! {
    /// Both sides' views of a position.
    Views = views {
        in image: IMAGE;
        out own: VIEW;
        out their: VIEW;
    }
}

fn views<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let board = Board::from_image(inputs[0]);
    vec![view(&board), view(&board.turned())]
}

fn view<W: Word>(board: &Board<W>) -> Vec<W> {
    let wires: Vec<u8> = (0..SQUARES).map(|s| mirror(s) as u8).collect();
    let king = board.kind(KING) & board.own();
    let far_files = king.slice(5 * SIDE, 4 * SIDE).any();
    let seen = |plane: W| far_files.choose(plane.wires(&wires), plane);
    let row = index(seen(king)).slice(0, 6);
    let row = or_all([row, W::constant(ROW_NO_KING as u128, 6).when(!king.any())]);
    let mut fields = vec![row];
    fields.extend(board.code.map(seen));
    fields.push(board.hand[0]);
    fields
}
