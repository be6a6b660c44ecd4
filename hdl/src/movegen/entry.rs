//! First stage of the pipeline: chooses the position that enters, and decodes it for the attack network.
//!
//! ```text
//!                     +---------+
//!   offer 48         =>         => tag 48
//!   offer_board 447  =>  Entry  => board 447
//!   again 48         =>         => decoded 11 x 81   see `Decoded`
//!   again_board 447  =>         |
//!                     +---------+
//! ```
//!
//! Handshake: a position whose tag has `valid` enters. One that goes through again (`again`) has priority; the offer
//! must then be repeated in the next clock.
//! Latency: one clock. Throughput: one position per clock.
//! Model: none (pipeline control). Absent: a queue; the offer waits.
//! Cost: 1,386 flip-flops.

use crate::attacks::rays::Decoded;
use crate::network;
use crate::network::Word;
use crate::position::{Board, Tag};
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
