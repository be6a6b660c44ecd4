//! Where a move may come from: the rays from its destination against its direction of travel.
//!
//! ```text
//!                  +---------+
//!   valid         ->         -> valid_out
//!   square 81     =>         => to 81         the destination
//!   direction 10  =>  Trace  => rays 4 x 81   four planes whose union contains the origin; none for a drop
//!   kind 7        =>         => kind_out 7    the kind dropped, one wire each
//!   promote       ->         -> promote_out
//!   first         ->         |                the move is the first of the coming position
//!   empty 81      =>         |                empty squares of this position
//!   coming 81     =>         |                empty squares of the coming one
//!   hold          ->         |
//!                  +---------+
//! ```
//!
//! Handshake: one move in each clock with `valid`. The registers keep their values while `hold`.
//! Latency: one clock. Throughput: one move per clock.
//! Model: `host/model/src/movegen/origin.rs`. Absent: the pieces, of which it sees the empty squares only.
//! Cost: 414 flip-flops, and 102 of [`Departure`].
//! Method: the origin is the first piece that a ray from the destination meets ([`super::origin`]).
//!
//! [`Departure`] is the register in front of it. It takes the serialiser's move, unless the serialiser waits for
//! `pause`, or takes the null move for `turning`. With it the serialiser has a clock and the rays have a clock.
//! `stays_out` is the inverse of `first_out`, for [`super::kept`]: one wire would have too long a way to the registers
//! of both blocks.

use crate::attacks::{back, ray::ray, ray_directions};
use crate::network;
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::position::board::shift_by;
use crate::position::Plane;
use hayasashi_spec::moves::{Direction, DIRECTIONS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// Where a move may come from.
    Trace = trace(TraceIn) -> TraceOut, held {
        in valid: Wire;
        in square: Plane;
        in direction: Wires<DIRECTIONS>;
        in kind: Wires<HAND_KINDS>;
        in promote: Wire;
        in first: Wire;
        in empty: Plane;
        in coming: Plane;
        out valid_out: Wire;
        out to: Plane;
        out rays: [Plane; 4];
        out kind_out: Wires<HAND_KINDS>;
        out promote_out: Wire;
    }
}

network! {
    /// A move as it leaves the serialiser, or the null move, a clock later.
    Departure = departure(DepartureIn) -> DepartureOut, held {
        in valid: Wire;
        in square: Plane;
        in direction: Wires<DIRECTIONS>;
        in kind: Wires<HAND_KINDS>;
        in promote: Wire;
        in first: Wire;
        in pause: Wire;
        in turning: Wire;
        out valid_out: Wire;
        out square_out: Plane;
        out direction_out: Wires<DIRECTIONS>;
        out kind_out: Wires<HAND_KINDS>;
        out promote_out: Wire;
        out first_out: Wire;
        out stays_out: Wire;
    }
}

fn departure<W: Word>(inputs: DepartureIn<W>) -> DepartureOut<W> {
    let DepartureIn { valid, square, direction, kind, promote, first, pause, turning } = inputs;
    // The serialiser is empty while the null move is made: no destination, no group.
    let begins = ((first & !pause) | turning).named("begins");
    DepartureOut {
        valid_out: (valid & !pause) | turning,
        square_out: square,
        direction_out: direction,
        kind_out: kind,
        promote_out: promote,
        first_out: begins,
        stays_out: !begins,
    }
}

fn trace<W: Word>(inputs: TraceIn<W>) -> TraceOut<W> {
    let TraceIn { valid, square, direction, kind, promote, first, empty, coming } = inputs;
    let empty = first.choose(coming, empty).named("through");
    let arrives = |d: Direction| square.when(direction.bit(d as usize));
    let rays = ray_directions().map(|d| ray(back(d), arrives(d), empty).named_at("ray", d as usize));
    let jumps = [Direction::KnightEast, Direction::KnightWest].map(|d| {
        let (files, ranks) = d.step();
        shift_by(-files as i32, -ranks as i32, arrives(d))
    });
    let rays: Vec<W> = rays.chain(jumps).collect();
    let rays = std::array::from_fn(|i| or_all(rays.iter().copied().skip(3 * i).take(3)));
    TraceOut { valid_out: valid, to: square, rays, kind_out: kind, promote_out: promote }
}
