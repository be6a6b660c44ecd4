//! Last stage of the pipeline: the number of legal moves.
//!
//! ```text
//!               +---------+
//!   tag 22     =>         => result 22    tag with the final `count`
//!   pile 16    =>  Total  -> may_mate_out
//!   some       ->         |
//!   may_mate   ->         |
//!               +---------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock. Throughput: one position per clock.
//! Absent: tests of other drops, whose mates are legal.
//! Cost: 23 flip-flops.
//! Method: where a pawn drop may be mate, it is not counted here; the position after it is then counted like any other. If
//! that has a legal move, the drop is legal: its `count` is one, else zero. (No drop parries the check of an adjacent
//! pawn, so that position needs no such test of its own.)
//! Model: `host/model/src/movegen/{count,uchifuzume}.rs`.

use super::count::ThirdPile;
use crate::network;
use crate::network::{Wire, Word};
use crate::position::{tag::COUNT_BITS, Tag};
use rust_hdl::prelude::*;

network! {
    /// Number of legal moves.
    Total = total(TotalIn) -> TotalOut {
        in tag: Tag;
        in pile: ThirdPile;
        in some: Wire;
        in may_mate: Wire;
        out result: Tag;
        out may_mate_out: Wire;
    }
}

fn total<W: Word>(inputs: TotalIn<W>) -> TotalOut<W> {
    let TotalIn { tag, pile, some, may_mate } = inputs;
    let sure = pile.total(COUNT_BITS).named("sure");
    TotalOut { result: Tag { count: tag.mate.choose(some.extend(COUNT_BITS), sure), ..tag }, may_mate_out: may_mate }
}
