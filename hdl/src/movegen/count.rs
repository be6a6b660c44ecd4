//! First counting stage: moves of each plane.
//!
//! ```text
//!            +---------+
//!   tag     =>         => tag_out
//!   board   =>         => board_out
//!   moves   =>  Count  => partial 24 x 7   populations of the 20 planes, then of the drops
//!   drops   =>         => holds_out 7
//!   holds   =>         => mate_square 81   where a pawn drop would give check, if one is possible
//!            +---------+
//! ```
//!
//! Latency one clock, one position per clock. A drop is never enumerated to be counted.

use super::slot::TAG;
use super::targets::{DROP_PLANES, MOVE_PLANES};
use crate::network;
use crate::network::Word;
use crate::position::board::{rank_mask, shift};
use crate::position::{Board, BOARD};
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Layout of the partial counts: 20 move planes, pawn drops, other drops, those on rank a, those on rank b.
pub const PARTIAL: &[usize] = &[7; 24];

network! {
    /// Populations of the move planes.
    Count = count {
        in tag: TAG;
        in board: BOARD;
        in moves: MOVE_PLANES;
        in drops: DROP_PLANES;
        in holds: &[HAND_KINDS];
        out tag_out: TAG;
        out board_out: BOARD;
        out partial: PARTIAL;
        out holds_out: &[HAND_KINDS];
        out mate_square: &[SQUARES];
    }
}

fn count<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [tag, board_fields, moves, drops, holds] = *inputs else { panic!("five inputs") };
    let board = Board::from_fields(board_fields);
    let on_rank = |rank| drops[1] & W::constant(rank_mask(rank), SQUARES);
    let partial = moves.iter().chain(drops).copied().chain([on_rank(0), on_rank(1)]).map(|p| p.popcount());
    let before_king = shift(Direction::South, board.kind(KING) & board.theirs());
    vec![tag.to_vec(), board_fields.to_vec(), partial.collect(), holds.to_vec(), vec![before_king & drops[0]]]
}
