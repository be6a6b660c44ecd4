//! What the move generation unit offers to its pipeline.
//!
//! ```text
//!                  +--------+
//!   root 2        =>        => offer
//!   image         =>        => offer_board
//!   child_valid   =>  Feed  |
//!   child         =>        |
//!   record        =>        |
//!                  +--------+
//! ```
//!
//! `root`: bit 0 offers the requested position for counting, bit 1 offers it turned, to see whether the mover could
//! take the king. Otherwise the position after a serialised move is offered, to see whether the move gives check.
//! Latency one clock.

use super::slot::{Tag, LABEL_BITS, TAG};
use crate::network;
use crate::network::Word;
use crate::position::board::IMAGE;
use crate::position::{Board, BOARD};
use rust_hdl::prelude::*;

/// Purpose (the two low bits of a label): the requested position.
pub const ROOT: u8 = 0;
/// Purpose: the requested position turned.
pub const TURNED: u8 = 1;
/// Purpose: the position after a move; the move's record is in the label's other bits.
pub const CHILD: u8 = 2;

network! {
    /// Offers positions to the pipeline.
    Feed = feed {
        in root: &[1, 1];
        in image: IMAGE;
        in child_valid: &[1];
        in child: BOARD;
        in record: &[32];
        out offer: TAG;
        out offer_board: BOARD;
    }
}

fn feed<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [root, image, child_valid, child, record] = *inputs else { panic!("five inputs") };
    let [straight, turned] = *root else { panic!("two commands") };
    let board = Board::from_image(image);
    let request = straight | turned;
    let fields: Vec<W> = board
        .fields()
        .iter()
        .zip(board.turned().fields())
        .zip(child)
        .map(|((&straight, other), &child)| request.choose(turned.choose(other, straight), child))
        .collect();
    let purpose = request.choose(turned.extend(2), W::constant(CHILD as u128, 2));
    let tag = Tag {
        valid: request | child_valid[0],
        mate: W::zero(1),
        probe: !straight,
        check: W::zero(1),
        count: W::zero(10),
        label: W::join(&[purpose, record[0]]),
    };
    const { assert!(LABEL_BITS == 34 && ROOT == 0 && TURNED == 1) };
    vec![tag.fields(), fields]
}
