//! The threads on one tree: pipelined game-position parallelisation (P-GPP; Yokoyama, Kaneko and Tanaka, 2015; with
//! Boltzmann's probabilities instead of ranks: Hara, Igarashi, Morioka and Yamamoto, 2016).
//!
//! A lock protects the tree while a leaf is chosen and while a result is backed up. Between these, quiescence of all
//! children of a leaf takes some hundred times as long. In softmax search each thread has its own node by realization
//! probability and marks the leaf that it expands. In Monte-Carlo search the marks on a thread's path divert the others
//! (virtual loss; Chaslot, Winands and van den Herik, 2008).

use super::{
    arena::{Arena, Node},
    monte_carlo::centipawns,
    softmax::Softmax,
    Method,
};
use crate::search::{
    board::SearchBoard,
    root::time_is_up,
    score::{MATE, PERPETUAL},
    searcher::SearchReport,
    time::{SearchLimits, SearchStability},
    tree::{Tree, MAX_PLY},
};
use hayasashi_shogi::rules::Move;
use std::{
    cmp::Ordering,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Longest line in the tree.
const LONGEST_LINE: usize = MAX_PLY - 16;
/// How often a thread without a leaf looks for one.
const IDLE_POLL: Duration = Duration::from_millis(5);

/// What to do at the end of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafAction {
    /// Add the children of the leaf.
    Expand,
    /// Evaluate the leaf.
    Evaluate,
}

/// A line from the root, and what to do at its end.
pub struct LeafTask {
    pub line: Vec<Move>,
    pub task: LeafAction,
}

/// The result of a task.
pub struct LeafResult {
    /// Children of the leaf, best first; none if it has no move.
    pub children: Vec<Node>,
    /// Monte-Carlo search: the evaluation of the first child, or of the leaf.
    pub evaluated: Option<Node>,
    /// Whether the task was completed before the search ended.
    pub complete: bool,
}

/// Whether there is a leaf to expand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafAvailability {
    /// There is one.
    Available,
    /// Not now: the other threads are working on all leaves.
    Busy,
    /// None within the limits.
    Exhausted,
}

/// The tree, and the leaves of the threads.
pub(super) struct SharedTree {
    pub arena: Arena,
    pub root: u32,
    pub method: Method,
    pub softmax: Softmax,
    /// Completed thresholds, or doublings of the visits.
    pub completed: u32,
    pub last: u32,
    /// The leaf that each thread is working on.
    in_progress: Vec<Option<u32>>,
    /// The arena is full.
    full: bool,
    /// Whether the root lacks some of its children.
    pub partial: bool,
}

impl SharedTree {
    pub fn new(arena: Arena, root: u32, method: Method, assigned: Vec<Option<u32>>, last: u32) -> SharedTree {
        let temperature = if let Method::Softmax(temperature) = method { temperature } else { 1.0 };
        let in_progress = vec![None; assigned.len()];
        let softmax = Softmax { temperature, assigned };
        SharedTree { arena, root, method, softmax, completed: 0, last, in_progress, full: false, partial: false }
    }

    /// Updates `completed`, and returns whether there is a leaf to expand.
    pub fn availability(&mut self) -> LeafAvailability {
        let root = self.arena.node(self.root);
        if self.full || root.settled().is_some() {
            return LeafAvailability::Exhausted;
        }
        let ready = match self.method {
            _ if root.is_leaf() && root.pending > 0 => LeafAvailability::Busy,
            Method::Softmax(_) => self.softmax.availability(&self.arena, self.root, &mut self.completed, self.last),
            Method::MonteCarlo => {
                self.completed = root.visits.max(1).ilog2();
                if self.completed < self.last {
                    LeafAvailability::Available
                } else {
                    LeafAvailability::Exhausted
                }
            }
        };
        let alone = self.in_progress.iter().all(Option::is_none);
        if ready == LeafAvailability::Busy && alone {
            LeafAvailability::Exhausted
        } else {
            ready
        }
    }

    /// The next task of a thread; `None` if the tree needed no evaluation.
    pub fn next_task(&mut self, worker: usize) -> Option<LeafTask> {
        let (leaf, task) = match self.method {
            Method::Softmax(_) => {
                let leaf = self.softmax.take_leaf(&mut self.arena, self.root, worker, self.completed)?;
                (leaf, Some(LeafAction::Expand))
            }
            Method::MonteCarlo => self.arena.descend(self.root),
        };
        let line = self.arena.line(self.root, leaf);
        let too_long = line.len() > LONGEST_LINE;
        match (self.method, task) {
            (Method::Softmax(_), Some(task)) if !too_long => {
                self.in_progress[worker] = Some(leaf);
                Some(LeafTask { line, task })
            }
            (Method::Softmax(_), _) => {
                self.softmax.close(&mut self.arena, self.root, leaf);
                None
            }
            (Method::MonteCarlo, Some(task)) if !too_long => {
                self.in_progress[worker] = Some(leaf);
                Some(LeafTask { line, task })
            }
            // The known value of the leaf counts again.
            (Method::MonteCarlo, _) => {
                let value = self.arena.node(leaf).value;
                self.arena.unmark(leaf, self.root);
                self.arena.count_visit(leaf, value, self.root);
                None
            }
        }
    }

