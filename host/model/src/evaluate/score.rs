//! The score of a position. Mirrors `hdl/src/evaluate/score.rs`.

use super::views::row;
use super::EvalTable;
use crate::attacks::ray::squares;
use crate::position::board::turn as turn_board;
use crate::position::Position;
use hayasashi_spec::piece::*;
use hayasashi_spec::position::{HAND_OFFSET, HAND_WIDTH};
use hayasashi_spec::table::*;

impl EvalTable {
    /// The static evaluation of a position in centipawns for the mover, as [`hayasashi_spec::table`] defines it.
    pub fn score(&self, position: &Position) -> i16 {
        let header = self.header();
        let (own_row, own_mirrored) = row(position.own_king());
        let (their_row, their_mirrored) = row(turn_board(position.their_king()));
        let own_view = &VIEW_SQUARES[0][own_mirrored as usize];
        let their_view = &VIEW_SQUARES[1][their_mirrored as usize];
        let (own_weights, their_weights) = (&self.rows[own_row], &self.rows[their_row]);

        let mut placement = self.empty[own_row] - self.empty[their_row];
        let mut material = 0;
        let codes = position.codes();
        for s in squares(position.occupied()) {
            let code = codes[s];
            placement += own_weights[own_view[s] as usize][code as usize] as i32;
            placement -= their_weights[their_view[s] as usize][(code ^ THEIRS) as usize] as i32;
            let value = match code & !THEIRS {
                KING | NO_KIND => 0,
                kind => header.board_value[kind as usize] as i32,
            };
            material += if code & THEIRS == 0 { value } else { -value };
        }
        for k in 0..HAND_KINDS {
            let [own, theirs] = position.hands.map(|hand| hand >> HAND_OFFSET[k] & ((1 << HAND_WIDTH[k]) - 1));
            placement += own_weights[SQUARES + k][own as usize] as i32;
            placement -= their_weights[SQUARES + k][theirs as usize] as i32;
            material += header.hand_value[k] as i32 * (own as i32 - theirs as i32);
        }
        (material + placement + header.tempo as i32).clamp(-SCORE_LIMIT, SCORE_LIMIT) as i16
    }
}
