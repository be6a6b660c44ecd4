//! First stage of the attack network: checkers, pins, and the squares that the enemy attacks.
//!
//! ```text
//!            +--------+
//!   tag     =>        => tag_out
//!   board   =>  Rays  => board_out
//!   seen    =>        => meets 4 x 81   where the king's ray meets an enemy ray along an axis
//!            |        => near 4 x 81    what the second stage needs beside, see `Near`
//!            +--------+
//! ```
//!
//! Latency one clock, one position per clock. Rays of the enemy's sliders run in eight directions, and from the mover's
//! king in eight directions. Where two of opposite directions meet, an own piece is pinned, and an empty square lies
//! between the king and a slider that gives check. Only these leave the stage: sixteen planes of rays would have to be
//! carried to the next one. The enemy's rays pass through the king: the square behind it is attacked too once it steps
//! there.

use super::{axis, back, ray::ray, ray_directions};
use crate::movegen::slot::TAG;
use crate::network;
use crate::network::{word::or_all, Word};
use crate::position::board::{shift, shift_by};
use crate::position::{Board, BOARD};
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Layout of a bus with one plane for each axis.
pub const AXIS_PLANES: &[usize] = &[SQUARES; 4];
/// Layout of [`Near`].
pub const NEAR: &[usize] = &[SQUARES; 4];
/// Planes of sliders, since in many directions the same kinds slide.
const SLIDERS: usize = 3;
/// Layout of [`Seen`].
pub const SEEN: &[usize] = &[SQUARES; 11];

/// What the second stage needs of a position beside the meeting rays.
pub struct Near<W> {
    /// The mover's king.
    pub king: W,
    /// Empty squares.
    pub empty: W,
    /// Squares that the enemy attacks.
    pub attacked: W,
    /// The enemy's pieces that give check.
    pub checkers: W,
}

impl<W: Word> Near<W> {
    pub fn from_fields(fields: &[W]) -> Near<W> {
        let [king, empty, attacked, checkers] = *fields else { panic!("four planes") };
        Near { king, empty, attacked, checkers }
    }

    fn fields(&self) -> Vec<W> {
        vec![self.king, self.empty, self.attacked, self.checkers]
    }
}

/// What the first stage needs of a position.
pub struct Seen<W> {
    /// The mover's king.
    king: W,
    /// Empty squares.
    empty: W,
    /// Squares through which the enemy's rays pass.
    through: W,
    /// The enemy's knights.
    knights: W,
    /// The enemy's sliders by direction of travel: three planes, since many directions share one.
    sliders: Vec<W>,
    /// The enemy's pieces that go one step, by direction of travel: four planes.
    steppers: Vec<W>,
}

/// Which kinds move in a direction, in some way.
pub type Moves = fn(Direction, u8) -> bool;

/// Whether an enemy's piece slides in a direction of travel.
fn slides(d: Direction, kind: u8) -> bool {
    back(d).slides(kind)
}

/// Whether an enemy's piece goes one step, no more, in a direction of travel.
fn steps(d: Direction, kind: u8) -> bool {
    back(d).steps(kind) && !slides(d, kind)
}

/// The directions in groups of one class in which the same kinds move; by their first direction, groups are in canonical
/// order.
pub fn groups(moves: Moves, class: fn(Direction) -> usize) -> Vec<Vec<Direction>> {
    let alike = |a, b| class(a) == class(b) && (PAWN..=DRAGON).all(|k| moves(a, k) == moves(b, k));
    let mut groups: Vec<Vec<Direction>> = Vec::new();
    for d in ray_directions() {
        match groups.iter_mut().find(|group| alike(group[0], d)) {
            Some(group) => group.push(d),
            None => groups.push(vec![d]),
        }
    }
    groups
}

/// All directions in one class.
fn together(_: Direction) -> usize {
    0
}

/// The plane of a direction, of one plane for each group.
pub fn of<W: Word>(d: Direction, groups: &[Vec<Direction>], planes: &[W]) -> W {
    planes[groups.iter().position(|group| group.contains(&d)).expect("each direction is in one")]
}

impl<W: Word> Seen<W> {
    /// Decodes a position.
    pub fn of(board: &Board<W>) -> Seen<W> {
        let (theirs, empty) = (board.theirs(), !board.occupied());
        let king = board.kind(KING) & board.own();
        let of_theirs = |moves: Moves| -> Vec<W> {
            groups(moves, together).iter().map(|group| board.kinds(|k| moves(group[0], k)) & theirs).collect()
        };
        Seen {
            king,
            empty,
            through: empty | king,
            knights: board.kind(KNIGHT) & theirs,
            sliders: of_theirs(slides),
            steppers: of_theirs(steps),
        }
    }

    pub fn fields(&self) -> Vec<W> {
        let planes = [self.king, self.empty, self.through, self.knights];
        planes.iter().chain(&self.sliders).chain(&self.steppers).copied().collect()
    }

    fn from_fields(fields: &[W]) -> Seen<W> {
        let [king, empty, through, knights, ref pieces @ ..] = *fields else { panic!("eleven planes") };
        let (sliders, steppers) = pieces.split_at(SLIDERS);
        Seen { king, empty, through, knights, sliders: sliders.to_vec(), steppers: steppers.to_vec() }
    }
}

network! {
    /// Checkers, pins and attacked squares.
    Rays = rays {
        in tag: TAG;
        in board: BOARD;
        in seen: SEEN;
        out tag_out: TAG;
        out board_out: BOARD;
        out meets: AXIS_PLANES;
        out near: NEAR;
    }
}

fn rays<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [tag, board, seen] = *inputs else { panic!("three inputs") };
    let seen = Seen::from_fields(seen);
    let (sliding, stepping) = (groups(slides, together), groups(steps, together));
    let enemy = ray_directions().map(|d| ray(d, of(d, &sliding, &seen.sliders), seen.through));
    let enemy: Vec<W> = enemy.collect();
    // By direction of travel of what it meets.
    let king: Vec<W> = ray_directions().map(|d| ray(back(d), seen.king, seen.empty)).collect();

    let meets = (0..4).map(|a| {
        let along = ray_directions().filter(|&d| axis(d) == a);
        or_all(along.map(|d| king[d as usize] & enemy[d as usize]))
    });

    // Each class of pieces from all the directions in which it would come upon the king.
    let sliders = sliding.iter().zip(&seen.sliders);
    let sliders = sliders.map(|(group, &of_group)| or_all(group.iter().map(|&d| king[d as usize])) & of_group);
    let steppers = stepping.iter().zip(&seen.steppers);
    let steppers =
        steppers.map(|(group, &of_group)| or_all(group.iter().map(|&d| shift(back(d), seen.king))) & of_group);
    let jumps = [Direction::KnightEast, Direction::KnightWest].map(|d| shift(d, seen.king));
    let jumping = (jumps[0] | jumps[1]) & seen.knights;
    let checkers = or_all(sliders) | (or_all(steppers) | jumping);

    let steps_of_theirs = or_all(ray_directions().map(|d| shift(d, of(d, &stepping, &seen.steppers))));
    let jumps_of_theirs = shift_by(1, 2, seen.knights) | shift_by(-1, 2, seen.knights);
    let attacked = or_all(enemy.iter().copied()) | (steps_of_theirs | jumps_of_theirs);

    let near = Near { king: seen.king, empty: seen.empty, attacked, checkers };
    vec![tag.to_vec(), board.to_vec(), meets.collect(), near.fields()]
}