    /// Applies the result of a thread's task to the tree.
    pub fn apply(&mut self, worker: usize, result: LeafResult) {
        let Some(leaf) = self.in_progress[worker] else { return };
        let expanded = result.evaluated.is_none() || !result.children.is_empty();
        // A search that is stopped at once still has a move.
        let usable =
            result.complete || leaf == self.root && self.arena.node(leaf).is_leaf() && !result.children.is_empty();
        self.partial |= usable && !result.complete;
        // In Monte-Carlo search two threads may have expanded the same leaf.
        let wanted = usable && expanded && self.arena.node(leaf).is_leaf();
        if wanted && result.children.is_empty() {
            self.arena.node_mut(leaf).settle(-MATE);
        } else if wanted && !self.insert(worker, &result.children) {
            self.full = true;
        }
        let leaf = self.in_progress[worker].take().expect("a leaf in progress is kept");
        match self.method {
            Method::Softmax(_) if !usable || self.full => self.softmax.release(&mut self.arena, self.root, leaf),
            Method::Softmax(_) => self.softmax.finish_leaf(&mut self.arena, self.root, leaf),
            Method::MonteCarlo => {
                self.arena.unmark(leaf, self.root);
                if result.complete {
                    self.back_up_visit(leaf, expanded, result.evaluated);
                }
            }
        }
    }

    /// Backs up a visit of Monte-Carlo search.
    fn back_up_visit(&mut self, leaf: u32, expanded: bool, evaluated: Option<Node>) {
        let first = self.arena.children(leaf).next();
        let (at, value) = match (evaluated, expanded, first) {
            (Some(evaluated), true, Some(child)) => (child, self.arena.apply_evaluation(child, &evaluated)),
            (Some(evaluated), false, _) => (leaf, self.arena.apply_evaluation(leaf, &evaluated)),
            // Without a move the leaf is lost; without room its value stays.
            _ => (leaf, if self.arena.node(leaf).is_lost() { 0.0 } else { self.arena.node(leaf).value }),
        };
        self.arena.count_visit(at, value, self.root);
    }

    /// Adds the children of a thread's leaf. If there is no room, removes the nodes that are not below the root, then
    /// those that are improbable or seldom visited.
    fn insert(&mut self, worker: usize, children: &[Node]) -> bool {
        let leaf = |held: &[Option<u32>]| held[worker].expect("a leaf in progress is kept");
        if self.arena.insert(leaf(&self.in_progress), children) {
            return true;
        }
        let mut held: Vec<Option<u32>> = self.in_progress.iter().chain(&self.softmax.assigned).copied().collect();
        let root = std::mem::take(&mut self.root);
        self.arena.retain(root, |_| true, &mut held);
        let method = self.method;
        let worth = |arena: &Arena, at: u32, before: f32| match (arena.parent(at), method) {
            (None, _) => f32::INFINITY,
            (_, Method::Softmax(_)) => arena.node(at).share * before.min(1.0),
            (_, Method::MonteCarlo) => before.min(arena.node(at).visits as f32),
        };
        let room = self.arena.len() + children.len() <= self.arena.capacity() / 2;
        let room = room || self.arena.recycle(worth, &mut held);
        let workers = self.in_progress.len();
        self.in_progress.copy_from_slice(&held[..workers]);
        self.softmax.assigned.copy_from_slice(&held[workers..]);
        room && self.arena.insert(leaf(&self.in_progress), children)
    }

    /// The score of a child for the mover of its parent: centipawns, or a mate.
    fn score(&self, child: u32) -> i32 {
        let node = self.arena.node(child);
        match (node.settled(), self.method) {
            (Some(score), _) => super::arena::backed(score),
            (None, Method::Softmax(_)) => -node.value.round() as i32,
            (None, Method::MonteCarlo) => centipawns(1.0 - node.value).round() as i32,
        }
    }

    /// The rank of a child as the move to play, greater first: by value in softmax search, by visits in Monte-Carlo
    /// search.
    fn rank(&self, child: u32) -> (i32, u32, f32, f32, Move) {
        let node = self.arena.node(child);
        let score = self.score(child);
        let decided = score.abs() >= PERPETUAL;
        match self.method {
            Method::Softmax(_) => (score, 0, -node.value, node.share, node.mv),
            Method::MonteCarlo if decided => (score, node.visits, 0.0, node.share, node.mv),
            Method::MonteCarlo => (0, node.visits, -node.value, node.share, node.mv),
        }
    }

    /// The children of a node, best first.
    fn ranked(&self, at: u32) -> Vec<u32> {
        let mut children: Vec<u32> = self.arena.children(at).collect();
        children.sort_by(|&a, &b| self.compare(b, a));
        children
    }

