//! Where a move may come from: the rays from its destination against the direction of travel.
//!
//! ```text
//!              +---------+
//!   valid     =>         => valid_out
//!   square    =>  Trace  => to 81         the destination
//!   direction =>         => rays 4 x 81   four planes whose union has the origin; none for a drop
//!   kind      =>         => kind_out 7    kind dropped, one wire each
//!   promote   =>         => promote_out 1
//!   first     =>         |   the move is the first of the coming position
//!   empty     =>         |   of this position
//!   coming    =>         |   of the coming one
//!              +---------+
//! ```
//!
//! Latency one clock, one move per clock; stands still while `hold`. The origin is the first piece that a ray from the
//! destination meets against the direction of travel ([`super::origin`]).
//!
//! [`Departure`] is the register before: it has the serialiser's move, unless the serialiser stands still for `pause`, or
//! `turning` the null move. With it the serialiser and the rays have a clock each. `stays_out` is `first_out` the other way
//! round, for [`super::kept`]: the squares of both blocks are more than one wire should reach.

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
