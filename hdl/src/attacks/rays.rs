//! First stage of the attack network: the enemy's rays and the rays of the mover's king.
//!
//! ```text
//!            +--------+
//!   tag     =>        => tag_out
//!   board   =>  Rays  => board_out
//!            |        => enemy 8 x 81   squares the enemy's sliders reach, by direction of travel
//!            |        => king 8 x 81    squares seen from the mover's king, by direction
//!            +--------+
//! ```
//!
//! Latency one clock, one position per clock.

use super::{ray::ray, ray_directions};
use crate::movegen::slot::TAG;
use crate::network;
use crate::network::Word;
use crate::position::{Board, BOARD};
use hayasashi_spec::moves::RAYS;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Layout of a bus with one plane for each ray direction.
pub const RAY_PLANES: &[usize] = &[SQUARES; RAYS];

network! {
    /// Rays of the enemy's sliders and of the mover's king.
    Rays = rays {
        in tag: TAG;
        in board: BOARD;
        out tag_out: TAG;
        out board_out: BOARD;
        out enemy: RAY_PLANES;
        out king: RAY_PLANES;
    }
}

fn rays<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let board = Board::from_fields(inputs[1]);
    let empty = !board.occupied();
    let king = board.kind(KING) & board.own();
    let enemy_rays = ray_directions().map(|d| {
        let forward = d.opposite().expect("a ray direction");
        ray(d, board.kinds(|k| forward.slides(k)) & board.theirs(), empty)
    });
    let king_rays = ray_directions().map(|d| ray(d, king, empty));
    vec![inputs[0].to_vec(), inputs[1].to_vec(), enemy_rays.collect(), king_rays.collect()]
}
