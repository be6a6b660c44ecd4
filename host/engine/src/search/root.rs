//! The root's moves, iteration by iteration, on one thread.

use super::{
    board::SearchBoard,
    move_order::Ranked,
    parameters::{late_move_reduction, ONE_PLY},
    realization::{Algorithm, SiblingState},
    score::{INFINITE, LONGEST_MATE, MATE},
    searcher::SearchReport,
    time::{SearchLimits, SearchStability, TimeControl},
    transposition::{Bound, Entry},
    tree::{Shared, Tree, MAX_PLY, NO_EVAL},
};
use crate::statistics::logarithm::HALVING;
use crate::PIECE_VALUES;
use hayasashi_accel::AccelError;
use hayasashi_shogi::rules::{Move, MoveList, Stage};
use std::{sync::atomic::Ordering::Relaxed, time::Duration};

/// Half the width of the first aspiration window, in centipawns.
const WINDOW: i32 = 30;
/// Iterations without aspiration.
const OPEN_ITERATIONS: u32 = 4;

/// A thread at the root.
pub(super) struct RootSearch<'a, B> {
    tree: Tree<'a, B>,
    only: &'a [Move],
    /// The moves of the lines first, best first; then the others.
    moves: Vec<RootMove>,
    stability: SearchStability,
}

/// A move at the root.
#[derive(Clone)]
struct RootMove {
    /// Its score when it was last the best of its line.
    score: i32,
    /// The move and the line that was found behind it.
    pv: Vec<Move>,
}

/// What a thread found.
pub(super) struct ThreadResult {
    /// `pv` is empty only where there is no move.
    pub report: SearchReport,
    pub failure: Option<AccelError>,
}

