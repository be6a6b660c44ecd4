//! Threads on one tree: pipelined game-position parallelisation (P-GPP; Yokoyama, Kaneko and Tanaka, 2015; with Boltzmann's
//! probabilities instead of ranks: Hara, Igarashi, Morioka and Yamamoto, 2016).
//!
//! The tree is behind a lock that is held while a leaf is chosen and while what was found is backed up. The work between,
//! quiescence of all children of a leaf, takes some hundred times as long. In softmax search each thread has a node of
//! its own by realization probability, and the leaf that it is at work on is marked; in Monte-Carlo search
//! the marks on a thread's path keep the others off it (virtual loss; Chaslot, Winands and van den Herik, 2008).

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

/// Longest line in the tree; quiescence goes on from there.
const LONGEST_LINE: usize = MAX_PLY - 16;
/// A thread without work looks up so often.
const IDLE_POLL: Duration = Duration::from_millis(5);

/// What a thread does at the end of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafAction {
    /// Give the leaf children.
    Expand,
    /// Judge the leaf itself.
    Evaluate,
}

/// A line from the root and what to do at its end.
pub struct LeafTask {
    pub line: Vec<Move>,
    pub task: LeafAction,
}

/// What came of a task.
pub struct LeafResult {
    /// Children of the leaf, best first; none where it has no move.
    pub children: Vec<Node>,
    /// In Monte-Carlo search the judgement of the first child, or of the leaf.
    pub evaluated: Option<Node>,
    /// The search was not broken off before the end.
    pub complete: bool,
}

/// Whether there is a leaf to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafAvailability {
    Go,
    /// None now: the others are at work on all.
    Wait,
    /// None that a limit lets through.
    Done,
}

/// The tree and who is where.
pub(super) struct SharedTree {
    pub arena: Arena,
    pub root: u32,
    pub method: Method,
    pub softmax: Softmax,
    /// Thresholds, or doublings of the visits, that are done.
    pub completed: u32,
    pub last: u32,
    /// The leaf that each thread is at work on.
    flying: Vec<Option<u32>>,
    /// There is no room to go on.
    full: bool,
    /// The root has not all of its children.
    pub partial: bool,
}

impl SharedTree {
    pub fn new(arena: Arena, root: u32, method: Method, assigned: Vec<Option<u32>>, last: u32) -> SharedTree {
        let temperature = if let Method::Softmax(temperature) = method { temperature } else { 1.0 };
        let flying = vec![None; assigned.len()];
        let softmax = Softmax { temperature, assigned };
        SharedTree { arena, root, method, softmax, completed: 0, last, flying, full: false, partial: false }
    }

    /// Brings `completed` up to date: whether there is something to do.
    pub fn ready(&mut self) -> LeafAvailability {
        let root = self.arena.node(self.root);
        if self.full || root.settled().is_some() {
            return LeafAvailability::Done;
        }
        let ready = match self.method {
            _ if root.is_leaf() && root.pending > 0 => LeafAvailability::Wait,
            Method::Softmax(_) => self.softmax.ready(&self.arena, self.root, &mut self.completed, self.last),
            Method::MonteCarlo => {
                self.completed = root.visits.max(1).ilog2();
                if self.completed < self.last {
                    LeafAvailability::Go
                } else {
                    LeafAvailability::Done
                }
            }
        };
        let alone = self.flying.iter().all(Option::is_none);
        if ready == LeafAvailability::Wait && alone {
            LeafAvailability::Done
        } else {
            ready
        }
    }

    /// A task for a thread; `None` where the tree alone told what there was to know.
    pub fn take(&mut self, worker: usize) -> Option<LeafTask> {
        let (leaf, task) = match self.method {
            Method::Softmax(_) => {
                let leaf = self.softmax.take(&mut self.arena, self.root, worker, self.completed)?;
                (leaf, Some(LeafAction::Expand))
            }
            Method::MonteCarlo => self.arena.descend(self.root),
        };
        let line = self.arena.line(self.root, leaf);
        let too_long = line.len() > LONGEST_LINE;
        match (self.method, task) {
            (Method::Softmax(_), Some(task)) if !too_long => {
                self.flying[worker] = Some(leaf);
                Some(LeafTask { line, task })
            }
            (Method::Softmax(_), _) => {
                self.softmax.close(&mut self.arena, self.root, leaf);
                None
            }
            (Method::MonteCarlo, Some(task)) if !too_long => {
                self.flying[worker] = Some(leaf);
                Some(LeafTask { line, task })
            }
            // What is known of the leaf is known again.
            (Method::MonteCarlo, _) => {
                let value = self.arena.node(leaf).value;
                self.arena.unmark(leaf, self.root);
                self.arena.count_visit(leaf, value, self.root);
                None
            }
        }
    }

