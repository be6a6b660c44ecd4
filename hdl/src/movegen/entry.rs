//! First stage of the pipeline: what enters next, and what the attack network needs to know of it.
//!
//! ```text
//!                 +---------+
//!   offer        =>         => tag
//!   offer_board  =>  Entry  => board
//!   again        =>         => seen 11 x 81    planes of pieces, see `SEEN`
//!   again_board  =>         |
//!                 +---------+
//! ```
//!
//! Latency one clock, one position per clock. A position that goes through once more comes before a new one.

use super::slot::TAG;
use crate::attacks::rays::{Seen, SEEN};
use crate::network;
use crate::network::Word;
use crate::position::{Board, BOARD};
use rust_hdl::prelude::*;

network! {
    /// Chooses what enters the pipeline.
    Entry = entry {
        in offer: TAG;
        in offer_board: BOARD;
        in again: TAG;
        in again_board: BOARD;
        out tag: TAG;
        out board: BOARD;
        out seen: SEEN;
    }
}

fn entry<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [offer, offer_board, again, again_board] = *inputs else { panic!("four inputs") };
    let once_more = again[0];
    let choose = |a: &[W], b: &[W]| -> Vec<W> { a.iter().zip(b).map(|(&a, &b)| once_more.choose(a, b)).collect() };
    let board = choose(again_board, offer_board);
    let seen = Seen::of(&Board::from_fields(&board));
    vec![choose(again, offer), board, seen.fields()]
}
