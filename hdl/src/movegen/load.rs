//! The position that an operation starts from.
//!
//! ```text
//!               +--------+
//!   op 122     =>        => op_out 122
//!   stored 447 =>  Load  => board 447
//!   image 512  =>        => empty 81     its empty squares
//!               +--------+
//! ```
//!
//! Handshake: `stored` is the row that the operation names; an injected operation takes the image, turned. (Every operation
//! turns the position once more.)
//! Latency: one clock: block RAM is slow, and has a clock to itself. Throughput: one position a clock.
//! Model: none (a choice). Absent: rows (`positions`). Cost: 650 flip-flops.

use super::operation::Operation;
use crate::network;
use crate::network::Word;
use crate::position::{Board, Image, Plane};
use rust_hdl::prelude::*;

network! {
    /// Takes the position of an operation.
    Load = load(LoadIn) -> LoadOut {
        in op: Operation;
        in stored: Board;
        in image: Image;
        out op_out: Operation;
        out board: Board;
        out empty: Plane;
    }
}

fn load<W: Word>(inputs: LoadIn<W>) -> LoadOut<W> {
    let LoadIn { op, stored, image } = inputs;
    let injected = Board::from_image(&image).turned();
    let board = Board::choose(op.inject, &injected, &stored);
    LoadOut { op_out: op, board, empty: !board.occupied() }
}