    /// Takes what came of a thread's task.
    pub fn give(&mut self, worker: usize, work: LeafResult) {
        let Some(leaf) = self.flying[worker] else { return };
        let expanded = work.evaluated.is_none() || !work.children.is_empty();
        // A search that was stopped at once has a move all the same.
        let usable = work.complete || leaf == self.root && self.arena.node(leaf).is_leaf() && !work.children.is_empty();
        self.partial |= usable && !work.complete;
        // In Monte-Carlo search two threads may have expanded the same leaf.
        let wanted = usable && expanded && self.arena.node(leaf).is_leaf();
        if wanted && work.children.is_empty() {
            self.arena.node_mut(leaf).settle(-MATE);
        } else if wanted && !self.insert(worker, &work.children) {
            self.full = true;
        }
        let leaf = self.flying[worker].take().expect("leaves at work are held");
        match self.method {
            Method::Softmax(_) if !usable || self.full => self.softmax.release(&mut self.arena, self.root, leaf),
            Method::Softmax(_) => self.softmax.give(&mut self.arena, self.root, leaf),
            Method::MonteCarlo => {
                self.arena.unmark(leaf, self.root);
                if work.complete {
                    self.back_up_visit(leaf, expanded, work.evaluated);
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
            // Without a move it is lost; without room it is worth what it was.
            _ => (leaf, if self.arena.node(leaf).is_lost() { 0.0 } else { self.arena.node(leaf).value }),
        };
        self.arena.count_visit(at, value, self.root);
    }

    /// Gives a thread's leaf its children. Where there is no room, first what is not below the root goes, then what is
    /// improbable, or seldom visited.
    fn insert(&mut self, worker: usize, children: &[Node]) -> bool {
        let leaf = |held: &[Option<u32>]| held[worker].expect("leaves at work are held");
        if self.arena.insert(leaf(&self.flying), children) {
            return true;
        }
        let mut held: Vec<Option<u32>> = self.flying.iter().chain(&self.softmax.assigned).copied().collect();
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
        let workers = self.flying.len();
        self.flying.copy_from_slice(&held[..workers]);
        self.softmax.assigned.copy_from_slice(&held[workers..]);
        room && self.arena.insert(leaf(&self.flying), children)
    }

    /// What a child of a node is worth to the mover before it: in centipawns, or as a mate.
    fn score(&self, child: u32) -> i32 {
        let node = self.arena.node(child);
        match (node.settled(), self.method) {
            (Some(score), _) => super::arena::backed(score),
            (None, Method::Softmax(_)) => -node.value.round() as i32,
            (None, Method::MonteCarlo) => centipawns(1.0 - node.value).round() as i32,
        }
    }

    /// The rank of a child: what was played, greater first. In softmax search by value; in Monte-Carlo search by visits.
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

    /// The best lines from the root with their scores, as many as wanted and as there are.
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

/// What the threads share.
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

    /// Works until the limits. The first thread tells what is found, and when it ends all do.
    pub fn work<B: SearchBoard>(&self, tree: &mut Tree<B>, worker: usize, mut lead: Option<&mut ProgressReporter>) {
        let mut shared_tree = self.lock();
        loop {
            let ready = shared_tree.ready();
            let has_move = !shared_tree.arena.node(shared_tree.root).is_leaf();
            let enough = lead.as_mut().is_some_and(|lead| lead.look(tree, &shared_tree, self.limits));
            let over = (has_move || worker > 0) && tree.must_end_now();
            if over || enough || ready == LeafAvailability::Done {
                return;
            }
            if ready == LeafAvailability::Wait {
                let waited = self.changed.wait_timeout(shared_tree, IDLE_POLL);
                shared_tree = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            let Some(task) = shared_tree.take(worker) else {
                tree.nodes += 1;
                continue;
            };
            let method = shared_tree.method;
            drop(shared_tree);
            let work = tree.process_leaf(&task, method, self.only);
            shared_tree = self.lock();
            shared_tree.give(worker, work);
            self.changed.notify_all();
            if tree.aborted {
                return;
            }
        }
    }
}

/// What the first thread does besides.
pub(super) struct ProgressReporter<'a> {
    tell: &'a mut dyn FnMut(&SearchReport),
    stability: SearchStability,
    told: (u32, u32),
    heard: u32,
}

impl<'a> ProgressReporter<'a> {
    pub fn new(tell: &'a mut dyn FnMut(&SearchReport)) -> ProgressReporter<'a> {
        ProgressReporter { tell, stability: SearchStability::default(), told: (0, 0), heard: 0 }
    }

    /// Tells of each step that brought something. Whether the time for the move is up: for that an iteration is a
    /// doubling of the tree.
    fn look<B: SearchBoard>(&mut self, tree: &Tree<B>, shared_tree: &SharedTree, limits: &SearchLimits) -> bool {
        let root = shared_tree.arena.node(shared_tree.root);
        if root.is_leaf() {
            return false;
        }
        let visits = root.visits;
        if shared_tree.completed > self.told.0 && visits > self.told.1 {
            self.told = (shared_tree.completed, visits);
            for report in reports(tree, shared_tree) {
                (self.tell)(&report);
            }
        }
        if visits >= 2 * self.heard.max(1) {
            self.heard = visits;
            let (score, line) = shared_tree.lines(1).swap_remove(0);
            self.stability.update(line[0], score);
        }
        let forced = shared_tree.arena.children(shared_tree.root).len() == 1;
        let elapsed = tree.shared.control.elapsed();
        !limits.infinite && time_is_up(tree.shared, limits, forced, elapsed, &self.stability)
    }
}

/// What is known, line by line. None where there is no move.
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
