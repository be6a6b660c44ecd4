//! The quiet position that a position leads to by best play of captures and promotions (and evasions from check), by
//! the weights that are being learned: what a parameter's change does to the searched score is what it does to the
//! score of that position, the leaf of the principal variation.

use hayasashi_engine::search::accumulator::{Accumulator, Weights};
use hayasashi_engine::PIECE_VALUES;
use hayasashi_shogi::rules::{Move, MoveList, Position, Stage, Undo};
use std::ops::Deref;

/// Plies after which captures are recaptures only.
const RECAPTURES_ONLY: usize = 4;
/// Plies after which nothing is searched.
const DEEPEST: usize = 12;
/// A side without moves has lost; beyond all static scores.
pub const LOST: i32 = -31_000;

/// A position that moves are made on.
struct Board(Position);

impl Deref for Board {
    type Target = Position;

    fn deref(&self) -> &Position {
        &self.0
    }
}

/// Searches quiet positions with one set of weights.
pub struct Quiet<'a> {
    weights: &'a Weights,
    board: Board,
    /// By ply: the best line from there.
    lines: [Vec<Move>; DEEPEST + 1],
}

impl<'a> Quiet<'a> {
    /// With these weights.
    pub fn new(weights: &'a Weights) -> Quiet<'a> {
        Quiet { weights, board: Board(Position::startpos()), lines: Default::default() }
    }

    /// The score of a position for its mover, within the window, and the line that leads to the leaf.
    pub fn search(&mut self, pos: &Position, alpha: i32, beta: i32) -> (i32, &[Move]) {
        self.board.0 = pos.clone();
        let sums = Accumulator::new(self.weights, pos);
        let score = self.node(sums, alpha, beta, None, 0);
        (score, &self.lines[0])
    }

    fn node(&mut self, sums: Accumulator, mut alpha: i32, beta: i32, last: Option<Move>, ply: usize) -> i32 {
        self.lines[ply].clear();
        let in_check = self.board.in_check();
        let stand = sums.score(self.weights, self.board.side_to_move());
        if ply == DEEPEST {
            return stand;
        }
        let mut best = if in_check { LOST + ply as i32 } else { stand };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let mut moves = MoveList::new();
        self.board.stage_moves(if in_check { Stage::All } else { Stage::Forcing }, &mut moves);
        let pos = &self.board;
        moves.as_mut_slice().sort_by_key(|&mv| (std::cmp::Reverse(pos.gain(mv, &PIECE_VALUES)), mv.bits()));
        for &mv in moves.iter() {
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

/// Plays a line; the position it leads to.
pub fn leaf(pos: &Position, line: &[Move]) -> Position {
    let mut leaf = pos.clone();
    line.iter().for_each(|&mv| {
        leaf.do_move(mv);
    });
    leaf
}
