//! Iterative deepening over the moves at the root, on one thread.

use super::{
    board::SearchBoard,
    move_order::Ranked,
    parameters::ONE_PLY,
    realization::{Algorithm, SiblingState},
    score::{INFINITE, LONGEST_MATE, MATE},
    searcher::SearchReport,
    time::{SearchLimits, SearchStability, TimeControl},
    transposition::{Bound, Entry},
    tree::{Shared, Tree, MAX_PLY, NO_EVAL},
};
use crate::statistics::logarithm::HALVING;
use crate::PIECE_VALUES;
use hayasashi_shogi::rules::{Move, MoveList, Stage};
use std::{sync::atomic::Ordering::Relaxed, time::Duration};

/// First iterations, which have full windows.
const OPEN_ITERATIONS: u32 = 4;

/// The root of one thread.
pub(super) struct RootSearch<'a, B> {
    tree: Tree<'a, B>,
    only: &'a [Move],
    /// The first moves of the lines, best first, then the other moves.
    moves: Vec<RootMove>,
    stability: SearchStability,
}

/// A move at the root.
#[derive(Clone)]
struct RootMove {
    /// The score when the move was last the best of its line.
    score: i32,
    /// The move and the principal variation after it.
    pv: Vec<Move>,
}

impl<'a, B: SearchBoard> RootSearch<'a, B> {
    /// `only` restricts the moves (empty: all).
    pub fn new(tree: Tree<'a, B>, only: &'a [Move]) -> RootSearch<'a, B> {
        RootSearch { tree, only, moves: Vec::new(), stability: SearchStability::default() }
    }

    /// Generates and orders the moves.
    fn generate(&mut self) {
        let tree = &mut self.tree;
        let ranked = tree.ranked(self.only);
        self.moves = ranked.into_iter().map(|r| RootMove { score: -MATE, pv: vec![r.mv()] }).collect();
        let eval = if tree.position().in_check() { NO_EVAL } else { tree.evaluate() };
        tree.frame(0).eval = eval;
    }

    /// The number of lines.
    fn lines(&self) -> usize {
        self.tree.shared.settings.lines.min(self.moves.len())
    }

    /// One iteration for a line, with an aspiration window around the previous score. `None` if the iteration was
    /// aborted before its first move was completed.
    fn iteration(&mut self, depth: i32, line: usize, previous: i32) -> Option<i32> {
        let narrow = self.tree.techniques.aspiration && depth > OPEN_ITERATIONS as i32 && previous.abs() < LONGEST_MATE;
        let mut width = self.tree.parameters.aspiration_window;
        let (mut alpha, mut beta) = if narrow { (previous - width, previous + width) } else { (-INFINITE, INFINITE) };
        loop {
            let score = self.search(alpha, beta, depth, line);
            if self.tree.aborted {
                return score;
            }
            let found = score.expect("a completed iteration has a score");
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
        // The first moves of the previous lines are excluded.
        let moves = &mut moves[line..];
        let first_alpha = alpha;
        let mut best: Option<i32> = None;
        let mut children = SiblingState::new(alpha, beta, depth * HALVING, moves[0].pv[0]);
        for at in 0..moves.len() {
            let mv = moves[at].pv[0];
            let rest: Vec<Ranked> = moves[at..].iter().map(|m| Ranked::new(0, m.pv[0])).collect();
            tree.board.look_ahead(&rest, at);
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
                let reduction =
                    if late { tree.parameters.late_move_reduction(depth, at as i32) / ONE_PLY - 1 } else { 0 };
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
    /// The moves in the order of a first search; `only` restricts them (empty: all).
    pub(super) fn ranked(&mut self, only: &[Move]) -> Vec<Ranked> {
        let mut list = MoveList::new();
        self.board.moves(Stage::All, &mut list);
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

/// Iterates until a limit is reached; the report's `pv` is empty only if there is no move. `index` is the number of the thread; threads other than the first skip every
/// third iteration, so that they search different depths.
pub(super) fn deepen<B: SearchBoard>(
    thread: &mut RootSearch<B>,
    limits: &SearchLimits,
    index: usize,
    on_report: &mut dyn FnMut(&SearchReport),
) -> SearchReport {
    thread.generate();
    // Without a move the game is lost. Before the first iteration only the static evaluation is known.
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
            // Only a complete iteration orders the lines.
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
        on_report(&report);
        for (line, other) in thread.moves[..lines].iter().enumerate().skip(1) {
            on_report(&SearchReport { line: line + 1, score: other.score, pv: other.pv.clone(), ..report.clone() });
        }
        thread.stability.update(report.pv[0], report.score);
        if !limits.infinite && is_enough(&report, limits, thread) {
            break;
        }
    }
    thread.tree.publish_nodes();
    let plies = thread.tree.nodes_by_ply.iter().rposition(|&nodes| nodes > 0).map_or(0, |last| last + 1);
    report.nodes_by_ply = thread.tree.nodes_by_ply[..plies].to_vec();
    report
}

/// Whether to stop after this iteration.
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

/// Whether the time for the move does not allow another iteration; `forced` says that there is only one move.
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
            // The search may stop as soon as the expected move is played.
            let enough = forced || !budget.is_whole() && budget.is_spent(elapsed, stability);
            shared.enough.store(enough, Relaxed);
            false
        }
    }
}
