//! Own pieces by how they move, for the pins of [`super::legality`] and the arrivals of `movegen::arrivals`.
//!
//! A layout and functions, no block.
//! Model: `host/model/src/movegen/targets.rs`.

use super::rays::{groups, of, Moves};
use super::{axis, ray::ray};
use crate::bundle;
use crate::network::Word;
use crate::position::board::shift;
use crate::position::{Board, Plane};
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;

bundle! {
    /// Own pieces that no pin keeps from moving, by what they do along an axis: a plane for each group of directions along
    /// one axis in which the same kinds do it.
    pub struct Movers {
        /// Pieces that slide.
        sliders: [Plane; 5],
        /// Pieces that go one step, no more.
        steppers: [Plane; 7],
        /// Pieces that slide and may promote.
        promoting_sliders: [Plane; 5],
        /// Pieces that go one step and may promote.
        promoting_steppers: [Plane; 5],
        /// Lances and pawns, which must promote on the last rank.
        lances: Plane,
        /// Pawns, which must promote on the last rank.
        pawns: Plane,
        /// Knights.
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
    pub fn of(board: &Board<W>, movable: &[W; 4]) -> Movers<W> {
        /// A plane for each of `N` groups.
        fn planes<W: Word, const N: usize>(board: &Board<W>, movable: &[W; 4], moves: Moves) -> [W; N] {
            let groups = groups(moves, axis);
            assert_eq!(groups.len(), N, "groups of directions");
            std::array::from_fn(|i| {
                let direction = groups[i][0];
                board.kinds(|k| moves(direction, k)) & movable[axis(direction)]
            })
        }
        Movers {
            sliders: planes(board, movable, slides),
            steppers: planes(board, movable, steps),
            promoting_sliders: planes(board, movable, slides_and_promotes),
            promoting_steppers: planes(board, movable, steps_and_promotes),
            lances: board.kind(LANCE) & movable[0],
            pawns: board.kind(PAWN) & movable[0],
            // A pinned knight never moves: it must be free along every axis.
            knights: board.kind(KNIGHT) & movable[0] & movable[1],
        }
    }

    /// Where they arrive in a direction; of those that may promote only, if `promoting`, and that stand among these.
    pub fn arrive(&self, d: Direction, promoting: bool, among: u128, empty: W) -> W {
        let (sliders, steppers) = if promoting {
            (
                of(d, &groups(slides_and_promotes, axis), &self.promoting_sliders),
                of(d, &groups(steps_and_promotes, axis), &self.promoting_steppers),
            )
        } else {
            (of(d, &groups(slides, axis), &self.sliders), of(d, &groups(steps, axis), &self.steppers))
        };
        let among = W::constant(among, SQUARES);
        ray(d, sliders & among, empty) | shift(d, steppers & among)
    }
}
