//! The tree below the root: principal variation search (Marsland, 1983; negamax, fail-soft) and quiescence.
//!
//! Pruning: transposition table, reverse futility and futility near the
//! leaves, null move, late move reductions. Every decision
//! depends on moves, scores and node counts alone, never on time or on the back end.

use super::{
    control::Control,
    order::{gain, pick, Order, Scored, VALUE},
    path::{Path, Repeated},
    score::{from_table, to_table, DRAW, INFINITE, LONGEST_MATE, MATE, PERPETUAL},
    source::Source,
    time::Budget,
    transposition::{Bound, Transposition},
    view,
};
use crate::{
    accel::AccelError,
    rules::{Declaration, DeclarationRule, Move},
};
use hayasashi_spec::{
    moves::{Move16, MoveRecord, FLAG_CAPTURE, FLAG_CHECK, FLAG_PROMOTE},
    piece::{BISHOP, PAWN, ROOK},
};

/// The deepest ply, quiescence included.
pub const MAX_PLY: usize = 127;
/// Plies of quiescence after which only captures on the square of the last move are searched.
const RECAPTURES_ONLY: i32 = -4;
/// Plies of quiescence in which quiet evasions of checks are searched.
const EVASIONS: i32 = -6;

/// The state of one search.
pub(super) struct Tree<'a> {
    pub pos: Path,
    pub source: &'a mut Source,
    pub table: &'a mut Transposition,
    pub order: &'a mut Order,
    pub control: &'a Control,
    pub budget: Option<Budget>,
    pub rule: Option<DeclarationRule>,
    pub node_limit: u64,
    pub nodes: u64,
    pub selective_depth: usize,
    pub root_depth: i32,
    pub failure: Option<AccelError>,
    pub aborted: bool,
    /// Principal variations by ply.
    pub pv: Vec<Vec<Move16>>,
    /// Moves of all nodes on the path.
    pub moves: Vec<Scored>,
}

