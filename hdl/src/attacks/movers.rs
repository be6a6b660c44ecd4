//! Pieces by how they move, for the pins of [`super::legality`] and the arrivals of `movegen::arrivals`.
//!
//! Layouts and functions, no block.
//! Model: `host/model/src/movegen/targets.rs`.

use super::kinds::{of, planes, slides, steps, Kinds};
use super::{axis, ray, ray_directions};
use crate::bundle;
use crate::network::Word;
use crate::position::board::{shift, ALL_SQUARES, ZONE};
use crate::position::{Board, Plane};
use hayasashi_spec::moves::{Direction, RAYS};
use hayasashi_spec::piece::*;

bundle! {
    /// Pieces by what they do, and which of them may move: a plane for each group of directions in which the same kinds do
    /// it. The planes of kinds hold pieces of both sides; only with `movable` do they tell who moves. One look-up table then
    /// does it all: a step of a ray is `(pieces & movable) | (before & through)`.
    pub struct Movers {
        /// By axis: own pieces other than the king that no pin keeps from moving along it.
        movable: [Plane; 4],
        /// Pieces that slide.
        sliders: [Plane; 3],
        /// Pieces that go one step, no more.
        steppers: [Plane; 4],
        /// Pieces that slide and may promote.
        promoting_sliders: [Plane; 3],
        /// Pieces that go one step and may promote.
        promoting_steppers: [Plane; 3],
        /// Pieces that go one step north, no more, but for pawns, which must promote on the last rank.
        north_steppers: Plane,
        /// Own knights that may move.
        knights: Plane,
    }
}

bundle! {
    /// The first parts of their rays.
    pub struct NearRays {
        /// By direction, without promotion.
        plain: [Plane; RAYS],
        /// Of pieces that may promote.
        promoting: [Plane; RAYS],
        /// North, of pieces other than lances.
        north: Plane,
    }
}

fn slides_and_promotes(d: Direction, kind: u8) -> bool {
    slides(d, kind) && promotable(kind)
}

fn steps_and_promotes(d: Direction, kind: u8) -> bool {
    steps(d, kind) && promotable(kind)
}

/// The squares that a promoting piece leaves and reaches. One of them is in the zone: going towards the enemy or sideways, the
/// destination; going back, the origin.
fn promotion(d: Direction) -> [u128; 2] {
    if d.step().1 <= 0 {
        [ALL_SQUARES, ZONE]
    } else {
        [ZONE, ALL_SQUARES]
    }
}

impl<W: Word> Movers<W> {
    /// Decodes a position, of which these own pieces may move along each axis.
    pub fn of(board: &Board<W>, kinds: &Kinds<W>, movable: [W; 4]) -> Movers<W> {
        Movers {
            movable,
            sliders: kinds.sliders,
            steppers: kinds.steppers,
            promoting_sliders: planes(board, slides_and_promotes),
            promoting_steppers: planes(board, steps_and_promotes),
            north_steppers: board.kinds(|k| steps(Direction::North, k) && k != PAWN && k != KING),
            // A pinned knight never moves: it must be free along every axis.
            knights: kinds.knights & movable[0] & movable[1],
        }
    }

    /// The first parts of their rays.
    pub fn near(&self, empty: W) -> NearRays<W> {
        let near = |d: Direction, sliders: W| ray::near(d, sliders, empty);
        NearRays {
            plain: by_direction(|d| near(d, self.sliders(d))),
            promoting: by_direction(|d| near(d, self.promoting_sliders(d))),
            north: near(Direction::North, self.north_sliders()),
        }
    }

    /// Where they arrive in a direction.
    pub fn arrive(&self, d: Direction, near: &NearRays<W>, empty: W) -> W {
        let steppers = of(d, steps, &self.steppers) & self.movable[axis(d)];
        ray::rest(d, near.plain[d as usize], self.sliders(d), empty) | shift(d, steppers)
    }

    /// Where they arrive in a direction with promotion.
    pub fn arrive_promoting(&self, d: Direction, near: &NearRays<W>, empty: W) -> W {
        let [from, to] = promotion(d);
        let steppers = of(d, steps_and_promotes, &self.promoting_steppers) & self.movable[axis(d)];
        let ray = ray::rest(d, near.promoting[d as usize], self.promoting_sliders(d), empty);
        (ray | shift(d, steppers & W::constant(from, SQUARES))) & W::constant(to, SQUARES)
    }

    /// Where pieces other than lances and pawns arrive to the north.
    pub fn arrive_north(&self, near: &NearRays<W>, empty: W) -> W {
        let d = Direction::North;
        let steppers = self.north_steppers & self.movable[axis(d)];
        ray::rest(d, near.north, self.north_sliders(), empty) | shift(d, steppers)
    }

    fn sliders(&self, d: Direction) -> W {
        of(d, slides, &self.sliders) & self.movable[axis(d)]
    }

    /// Pieces that slide north, but for lances, which must promote on the last rank: those that slide south, too.
    fn north_sliders(&self) -> W {
        of(Direction::South, slides, &self.sliders) & self.movable[axis(Direction::North)]
    }

    fn promoting_sliders(&self, d: Direction) -> W {
        let [from, _] = promotion(d);
        of(d, slides_and_promotes, &self.promoting_sliders) & self.movable[axis(d)] & W::constant(from, SQUARES)
    }
}

/// A plane for each ray direction.
pub fn by_direction<W: Word>(plane: impl Fn(Direction) -> W) -> [W; RAYS] {
    let planes: Vec<W> = ray_directions().map(plane).collect();
    planes.try_into().unwrap_or_else(|_| unreachable!("a plane for each direction"))
}
