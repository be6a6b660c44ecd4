//! Make move: the record of a move, and the position after it in the view of the side that moves next.
//!
//! ```text
//!                 +------------+
//!   to 81        =>            => record 32   see `Record`
//!   from 81      =>            => child 447   board after the move, turned
//!   kind 7       =>  MakeMove  => tag_out 22
//!   promote      ->            |
//!   captured 4   =>            |
//!   tag 22       =>            |
//!   board 447    =>            |
//!                 +------------+
//! ```
//!
//! Handshake: none. Without a destination the child is the position turned: the null move.
//! Latency: one clock. Throughput: one move per clock.
//! Cost: 494 flip-flops.
//! Absent: whether the move gives check. The child's own check, found in the pipeline, is added to the record.
//! Model: `host/model/src/movegen/make_move.rs`. Proof: `hdl/formal/make_move`.

use crate::network::{Wire, Wires, Word};
use crate::position::board::index;
use crate::position::{Board, Plane, Tag};
use crate::{bundle, network};
use hayasashi_spec::moves::*;
use hayasashi_spec::piece::*;
use hayasashi_spec::position::HAND_WIDTH;
use rust_hdl::prelude::*;

bundle! {
    /// The record of a move.
    pub struct Record {
        /// The move.
        mv: Wires<16>,
        /// Flags, without check.
        flags: Wires<8>,
        /// The kind moved.
        moved: Wires<4>,
        /// The kind captured.
        captured: Wires<4>,
    }
}

network! {
    /// The position after a move.
    MakeMove = make_move(MakeMoveIn) -> MakeMoveOut {
        in to: Plane;
        in from: Plane;
        in kind: Wires<HAND_KINDS>;
        in promote: Wire;
        in captured: Wires<4>;
        in tag: Tag;
        in board: Board;
        out record: Record;
        out child: Board;
        out tag_out: Tag;
    }
}

fn make_move<W: Word>(inputs: MakeMoveIn<W>) -> MakeMoveOut<W> {
    let MakeMoveIn { to, from, kind, promote, captured, tag, board } = inputs;
    let drop = kind.any().named("drop");

    let dropped = W::join(&[0, 1, 2].map(|b| {
        let wires: Vec<u8> = (0..HAND_KINDS as u8).filter(|k| (k + 1) >> b & 1 != 0).collect();
        kind.wires(&wires).any()
    }))
    .named("dropped");
    let moved = (board.kind_on(from) | dropped.extend(4)).named("moved_or_dropped");

    let placed = (moved | W::join(&[W::zero(3), promote])).named("placed");
    let leaves = (to | from).named("leaves");
    let mut after = board;
    for (i, plane) in after.code.iter_mut().enumerate() {
        let stays = *plane & !leaves;
        *plane = (if i < 4 { stays | to.when(placed.bit(i)) } else { stays }).named_at("after", i);
    }
    let counts: Vec<W> = (0..HAND_KINDS)
        .map(|k| {
            let taken = captured.slice(0, 3).is(k as u128 + 1);
            let gained = board.held(0, k).plus(taken, HAND_WIDTH[k]).named_at("gained", k);
            gained.minus(kind.bit(k), HAND_WIDTH[k]).named_at("hand_after", k)
        })
        .collect();
    after.hand[0] = W::join(&counts).named("own_hand_after");

    let drop_origin = W::constant(DROP_FROM as u128 - 1, 7).plus(dropped, 7).named("drop_origin");
    let origin = index(from) | drop_origin.when(drop);
    let record = Record {
        mv: W::join(&[index(to).named("to_index"), origin.named("origin"), promote, W::zero(1)]),
        flags: W::join(&[captured.any(), promote, W::zero(1), drop, W::zero(4)]),
        moved,
        captured,
    };
    const { assert!(FLAG_CAPTURE == 1 && FLAG_PROMOTE == 2 && FLAG_CHECK == 4 && FLAG_DROP == 8) };
    MakeMoveOut { record, child: after.turned(), tag_out: tag }
}
