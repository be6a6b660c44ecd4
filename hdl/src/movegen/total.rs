//! Last stage: the number of legal moves, with pawn-drop mate exact.
//!
//! ```text
//!                 +---------+
//!   tag          =>         => result       tag with the final `check` and `count`; valid once per position
//!   board        =>         => uchifuzume 1 the one pawn drop that would be mate is not counted
//!   pile         =>  Total  => again        tag of the position after a pawn drop that may be mate
//!   others       =>         => again_board
//!   kinds        =>         |
//!   mate_square  =>         |
//!   may_mate     ->         |
//!                 +---------+
//! ```
//!
//! Latency one clock, one position per clock. Where a pawn can be dropped in front of the enemy king, the position
//! after that drop goes through the pipeline once more: if it has no legal move, the drop is mate and is illegal.
//! (No drop parries the check of an adjacent pawn, so that position needs no such test of its own.)

use super::count::{self, OtherDrops, SecondPile, UnlimitedKinds};
use super::slot::{Tag, COUNT_BITS};
use crate::network;
use crate::network::{Wire, Word};
use crate::position::{Board, Plane};
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
