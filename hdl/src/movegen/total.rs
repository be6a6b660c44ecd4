//! Last stage of the pipeline: the number of legal moves, with pawn-drop mate exact.
//!
//! ```text
//!                     +---------+
//!   tag 48           =>         => result 48        tag with the final `check` and `count`
//!   board 447        =>         -> uchifuzume       one pawn drop would be mate and is not counted
//!   pile 16          =>  Total  => again 48         tag of the position after a pawn drop that may be mate
//!   others 3 x 7     =>         => again_board 447  that position
//!   kinds 3          =>         |
//!   mate_square 81   =>         |
//!   may_mate         ->         |
//!                     +---------+
//! ```
//!
//! Handshake: `result` is valid once for each position that is to be counted; a position with `again` gives its result
//! in the second pass.
//! Latency: one clock. Throughput: one position per clock.
//! Absent: tests of other drops, whose mates are legal.
//! Cost: 544 flip-flops.
//! Method: where a pawn can be dropped in front of the enemy king, the position after this drop goes through the
//! pipeline again. If it has no legal move, the drop is mate and illegal. (No drop parries the check of an adjacent
//! pawn, so that position needs no such test of its own.)
//! Model: `host/model/src/movegen/{count,uchifuzume}.rs`.

use super::count::{self, OtherDrops, SecondPile, UnlimitedKinds};
use crate::network;
use crate::network::{Wire, Word};
use crate::position::{tag::COUNT_BITS, Board, Plane, Tag};
use hayasashi_spec::position::{HAND_BITS, HAND_WIDTH};
use rust_hdl::prelude::*;

network! {
    /// Number of legal moves.
    Total = total(TotalIn) -> TotalOut {
        in tag: Tag;
        in board: Board;
        in pile: SecondPile;
        in others: OtherDrops;
        in kinds: UnlimitedKinds;
        in mate_square: Plane;
        in may_mate: Wire;
        out result: Tag;
        out uchifuzume: Wire;
        out again: Tag;
        out again_board: Board;
    }
}

fn total<W: Word>(inputs: TotalIn<W>) -> TotalOut<W> {
    let TotalIn { tag, board, pile, others, kinds, mate_square, may_mate } = inputs;
    let (count, some) = count::total(&pile, others, kinds);

    let uchifuzume = (tag.mate & !some).named("is_uchifuzume");
    let once_more = (tag.valid & !tag.mate & !tag.probe & may_mate).named("once_more");
    let done = tag.valid & !tag.probe & !once_more;
    let legal = tag.count.minus(uchifuzume, COUNT_BITS).named("legal_before");
    TotalOut {
        result: Tag { valid: done, count: tag.mate.choose(legal, count), ..tag },
        uchifuzume,
        again: Tag { valid: once_more, mate: once_more, count, ..tag },
        again_board: drop_pawn(&board, mate_square),
    }
}

/// The position after a pawn drop, in the view of the side that has to answer it.
fn drop_pawn<W: Word>(board: &Board<W>, square: W) -> Board<W> {
    let mut after = *board;
    after.code[0] = (after.code[0] | square).named("with_pawn");
    let pawns = board.held(0, 0);
    let left = pawns.minus(W::constant(1, HAND_WIDTH[0]), HAND_WIDTH[0]).named("pawns_left");
    after.hand[0] = W::join(&[left, board.hand[0].slice(HAND_WIDTH[0], HAND_BITS - HAND_WIDTH[0])]);
    after.turned()
}
