//! Where a move comes from, and what it takes; two stages.
//!
//! ```text
//!               +---------+
//!   op 122     =>  Trace  => to 81         the destination
//!   empty 81   =>         => rays 4 x 81   squares that a piece may come from, up to the first piece
//!               |         => kind 7        the kind dropped, one wire each
//!               |         -> promote
//!               +---------+
//!                +----------+
//!   to, rays …  =>  Origin  => to_out 81, from 81    destination and origin; no origin for a drop
//!   board 447   =>          => kind_out 7, promote_out
//!                |          => captured 4            kind captured; zero for none
//!                +----------+
//! ```
//!
//! Handshake: none. Latency: one clock each. Throughput: one move per clock. Cost: 413 and 174 flip-flops.
//! Method: the origin is the first piece that a ray from the destination meets. The rays take one clock, unlike those of
//! `movegen::trace`: they also find their king's lines, and a clock more would be one more for each pick.
//! Model: `host/model/src/movegen/origin.rs`. Absent: the kind moved (`describe`).

use crate::attacks::{back, ray::ray, ray_directions};
use crate::movegen::operation::Operation;
use crate::network;
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::position::board::shift_by;
use crate::position::{Board, Plane};
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// Where a move may come from.
    Trace = trace(TraceIn) -> TraceOut {
        in op: Operation;
        in empty: Plane;
        out to: Plane;
        out rays: [Plane; 4];
        out kind: Wires<HAND_KINDS>;
        out promote: Wire;
    }
}

network! {
    /// Where it comes from.
    Origin = origin(OriginIn) -> OriginOut {
        in to: Plane;
        in rays: [Plane; 4];
        in kind: Wires<HAND_KINDS>;
        in promote: Wire;
        in board: Board;
        out to_out: Plane;
        out from: Plane;
        out kind_out: Wires<HAND_KINDS>;
        out promote_out: Wire;
        out captured: Wires<4>;
    }
}

fn trace<W: Word>(inputs: TraceIn<W>) -> TraceOut<W> {
    let TraceIn { op, empty } = inputs;
    let mv = op.mv;
    let arrives = |d: Direction| mv.squares.when(mv.direction.bit(d as usize));
    let rays = ray_directions().map(|d| ray(back(d), arrives(d), empty).named_at("ray", d as usize));
    let jumps = [Direction::KnightEast, Direction::KnightWest].map(|d| {
        let (files, ranks) = d.step();
        shift_by(-files as i32, -ranks as i32, arrives(d))
    });
    let rays: Vec<W> = rays.chain(jumps).collect();
    TraceOut {
        to: mv.squares,
        rays: std::array::from_fn(|i| or_all(rays.iter().copied().skip(3 * i).take(3))),
        kind: mv.kind,
        promote: mv.promote,
    }
}

fn origin<W: Word>(inputs: OriginIn<W>) -> OriginOut<W> {
    let OriginIn { to, rays, kind, promote, board } = inputs;
    OriginOut {
        to_out: to,
        from: or_all(rays) & board.own(),
        kind_out: kind,
        promote_out: promote,
        captured: board.kind_on(to),
    }
}
