//! The origin of a move, and the kinds of the pieces that it moves and captures.
//!
//! ```text
//!                 +----------+
//!   valid        ->          -> valid_out
//!   to 81        =>          => to_out 81     the destination
//!   rays 4 x 81  =>  Origin  => from 81       the origin; no square for a drop
//!   kind 7       =>          => kind_out 7    the kind dropped, one wire each
//!   promote      ->          -> promote_out
//!   board 447    =>          => moved 4       kind before the move; zero for a drop
//!   own 81       =>          => captured 4    kind captured; zero for none
//!   hold         ->          |
//!                 +----------+
//! ```
//!
//! Handshake: one move in each clock with `valid`. The registers keep their values while `hold`.
//! Latency: one clock. Throughput: one move per clock.
//! Model: `host/model/src/movegen/origin.rs`. Absent: numbers of squares (`make_move`).
//! Cost: 179 flip-flops.
//! Proof: `hdl/formal/make_move`.

use crate::network;
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::position::{Board, Plane};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// Where a move comes from, and what it moves and takes.
    Origin = origin(OriginIn) -> OriginOut, held {
        in valid: Wire;
        in to: Plane;
        in rays: [Plane; 4];
        in kind: Wires<HAND_KINDS>;
        in promote: Wire;
        in board: Board;
        in own: Plane;
        out valid_out: Wire;
        out to_out: Plane;
        out from: Plane;
        out kind_out: Wires<HAND_KINDS>;
        out promote_out: Wire;
        out moved: Wires<4>;
        out captured: Wires<4>;
    }
}

fn origin<W: Word>(inputs: OriginIn<W>) -> OriginOut<W> {
    let OriginIn { valid, to, rays, kind, promote, board, own } = inputs;
    let from = or_all(rays) & own;
    let kind_on = |square: W| W::join(&[0, 1, 2, 3].map(|i| (board.code[i] & square).any()));
    OriginOut {
        valid_out: valid,
        to_out: to,
        from,
        kind_out: kind,
        promote_out: promote,
        moved: kind_on(from),
        captured: kind_on(to),
    }
}
