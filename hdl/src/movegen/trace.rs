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
use crate::network::{word::or_all, Word};
use crate::position::board::shift_by;
use hayasashi_spec::moves::{Direction, DIRECTIONS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Layout of the rays.
pub const TRACED: &[usize] = &[SQUARES; 4];

network! {
    /// Where a move may come from.
    Trace = trace, held {
        in valid: &[1];
        in square: &[SQUARES];
        in direction: &[DIRECTIONS];
        in kind: &[HAND_KINDS];
        in promote: &[1];
        in first: &[1];
        in empty: &[SQUARES];
        in coming: &[SQUARES];
        out valid_out: &[1];
        out to: &[SQUARES];
        out rays: TRACED;
        out kind_out: &[HAND_KINDS];
        out promote_out: &[1];
    }
}

network! {
    /// A move as it leaves the serialiser, or the null move, a clock later.
    Departure = departure, held {
        in valid: &[1];
        in square: &[SQUARES];
        in direction: &[DIRECTIONS];
        in kind: &[HAND_KINDS];
        in promote: &[1];
        in first: &[1];
        in pause: &[1];
        in turning: &[1];
        out valid_out: &[1];
        out square_out: &[SQUARES];
        out direction_out: &[DIRECTIONS];
        out kind_out: &[HAND_KINDS];
        out promote_out: &[1];
        out first_out: &[1];
        out stays_out: &[1];
    }
}

fn departure<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [valid, square, direction, kind, promote, first, pause, turning] = *inputs else { panic!("eight inputs") };
    // The serialiser is empty while the null move is made: no destination, no group.
    let goes = (valid[0] & !pause[0]) | turning[0];
    let begins = (first[0] & !pause[0]) | turning[0];
    vec![vec![goes], square.to_vec(), direction.to_vec(), kind.to_vec(), promote.to_vec(), vec![begins], vec![!begins]]
}

fn trace<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [valid, square, direction, kind, promote, first, empty, coming] = *inputs else { panic!("eight inputs") };
    let (square, direction) = (square[0], direction[0]);
    let empty = first[0].choose(coming[0], empty[0]);
    let arrives = |d: Direction| square.when(direction.bit(d as usize));
    let rays = ray_directions().map(|d| ray(back(d), arrives(d), empty));
    let jumps = [Direction::KnightEast, Direction::KnightWest].map(|d| {
        let (files, ranks) = d.step();
        shift_by(-files as i32, -ranks as i32, arrives(d))
    });
    let rays: Vec<W> = rays.chain(jumps).collect();
    let rays = rays.chunks(3).map(|few| or_all(few.iter().copied())).collect();
    vec![valid.to_vec(), vec![square], rays, kind.to_vec(), promote.to_vec()]
}
