//! What each side sees: the king's row and the codes to look up.
//!
//! ```text
//!           +---------+
//!   image  =>         => own_view, their_view   row 6, codes 5 x 81, own hand 7 x 5
//!   own    =>  Views  |
//!   their  =>         |
//!           +---------+
//! ```
//!
//! Latency one clock, one position per clock. `own` and `their` come from [`super::kings`]. The gate that chooses between
//! a square and its mirror image chooses the code of a write too, so that no other gate is in front of the block RAMs.

use super::kings::{mirrored, row, KING_VIEW};
use crate::network;
use crate::network::Word;
use crate::position::board::{Board, IMAGE};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Layout of a view: row, planes of the code bits, the viewing side's hand as a code for each kind.
pub const VIEW: &[usize] = &[6, SQUARES, SQUARES, SQUARES, SQUARES, SQUARES, HAND_KINDS * CODE_BITS];

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
    let (fixed, which) = (king[0], king[1]);
    let everywhere = |bit: W| bit.choose(!W::zero(SQUARES), W::zero(SQUARES));
    let mut fields = vec![row(king)];
    fields.extend(board.code.iter().enumerate().map(|(i, &plane)| {
        let which = which.bit(i);
        fixed.choose(everywhere(which), which.choose(mirrored(plane), plane))
    }));
    let held = (0..HAND_KINDS).map(|k| fixed.choose(which, board.held(0, k).extend(CODE_BITS)));
    fields.push(W::join(&held.collect::<Vec<W>>()));
    fields
}
