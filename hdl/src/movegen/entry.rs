//! First stage of the pipeline: decodes the position for the attack network.
//!
//! ```text
//!               +---------+
//!   tag 22     =>         => tag_out 22
//!   board 447  =>  Entry  => board_out 447
//!               |         => decoded 11 x 81   see `Decoded`
//!               +---------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock. Throughput: one position per clock.
//! Model: none (a view of the position). Absent: everything that takes a ray.
//! Cost: 1,360 flip-flops.

use crate::attacks::rays::Decoded;
use crate::network;
use crate::network::Word;
use crate::position::{Board, Tag};
use rust_hdl::prelude::*;

network! {
    /// Decodes a position.
    Entry = entry(EntryIn) -> EntryOut {
        in tag: Tag;
        in board: Board;
        out tag_out: Tag;
        out board_out: Board;
        out decoded: Decoded;
    }
}

fn entry<W: Word>(inputs: EntryIn<W>) -> EntryOut<W> {
    let EntryIn { tag, board } = inputs;
    EntryOut { tag_out: tag, board_out: board, decoded: Decoded::of(&board) }
}
