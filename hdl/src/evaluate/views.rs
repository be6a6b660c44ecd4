//! What each side sees: the king's row and the codes to look up.
//!
//! ```text
//!           +---------+
//!   image  =>         => own_view, their_view   row 6, codes 5 x 81, own hand 21
//!   own    =>  Views  |
//!   their  =>         |
//!           +---------+
//! ```
//!
//! Latency one clock, one position per clock. `own` and `their` come from [`super::kings`].

use super::kings::{mirrored, row, KING_VIEW};
use crate::network;
use crate::network::Word;
use crate::position::board::{Board, IMAGE};
use hayasashi_spec::piece::*;
use hayasashi_spec::position::HAND_BITS;
use rust_hdl::prelude::*;

/// Layout of a view: row, planes of the code bits, the viewing side's hand.
pub const VIEW: &[usize] = &[6, SQUARES, SQUARES, SQUARES, SQUARES, SQUARES, HAND_BITS];

network! {
    /// Both sides' views of a position.
    Views = views {
        in image: IMAGE;
        in own: KING_VIEW;
        in their: KING_VIEW;
        out own_view: VIEW;
        out their_view: VIEW;
    }
}

fn views<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [image, own, their] = *inputs else { panic!("three inputs") };
    let board = Board::from_image(image);
    vec![view(&board, own), view(&board.turned(), their)]
}

fn view<W: Word>(board: &Board<W>, king: &[W]) -> Vec<W> {
    let mut fields = vec![row(king)];
    fields.extend(board.code.map(|plane| king[0].choose(mirrored(plane), plane)));
    fields.push(board.hand[0]);
    fields
}