    fn compare(&self, a: u32, b: u32) -> Ordering {
        self.rank(a).partial_cmp(&self.rank(b)).unwrap_or(Ordering::Equal)
    }

    fn is_visited(&self, at: u32) -> bool {
        self.arena.node(at).visits > 0
    }

    /// The best lines from the root with their scores, at most `count`.
    pub fn lines(&self, count: usize) -> Vec<(i32, Vec<Move>)> {
        let line = |&first: &u32| {
            let next = |&at: &u32| {
                let looked_at = |&child: &u32| matches!(self.method, Method::Softmax(_)) || self.is_visited(child);
                self.arena.children(at).filter(looked_at).max_by(|&a, &b| self.compare(a, b))
            };
            let line = std::iter::successors(Some(first), next).map(|at| self.arena.node(at).mv).collect();
            (self.score(first), line)
        };
        self.ranked(self.root).iter().take(count).map(line).collect()
    }
}

/// The state that the threads share.
pub(super) struct WorkerPool<'a> {
    pub shared_tree: Mutex<SharedTree>,
    pub changed: Condvar,
    pub limits: &'a SearchLimits,
    pub only: &'a [Move],
}

impl WorkerPool<'_> {
    fn lock(&self) -> MutexGuard<'_, SharedTree> {
        self.shared_tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches until a limit is reached. The first thread reports the progress, and all threads end with it.
    pub fn run<B: SearchBoard>(&self, tree: &mut Tree<B>, worker: usize, mut progress: Option<&mut ProgressReporter>) {
        let mut shared_tree = self.lock();
        loop {
            let ready = shared_tree.availability();
            let has_move = !shared_tree.arena.node(shared_tree.root).is_leaf();
            let enough = progress.as_mut().is_some_and(|progress| progress.report(tree, &shared_tree, self.limits));
            let over = (has_move || worker > 0) && tree.must_end_now();
            if over || enough || ready == LeafAvailability::Exhausted {
                return;
            }
            if ready == LeafAvailability::Busy {
                let waited = self.changed.wait_timeout(shared_tree, IDLE_POLL);
                shared_tree = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            let Some(task) = shared_tree.next_task(worker) else {
                tree.nodes += 1;
                continue;
            };
            let method = shared_tree.method;
            drop(shared_tree);
            let result = tree.process_leaf(&task, method, self.only);
            shared_tree = self.lock();
            shared_tree.apply(worker, result);
            self.changed.notify_all();
            if tree.aborted {
                return;
            }
        }
    }
}

/// The reports of the first thread, and its control of the time.
pub(super) struct ProgressReporter<'a> {
    on_report: &'a mut dyn FnMut(&SearchReport),
    stability: SearchStability,
    reported: (u32, u32),
    visits_at_update: u32,
}

impl<'a> ProgressReporter<'a> {
    pub fn new(on_report: &'a mut dyn FnMut(&SearchReport)) -> ProgressReporter<'a> {
        ProgressReporter { on_report, stability: SearchStability::default(), reported: (0, 0), visits_at_update: 0 }
    }

    /// Reports each new step. Returns whether the time for the move is up, for which an iteration is a doubling of the
    /// tree.
    fn report<B: SearchBoard>(&mut self, tree: &Tree<B>, shared_tree: &SharedTree, limits: &SearchLimits) -> bool {
        let root = shared_tree.arena.node(shared_tree.root);
        if root.is_leaf() {
            return false;
        }
        let visits = root.visits;
        if shared_tree.completed > self.reported.0 && visits > self.reported.1 {
            self.reported = (shared_tree.completed, visits);
            for report in reports(tree, shared_tree) {
                (self.on_report)(&report);
            }
        }
        if visits >= 2 * self.visits_at_update.max(1) {
            self.visits_at_update = visits;
            let (score, line) = shared_tree.lines(1).swap_remove(0);
            self.stability.update(line[0], score);
        }
        let forced = shared_tree.arena.children(shared_tree.root).len() == 1;
        let elapsed = tree.shared.control.elapsed();
        !limits.infinite && time_is_up(tree.shared, limits, forced, elapsed, &self.stability)
    }
}

/// A report for each line; none if there is no move.
pub(super) fn reports<B: SearchBoard>(tree: &Tree<B>, shared_tree: &SharedTree) -> Vec<SearchReport> {
    let shared = tree.shared;
    let report = |(at, (score, pv)): (usize, (i32, Vec<Move>))| SearchReport {
        depth: shared_tree.completed,
        selective_depth: tree.selective_depth as u32,
        score,
        nodes: tree.all_nodes(),
        nodes_by_ply: Vec::new(),
        elapsed: shared.control.elapsed(),
        pv,
        hash_permille: shared_tree.arena.permille(),
        line: at + 1,
    };
    shared_tree.lines(shared.settings.lines).into_iter().enumerate().map(report).collect()
}
