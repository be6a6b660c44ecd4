//! Where a move comes from.
//!
//! ```text
//!              +----------+
//!   valid     =>          => valid_out
//!   square    =>  Origin  => to 81, from 81   one square each; no origin for a drop
//!   group     =>          => kind 7           kind dropped, one wire each
//!   image     =>          => promote 1
//!              +----------+
//! ```
//!
//! Latency one clock, one move per clock. The origin is the first piece that a ray from the destination meets against
//! the direction of travel.

use super::serialise::GROUPS;
use crate::attacks::{ray::ray, ray_directions};
use crate::network;
use crate::network::{word::or_all, Word};
use crate::position::board::{shift_by, Board, IMAGE};
use hayasashi_spec::moves::{Direction, DIRECTIONS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// Where a move comes from.
    Origin = origin {
        in valid: &[1];
        in square: &[SQUARES];
        in group: &[GROUPS];
        in image: IMAGE;
        out valid_out: &[1];
        out to: &[SQUARES];
        out from: &[SQUARES];
        out kind: &[HAND_KINDS];
        out promote: &[1];
    }
}

fn origin<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [valid, square, group, image] = *inputs else { panic!("four inputs") };
    let (square, group) = (square[0], group[0]);
    let board = Board::from_image(image);
    let empty = !board.occupied();
    let arrives = |d: Direction| {
        let wires: Vec<u8> = (0..4).map(|class| (DIRECTIONS * class + d as usize) as u8).collect();
        square.when(group.wires(&wires).any())
    };
    let rays = ray_directions().map(|d| ray(d.opposite().expect("a ray direction"), arrives(d), empty));
    let jumps = [Direction::KnightEast, Direction::KnightWest].map(|d| {
        let (files, ranks) = d.step();
        shift_by(-files as i32, -ranks as i32, arrives(d))
    });
    let from = or_all(rays.chain(jumps)) & board.own();
    let kind = group.slice(4 * DIRECTIONS, HAND_KINDS);
    let promote = (group.slice(0, DIRECTIONS) | group.slice(2 * DIRECTIONS, DIRECTIONS)).any();
    vec![valid.to_vec(), vec![square], vec![from], vec![kind], vec![promote]]
}
