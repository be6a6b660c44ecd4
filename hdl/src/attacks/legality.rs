//! Second stage of the attack network: checks, pins, and where the king may step.
//!
//! ```text
//!            +------------+
//!   tag     =>            => tag_out
//!   board   =>            => board_out
//!   enemy   =>            => checks 10        directions of travel in which the mover's king is attacked
//!   king    =>  Legality  => king_out 8 x 81
//!   near    =>            => movable 4 x 81   own pieces that no pin keeps from moving along an axis
//!            |            => threats 4 x 81   see `Threats`
//!            +------------+
//! ```
//!
//! Latency one clock, one position per clock. A piece is pinned where an enemy ray and a king ray of opposite
//! directions meet on it.

use super::rays::{Near, NEAR, RAY_PLANES};
use super::{axis, ray_directions};
use crate::movegen::slot::TAG;
use crate::network;
use crate::network::{word::or_all, Word};
use crate::position::board::{shift, shift_by};
use crate::position::{Board, BOARD};
use hayasashi_spec::moves::{Direction, DIRECTIONS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Layout of a bus with one plane for each axis.
pub const AXIS_PLANES: &[usize] = &[SQUARES; 4];
/// Layout of [`Threats`].
pub const THREATS: &[usize] = &[SQUARES; 4];

/// What the next stage needs beside checks and pins.
pub struct Threats<W> {
    /// The mover's king.
    pub king: W,
    /// Enemy knights that give check.
    pub knights: W,
    /// Empty squares.
    pub empty: W,
    /// Squares that the king may step to if they are next to it.
    pub free: W,
}

impl<W: Word> Threats<W> {
    pub fn from_fields(fields: &[W]) -> Threats<W> {
        let [king, knights, empty, free] = *fields else { panic!("four planes") };
        Threats { king, knights, empty, free }
    }

    fn fields(&self) -> Vec<W> {
        vec![self.king, self.knights, self.empty, self.free]
    }
}

network! {
    /// Checks, pins and the king's steps.
    Legality = legality {
        in tag: TAG;
        in board: BOARD;
        in enemy: RAY_PLANES;
        in king: RAY_PLANES;
        in near: NEAR;
        out tag_out: TAG;
        out board_out: BOARD;
        out checks: &[DIRECTIONS];
        out king_out: RAY_PLANES;
        out movable: AXIS_PLANES;
        out threats: THREATS;
    }
}

fn legality<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [tag, board_fields, enemy_rays, king_rays, near] = *inputs else { panic!("five inputs") };
    let board = Board::from_fields(board_fields);
    let near = Near::from_fields(near);
    let (own, king) = (board.own(), near.king);

    // Where the enemy's pieces arrive, by direction of travel.
    let arrivals: Vec<W> = ray_directions().map(|d| enemy_rays[d as usize] | shift(d, near.steppers(d))).collect();
    let jumps = [Direction::KnightEast, Direction::KnightWest];
    let jumpers = jumps.map(|d| shift(d, king) & near.knights);
    let checks: Vec<W> = arrivals.iter().map(|&a| (a & king).any()).chain(jumpers.map(|j| j.any())).collect();
    let attacked = or_all(arrivals) | shift_by(1, 2, near.knights) | shift_by(-1, 2, near.knights);

    let pinned: Vec<W> = (0..4)
        .map(|a| {
            let along = ray_directions().filter(|&d| axis(d) == a);
            or_all(along.map(|d| king_rays[d.opposite().expect("a ray direction") as usize] & enemy_rays[d as usize]))
        })
        .collect();
    let movers = own & !king;
    let movable: Vec<W> =
        (0..4).map(|a| movers & !or_all((0..4).filter(|&other| other != a).map(|other| pinned[other]))).collect();

    let threats = Threats { king, knights: jumpers[0] | jumpers[1], empty: near.empty, free: !own & !attacked };
    vec![tag.to_vec(), board_fields.to_vec(), vec![W::join(&checks)], king_rays.to_vec(), movable, threats.fields()]
}
