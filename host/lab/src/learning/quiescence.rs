//! Quiescence search with the weights in training: captures, promotions and check evasions.
//!
//! The result is the quiet position at the end of the principal variation. The derivative of the searched score in a parameter is
//! that of this leaf's static score.

use hayasashi_engine::search::accumulator::{Accumulator, Weights};
use hayasashi_engine::PIECE_VALUES;
use hayasashi_shogi::rules::{Move, MoveList, Position, Stage, Undo};
use std::ops::Deref;

/// Ply from which only recaptures are searched.
const RECAPTURES_ONLY: usize = 4;
/// Ply at which the search stops.
const MAX_PLY: usize = 12;
/// Score of a mated side; below all static scores.
pub const LOST: i32 = -31_000;

/// The position of the search.
struct Board(Position);

impl Deref for Board {
    type Target = Position;

    fn deref(&self) -> &Position {
        &self.0
    }
}

/// A quiescence search with one set of weights.
pub struct QuiescenceSearch<'a> {
    weights: &'a Weights,
    board: Board,
    /// The principal variation from each ply.
    lines: [Vec<Move>; MAX_PLY + 1],
}

impl<'a> QuiescenceSearch<'a> {
    /// A search with these weights.
    pub fn new(weights: &'a Weights) -> QuiescenceSearch<'a> {
        QuiescenceSearch { weights, board: Board(Position::startpos()), lines: Default::default() }
    }

    /// The score of a position for its side to move, and the line to the quiet leaf.
    pub fn search(&mut self, pos: &Position, alpha: i32, beta: i32) -> (i32, &[Move]) {
        self.board.0 = pos.clone();
        let sums = Accumulator::new(self.weights, pos);
        let score = self.node(sums, alpha, beta, None, 0);
        (score, &self.lines[0])
    }

    fn node(&mut self, sums: Accumulator, mut alpha: i32, beta: i32, last: Option<Move>, ply: usize) -> i32 {
        self.lines[ply].clear();
        let in_check = self.board.in_check();
        let stand_pat = sums.score(self.weights, self.board.side_to_move());
        if ply == MAX_PLY {
            return stand_pat;
        }
        let mut best = if in_check { LOST + ply as i32 } else { stand_pat };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let mut moves = MoveList::new();
        self.board.stage_moves(if in_check { Stage::All } else { Stage::Forcing }, &mut moves);
        let pos = &self.board;
        moves.as_mut_slice().sort_by_key(|&mv| (std::cmp::Reverse(pos.gain(mv, &PIECE_VALUES)), mv.bits()));
        for &mv in &moves {
            if !in_check {
                let recaptures = last.is_some_and(|last| last.to() == mv.to());
                if ply >= RECAPTURES_ONLY && !recaptures || !self.board.exchange_reaches(mv, 0, &PIECE_VALUES) {
                    continue;
                }
            }
            let mut undo: Option<Undo> = None;
            let sums = sums.make(self.weights, &mut self.board, mv, |board| undo = Some(board.0.do_move(mv)));
            let score = -self.node(sums, -beta, -alpha, Some(mv), ply + 1);
            self.board.0.undo_move(mv, undo.expect("the move was made"));
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    let (line, rest) = self.lines.split_at_mut(ply + 1);
                    line[ply].clear();
                    line[ply].push(mv);
                    line[ply].extend_from_slice(&rest[0]);
                }
                if score >= beta {
                    break;
                }
            }
        }
        best
    }
}

/// The position after a line of moves.
pub fn leaf(pos: &Position, line: &[Move]) -> Position {
    let mut leaf = pos.clone();
    line.iter().for_each(|&mv| {
        leaf.do_move(mv);
    });
    leaf
}
