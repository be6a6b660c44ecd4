//! Second stage of the attack network: what a check and the pins leave to each piece.
//!
//! ```text
//!            +------------+
//!   tag     =>            => tag_out
//!   board   =>            => board_out
//!   meets   =>  Legality  => checks 2         the king is in check; by more than one piece
//!   near    =>            => movers           own pieces that no pin keeps from moving, by what they do
//!            |            => reach 5 x 81     see `Reach`
//!            +------------+
//! ```
//!
//! Latency one clock, one position per clock.

use super::rays::{Near, AXIS_PLANES, NEAR};
use crate::movegen::arrivals::{Movers, MOVERS};
use crate::movegen::slot::TAG;
use crate::network;
use crate::network::{word::or_all, Word};
use crate::position::{Board, BOARD};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Layout of [`Reach`].
pub const REACH: &[usize] = &[SQUARES; 5];

/// Squares that tell where pieces may go.
pub struct Reach<W> {
    /// The mover's king.
    pub king: W,
    /// Empty squares.
    pub empty: W,
    /// Own pieces.
    pub own: W,
    /// Squares that the king may step to if they are next to it.
    pub free: W,
    /// Against one check: the checking piece, and the squares between.
    pub parries: W,
}

impl<W: Word> Reach<W> {
    pub fn from_fields(fields: &[W]) -> Reach<W> {
        let [king, empty, own, free, parries] = *fields else { panic!("five planes") };
        Reach { king, empty, own, free, parries }
    }

    fn fields(&self) -> Vec<W> {
        vec![self.king, self.empty, self.own, self.free, self.parries]
    }
}

network! {
    /// What a check and the pins leave.
    Legality = legality {
        in tag: TAG;
        in board: BOARD;
        in meets: AXIS_PLANES;
        in near: NEAR;
        out tag_out: TAG;
        out board_out: BOARD;
        out checks: &[1, 1];
        out movers: MOVERS;
        out reach: REACH;
    }
}

fn legality<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [tag, board_fields, meets, near] = *inputs else { panic!("four inputs") };
    let Near { king, empty, attacked, checkers } = Near::from_fields(near);
    let board = Board::from_fields(board_fields);
    let own = !empty & !board.code[4];

    let checks = vec![checkers.any(), checkers.several()];
    let movers = own & !king;
    let movable: Vec<W> =
        (0..4).map(|a| movers & !or_all((0..4).filter(|&other| other != a).map(|other| meets[other]))).collect();
    let parries = checkers | (empty & or_all(meets.iter().copied()));

    let reach = Reach { king, empty, own, free: !own & !attacked, parries };
    vec![tag.to_vec(), board_fields.to_vec(), checks, Movers::of(&board, &movable).fields(), reach.fields()]
}
