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

use super::slot::Tag;
use crate::attacks::rays::Decoded;
use crate::network;
use crate::network::Word;
use crate::position::Board;
use rust_hdl::prelude::*;

network! {
    /// Chooses what enters the pipeline.
    Entry = entry(EntryIn) -> EntryOut {
        in offer: Tag;
        in offer_board: Board;
        in again: Tag;
        in again_board: Board;
        out tag: Tag;
        out board: Board;
        out decoded: Decoded;
    }
}

fn entry<W: Word>(inputs: EntryIn<W>) -> EntryOut<W> {
    let EntryIn { offer, offer_board, again, again_board } = inputs;
    let once_more = again.valid;
    let board = Board::choose(once_more, &again_board, &offer_board);
    EntryOut { tag: Tag::choose(once_more, &again, &offer), board, decoded: Decoded::of(&board) }
}
