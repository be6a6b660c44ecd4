//! Nodes of positive depth: principal variation search (Marsland, 1983; negamax, fail-soft). [`super::pruning`] prunes
//! nodes before their moves are searched.

use super::{
    board::SearchBoard,
    history::bonus,
    learned_extensions::DepthTerms,
    parameters::*,
    picker::{MoveSelection, Picker},
    score::{from_table, to_table, INFINITE, LONGEST_MATE, MATE},
    transposition::{Bound, Entry},
    tree::{Tree, NO_EVAL},
};
use crate::PIECE_VALUES;
use hayasashi_shogi::rules::{CheckSquares, Declaration, Move};

/// Most quiet moves, and most captures, that a node records for the move history.
const MAX_TRIED: usize = 48;

/// A short list of moves on the stack; further moves are dropped.
pub(super) struct TriedMoves {
    moves: [Move; MAX_TRIED],
    len: usize,
}

impl TriedMoves {
    pub fn new() -> TriedMoves {
        TriedMoves { moves: [Move::NONE; MAX_TRIED], len: 0 }
    }

    pub fn push(&mut self, mv: Move) {
        if self.len < MAX_TRIED {
            self.moves[self.len] = mv;
            self.len += 1;
        }
    }

    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

/// The state of a node before its moves are searched.
pub(super) struct NodeContext {
    pub alpha: i32,
    pub beta: i32,
    pub depth: i32,
    pub ply: usize,
    /// A cut-off is expected.
    pub cut: bool,
    pub in_check: bool,
    pub improving: bool,
    pub known: Option<Entry>,
}

/// Whether a stored score decides a window.
pub(super) fn settles(bound: Bound, score: i32, alpha: i32, beta: i32) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
        Bound::None => false,
    }
}

