//! Last stage of the pipeline: the number of legal moves.
//!
//! ```text
//!               +---------+
//!   tag 22     =>         => result 22    tag with the final `count`
//!   pile 15    =>  Total  -> may_mate_out
//!   others 21  =>         |
//!   kinds 3    =>         |
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

use super::count::{self, OtherDrops, SecondPile, UnlimitedKinds};
use crate::network;
use crate::network::{Wire, Word};
use crate::position::{tag::COUNT_BITS, Tag};
use rust_hdl::prelude::*;

network! {
    /// Number of legal moves.
    Total = total(TotalIn) -> TotalOut {
        in tag: Tag;
        in pile: SecondPile;
        in others: OtherDrops;
        in kinds: UnlimitedKinds;
        in may_mate: Wire;
        out result: Tag;
        out may_mate_out: Wire;
    }
}

fn total<W: Word>(inputs: TotalIn<W>) -> TotalOut<W> {
    let TotalIn { tag, pile, others, kinds, may_mate } = inputs;
    let (count, some) = count::total(&pile, others, kinds);
    let sure = count.minus(may_mate, COUNT_BITS).named("sure");
    TotalOut { result: Tag { count: tag.mate.choose(some.extend(COUNT_BITS), sure), ..tag }, may_mate_out: may_mate }
}
