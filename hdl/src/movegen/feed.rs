//! What the move generation unit offers to its pipeline.
//!
//! ```text
//!                  +--------+
//!   root 1        =>        => offer
//!   image         =>        => offer_board
//!   pop 1         =>        |
//!   popped        =>  Feed  |   zero where there is no `pop`
//!   child_valid   =>        |
//!   child         =>        |
//!   record        =>        |
//!   null_move     =>        |
//!   leaf 1        =>        |
//!                  +--------+
//! ```
//!
//! `root` offers the requested position, `pop` one from the walker's stack: to be counted, and their moves serialised.
//! Otherwise the position after a serialised move is offered: to be counted where it is a `leaf` of the walker's tree,
//! else to see whether the move gives check; or the position after the null move (that is the requested position
//! turned), to see whether the mover could take the king. At most one of these comes in a clock. Latency one clock;
//! stands still while `hold`.

use super::slot::{Tag, LABEL_BITS, TAG};
use crate::network;
use crate::network::Word;
use crate::position::board::IMAGE;
use crate::position::{Board, BOARD};
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
    Feed = feed, held {
        in root: &[1];
        in image: IMAGE;
        in pop: &[1];
        in popped: BOARD;
        in child_valid: &[1];
        in child: BOARD;
        in record: &[32];
        in null_move: &[1];
        in leaf: &[1];
        out offer: TAG;
        out offer_board: BOARD;
    }
}

fn feed<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [root, image, pop, popped, child_valid, child, record, null_move, leaf] = *inputs else {
        panic!("nine inputs")
    };
    let (root, parent) = (root[0], root[0] | pop[0]);
    let fields = Board::from_image(image).fields();
    // What is not valid is all zero, so that one gate a wire chooses.
    let choose = |((&own, &child), &popped): ((&W, &W), &W)| own.when(root) | child | popped;
    let fields: Vec<W> = fields.iter().zip(child).zip(popped).map(choose).collect();
    let (null_move, leaf) = (null_move[0] & !parent, leaf[0] & !parent);
    let tag = Tag {
        valid: parent | child_valid[0],
        mate: W::zero(1),
        probe: !parent & !leaf,
        check: W::zero(1),
        count: W::zero(10),
        label: W::join(&[null_move | leaf, !parent & !null_move, record[0]]),
    };
    const { assert!(LABEL_BITS == 34 && PARENT == 0 && TURNED == 1 && CHILD == 2 && LEAF == 3) };
    vec![tag.fields(), fields]
}