impl<B: SearchBoard> Tree<'_, B> {
    /// The score of the position for its mover within (`alpha`, `beta`). `PV` means an open window, `cut` an expected
    /// cut-off.
    pub fn search<const PV: bool>(&mut self, mut alpha: i32, mut beta: i32, depth: i32, ply: usize, cut: bool) -> i32 {
        if depth <= 0 {
            return self.quiescence::<PV>(alpha, beta, 0, ply);
        }
        if let Some(score) = self.enter(ply) {
            return score;
        }
        if let Some(score) = self.bound_by_rules(&mut alpha, &mut beta, ply) {
            return score;
        }
        let excluded = self.frame(ply).excluded;
        let singular = excluded != Move::NONE;
        let key = self.position().key();
        let known = if singular { None } else { self.shared.table.get(key) };
        let in_check = self.frame(ply).in_check;
        if let (Some(entry), false) = (known, PV || singular || !self.techniques.table_cuts) {
            let score = from_table(entry.score, ply);
            if entry.depth as i32 >= depth && settles(entry.bound, score, alpha, beta) {
                let best = entry.best;
                if score >= beta
                    && best != Move::NONE
                    && !self.position().is_forcing(best)
                    && self.position().is_legal(best)
                {
                    self.learn_quiet(ply, best, bonus(depth) / 2);
                }
                return score;
            }
        }
        let eval = if singular { self.frame(ply).eval } else { self.static_eval(known, in_check, key, ply) };
        if self.aborted {
            return 0;
        }
        let before = self.eval_before(ply, 2);
        let improving = !in_check && (before == NO_EVAL || self.frame(ply).eval > before);
        let mut node = NodeContext { alpha, beta, depth, ply, cut, in_check, improving, known };
        if !PV && !in_check && !singular {
            if let Some(score) = self.prune_node(&node, eval) {
                return score;
            }
            if self.aborted {
                return 0;
            }
        }
        let has_move = known.is_some_and(|e| e.best != Move::NONE);
        if self.techniques.internal_reduction && node.depth >= 4 && !has_move && !singular && (PV || cut) {
            node.depth -= 1;
        }
        let begin = self.moves.len();
        let (score, best) = self.search_moves::<PV>(&node, eval);
        self.moves.truncate(begin);
        if self.aborted {
            return 0;
        }
        if !singular {
            let bound = match score {
                s if s >= beta => Bound::Lower,
                s if PV && s > alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            let stored = self.frame(ply).eval;
            self.shared.table.put(
                key,
                Entry {
                    best,
                    score: to_table(score, ply),
                    eval: (stored != NO_EVAL).then_some(stored as i16),
                    depth: node.depth.min(MAX_DEPTH) as i8,
                    bound,
                    open: PV,
                },
            );
        }
        score
    }

    /// The score of a win by declaration. Otherwise narrows the window to the mates that are still possible, and
    /// returns a score if it is empty.
    pub(super) fn bound_by_rules(&self, alpha: &mut i32, beta: &mut i32, ply: usize) -> Option<i32> {
        if self.shared.settings.declaration.is_some_and(|rule| self.position().declaration(rule) == Declaration::Win) {
            return Some(MATE - ply as i32);
        }
        *alpha = (*alpha).max(-MATE + ply as i32);
        *beta = (*beta).min(MATE - ply as i32 - 1);
        (alpha >= beta).then_some(*alpha)
    }

    /// Searches the moves of a node: the best score, and the move that raised alpha, if any.
    fn search_moves<const PV: bool>(&mut self, node: &NodeContext, eval: i32) -> (i32, Move) {
        let &NodeContext { mut alpha, beta, depth, ply, cut, in_check, improving, known } = node;
        let excluded = self.frame(ply).excluded;
        let table = known.map_or(Move::NONE, |e| e.best);
        let table_captures = table != Move::NONE && self.position().captured_kind(table) != 0;
        let killers = if self.techniques.killers { self.frame(ply).killers } else { [Move::NONE; 2] };
        self.frame(ply + 2).killers = [Move::NONE; 2];
        let squares = CheckSquares::new(self.position());
        let wanted = if in_check { MoveSelection::Evasions } else { MoveSelection::All };
        let mut picker = Picker::new(wanted, table, killers, self.moves.len());
        let mut context = None;
        let parameters = self.parameters;
        let terms = self.terms(depth, ply);
        self.frame(ply + 1).carry = terms.carry;
        let mated = -MATE + ply as i32;
        let (mut best, mut best_move, mut count) = (mated, Move::NONE, 0);
        let (mut quiets, mut captures) = (TriedMoves::new(), TriedMoves::new());
        while let Some(mv) = self.next(&mut picker, ply, &squares) {
            if mv == excluded {
                continue;
            }
            count += 1;
            self.prefetch(mv);
            let pos = self.position();
            let checks = squares.gives_check(pos, mv);
            let forcing = pos.is_forcing(mv);
            let history = self.move_history(ply, mv, forcing);
            let mut reduction = self.base_reduction(depth, count, improving);
            if best > -LONGEST_MATE {
                let lmr_depth = (depth - 1 - reduction / ONE_PLY).max(0);
                if !forcing && !checks && !in_check {
                    if self.techniques.late_move_pruning && count > parameters.late_move_count(depth, improving) {
                        picker.skip_quiets = true;
                    }
                    let near = lmr_depth <= FUTILITY_DEPTH;
                    let futile = eval
                        .saturating_add(parameters.futility_margin(lmr_depth) + history / parameters.futility_history);
                    if self.techniques.futility && near && futile <= alpha && alpha.abs() < LONGEST_MATE {
                        best = best.max(futile);
                        picker.skip_quiets |= history < 0;
                        continue;
                    }
                    if self.techniques.history && lmr_depth <= 5 && history < -parameters.history_pruning * depth {
                        continue;
                    }
                }
                if self.techniques.exchange_pruning && (!in_check || forcing) {
                    let least = match (checks, forcing) {
                        (true, _) => -parameters.exchange_check * depth,
                        (false, true) => -parameters.exchange_capture * depth,
                        (false, false) => -parameters.exchange_quiet * lmr_depth * lmr_depth,
                    };
                    if depth <= EXCHANGE_DEPTH && !self.position().exchange_reaches(mv, least, &PIECE_VALUES) {
                        continue;
                    }
                }
            }
            let extension = match self.extension::<PV>(node, mv, table, checks, &terms) {
                Ok(extension) => extension,
                Err(score) => return (score, mv),
            };
            if self.aborted {
                return (0, Move::NONE);
            }
            let new_depth = depth - 1 + extension + terms.plies;
            let late = self.techniques.late_move_reductions && depth >= 2 && count > 1 + PV as i32;
            let late = late && (!forcing || Self::gives_bad_captures(&picker) || cut);
            if late && self.techniques.realization_reductions {
                let context = context.get_or_insert_with(|| self.context());
                reduction += self.cost_reduction(context, mv);
            }
            self.make(ply, mv, checks);
            let mut score = 0;
            if late {
                for (applies, more) in [
                    (cut, parameters.reduction_cut),
                    (table_captures && !forcing, parameters.reduction_capture),
                    (known.is_some_and(|e| e.open), parameters.reduction_open),
                    (PV, parameters.reduction_pv),
                    (checks, parameters.reduction_check),
                    (in_check, parameters.reduction_evasion),
                    (forcing, parameters.reduction_forcing),
                ] {
                    reduction += more * applies as i32;
                }
                reduction -= history * ONE_PLY / parameters.reduction_history;
                let reduced = (new_depth - reduction / ONE_PLY).clamp(1.min(new_depth), new_depth);
                score = -self.search::<false>(-alpha - 1, -alpha, reduced, ply + 1, true);
                if score > alpha && reduced < new_depth {
                    score = -self.search::<false>(-alpha - 1, -alpha, new_depth, ply + 1, !cut);
                }
            } else if !PV || count > 1 {
                score = -self.search::<false>(-alpha - 1, -alpha, new_depth, ply + 1, !cut);
            }
            if PV && (count == 1 || score > alpha && score < beta) {
                score = -self.search::<true>(-beta, -alpha, new_depth, ply + 1, false);
            }
            self.board.unmake();
            if self.aborted {
                return (0, Move::NONE);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = mv;
                    if PV {
                        self.update_pv(ply, mv);
                    }
                    if score >= beta {
                        self.learn(ply, depth, mv, quiets.as_slice(), captures.as_slice());
                        break;
                    }
                    alpha = score;
                }
            }
            if forcing {
                captures.push(mv);
            } else {
                quiets.push(mv);
            }
        }
        if count == 0 && excluded != Move::NONE {
            return (alpha, Move::NONE);
        }
        (best.max(mated).min(INFINITE), best_move)
    }

    /// The history of a move.
    fn move_history(&self, ply: usize, mv: Move, forcing: bool) -> i32 {
        let pos = self.position();
        let placed = super::history::PieceTo::of(pos, mv);
        match (forcing, self.techniques.history, self.techniques.continuation_history) {
            (true, true, _) => self.history.capture(placed, pos.captured_kind(mv)),
            (true, false, _) => 0,
            (false, history, continuation) => {
                let quiet = if history { self.history.quiet(pos.side_to_move(), mv) } else { 0 };
                let back = |plies| self.history.continuation(self.placed_before(ply, plies), placed);
                quiet + if continuation { back(1) + back(2) } else { 0 }
            }
        }
    }

    /// Plies by which a move is extended. An error is the score of a multi-cut, which ends the node.
    fn extension<const PV: bool>(
        &mut self,
        node: &NodeContext,
        mv: Move,
        table: Move,
        checks: bool,
        terms: &DepthTerms,
    ) -> Result<i32, i32> {
        let &NodeContext { beta, depth, ply, cut, known, .. } = node;
        if ply as i32 >= 2 * self.root_depth {
            return Ok(0);
        }
        let deepens = self.deepens(terms, mv);
        if deepens > 0 {
            return Ok(deepens);
        }
        let excluded = self.frame(ply).excluded;
        if let (true, true, Some(entry)) = (self.techniques.singular_extension, mv == table, known) {
            let score = from_table(entry.score, ply);
            if depth >= SINGULAR_DEPTH
                && excluded == Move::NONE
                && matches!(entry.bound, Bound::Lower | Bound::Exact)
                && entry.depth as i32 >= depth - 3
                && score.abs() < LONGEST_MATE
            {
                let below = score - self.parameters.singular_margin(depth);
                self.frame(ply).excluded = mv;
                let begin = self.moves.len();
                let other = self.search::<false>(below - 1, below, (depth - 1) / 2, ply, cut);
                self.moves.truncate(begin);
                self.frame(ply).excluded = Move::NONE;
                if self.aborted {
                    return Ok(0);
                }
                if other < below {
                    return Ok(1 + (!PV && other < below - self.parameters.singular_double) as i32);
                }
                if other >= beta && other.abs() < LONGEST_MATE {
                    return Err(other);
                }
                return Ok(if score >= beta || cut { -1 } else { 0 });
            }
        }
        let pays = self.techniques.check_extension && PV && checks && depth <= CHECK_EXTENSION_DEPTH;
        let pays = pays && (ply as i32) < self.root_depth;
        Ok((pays && self.position().exchange_reaches(mv, 0, &PIECE_VALUES)) as i32)
    }

    /// The reduction of a move by its place in the order, in parts of [`ONE_PLY`].
    fn base_reduction(&self, depth: i32, count: i32, improving: bool) -> i32 {
        if !self.techniques.late_move_reductions {
            return 0;
        }
        let p = &self.parameters;
        p.reduction_base + p.late_move_reduction(depth, count) + if improving { 0 } else { p.reduction_not_improving }
    }
}
