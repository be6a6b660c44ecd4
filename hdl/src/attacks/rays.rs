//! First stage of the attack network: the enemy's rays and the rays of the mover's king.
//!
//! ```text
//!            +--------+
//!   tag     =>        => tag_out
//!   board   =>  Rays  => board_out
//!   seen    =>        => enemy 8 x 81   squares the enemy's sliders reach, by direction of travel
//!            |        => king 8 x 81    squares seen from the mover's king, by direction
//!            |        => near 7 x 81    what the second stage needs beside, see `Near`
//!            +--------+
//! ```
//!
//! Latency one clock, one position per clock. The enemy's rays pass through the king: the square behind it is attacked
//! too once it steps there.

use super::{ray::ray, ray_directions};
use crate::movegen::slot::TAG;
use crate::network;
use crate::network::Word;
use crate::position::{Board, BOARD};
use hayasashi_spec::moves::{Direction, RAYS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Layout of a bus with one plane for each ray direction.
pub const RAY_PLANES: &[usize] = &[SQUARES; RAYS];
/// Layout of [`Near`].
pub const NEAR: &[usize] = &[SQUARES; 7];
/// Layout of [`Seen`]: seven planes of `Near`, one to pass through, three of sliders.
pub const SEEN: &[usize] = &[SQUARES; 11];

/// What the second stage needs of a position beside the rays.
#[derive(Clone)]
pub struct Near<W> {
    /// The mover's king.
    pub king: W,
    /// The enemy's knights.
    pub knights: W,
    /// Empty squares.
    pub empty: W,
    /// The enemy's pieces that go one step, by direction of travel: four planes, since many directions share one.
    steppers: Vec<W>,
}

impl<W: Word> Near<W> {
    pub fn from_fields(fields: &[W]) -> Near<W> {
        let [king, knights, empty, ref steppers @ ..] = *fields else { panic!("seven planes") };
        Near { king, knights, empty, steppers: steppers.to_vec() }
    }

    fn fields(&self) -> Vec<W> {
        [self.king, self.knights, self.empty].iter().chain(&self.steppers).copied().collect()
    }

    /// The enemy's pieces that go one step in a direction of travel.
    pub fn steppers(&self, d: Direction) -> W {
        self.steppers[shared(d, steps)]
    }
}

/// What the first stage needs of a position.
pub struct Seen<W> {
    near: Near<W>,
    /// Squares through which the enemy's rays pass.
    through: W,
    /// The enemy's sliders by direction of travel: three planes.
    sliders: Vec<W>,
}

type Moves = fn(Direction, u8) -> bool;

/// Whether an enemy's piece slides in a direction of travel.
fn slides(d: Direction, kind: u8) -> bool {
    d.opposite().expect("a ray direction").slides(kind)
}

/// Whether an enemy's piece goes one step, no more, in a direction of travel.
fn steps(d: Direction, kind: u8) -> bool {
    d.opposite().expect("a ray direction").steps(kind) && !slides(d, kind)
}

/// Directions that stand for all those in which the same kinds move.
fn distinct(moves: Moves) -> Vec<Direction> {
    ray_directions()
        .enumerate()
        .filter(|&(i, d)| ray_directions().take(i).all(|e| !alike(d, e, moves)))
        .map(|(_, d)| d)
        .collect()
}

/// Whether the same kinds move in two directions.
fn alike(a: Direction, b: Direction, moves: Moves) -> bool {
    (PAWN..=DRAGON).all(|k| moves(a, k) == moves(b, k))
}

/// The plane that a direction shares.
fn shared(d: Direction, moves: Moves) -> usize {
    distinct(moves).iter().position(|&e| alike(d, e, moves)).expect("one stands for it")
}

impl<W: Word> Seen<W> {
    /// Decodes a position.
    pub fn of(board: &Board<W>) -> Seen<W> {
        let (theirs, empty) = (board.theirs(), !board.occupied());
        let king = board.kind(KING) & board.own();
        let of_theirs = |moves: Moves| -> Vec<W> {
            distinct(moves).into_iter().map(|d| board.kinds(|k| moves(d, k)) & theirs).collect()
        };
        let near = Near { king, knights: board.kind(KNIGHT) & theirs, empty, steppers: of_theirs(steps) };
        Seen { near, through: empty | king, sliders: of_theirs(slides) }
    }

    pub fn fields(&self) -> Vec<W> {
        let mut fields = self.near.fields();
        fields.push(self.through);
        fields.extend(&self.sliders);
        fields
    }

    fn from_fields(fields: &[W]) -> Seen<W> {
        let (near, rest) = fields.split_at(NEAR.len());
        Seen { near: Near::from_fields(near), through: rest[0], sliders: rest[1..].to_vec() }
    }
}

network! {
    /// Rays of the enemy's sliders and of the mover's king.
    Rays = rays {
        in tag: TAG;
        in board: BOARD;
        in seen: SEEN;
        out tag_out: TAG;
        out board_out: BOARD;
        out enemy: RAY_PLANES;
        out king: RAY_PLANES;
        out near: NEAR;
    }
}

fn rays<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [tag, board, seen] = *inputs else { panic!("three inputs") };
    let seen = Seen::from_fields(seen);
    let enemy = ray_directions().map(|d| ray(d, seen.sliders[shared(d, slides)], seen.through));
    let king = ray_directions().map(|d| ray(d, seen.near.king, seen.near.empty));
    vec![tag.to_vec(), board.to_vec(), enemy.collect(), king.collect(), seen.near.fields()]
}
