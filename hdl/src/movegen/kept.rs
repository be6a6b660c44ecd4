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
