//! First stage of the attack network: checkers, and where the king's rays and the enemy's rays cross.
//!
//! ```text
//!               +--------+
//!   tag 22     =>        => tag_out 22
//!   board 447  =>  Rays  => board_out 447
//!   decoded    =>        => crossings 4 x 81   by axis: where a ray of the king meets one of the enemy's sliders
//!   11 x 81     |        => threats 7 x 81     see `Threats`
//!               +--------+
//! ```
//!
//! Handshake: none; a clock without a position computes something that nobody reads.
//! Latency: one clock. Throughput: one position per clock.
//! Absent: which pieces are pinned, and what a check leaves (`legality`).
//! Cost: 1,386 flip-flops and 16 rays.
//! Method: rays run in eight directions from the enemy's sliders, and in eight from the mover's king. Where two of
//! opposite directions meet, an own piece is pinned, or an empty square lies between the king and a slider that gives
//! check. Only the crossings leave the stage: four planes instead of sixteen. The enemy's rays pass through the king,
//! so that the square behind it counts as attacked when it steps back.
//! Model: `host/model/src/attacks/{ray,legality,danger}.rs`.

use super::{axis, back, ray::ray, ray_directions};
use crate::network::{word::or_all, Word};
use crate::position::board::{shift, shift_by};
use crate::position::{Board, Plane, Tag};
use crate::{bundle, network};
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

bundle! {
    /// What the second stage needs of a position besides the rays that meet.
    pub struct Threats {
        /// The mover's king.
        king: Plane,
        /// The squares next to it.
        beside_king: Plane,
        /// Empty squares.
        empty: Plane,
        /// Squares that the enemy attacks: in four ray directions, in the other four, and next to its pieces. Together only in
        /// the next stage, because rays take the whole clock.
        attacked: [Plane; 3],
        /// The enemy's pieces that give check.
        checkers: Plane,
    }
}

bundle! {
    /// What the first stage needs of a position.
    pub struct Decoded {
        /// The mover's king.
        king: Plane,
        /// Empty squares.
        empty: Plane,
        /// Squares through which the enemy's rays pass.
        through: Plane,
        /// The enemy's knights.
        knights: Plane,
        /// The enemy's sliders by direction of travel: three planes, since in many directions the same kinds slide.
        sliders: [Plane; 3],
        /// The enemy's pieces that go one step, by direction of travel: four planes.
        steppers: [Plane; 4],
    }
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

/// The plane of a direction, of one plane for each group.
pub fn of<W: Word>(d: Direction, groups: &[Vec<Direction>], planes: &[W]) -> W {
    planes[groups.iter().position(|group| group.contains(&d)).expect("each direction is in one")]
}

impl<W: Word> Decoded<W> {
    /// Decodes a position.
    pub fn of(board: &Board<W>) -> Decoded<W> {
        let (theirs, empty) = (board.theirs().named("theirs"), (!board.occupied()).named("empty"));
        let king = (board.kind(KING) & board.own()).named("king");
        let of_theirs = |moves: Moves, group: &[Direction]| board.kinds(|k| moves(group[0], k)) & theirs;
        let [sliding, stepping] = [slides, steps].map(groups);
        Decoded {
            king,
            empty,
            through: empty | king,
            knights: board.kind(KNIGHT) & theirs,
            sliders: std::array::from_fn(|i| of_theirs(slides, &sliding[i])),
            steppers: std::array::from_fn(|i| of_theirs(steps, &stepping[i])),
        }
    }
}

network! {
    /// Checkers, pins and attacked squares.
    Rays = rays(RaysIn) -> RaysOut {
        in tag: Tag;
        in board: Board;
        in decoded: Decoded;
        out tag_out: Tag;
        out board_out: Board;
        out crossings: [Plane; 4];
        out threats: Threats;
    }
}

fn rays<W: Word>(inputs: RaysIn<W>) -> RaysOut<W> {
    let RaysIn { tag, board, decoded } = inputs;
    let Decoded { king, empty, through, knights, sliders, steppers } = decoded;
    let (sliding, stepping) = (groups(slides), groups(steps));
    let enemy_rays: Vec<W> = ray_directions()
        .map(|d| ray(d, of(d, &sliding, &sliders), through).named_at("enemy_ray", d as usize))
        .collect();
    // By direction of travel of what it meets.
    let king_rays: Vec<W> =
        ray_directions().map(|d| ray(back(d), king, empty).named_at("king_ray", d as usize)).collect();

    let crossings = std::array::from_fn(|a| {
        let along = ray_directions().filter(|&d| axis(d) == a);
        or_all(along.map(|d| king_rays[d as usize] & enemy_rays[d as usize]))
    });

    // Each class of pieces from all the directions in which it would come upon the king.
    let sliding_checkers = or_all(
        sliding
            .iter()
            .zip(sliders)
            .map(|(group, of_group)| or_all(group.iter().map(|&d| king_rays[d as usize])) & of_group),
    );
    let beside: Vec<W> = stepping.iter().map(|group| or_all(group.iter().map(|&d| shift(back(d), king)))).collect();
    let stepping_checkers = or_all(beside.iter().zip(steppers).map(|(&of_king, of_group)| of_king & of_group));
    let jumps = [Direction::KnightEast, Direction::KnightWest].map(|d| shift(d, king));
    let jumping_checkers = (jumps[0] | jumps[1]) & knights;
    let checkers = sliding_checkers.named("sliding_checkers")
        | (stepping_checkers.named("stepping_checkers") | jumping_checkers.named("jumping_checkers"));

    let stepped = or_all(ray_directions().map(|d| shift(d, of(d, &stepping, &steppers)))).named("enemy_steps");
    let jumped = (shift_by(1, 2, knights) | shift_by(-1, 2, knights)).named("enemy_jumps");
    let [first, second] = [0, 4].map(|d| or_all(enemy_rays[d..d + 4].iter().copied()));
    let attacked = [first, second, stepped | jumped];

    let beside_king = or_all(beside);
    let threats = Threats { king, beside_king, empty, attacked, checkers };
    RaysOut { tag_out: tag, board_out: board, crossings, threats }
}
