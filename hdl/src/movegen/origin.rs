//! The origin of a move, and the kinds of the pieces that it moves and captures.
//!
//! ```text
//!                 +----------+
//!   to 81        =>          => to_out 81     the destination
//!   rays 4 x 81  =>  Origin  => from 81       the origin; no square for a drop
//!   kind 7       =>          => kind_out 7    the kind dropped, one wire each
//!   promote      ->          -> promote_out
//!   tag 22       =>          => tag_out 22
//!   board 447    =>          => board_out 447
//!                 |          => moved 4       kind before the move; zero for a drop
//!                 |          => captured 4    kind captured; zero for none
//!                 +----------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock. Throughput: one move per clock.
//! Model: `host/model/src/movegen/origin.rs`. Absent: numbers of squares (`make_move`).
//! Cost: 647 flip-flops.
//! Proof: `hdl/formal/make_move`.

use crate::network;
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::position::{Board, Plane, Tag};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// Where a move comes from, and what it moves and takes.
    Origin = origin(OriginIn) -> OriginOut {
        in to: Plane;
        in rays: [Plane; 4];
        in kind: Wires<HAND_KINDS>;
        in promote: Wire;
        in tag: Tag;
        in board: Board;
        out to_out: Plane;
        out from: Plane;
        out kind_out: Wires<HAND_KINDS>;
        out promote_out: Wire;
        out tag_out: Tag;
        out board_out: Board;
        out moved: Wires<4>;
        out captured: Wires<4>;
    }
}

fn origin<W: Word>(inputs: OriginIn<W>) -> OriginOut<W> {
    let OriginIn { to, rays, kind, promote, tag, board } = inputs;
    let from = (or_all(rays) & board.own()).named("from_square");
    let kind_on = |square: W| W::join(&[0, 1, 2, 3].map(|i| (board.code[i] & square).any()));
    OriginOut {
        to_out: to,
        from,
        kind_out: kind,
        promote_out: promote,
        tag_out: tag,
        board_out: board,
        moved: kind_on(from),
        captured: kind_on(to),
    }
}
