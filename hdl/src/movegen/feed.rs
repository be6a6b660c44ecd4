//! What the move generation unit offers to its pipeline.
//!
//! ```text
//!                    +--------+
//!   root            ->        => offer 48
//!   image 512       =>        => offer_board 447
//!   pop             ->        |
//!   popped 447      =>  Feed  |   zero without `pop`
//!   child_valid     ->        |
//!   child 447       =>        |   zero without `child_valid`
//!   record 32       =>        |
//!   null_move       ->        |
//!   leaf            ->        |
//!   hold            ->        |
//!                    +--------+
//! ```
//!
//! Handshake: at most one of `root`, `pop`, `child_valid` and `null_move` in a clock. `root` offers the requested
//! position and `pop` one from the walker's stack: to be counted, and their moves serialised. `child_valid` offers the
//! position after a serialised move: to be counted if it is a `leaf` of the walker's tree, else only for whether the
//! move gives check. `null_move` offers the requested position turned, for whether the mover could take the king. The
//! registers keep their values while `hold`.
//! Latency: one clock. Throughput: one position per clock.
//! Model: none (pipeline control). Absent: a queue; what feeds it stalls.
//! Cost: 495 flip-flops.

use crate::network;
use crate::network::{Wire, Wires, Word};
use crate::position::tag::{Tag, COUNT_BITS, LABEL_BITS};
use crate::position::{Board, Image};
use rust_hdl::prelude::*;

/// Purpose (the two low bits of a label): a position whose moves are serialised.
pub const PARENT: u8 = 0;
/// Purpose: the requested position turned.
pub const TURNED: u8 = 1;
/// Purpose: the position after a move; the move's record is in the label's other bits.
pub const CHILD: u8 = 2;
/// Purpose: the position after a move, to be counted for the walker.
pub const LEAF: u8 = 3;

network! {
    /// Offers positions to the pipeline.
    Feed = feed(FeedIn) -> FeedOut, held {
        in root: Wire;
        in image: Image;
        in pop: Wire;
        in popped: Board;
        in child_valid: Wire;
        in child: Board;
        in record: Wires<32>;
        in null_move: Wire;
        in leaf: Wire;
        out offer: Tag;
        out offer_board: Board;
    }
}

fn feed<W: Word>(inputs: FeedIn<W>) -> FeedOut<W> {
    let FeedIn { root, image, pop, popped, child_valid, child, record, null_move, leaf } = inputs;
    let parent = (root | pop).named("parent");
    // What is not valid is all zero, so that one gate a wire chooses.
    let offer_board = Board::from_image(&image).when(root).zip(&child, |a, b| a | b).zip(&popped, |a, b| a | b);
    let (null_move, leaf) = (null_move & !parent, leaf & !parent);
    let offer = Tag {
        valid: parent | child_valid,
        mate: W::zero(1),
        probe: !parent & !leaf,
        check: W::zero(1),
        count: W::zero(COUNT_BITS),
        label: W::join(&[null_move | leaf, !parent & !null_move, record]),
    };
    const { assert!(LABEL_BITS == 34 && PARENT == 0 && TURNED == 1 && CHILD == 2 && LEAF == 3) };
    FeedOut { offer, offer_board }
}
