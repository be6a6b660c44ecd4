//! Where a move may come from: the rays from its destination against its direction of travel.
//!
//! ```text
//!               +---------+
//!   op 122     =>         => to 81         the destination
//!   board 447  =>  Trace  => rays 4 x 81   squares that a piece may come from, up to the first piece
//!   empty 81   =>         => kind_out 7    the kind dropped, one wire each
//!               |         -> promote_out
//!               |         => tag_out 22
//!               |         => board_out 447
//!               +---------+
//! ```
//!
//! Handshake: none. Of a pawn drop that may be mate the destination is the square in front of the enemy king.
//! Latency: one clock. Throughput: one move per clock.
//! Model: `host/model/src/movegen/origin.rs`. Absent: whose pieces they are (`origin`).
//! Cost: 847 flip-flops.
//! Method: the origin is the first piece that a ray from the destination meets ([`super::origin`]).

use super::operation::Operation;
use crate::attacks::{back, ray::ray, ray_directions};
use crate::network;
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::position::board::{shift, shift_by};
use crate::position::{Board, Plane, Tag};
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// Where a move may come from.
    Trace = trace(TraceIn) -> TraceOut {
        in op: Operation;
        in board: Board;
        in empty: Plane;
        out to: Plane;
        out rays: [Plane; 4];
        out kind_out: Wires<HAND_KINDS>;
        out promote_out: Wire;
        out tag_out: Tag;
        out board_out: Board;
    }
}

fn trace<W: Word>(inputs: TraceIn<W>) -> TraceOut<W> {
    let TraceIn { op, board, empty } = inputs;
    let mv = op.mv;
    let arrives = |d: Direction| mv.squares.when(mv.direction.bit(d as usize));
    let rays = ray_directions().map(|d| ray(back(d), arrives(d), empty).named_at("ray", d as usize));
    let jumps = [Direction::KnightEast, Direction::KnightWest].map(|d| {
        let (files, ranks) = d.step();
        shift_by(-files as i32, -ranks as i32, arrives(d))
    });
    let rays: Vec<W> = rays.chain(jumps).collect();
    let before_king = shift(Direction::South, (board.kind(KING) & board.code[4]).named("their_king"));
    TraceOut {
        to: mv.squares | before_king.when(op.tag.mate),
        rays: std::array::from_fn(|i| or_all(rays.iter().copied().skip(3 * i).take(3))),
        kind_out: mv.kind,
        promote_out: mv.promote,
        tag_out: op.tag,
        board_out: board,
    }
}
