//! The static evaluation of a node, and pruning of the node before its moves are searched: mate in one, razoring,
//! reverse futility, null move, ProbCut.

use super::{
    alpha_beta::NodeContext,
    board::SearchBoard,
    parameters::*,
    picker::{MoveSelection, Picker},
    score::{from_table, to_table, LONGEST_MATE, MATE},
    transposition::{Bound, Entry},
    tree::{Tree, NO_EVAL},
};
use crate::mate::mate_in_1;
use crate::PIECE_VALUES;
use hayasashi_shogi::rules::{CheckSquares, Move};

impl<B: SearchBoard> Tree<'_, B> {
    /// Stores the static evaluation in the frame, and returns it or the table's score if that is more accurate.
    pub(super) fn static_eval(&mut self, known: Option<Entry>, in_check: bool, key: u64, ply: usize) -> i32 {
        if in_check {
            self.frame(ply).eval = NO_EVAL;
            return NO_EVAL;
        }
        let mut eval = match known.and_then(|e| e.eval) {
            Some(eval) => eval as i32,
            None => {
                let eval = self.evaluate();
                if known.is_none() && !self.aborted {
                    let (bound, depth) = (Bound::None, UNSEARCHED);
                    let entry =
                        Entry { best: Move::NONE, score: 0, eval: Some(eval as i16), depth, bound, open: false };
                    self.shared.table.put(key, entry);
                }
                eval
            }
        };
        self.frame(ply).eval = eval;
        if let Some(entry) = known {
            let score = from_table(entry.score, ply);
            let more_accurate = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score > eval,
                Bound::Upper => score < eval,
                Bound::None => false,
            };
            if more_accurate && score.abs() < LONGEST_MATE {
                eval = score;
            }
        }
        eval
    }

    /// The score of a mate in one. Skipped if the table has a search of the node, which found none.
    pub(super) fn mate_in_one(&mut self, known: Option<Entry>, ply: usize) -> Option<i32> {
        let searched = known.is_some_and(|e| e.bound != Bound::None && e.depth >= 0);
        if !self.techniques.mate_in_one || searched {
            return None;
        }
        let mv = mate_in_1(self.position())?;
        self.pv[ply].clear();
        self.pv[ply].push(mv);
        Some(MATE - ply as i32 - 1)
    }

    /// The score of a null-window node that is pruned without a search of its moves.
    pub(super) fn prune_node(&mut self, node: &NodeContext, eval: i32) -> Option<i32> {
        let &NodeContext { alpha, beta, depth, ply, cut, improving, .. } = node;
        let mate_window = beta.abs() >= LONGEST_MATE;
        if let Some(score) = self.mate_in_one(node.known, ply) {
            return Some(score);
        }
        if self.techniques.razoring
            && depth <= RAZORING_DEPTH
            && eval + self.parameters.razoring_margin(depth) <= alpha
            && !mate_window
        {
            let score = self.quiescence::<false>(alpha, alpha + 1, 0, ply);
            if score <= alpha || self.aborted {
                return Some(score);
            }
        }
        if self.techniques.reverse_futility
            && depth <= REVERSE_FUTILITY_DEPTH
            && eval - self.parameters.reverse_futility_margin(depth, improving) >= beta
            && !mate_window
        {
            return Some((eval + beta) / 2);
        }
        let passed = self.frame(ply - 1).mv == Move::NONE;
        let own = self.frame(ply).eval;
        if self.techniques.null_move
            && depth >= 2
            && !passed
            && eval >= beta
            && own - self.parameters.null_move_margin(depth) >= beta
            && !mate_window
        {
            let reduced = depth - self.parameters.null_move_plies(depth, eval - beta);
            self.pass(ply);
            let score = -self.search::<false>(-beta, -beta + 1, reduced, ply + 1, !cut);
            self.board.unmake();
            if self.aborted {
                return Some(0);
            }
            if score >= beta {
                return Some(if score >= LONGEST_MATE { beta } else { score });
            }
        }
        if self.techniques.prob_cut && depth >= PROB_CUT_DEPTH && !mate_window {
            return self.prob_cut(node);
        }
        None
    }

    /// ProbCut: a capture whose score stays well above beta, first in quiescence, then at reduced depth.
    fn prob_cut(&mut self, node: &NodeContext) -> Option<i32> {
        let &NodeContext { beta, depth, ply, cut, known, .. } = node;
        let above = beta + self.parameters.prob_cut_margin;
        // The table already refutes it.
        if known
            .is_some_and(|e| e.bound != Bound::None && e.depth as i32 >= depth - 3 && from_table(e.score, ply) < above)
        {
            return None;
        }
        let needed = above - self.frame(ply).eval;
        let table = known.map_or(Move::NONE, |e| e.best);
        let begin = self.moves.len();
        let squares = CheckSquares::new(self.position());
        let mut picker = Picker::new(MoveSelection::Forcing, table, [Move::NONE; 2], begin);
        let mut cutoff = None;
        while let Some(mv) = self.next(&mut picker, ply, &squares) {
            if !self.position().exchange_reaches(mv, needed, &PIECE_VALUES) {
                continue;
            }
            let checks = squares.gives_check(self.position(), mv);
            self.make(ply, mv, checks);
            let mut score = -self.quiescence::<false>(-above, -above + 1, 0, ply + 1);
            if score >= above {
                score = -self.search::<false>(-above, -above + 1, depth - 4, ply + 1, !cut);
            }
            self.board.unmake();
            if self.aborted {
                break;
            }
            if score >= above {
                let eval = self.frame(ply).eval;
                let entry = Entry {
                    best: mv,
                    score: to_table(score, ply),
                    eval: Some(eval as i16),
                    depth: (depth - 3) as i8,
                    bound: Bound::Lower,
                    open: false,
                };
                self.shared.table.put(self.position().key(), entry);
                cutoff = Some(score);
                break;
            }
        }
        self.moves.truncate(begin);
        cutoff
    }
}
