//! The origin of a move, and the kinds of the pieces that it moves and takes.
//!
//! ```text
//!              +----------+
//!   valid     =>          => valid_out
//!   to        =>          => to_out 81, from 81   one square each; no origin for a drop
//!   rays      =>  Origin  => kind_out 7           kind dropped, one wire each
//!   kind      =>          => promote_out 1
//!   promote   =>          => moved 4, captured 4  kinds before the move; zero for none
//!   board     =>          |
//!   own       =>          |
//!              +----------+
//! ```
//!
//! Latency one clock, one move per clock; stands still while `hold`.

use super::trace::TRACED;
use crate::network;
use crate::network::{word::or_all, Word};
use crate::position::{Board, BOARD};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// Where a move comes from, and what it moves and takes.
    Origin = origin, held {
        in valid: &[1];
        in to: &[SQUARES];
        in rays: TRACED;
        in kind: &[HAND_KINDS];
        in promote: &[1];
        in board: BOARD;
        in own: &[SQUARES];
        out valid_out: &[1];
        out to_out: &[SQUARES];
        out from: &[SQUARES];
        out kind_out: &[HAND_KINDS];
        out promote_out: &[1];
        out moved: &[4];
        out captured: &[4];
    }
}

fn origin<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [valid, to, rays, kind, promote, board, own] = *inputs else { panic!("seven inputs") };
    let board = Board::from_fields(board);
    let from = or_all(rays.iter().copied()) & own[0];
    let kind_on = |square: W| W::join(&[0, 1, 2, 3].map(|i| (board.code[i] & square).any()));
    vec![
        valid.to_vec(),
        to.to_vec(),
        vec![from],
        kind.to_vec(),
        promote.to_vec(),
        vec![kind_on(from)],
        vec![kind_on(to[0])],
    ]
}
