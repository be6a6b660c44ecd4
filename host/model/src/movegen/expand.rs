//! The moves of a position with the scores of the positions after them. Mirrors `hdl/src/movegen/answer_words.rs`.

use super::{count, generate, make_move};
use crate::evaluate::EvalTable;
use crate::position::Position;
use hayasashi_spec::moves::{MoveCount, MoveRecord, FLAG_CHECK, FLAG_MATE};

/// Appends the legal moves of a position to `moves`, as [`generate`] does but with the flag of mate, and to `scores` the score of
/// the position after each move, for the side then to move. Returns the same as [`generate`].
pub fn expand(position: &Position, table: &EvalTable, moves: &mut Vec<MoveRecord>, scores: &mut Vec<i16>) -> MoveCount {
    let first = moves.len();
    let generated = generate(position, moves);
    for record in &mut moves[first..] {
        let child = make_move(position, record.mv);
        scores.push(table.score(&child));
        if record.flags & FLAG_CHECK != 0 && count(&child).moves == 0 {
            record.flags |= FLAG_MATE;
        }
    }
    generated
}
