//! Second stage of the attack network: checks, evasions, pins and the king's steps.
//!
//! ```text
//!            +------------+
//!   tag     =>            => tag_out            `check` filled in
//!   board   =>  Legality  => board_out
//!   enemy   =>            => movable 4 x 81     own pieces that no pin keeps from moving along an axis
//!   king    =>            => evasion 81         where another piece than the king may land
//!            |            => king_steps 8       directions in which the king may step
//!            +------------+
//! ```
//!
//! Latency one clock, one position per clock. A piece is pinned where an enemy ray and a king ray of opposite
//! directions meet on it; the squares that block a check are the empty ones where they meet; the square behind the
//! king on an enemy ray is attacked too once the king has left.

use super::rays::RAY_PLANES;
use super::{axis, ray_directions};
use crate::movegen::slot::{Tag, TAG};
use crate::network;
use crate::network::{word::or_all, word::sum, Word};
use crate::position::board::{shift, shift_by, ALL_SQUARES};
use crate::position::{Board, BOARD};
use hayasashi_spec::moves::{Direction, RAYS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Layout of a bus with one plane for each axis.
pub const AXIS_PLANES: &[usize] = &[SQUARES; 4];

network! {
    /// Checks, evasions, pins and the king's steps.
    Legality = legality {
        in tag: TAG;
        in board: BOARD;
        in enemy: RAY_PLANES;
        in king: RAY_PLANES;
        out tag_out: TAG;
        out board_out: BOARD;
        out movable: AXIS_PLANES;
        out evasion: &[SQUARES];
        out king_steps: &[RAYS];
    }
}

fn legality<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [tag, board_fields, enemy_rays, king_rays] = *inputs else { panic!("four inputs") };
    let board = Board::from_fields(board_fields);
    let (own, theirs, empty) = (board.own(), board.theirs(), !board.occupied());
    let king = board.kind(KING) & own;
    let back = |d: Direction| d.opposite().expect("a ray direction");
    let towards_king = |d: Direction| king_rays[back(d) as usize];

    // Enemy pieces by direction of travel, and from where each could check.
    let steppers: Vec<W> = ray_directions().map(|d| board.kinds(|k| back(d).steps(k)) & theirs).collect();
    let knights = board.kind(KNIGHT) & theirs;
    let mut checkers: Vec<W> = ray_directions()
        .map(|d| {
            let sliders = board.kinds(|k| back(d).slides(k)) & theirs;
            (shift(back(d), king) & steppers[d as usize]) | (towards_king(d) & sliders)
        })
        .collect();
    checkers.extend([Direction::KnightEast, Direction::KnightWest].map(|d| shift(d, king) & knights));

    let directions: Vec<W> = checkers.iter().map(|c| c.any()).collect();
    let check = or_all(directions.iter().copied());
    let double = W::constant(1, 4).below(sum(&directions, 4));
    let blocks = or_all(ray_directions().map(|d| towards_king(d) & enemy_rays[d as usize])) & empty;
    let single = or_all(checkers) | blocks;
    let evasion = check.choose(single.when(!double), W::constant(ALL_SQUARES, SQUARES));

    let pinned: Vec<W> = (0..4)
        .map(|a| or_all(ray_directions().filter(|&d| axis(d) == a).map(|d| towards_king(d) & enemy_rays[d as usize])))
        .collect();
    let movable: Vec<W> =
        (0..4).map(|a| own & !king & !or_all((0..4).filter(|&other| other != a).map(|other| pinned[other]))).collect();

    let jumps = shift_by(1, 2, knights) | shift_by(-1, 2, knights);
    let attacked = or_all(ray_directions().map(|d| shift(d, steppers[d as usize]) | enemy_rays[d as usize])) | jumps;
    let free = !own & !attacked;
    let king_steps: Vec<W> =
        ray_directions().map(|d| (shift(d, king) & free).any() & !(enemy_rays[d as usize] & king).any()).collect();

    let mut tag = Tag::from_fields(tag);
    tag.check = tag.mate.choose(tag.check, check);
    vec![tag.fields(), board_fields.to_vec(), movable, vec![evasion], vec![W::join(&king_steps)]]
}
