//! First stage of the pipeline: decodes the position for the attack network.
//!
//! ```text
//!               +---------+
//!   tag 22     =>         => tag_out 22
//!   board 447  =>  Entry  => board_out 447
//!               |         => decoded 11 x 81   see `Decoded`
//!               |         => near 16 x 81      the first parts of rays
//!               +---------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock. Throughput: one position per clock.
//! Model: none (a view of the position). Absent: the rest of the rays (`attacks::rays`).
//! Cost: 1,936 flip-flops and the first parts of 16 rays.

use crate::attacks::rays::{Decoded, NearRays};
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
        out near: NearRays;
    }
}

fn entry<W: Word>(inputs: EntryIn<W>) -> EntryOut<W> {
    let EntryIn { tag, board } = inputs;
    let decoded = Decoded::of(&board);
    EntryOut { tag_out: tag, board_out: board, near: decoded.near(board.code[4]), decoded }
}
