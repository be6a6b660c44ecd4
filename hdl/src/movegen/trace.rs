//! Where a move may come from: the first parts of the rays from its destination against its direction of travel.
//!
//! ```text
//!               +---------+
//!   op 122     =>         => to 81            the destination
//!   board 447  =>  Trace  => near 8 x 81      the rays' squares on the five lines where they begin, by direction of travel
//!   empty 81   =>         => direction 10     direction of travel, one wire each
//!               |         => kind_out 7       the kind dropped, one wire each
//!               |         -> promote_out
//!               |         => tag_out 22
//!               |         => board_out 447
//!               |         => empty_out 81
//!               +---------+
//! ```
//!
//! Handshake: none. Of a pawn drop that may be mate the destination is the square in front of the enemy king.
//! Latency: one clock. Throughput: one move per clock.
//! Model: `host/model/src/movegen/origin.rs`. Absent: the rest of the rays, and the piece that they meet (`origin`).
//! Cost: 940 flip-flops.
//! Method: the origin is the first piece that a ray from the destination meets. A whole ray in one clock would be the longest
//! path of the unit.

use super::operation::Operation;
use crate::attacks::{back, movers::by_direction, ray};
use crate::network;
use crate::network::{Wire, Wires, Word};
use crate::position::board::shift;
use crate::position::{Board, Plane, Tag};
use hayasashi_spec::moves::{Direction, DIRECTIONS, RAYS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// Where a move may come from.
    Trace = trace(TraceIn) -> TraceOut {
        in op: Operation;
        in board: Board;
        in empty: Plane;
        out to: Plane;
        out near: [Plane; RAYS];
        out direction: Wires<DIRECTIONS>;
        out kind_out: Wires<HAND_KINDS>;
        out promote_out: Wire;
        out tag_out: Tag;
        out board_out: Board;
        out empty_out: Plane;
    }
}

fn trace<W: Word>(inputs: TraceIn<W>) -> TraceOut<W> {
    let TraceIn { op, board, empty } = inputs;
    let mv = op.mv;
    let arrives = |d: Direction| mv.squares.when(mv.direction.bit(d as usize));
    let before_king = shift(Direction::South, (board.kind(KING) & board.code[4]).named("their_king"));
    TraceOut {
        to: mv.squares | before_king.when(op.tag.mate),
        near: by_direction(|d| ray::near(back(d), arrives(d), empty).named_at("near_ray", d as usize)),
        direction: mv.direction,
        kind_out: mv.kind,
        promote_out: mv.promote,
        tag_out: op.tag,
        board_out: board,
        empty_out: empty,
    }
}
