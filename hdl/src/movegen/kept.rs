//! The position whose moves are being made.
//!
//! ```text
//!             +--------+
//!   stay 1   =>        => board, own 81, empty 81
//!   coming   =>  Kept  => last                     `board` of the clock before
//!   board_in =>        |
//!             +--------+
//! ```
//!
//! Takes the coming position unless `stay`; `board_in` is `board` wired back. A move is made over three clocks, and the moves of the
//! next position follow without a pause: so the last of the three has the position as it was a clock ago. Latency one
//! clock; stands still while `hold`.

use crate::network;
use crate::network::Word;
use crate::position::{Board, BOARD};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// Keeps a position, with own and empty squares.
    Kept = kept, held {
        in stay: &[1];
        in coming: BOARD;
        in board_in: BOARD;
        out board: BOARD;
        out own: &[SQUARES];
        out empty: &[SQUARES];
        out last: BOARD;
    }
}

fn kept<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [stay, coming, before] = *inputs else { panic!("three inputs") };
    let fields: Vec<W> = coming.iter().zip(before).map(|(&new, &old)| stay[0].choose(old, new)).collect();
    let board = Board::from_fields(&fields);
    vec![fields, vec![board.own()], vec![!board.occupied()], before.to_vec()]
}
