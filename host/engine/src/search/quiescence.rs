//! Quiescence search: captures, promotions, evasions, and checks on the first ply, until the position is quiet.

use super::{
    alpha_beta::settles,
    board::SearchBoard,
    parameters::RECAPTURES_ONLY,
    picker::{MoveSelection, Picker},
    score::{from_table, to_table, LONGEST_MATE, MATE},
    transposition::{Bound, Entry},
    tree::{Tree, NO_EVAL},
};
use crate::PIECE_VALUES;
use hayasashi_shogi::rules::{CheckSquares, Move};

/// Quiet evasions searched after a move has been found that avoids mate.
const QUIET_EVASIONS: i32 = 2;

impl<B: SearchBoard> Tree<'_, B> {
    /// The score of the position after quiescence; `depth` is 0 on the first ply and decreases.
    pub fn quiescence<const PV: bool>(&mut self, mut alpha: i32, beta: i32, depth: i32, ply: usize) -> i32 {
        if let Some(score) = self.enter(ply) {
            return score;
        }
        let (first_alpha, in_check) = (alpha, self.frame(ply).in_check);
        let key = self.position().key();
        let known = self.shared.table.get(key);
        // A node with checks or a mate test has a higher depth in the table.
        let with_checks = depth == 0 && self.techniques.quiescence_checks;
        let with_mates = depth == 0 && self.techniques.mate_in_one;
        let stored_depth: i8 = if in_check || with_checks || with_mates { 0 } else { -1 };
        if let (Some(entry), false) = (known, PV || !self.techniques.table_cuts) {
            let score = from_table(entry.score, ply);
            if entry.depth >= stored_depth && settles(entry.bound, score, alpha, beta) {
                return score;
            }
        }
        let eval = self.static_eval(known, in_check, key, ply);
        if self.aborted {
            return 0;
        }
        let mated = -MATE + ply as i32;
        let mut best = mated;
        if !in_check {
            if let Some(score) = (depth == 0).then(|| self.mate_in_one(known, ply)).flatten() {
                return score;
            }
            best = eval;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let begin = self.moves.len();
        let squares = CheckSquares::new(self.position());
        let wanted = if in_check { MoveSelection::Evasions } else { MoveSelection::Quiescence(with_checks) };
        let table = known.map_or(Move::NONE, |e| e.best);
        let last = if ply > 0 { self.frame(ply - 1).mv } else { Move::NONE };
        let mut picker = Picker::new(wanted, table, [Move::NONE; 2], begin);
        let (mut best_move, mut quiets) = (Move::NONE, 0);
        while let Some(mv) = self.next(&mut picker, ply, &squares) {
            let pos = self.position();
            let checks = squares.gives_check(pos, mv);
            if best > -LONGEST_MATE {
                let recaptures = last != Move::NONE && mv.to() == last.to();
                if in_check {
                    if !pos.is_forcing(mv) {
                        quiets += 1;
                        if quiets > QUIET_EVASIONS {
                            continue;
                        }
                    }
                } else {
                    if depth <= RECAPTURES_ONLY && !recaptures {
                        continue;
                    }
                    let reached = eval + self.parameters.quiescence_futility + pos.gain(mv, &PIECE_VALUES);
                    if self.techniques.futility && !checks && reached <= alpha {
                        best = best.max(reached);
                        continue;
                    }
                }
                self.prefetch(mv);
                if self.techniques.exchange_pruning && !pos.exchange_reaches(mv, 0, &PIECE_VALUES) {
                    continue;
                }
            }
            self.make(ply, mv, checks);
            let score = -self.quiescence::<PV>(-beta, -alpha, depth - 1, ply + 1);
            self.board.unmake();
            if self.aborted {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = mv;
                    if PV {
                        self.update_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        self.moves.truncate(begin);
        if self.aborted {
            return 0;
        }
        let bound = match best {
            s if s >= beta => Bound::Lower,
            s if PV && s > first_alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let stored = self.frame(ply).eval;
        let entry = Entry {
            best: best_move,
            score: to_table(best, ply),
            eval: (stored != NO_EVAL).then_some(stored as i16),
            depth: stored_depth,
            bound,
            open: PV,
        };
        self.shared.table.put(key, entry);
        best
    }
}
