//! Pieces by how they move, for the pins of [`super::legality`] and the arrivals of `movegen::arrivals`.
//!
//! A layout and functions, no block.
//! Model: `host/model/src/movegen/targets.rs`.

use super::rays::{groups, of, Moves};
use super::{axis, ray::ray};
use crate::bundle;
use crate::network::Word;
use crate::position::board::{shift, ALL_SQUARES};
use crate::position::{Board, Plane};
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;

bundle! {
    /// Pieces by what they do, and which of them may move: a plane for each group of directions in which the same kinds do
    /// it. The planes of kinds hold pieces of both sides; only with `movable` do they tell who moves. One look-up table then
    /// does it all: a step of a ray is `(pieces & movable) | (before & through)`.
    pub struct Movers {
        /// By axis: own pieces that no pin keeps from moving along it. It may contain the king, which is of no kind below.
        movable: [Plane; 4],
        /// Pieces that slide.
        sliders: [Plane; 3],
        /// Pieces that go one step, no more.
        steppers: [Plane; 4],
        /// Pieces that slide and may promote.
        promoting_sliders: [Plane; 3],
        /// Pieces that go one step and may promote.
        promoting_steppers: [Plane; 3],
        /// Pieces that slide north, but for lances, which must promote on the last rank.
        north_sliders: Plane,
        /// Pieces that go one step north, no more, but for pawns, which must promote on the last rank.
        north_steppers: Plane,
        /// Own knights that may move.
        knights: Plane,
    }
}

fn slides(d: Direction, kind: u8) -> bool {
    d.slides(kind)
}

/// Whether a piece other than the king goes one step, no more.
fn steps(d: Direction, kind: u8) -> bool {
    d.steps(kind) && !d.slides(kind) && kind != KING
}

fn slides_and_promotes(d: Direction, kind: u8) -> bool {
    slides(d, kind) && promotable(kind)
}

fn steps_and_promotes(d: Direction, kind: u8) -> bool {
    steps(d, kind) && promotable(kind)
}

impl<W: Word> Movers<W> {
    /// Decodes a position, of which these own pieces may move along each axis.
    pub fn of(board: &Board<W>, movable: [W; 4]) -> Movers<W> {
        /// A plane for each of `N` groups.
        fn planes<W: Word, const N: usize>(board: &Board<W>, moves: Moves) -> [W; N] {
            let groups = groups(moves);
            assert_eq!(groups.len(), N, "groups of directions");
            std::array::from_fn(|i| board.kinds(|k| moves(groups[i][0], k)))
        }
        Movers {
            movable,
            sliders: planes(board, slides),
            steppers: planes(board, steps),
            promoting_sliders: planes(board, slides_and_promotes),
            promoting_steppers: planes(board, steps_and_promotes),
            north_sliders: board.kinds(|k| slides(Direction::North, k) && k != LANCE),
            north_steppers: board.kinds(|k| steps(Direction::North, k) && k != PAWN),
            // A pinned knight never moves: it must be free along every axis.
            knights: board.kind(KNIGHT) & movable[0] & movable[1],
        }
    }

    /// Where they arrive in a direction; of those that may promote only, if `promoting`, and that stand among these.
    pub fn arrive(&self, d: Direction, promoting: bool, among: u128, empty: W) -> W {
        let (sliders, steppers) = if promoting {
            (
                of(d, &groups(slides_and_promotes), &self.promoting_sliders),
                of(d, &groups(steps_and_promotes), &self.promoting_steppers),
            )
        } else {
            (of(d, &groups(slides), &self.sliders), of(d, &groups(steps), &self.steppers))
        };
        self.run(d, sliders, steppers, among, empty)
    }

    /// Where pieces other than lances and pawns arrive to the north.
    pub fn arrive_north(&self, empty: W) -> W {
        self.run(Direction::North, self.north_sliders, self.north_steppers, ALL_SQUARES, empty)
    }

    fn run(&self, d: Direction, sliders: W, steppers: W, among: u128, empty: W) -> W {
        let movable = self.movable[axis(d)] & W::constant(among, SQUARES);
        ray(d, sliders & movable, empty) | shift(d, steppers & movable)
    }
}
