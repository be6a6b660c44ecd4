//! The requested position for what serialises its moves.
//!
//! ```text
//!           +--------+
//!   image  =>  Kept  => image_out
//!           |        => own 81, empty 81
//!           +--------+
//! ```
//!
//! Latency one clock. A register of its own: whatever looks at the position where it arrives crowds round that place.

use crate::network;
use crate::network::Word;
use crate::position::board::{Board, IMAGE};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// Keeps a position, with own and empty squares.
    Kept = kept {
        in image: IMAGE;
        out image_out: IMAGE;
        out own: &[SQUARES];
        out empty: &[SQUARES];
    }
}

fn kept<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let board = Board::from_image(inputs[0]);
    vec![inputs[0].to_vec(), vec![board.own()], vec![!board.occupied()]]
}
