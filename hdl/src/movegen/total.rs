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

use super::count::{self, CONDENSED, KINDS, OTHERS};
use super::slot::{Tag, TAG};
use crate::network;
use crate::network::Word;
use crate::position::{Board, BOARD};
use hayasashi_spec::piece::*;
use hayasashi_spec::position::HAND_BITS;
use rust_hdl::prelude::*;

network! {
    /// Number of legal moves.
    Total = total {
        in tag: TAG;
        in board: BOARD;
        in pile: CONDENSED;
        in others: OTHERS;
        in kinds: KINDS;
        in mate_square: &[SQUARES];
        in may_mate: &[1];
        out result: TAG;
        out uchifuzume: &[1];
        out again: TAG;
        out again_board: BOARD;
    }
}

fn total<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [tag, board, pile, others, kinds, mate_square, may_mate] = *inputs else { panic!("seven inputs") };
    let tag = Tag::from_fields(tag);
    let (count, some) = count::total(pile, others, kinds[0]);

    let uchifuzume = tag.mate & !some;
    let once_more = tag.valid & !tag.mate & !tag.probe & may_mate[0];
    let done = tag.valid & !tag.probe & !once_more;
    let kept = tag.count.minus(uchifuzume, 10);
    let result = Tag { valid: done, count: tag.mate.choose(kept, count), ..tag };
    let again = Tag { valid: once_more, mate: once_more, count, ..tag };
    let child = drop_pawn(&Board::from_fields(board), mate_square[0]);
    vec![result.fields(), vec![uchifuzume], again.fields(), child.fields()]
}

/// The position after a pawn drop, in the view of the side that has to answer it.
fn drop_pawn<W: Word>(board: &Board<W>, square: W) -> Board<W> {
    let mut after = *board;
    after.code[0] = after.code[0] | square;
    let pawns = board.held(0, 0);
    let rest = board.hand[0].slice(5, HAND_BITS - 5);
    after.hand[0] = W::join(&[pawns.minus(W::constant(1, 5), 5), rest]);
    after.turned()
}