impl<'a, B: SearchBoard> RootSearch<'a, B> {
    /// `only` limits the moves (empty: all).
    pub fn new(tree: Tree<'a, B>, only: &'a [Move]) -> RootSearch<'a, B> {
        RootSearch { tree, only, moves: Vec::new(), stability: SearchStability::default() }
    }

    /// Generates and orders the moves.
    fn begin(&mut self) {
        let tree = &mut self.tree;
        let ranked = tree.ranked(self.only);
        if tree.aborted {
            return;
        }
        self.moves = ranked.into_iter().map(|r| RootMove { score: -MATE, pv: vec![r.mv()] }).collect();
        let eval = if tree.position().in_check() { NO_EVAL } else { tree.evaluate() };
        tree.frame(0).eval = eval;
    }

    /// How many lines are looked for.
    fn lines(&self) -> usize {
        self.tree.shared.settings.lines.min(self.moves.len())
    }

    /// One iteration of a line, whose move is to be the best from there on, with an aspiration window around the score
    /// before. The score is `None` when the iteration was broken off before its first move was done.
    fn iteration(&mut self, depth: i32, line: usize, before: i32) -> Option<i32> {
        let narrow = self.tree.techniques.aspiration && depth > OPEN_ITERATIONS as i32 && before.abs() < LONGEST_MATE;
        let mut width = WINDOW;
        let (mut alpha, mut beta) = if narrow { (before - width, before + width) } else { (-INFINITE, INFINITE) };
        loop {
            let score = self.search(alpha, beta, depth, line);
            if self.tree.aborted {
                return score;
            }
            let found = score.expect("an iteration that was not broken off has a score");
            width *= 3;
            if found <= alpha {
                beta = (alpha + beta) / 2;
                alpha = if width > 1000 { -INFINITE } else { (found - width).max(-INFINITE) };
            } else if found >= beta {
                beta = if width > 1000 { INFINITE } else { (found + width).min(INFINITE) };
            } else {
                return score;
            }
        }
    }

    fn search(&mut self, mut alpha: i32, beta: i32, depth: i32, line: usize) -> Option<i32> {
        let RootSearch { tree, moves, .. } = self;
        // Those of the lines before are out of the question.
        let moves = &mut moves[line..];
        let first_alpha = alpha;
        let mut best: Option<i32> = None;
        let mut children = SiblingState::new(alpha, beta, depth * HALVING, moves[0].pv[0]);
        for at in 0..moves.len() {
            let mv = moves[at].pv[0];
            let rest: Vec<Ranked> = moves[at..].iter().map(|m| Ranked::new(0, m.pv[0])).collect();
            if let Err(error) = tree.board.look_ahead(&rest, at) {
                tree.fail(error);
                return best;
            }
            let checks = tree.position().gives_check(mv);
            let forcing = tree.position().is_forcing(mv);
            let realizes = tree.shared.settings.algorithm == Algorithm::Realization;
            let cost = realizes.then(|| tree.child_cost(&children, &tree.context(), mv).0);
            tree.make(0, mv, checks);
            let score = if let Some(cost) = cost {
                children.alpha = alpha;
                tree.realize_child::<true>(&mut children, cost, 1)
            } else if at == 0 {
                -tree.search::<true>(-beta, -alpha, depth - 1, 1, false)
            } else {
                let late = tree.techniques.late_move_reductions && depth >= 3 && at > 3 && !checks && !forcing;
                let reduction = if late { late_move_reduction(depth, at as i32) / ONE_PLY - 1 } else { 0 };
                let reduced = (depth - 1 - reduction).clamp(1.min(depth - 1), depth - 1);
                let mut score = -tree.search::<false>(-alpha - 1, -alpha, reduced, 1, true);
                if score > alpha && reduced < depth - 1 {
                    score = -tree.search::<false>(-alpha - 1, -alpha, depth - 1, 1, true);
                }
                if score > alpha && score < beta {
                    score = -tree.search::<true>(-beta, -alpha, depth - 1, 1, false);
                }
                score
            };
            tree.board.unmake();
            if tree.aborted {
                return best;
            }
            if best.is_none_or(|b| score > b) {
                best = Some(score);
                if score > alpha {
                    alpha = score;
                    let found = &mut moves[at];
                    found.score = score;
                    found.pv.truncate(1);
                    found.pv.extend_from_slice(&tree.pv[1]);
                    moves[..=at].rotate_right(1);
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        if let Some(score) = best.filter(|s| line == 0 && s.abs() < LONGEST_MATE) {
            let bound = match score {
                s if s >= beta => Bound::Lower,
                s if s > first_alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            let best = if bound == Bound::Upper { Move::NONE } else { moves[0].pv[0] };
            let eval = tree.frame(0).eval;
            let eval = (eval != NO_EVAL).then_some(eval as i16);
            let entry = Entry { best, score: score as i16, eval, depth: depth as i8, bound, open: true };
            tree.shared.table.put(tree.board.path().key(), entry);
        }
        best
    }
}

impl<B: SearchBoard> Tree<'_, B> {
    /// The moves in the order in which they are looked at where nothing else is known; `only` limits them (empty: all).
    pub(super) fn ranked(&mut self, only: &[Move]) -> Vec<Ranked> {
        let mut list = MoveList::new();
        if let Err(error) = self.board.moves(Stage::All, &mut list) {
            self.fail(error);
            return Vec::new();
        }
        let pos = self.board.path().position();
        let known = self.shared.table.get(pos.key()).map(|e| e.best);
        let side = pos.side_to_move();
        let rank = |mv: Move| {
            let exchange = if pos.is_forcing(mv) { 1 << 20 } else { 0 } + 4 * pos.gain(mv, &PIECE_VALUES);
            let safe = if pos.exchange_reaches(mv, 0, &PIECE_VALUES) { 1 << 24 } else { 0 };
            let table = if Some(mv) == known { 1 << 28 } else { 0 };
            table + safe + exchange + self.history.quiet(side, mv)
        };
        let wanted = list.iter().filter(|&&mv| only.is_empty() || only.contains(&mv));
        let mut ranked: Vec<Ranked> = wanted.map(|&mv| Ranked::new(rank(mv), mv)).collect();
        ranked.sort_unstable_by_key(|&ranked| std::cmp::Reverse(ranked));
        ranked
    }
}

/// Iteration after iteration, until the limits. `index` is that of the thread; threads but the first leave out some
/// iterations each, so that they are not all at the same.
pub(super) fn deepen<B: SearchBoard>(
    thread: &mut RootSearch<B>,
    limits: &SearchLimits,
    index: usize,
    tell: &mut dyn FnMut(&SearchReport),
) -> ThreadResult {
    thread.begin();
    // Without a move the game is lost; before the first iteration nothing is known but the static evaluation.
    let mut report = SearchReport { score: -MATE, line: 1, ..SearchReport::default() };
    if let Some(first) = thread.moves.first() {
        let eval = thread.tree.frame(0).eval;
        (report.score, report.pv) = (if eval == NO_EVAL { 0 } else { eval }, first.pv.clone());
    }
    let lines = thread.lines();
    let last = limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 8);
    for depth in 1..=last {
        if thread.moves.is_empty() || thread.tree.aborted {
            break;
        }
        if index > 0 && depth > 3 && depth < last && (depth as usize + index).is_multiple_of(3) {
            continue;
        }
        thread.tree.root_depth = depth as i32;
        let score = thread.iteration(depth as i32, 0, report.score);
        for line in 1..lines {
            if !thread.tree.aborted {
                thread.iteration(depth as i32, line, thread.moves[line].score);
            }
        }
        let tree = &thread.tree;
        if !tree.aborted {
            report.depth = depth;
        }
        if lines == 1 {
            report.score = score.unwrap_or(report.score);
            report.pv.clone_from(&thread.moves[0].pv);
        } else if !tree.aborted {
            // Which of several lines is the best, only a whole iteration tells.
            thread.moves[..lines].sort_by_key(|m| std::cmp::Reverse(m.score));
            report.score = thread.moves[0].score;
            report.pv.clone_from(&thread.moves[0].pv);
        }
        report.selective_depth = tree.selective_depth as u32;
        report.nodes = tree.all_nodes();
        report.elapsed = tree.shared.control.elapsed();
        report.hash_permille = tree.shared.table.permille();
        if tree.aborted {
            break;
        }
        tell(&report);
        for (line, other) in thread.moves[..lines].iter().enumerate().skip(1) {
            tell(&SearchReport { line: line + 1, score: other.score, pv: other.pv.clone(), ..report.clone() });
        }
        thread.stability.update(report.pv[0], report.score);
        if !limits.infinite && is_enough(&report, limits, thread) {
            break;
        }
    }
    thread.tree.publish_nodes();
    let plies = thread.tree.nodes_by_ply.iter().rposition(|&nodes| nodes > 0).map_or(0, |last| last + 1);
    report.nodes_by_ply = thread.tree.nodes_by_ply[..plies].to_vec();
    ThreadResult { report, failure: thread.tree.failure.take() }
}

/// Whether another iteration is not worth its time.
fn is_enough<B: SearchBoard>(report: &SearchReport, limits: &SearchLimits, thread: &RootSearch<B>) -> bool {
    let shared = thread.tree.shared;
    if shared.settings.lines == 1
        && report.score.abs() > LONGEST_MATE
        && MATE - report.score.abs() <= report.depth as i32
    {
        return true;
    }
    let forced = thread.moves.len() == 1;
    time_is_up(shared, limits, forced, report.elapsed, &thread.stability)
}

/// Whether another iteration would take more time than is wanted for the move; `forced` says that it is the only one.
pub(super) fn time_is_up(
    shared: &Shared,
    limits: &SearchLimits,
    forced: bool,
    elapsed: Duration,
    stability: &SearchStability,
) -> bool {
    let (Some(budget), Some(time)) = (shared.budget, limits.time) else { return false };
    let forced = forced && matches!(time, TimeControl::Clock(_));
    match shared.control.clock() {
        Some(clock) => forced || budget.is_spent(clock, stability),
        None => {
            // When the expected move is played, no more need be thought.
            let enough = forced || !budget.is_whole() && budget.is_spent(elapsed, stability);
            shared.enough.store(enough, Relaxed);
            false
        }
    }
}
