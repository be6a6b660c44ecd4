//! The origin of a move, and the kind of the piece that it takes.
//!
//! ```text
//!                   +----------+
//!   to 81          =>          => to_out 81     the destination
//!   near 8 x 81    =>  Origin  => from 81       the origin; no square for a drop
//!   direction 10   =>          => kind_out 7    the kind dropped, one wire each
//!   kind 7         =>          -> promote_out
//!   promote        ->          => tag_out 22
//!   tag 22         =>          => board_out 447
//!   board 447      =>          => captured 4    kind captured; zero for none
//!   empty 81       =>          |
//!                   +----------+
//! ```
//!
//! Handshake: none. `near` has the first parts of the rays (`trace`).
//! Latency: one clock. Throughput: one move per clock.
//! Model: `host/model/src/movegen/origin.rs`. Absent: the kind of the piece that moves, and numbers of squares (`make_move`).
//! Cost: 643 flip-flops.
//! Method: rays run from the destination against the direction of travel. The first piece that they meet is the mover's.
//! Proof: `hdl/formal/make_move`.

use crate::attacks::{back, ray, ray_directions};
use crate::network;
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::position::board::shift_by;
use crate::position::{Board, Plane, Tag};
use hayasashi_spec::moves::{Direction, DIRECTIONS, RAYS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// Where a move comes from, and what it takes.
    Origin = origin(OriginIn) -> OriginOut {
        in to: Plane;
        in near: [Plane; RAYS];
        in direction: Wires<DIRECTIONS>;
        in kind: Wires<HAND_KINDS>;
        in promote: Wire;
        in tag: Tag;
        in board: Board;
        in empty: Plane;
        out to_out: Plane;
        out from: Plane;
        out kind_out: Wires<HAND_KINDS>;
        out promote_out: Wire;
        out tag_out: Tag;
        out board_out: Board;
        out captured: Wires<4>;
    }
}

fn origin<W: Word>(inputs: OriginIn<W>) -> OriginOut<W> {
    let OriginIn { to, near, direction, kind, promote, tag, board, empty } = inputs;
    let arrives = |d: Direction| to.when(direction.bit(d as usize));
    let rays =
        ray_directions().map(|d| ray::rest(back(d), near[d as usize], arrives(d), empty).named_at("ray", d as usize));
    let jumps = [Direction::KnightEast, Direction::KnightWest].map(|d| {
        let (files, ranks) = d.step();
        shift_by(-files as i32, -ranks as i32, arrives(d))
    });
    let from = (or_all(rays.chain(jumps)) & board.own()).named("from_square");
    OriginOut {
        to_out: to,
        from,
        kind_out: kind,
        promote_out: promote,
        tag_out: tag,
        board_out: board,
        captured: board.kind_on(to),
    }
}
