//! First stage of the attack network: checkers, and where the king's rays and the enemy's rays cross.
//!
//! ```text
//!               +--------+
//!   tag 22     =>        => tag_out 22
//!   board 447  =>        => board_out 447
//!   decoded    =>  Rays  => kinds_out 8 x 81
//!   11 x 81    |         => crossings 4 x 81   by axis: where a ray of the king meets one of the enemy's sliders
//!   near 16x81 =>        => threats 7 x 81     see `Threats`
//!               +--------+
//! ```
//!
//! Handshake: none; a clock without a position computes something that nobody reads.
//! Latency: one clock. Throughput: one position per clock.
//! Absent: which pieces are pinned, and what a check leaves (`legality`); the first parts of the rays, which `entry` makes.
//! Cost: 2,008 flip-flops and the rest of 16 rays.
//! Method: rays run in eight directions from the enemy's sliders, and in eight from the mover's king. Where two of
//! opposite directions meet, an own piece is pinned, or an empty square lies between the king and a slider that gives
//! check. Only the crossings leave the stage: four planes instead of sixteen. The enemy's rays pass through the king,
//! so that the square behind it counts as attacked when it steps back.
//! Model: `host/model/src/attacks/{ray,legality,danger}.rs`.

use super::kinds::{groups, slides, steps, Kinds};
use super::{axis, back, movers::by_direction, ray, ray_directions};
use crate::network::{word::or_all, Word};
use crate::position::board::{shift, shift_by};
use crate::position::{Board, Plane, Tag};
use crate::{bundle, network};
use hayasashi_spec::moves::{Direction, RAYS};
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
        /// Pieces of both sides by how they move.
        kinds: Kinds,
    }
}

bundle! {
    /// The first parts of the rays.
    pub struct NearRays {
        /// Of the enemy's sliders, by direction of travel.
        enemy: [Plane; RAYS],
        /// Of the mover's king, by direction of travel of what it meets.
        king: [Plane; RAYS],
    }
}

impl<W: Word> Decoded<W> {
    /// Decodes a position.
    pub fn of(board: &Board<W>) -> Decoded<W> {
        let empty = (!board.occupied()).named("empty");
        let king = (board.kind(KING) & !board.code[4]).named("king");
        Decoded { king, empty, through: empty | king, kinds: Kinds::of(board) }
    }

    /// The first parts of the rays; `theirs` are the enemy's pieces.
    pub fn near(&self, theirs: W) -> NearRays<W> {
        NearRays {
            enemy: by_direction(|d| ray::near(d, self.kinds.sliders(back(d)) & theirs, self.through)),
            king: by_direction(|d| ray::near(back(d), self.king, self.empty)),
        }
    }
}

network! {
    /// Checkers, pins and attacked squares.
    Rays = rays(RaysIn) -> RaysOut {
        in tag: Tag;
        in board: Board;
        in decoded: Decoded;
        in near: NearRays;
        out tag_out: Tag;
        out board_out: Board;
        out kinds_out: Kinds;
        out crossings: [Plane; 4];
        out threats: Threats;
    }
}

fn rays<W: Word>(inputs: RaysIn<W>) -> RaysOut<W> {
    let RaysIn { tag, board, decoded, near } = inputs;
    let Decoded { king, empty, through, kinds } = decoded;
    // A position in the pipeline has been turned: an empty square is nobody's.
    let theirs = board.code[4];
    let enemy_rays: [W; RAYS] = by_direction(|d| {
        let sliders = kinds.sliders(back(d)) & theirs;
        ray::rest(d, near.enemy[d as usize], sliders, through).named_at("enemy_ray", d as usize)
    });
    // By direction of travel of what it meets.
    let king_rays: [W; RAYS] =
        by_direction(|d| ray::rest(back(d), near.king[d as usize], king, empty).named_at("king_ray", d as usize));

    let crossings = std::array::from_fn(|a| {
        let along = ray_directions().filter(|&d| axis(d) == a);
        or_all(along.map(|d| king_rays[d as usize] & enemy_rays[d as usize]))
    });

    // Each class of pieces from all the directions in which it would come upon the king. It moves back from there.
    let met_by = |group: &[Direction]| or_all(group.iter().map(|&d| king_rays[back(d) as usize]));
    let sliding_checkers =
        or_all(groups(slides).iter().zip(kinds.sliders).map(|(group, of_group)| met_by(group) & of_group));
    let beside: Vec<W> = groups(steps).iter().map(|group| or_all(group.iter().map(|&d| shift(d, king)))).collect();
    let stepping_checkers = or_all(beside.iter().zip(kinds.steppers).map(|(&of_king, of_group)| of_king & of_group));
    let jumps = [Direction::KnightEast, Direction::KnightWest].map(|d| shift(d, king));
    let jumping_checkers = (jumps[0] | jumps[1]) & kinds.knights;
    let checkers = (sliding_checkers.named("sliding_checkers") & theirs)
        | ((stepping_checkers.named("stepping_checkers") | jumping_checkers.named("jumping_checkers")) & theirs);

    let knights = (kinds.knights & theirs).named("enemy_knights");
    let stepping = kinds.steppers.map(|of_group| of_group & theirs);
    let steppers = Kinds { steppers: stepping, ..kinds };
    let stepped = or_all(ray_directions().map(|d| shift(d, steppers.steppers(back(d))))).named("enemy_steps");
    let jumped = (shift_by(1, 2, knights) | shift_by(-1, 2, knights)).named("enemy_jumps");
    let [first, second] = [0, 4].map(|d| or_all(enemy_rays[d..d + 4].iter().copied()));
    let attacked = [first, second, stepped | jumped];

    let beside_king = or_all(beside);
    let threats = Threats { king, beside_king, empty, attacked, checkers };
    RaysOut { tag_out: tag, board_out: board, kinds_out: kinds, crossings, threats }
}
