//! Pieces of both sides by how they move, decoded once for the enemy's rays and the mover's.
//!
//! A layout and functions, no block. Directions are those of a piece of the mover's; one of the enemy's goes the opposite way.
//! Model: `host/model/src/attacks/ray.rs`.

use super::ray_directions;
use crate::bundle;
use crate::network::Word;
use crate::position::{Board, Plane};
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;

bundle! {
    /// Pieces of both sides by how they move: a plane for each group of directions in which the same kinds do it. A look-up
    /// table of four inputs decodes a plane; whose pieces they are is a fourth input of a step of a ray.
    pub struct Kinds {
        /// Pieces that slide.
        sliders: [Plane; 3],
        /// Pieces that go one step, no more; kings too.
        steppers: [Plane; 4],
        /// Knights.
        knights: Plane,
    }
}

/// Which kinds move in a direction, in some way.
pub type Moves = fn(Direction, u8) -> bool;

/// Whether a piece slides.
pub fn slides(d: Direction, kind: u8) -> bool {
    d.slides(kind)
}

/// Whether a piece goes one step, no more.
pub fn steps(d: Direction, kind: u8) -> bool {
    d.steps(kind) && !slides(d, kind)
}

/// The directions in groups in which the same kinds move; by their first direction, groups are in canonical order.
pub fn groups(moves: Moves) -> Vec<Vec<Direction>> {
    let alike = |a, b| (PAWN..=DRAGON).all(|k| moves(a, k) == moves(b, k));
    let mut groups: Vec<Vec<Direction>> = Vec::new();
    for d in ray_directions() {
        match groups.iter_mut().find(|group| alike(group[0], d)) {
            Some(group) => group.push(d),
            None => groups.push(vec![d]),
        }
    }
    groups
}

/// The pieces that move so, one plane for each of `N` groups.
pub fn planes<W: Word, const N: usize>(board: &Board<W>, moves: Moves) -> [W; N] {
    let groups = groups(moves);
    assert_eq!(groups.len(), N, "groups of directions");
    std::array::from_fn(|i| board.kinds(|k| moves(groups[i][0], k)))
}

/// The plane of a direction, of one plane for each group.
pub fn of<W: Word>(d: Direction, moves: Moves, planes: &[W]) -> W {
    planes[groups(moves).iter().position(|group| group.contains(&d)).expect("each direction is in one")]
}

impl<W: Word> Kinds<W> {
    /// Of a position.
    pub fn of(board: &Board<W>) -> Kinds<W> {
        Kinds { sliders: planes(board, slides), steppers: planes(board, steps), knights: board.kind(KNIGHT) }
    }

    /// Pieces that slide in a direction.
    pub fn sliders(&self, d: Direction) -> W {
        of(d, slides, &self.sliders)
    }

    /// Pieces that go one step in a direction, no more.
    pub fn steppers(&self, d: Direction) -> W {
        of(d, steps, &self.steppers)
    }
}
