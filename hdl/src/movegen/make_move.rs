//! Make move: the record of a move and the position after it, in the view of the side that moves next.
//!
//! ```text
//!               +------------+
//!   valid      =>            => valid_out
//!   to, from   =>  MakeMove  => record 32   move 16, flags 8 (without check), kinds 8
//!   kind       =>            => child       board after the move, turned; zero if not `valid`
//!   promote    =>            => null_move 1 there was no destination: the child is the position turned
//!   moved      =>            |
//!   captured   =>            |
//!   board      =>            |
//!               +------------+
//! ```
//!
//! Latency one clock, one move per clock; stands still while `hold`. Model: `host/src/model/movegen/make_move.rs`.

use crate::network;
use crate::network::Word;
use crate::position::board::{index, Board};
use crate::position::BOARD;
use hayasashi_spec::moves::*;
use hayasashi_spec::piece::*;
use hayasashi_spec::position::HAND_WIDTH;
use rust_hdl::prelude::*;

network! {
    /// The position after a move.
    MakeMove = make_move, held {
        in valid: &[1];
        in to: &[SQUARES];
        in from: &[SQUARES];
        in kind: &[HAND_KINDS];
        in promote: &[1];
        in moved: &[4];
        in captured: &[4];
        in board: BOARD;
        out valid_out: &[1];
        out record: &[16, 8, 8];
        out child: BOARD;
        out null_move: &[1];
    }
}

fn make_move<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [valid, to, from, kind, promote, moved, captured, board] = *inputs else { panic!("eight inputs") };
    let (to, from, kind, promote, captured) = (to[0], from[0], kind[0], promote[0], captured[0]);
    let board = Board::from_fields(board);
    let drop = kind.any();

    let dropped = W::join(&[0, 1, 2].map(|b| {
        let wires: Vec<u8> = (0..HAND_KINDS as u8).filter(|k| (k + 1) >> b & 1 != 0).collect();
        kind.wires(&wires).any()
    }));
    let moved = moved[0] | dropped.extend(4);

    let placed = moved | W::join(&[W::zero(3), promote]);
    let mut after = board;
    for (i, plane) in after.code.iter_mut().enumerate() {
        let leaving = *plane & !(to | from);
        *plane = if i < 4 { leaving | to.when(placed.bit(i)) } else { leaving };
    }
    let counts: Vec<W> = (0..HAND_KINDS)
        .map(|k| {
            let taken = captured.slice(0, 3).is(k as u128 + 1);
            board.held(0, k).plus(taken, HAND_WIDTH[k]).minus(kind.bit(k), HAND_WIDTH[k])
        })
        .collect();
    after.hand[0] = W::join(&counts);

    let origin = index(from) | (W::constant(DROP_FROM as u128 - 1, 7).plus(dropped, 7)).when(drop);
    let mv = W::join(&[index(to), origin, promote, W::zero(1)]);
    let flags = W::join(&[captured.any(), promote, W::zero(1), drop, W::zero(4)]);
    const { assert!(FLAG_CAPTURE == 1 && FLAG_PROMOTE == 2 && FLAG_CHECK == 4 && FLAG_DROP == 8) };
    let child = after.turned().fields().into_iter().map(|field| field.when(valid[0]));
    vec![valid.to_vec(), vec![mv, flags, W::join(&[moved, captured])], child.collect(), vec![!to.any()]]
}
