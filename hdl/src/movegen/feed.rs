//! What the move generation unit offers to its pipeline.
//!
//! ```text
//!                  +--------+
//!   root 1        =>        => offer
//!   image         =>        => offer_board
//!   child_valid   =>  Feed  |
//!   child         =>        |
//!   record        =>        |
//!   null_move     =>        |
//!                  +--------+
//! ```
//!
//! `root` offers the requested position for counting. Otherwise the position after a serialised move is offered, to see
//! whether the move gives check, or after the null move (that is the requested position turned), to see whether the
//! mover could take the king. Latency one clock.

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
        in root: &[1];
        in image: IMAGE;
        in child_valid: &[1];
        in child: BOARD;
        in record: &[32];
        in null_move: &[1];
        out offer: TAG;
        out offer_board: BOARD;
    }
}

fn feed<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [root, image, child_valid, child, record, null_move] = *inputs else { panic!("six inputs") };
    let root = root[0];
    let fields = Board::from_image(image).fields();
    // A child that is not valid is all zero, so that one gate a wire chooses.
    let fields: Vec<W> = fields.iter().zip(child).map(|(&own, &child)| own.when(root) | child).collect();
    let null_move = null_move[0] & !root;
    let tag = Tag {
        valid: root | child_valid[0],
        mate: W::zero(1),
        probe: !root,
        check: W::zero(1),
        count: W::zero(10),
        label: W::join(&[null_move, !root & !null_move, record[0]]),
    };
    const { assert!(LABEL_BITS == 34 && ROOT == 0 && TURNED == 1 && CHILD == 2) };
    vec![tag.fields(), fields]
}
