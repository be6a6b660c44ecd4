//! The position whose moves are being made.
//!
//! ```text
//!                 +--------+
//!   stay         ->        => board 447   to be wired back to `board_in`
//!   coming 447   =>  Kept  => own 81      own pieces
//!   board_in 447 =>        => empty 81    empty squares
//!   hold         ->        => last 447    `board` of the clock before
//!                 +--------+
//! ```
//!
//! Handshake: takes the coming position unless `stay`. The registers keep their values while `hold`.
//! Latency: one clock. Throughput: one position per clock.
//! Model: none (a copy for timing). Absent: a third position.
//! Cost: 1,056 flip-flops. A move is made in three clocks, and the moves of the next position follow without a pause:
//! the last of the three clocks therefore needs `last`.

use crate::network;
use crate::network::{Wire, Word};
use crate::position::{Board, Plane};
use rust_hdl::prelude::*;

network! {
    /// Keeps a position, with own and empty squares.
    Kept = kept(KeptIn) -> KeptOut, held {
        in stay: Wire;
        in coming: Board;
        in board_in: Board;
        out board: Board;
        out own: Plane;
        out empty: Plane;
        out last: Board;
    }
}

fn kept<W: Word>(inputs: KeptIn<W>) -> KeptOut<W> {
    let KeptIn { stay, coming, board_in } = inputs;
    let board = Board::choose(stay, &board_in, &coming);
    KeptOut { board, own: board.own(), empty: !board.occupied(), last: board_in }
}