impl Tree<'_> {
    /// Whether the search must end; once true it stays so.
    fn must_end(&mut self) -> bool {
        if self.aborted {
            return true;
        }
        // A clock is read seldom where nodes are fast.
        let look = !self.source.is_direct() || self.nodes & 127 == 0;
        let late = || match (&self.budget, self.control.clock()) {
            (Some(budget), Some(clock)) => clock >= budget.hard,
            _ => false,
        };
        self.aborted = self.nodes >= self.node_limit || self.control.is_stopped() || look && late();
        self.aborted
    }

    /// Takes the error of a back end: the search ends with what it has.
    pub fn fail(&mut self, error: AccelError) {
        self.failure.get_or_insert(error);
        self.aborted = true;
    }

    /// Side to move as an index.
    pub fn side(&self) -> usize {
        self.pos.side_to_move().index()
    }

    /// Makes a move; counts the node.
    pub fn make(&mut self, record: MoveRecord) {
        let mv = view::to_move(record.mv, self.pos.side_to_move());
        self.pos.do_move_with_check(mv, record.flags & FLAG_CHECK != 0);
        self.nodes += 1;
    }

    /// Appends the legal moves of the position to `self.moves`, unranked; where they begin, or `None` on failure.
    pub fn generate(&mut self) -> Option<usize> {
        let begin = self.moves.len();
        match self.source.generate(&self.pos, &mut self.moves) {
            Ok(()) => Some(begin),
            Err(e) => {
                self.fail(e);
                None
            }
        }
    }

    fn evaluate(&mut self) -> i32 {
        match self.source.evaluate(&self.pos) {
            Ok(score) => score,
            Err(e) => {
                self.fail(e);
                0
            }
        }
    }

    /// Before the child `index` of the moves from `begin` on: lets a link fetch scores of the next ones together.
    pub fn look_ahead(&mut self, begin: usize, index: usize) {
        if !self.source.is_direct() {
            let Tree { source, pos, moves, .. } = self;
            if let Err(e) = source.look_ahead(pos, &moves[begin..], index) {
                self.fail(e);
            }
        }
    }

    /// Score of the end of the game at this node, if it has ended by repetition.
    fn repetition(&self) -> Option<i32> {
        Some(match self.pos.repeated()? {
            Repeated::Draw => DRAW,
            Repeated::Win => PERPETUAL,
            Repeated::Loss => -PERPETUAL,
        })
    }

    fn update_pv(&mut self, ply: usize, mv: Move16) {
        let (here, below) = self.pv.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(mv);
        here[ply].extend_from_slice(&below[0]);
    }

    /// What every node does first; its score where that settles it.
    fn enter(&mut self, ply: usize) -> Option<i32> {
        self.pv[ply].clear();
        self.selective_depth = self.selective_depth.max(ply);
        if self.must_end() {
            return Some(0);
        }
        if let Some(score) = self.repetition() {
            return Some(score);
        }
        (ply >= MAX_PLY).then(|| self.evaluate())
    }

    /// Score of the position for its mover within (`alpha`, `beta`).
    ///
    /// `in_check` is what the move that led here said of it. `pv` says that the window is open.
    pub fn search(&mut self, mut alpha: i32, mut beta: i32, depth: i32, ply: usize, in_check: bool) -> i32 {
        let open = beta - alpha > 1;
        if depth <= 0 {
            return self.quiescence(alpha, beta, 0, ply, in_check, None);
        }
        if let Some(score) = self.enter(ply) {
            return score;
        }
        if self.rule.is_some_and(|rule| self.pos.declaration(rule) == Declaration::Win) {
            return MATE - ply as i32;
        }
        // No mate from here can be shorter than one already found.
        alpha = alpha.max(-MATE + ply as i32);
        beta = beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        let key = self.pos.key();
        let known = self.table.get(key);
        if let (Some(entry), false) = (known, open) {
            let score = from_table(entry.score, ply);
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if enough && entry.depth as i32 >= depth {
                return score;
            }
        }
        let table_move = known.and_then(|e| e.best);
        let prunes = !open && !in_check && beta.abs() < LONGEST_MATE;
        let shallow = prunes && depth <= 3;
        let eval = if prunes { self.evaluate() } else { 0 };
        if self.aborted {
            return 0;
        }
        if shallow && eval - 150 * depth >= beta {
            return eval;
        }
        if prunes && !shallow && eval >= beta && self.pos.last_move() != Some(Move::NONE) {
            // Null move: if even passing keeps the score, some move will.
            self.pos.pass();
            self.nodes += 1;
            let score = -self.search(-beta, -beta + 1, depth - 3 - depth / 4, ply + 1, false);
            self.pos.undo_move();
            if self.aborted {
                return 0;
            }
            if score >= beta {
                return score.min(LONGEST_MATE);
            }
        }
        let Some(begin) = self.generate() else { return 0 };
        let score = self.search_moves(begin, (alpha, beta), depth, ply, in_check, table_move, shallow.then_some(eval));
        self.moves.truncate(begin);
        if self.aborted {
            return 0;
        }
        let (score, best) = score;
        let bound = match score {
            s if s >= beta => Bound::Lower,
            s if s > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        self.table.put(key, depth.min(127) as i8, to_table(score, ply), bound, best);
        score
    }

    #[allow(clippy::too_many_arguments)]
    fn search_moves(
        &mut self,
        begin: usize,
        window: (i32, i32),
        depth: i32,
        ply: usize,
        in_check: bool,
        table_move: Option<Move16>,
        eval: Option<i32>,
    ) -> (i32, Option<Move16>) {
        let (mut alpha, beta) = window;
        let open = beta - alpha > 1;
        let side = self.side();
        for scored in &mut self.moves[begin..] {
            scored.rank = self.order.rank(scored.record, table_move, ply, side);
        }
        let mut best = -MATE + ply as i32;
        let mut best_move = None;
        let mut quiets: Vec<Move16> = Vec::new();
        let extension = (in_check && (ply as i32) < 2 * self.root_depth) as i32;
        let end = self.moves.len();
        for at in begin..end {
            pick(&mut self.moves[at..]);
            let record = self.moves[at].record;
            let checks = record.flags & FLAG_CHECK != 0;
            let quiet = record.flags & FLAG_CAPTURE == 0 && !is_big_promotion(record);
            if let (Some(eval), true) = (eval, quiet && !checks && best > -LONGEST_MATE) {
                let futile = eval + 120 + 180 * depth;
                if futile <= alpha || quiets.len() as i32 > 8 + 6 * depth * depth {
                    best = best.max(futile.min(alpha));
                    continue;
                }
            }
            self.look_ahead(begin, at - begin);
            let new_depth = depth - 1 + extension;
            let reduction = if depth >= 3 && quiet && !checks && !in_check && at > begin + 2 {
                let late = (at - begin + 1).ilog2() as i32;
                (late * (depth.ilog2() as i32 + 1) / 3 - open as i32).clamp(0, new_depth - 1)
            } else {
                0
            };
            self.make(record);
            let score = if at == begin {
                -self.search(-beta, -alpha, new_depth, ply + 1, checks)
            } else {
                let mut score = -self.search(-alpha - 1, -alpha, new_depth - reduction, ply + 1, checks);
                if score > alpha && reduction > 0 {
                    score = -self.search(-alpha - 1, -alpha, new_depth, ply + 1, checks);
                }
                if score > alpha && score < beta {
                    score = -self.search(-beta, -alpha, new_depth, ply + 1, checks);
                }
                score
            };
            self.pos.undo_move();
            if self.aborted {
                return (0, None);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(record.mv);
                    alpha = score;
                    if open {
                        self.update_pv(ply, record.mv);
                    }
                    if score >= beta {
                        if quiet {
                            self.order.reward(record.mv, &quiets, depth, ply, side);
                        }
                        break;
                    }
                }
            }
            if quiet {
                quiets.push(record.mv);
            }
        }
        (best, best_move)
    }

    /// Score after the captures, promotions and evasions that make the position quiet.
    ///
    /// `last` is the destination of the move that led here, in this mover's view.
    fn quiescence(
        &mut self,
        mut alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        in_check: bool,
        last: Option<u8>,
    ) -> i32 {
        let open = beta - alpha > 1;
        if let Some(score) = self.enter(ply) {
            return score;
        }
        let mut best = -INFINITE;
        let mut stand = 0;
        if in_check {
            best = -MATE + ply as i32;
        }
        if !in_check || depth < EVASIONS {
            stand = self.evaluate();
            if self.aborted {
                return 0;
            }
            // Deep down quiet evasions are left out, so that the score of standing still takes their place.
            best = stand;
            if !in_check {
                if best >= beta {
                    return best;
                }
                alpha = alpha.max(best);
            }
        }
        let Some(begin) = self.generate() else { return 0 };
        if self.moves.len() == begin {
            return -MATE + ply as i32;
        }
        let keep = |record: MoveRecord| {
            if in_check {
                return depth >= EVASIONS || record.flags & FLAG_CAPTURE != 0;
            }
            let forcing = record.flags & FLAG_CAPTURE != 0 || is_big_promotion(record);
            let near = depth > RECAPTURES_ONLY || last == Some(record.mv.to());
            // A capture that cannot bring the score up to alpha is left out, unless it gives check.
            let hopeful = stand + gain(record) + 200 > alpha || record.flags & FLAG_CHECK != 0;
            forcing && near && hopeful
        };
        let mut kept = begin;
        for at in begin..self.moves.len() {
            let record = self.moves[at].record;
            if keep(record) {
                let rank = self.order.quiescence_rank(record, None);
                self.moves[kept] = Scored { rank, record };
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        for at in begin..kept {
            pick(&mut self.moves[at..]);
            let record = self.moves[at].record;
            // Taking a defended piece with a dearer one late in quiescence seldom pays.
            if !in_check
                && depth < -1
                && gain(record) < VALUE[record.moved() as usize] / 2
                && last != Some(record.mv.to())
            {
                continue;
            }
            self.look_ahead(begin, at - begin);
            let checks = record.flags & FLAG_CHECK != 0;
            self.make(record);
            let score = -self.quiescence(-beta, -alpha, depth - 1, ply + 1, checks, Some(80 - record.mv.to()));
            self.pos.undo_move();
            if self.aborted {
                self.moves.truncate(begin);
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    if open {
                        self.update_pv(ply, record.mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.moves.truncate(begin);
        best
    }
}

/// Whether a pawn, bishop or rook promotes: such a move changes the balance like a capture.
fn is_big_promotion(record: MoveRecord) -> bool {
    record.flags & FLAG_PROMOTE != 0 && matches!(record.moved(), PAWN | BISHOP | ROOK)
}
