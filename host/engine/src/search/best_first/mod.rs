//! Best-first searches: a tree in memory that grows at its most promising leaf and is kept from move to move.
//!
//! * [`arena`]: the tree in memory; `leaf`: expands and evaluates its leaves
//! * [`boltzmann`]: Boltzmann's distribution, identical on every machine
//! * `softmax`: values are expectations, and leaves are chosen by realization probability
//! * `monte_carlo`: values are means of the visits, and leaves are chosen by upper confidence bounds
//! * [`workers`]: the threads on one tree
//!
//! Leaves are evaluated by quiescence search, with the same back ends and the same rules of repetition, declaration and
//! draws as alpha-beta. The mate search at the root is also the same. The tree takes three quarters of the memory for
//! hashing, and the transposition table of quiescence the rest.
//!
//! Depth is the number of completed thresholds (softmax: lines are expanded down to a probability p; θ = −log₂ p in
//! tenths) or of doublings of the visits (Monte Carlo). `docs/best-first.md` has measurements.

pub mod arena;
pub mod boltzmann;
mod leaf;
mod monte_carlo;
pub mod softmax;
mod workers;

pub use workers::LeafAvailability;

use super::{
    board::SearchBoard,
    game_path::GamePath,
    history::MoveHistory,
    realization::Algorithm,
    score::{Draw, MATE},
    searcher::SearchReport,
    settings::SearchSettings,
    techniques::Techniques,
    time::SearchLimits,
    tree::{Finished, Shared, Tree},
};
use arena::Arena;
use hayasashi_shogi::rules::{Color, DeclarationRule, Move, Position};
use std::sync::{Condvar, Mutex, PoisonError};
use workers::{reports, ProgressReporter, SharedTree, WorkerPool};

/// The search, with the temperature of softmax in centipawns.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Method {
    Softmax(f64),
    MonteCarlo,
}

impl Method {
    fn of(shared: &Shared) -> Method {
        match shared.settings.algorithm {
            Algorithm::MonteCarlo => Method::MonteCarlo,
            _ => Method::Softmax(shared.settings.temperature as f64),
        }
    }
}

/// What the values of a tree depend on apart from its positions.
#[derive(Clone, PartialEq, Debug)]
struct TreeSettings {
    method: Method,
    techniques: Techniques,
    declaration: Option<DeclarationRule>,
    draw: Draw,
    /// The side whose value of a draw it is, if the value is not 0.
    draw_for: Option<Color>,
}

/// The tree, which is kept from one search to the next.
pub struct BestFirst {
    bytes: usize,
    arena: Option<Arena>,
    /// The position of the arena's first node with the game before it, and the settings of the tree.
    path: Option<(GamePath, TreeSettings)>,
    /// The nodes assigned to the threads.
    assigned: Vec<Option<u32>>,
    /// The last search ended before it had evaluated each move at the root.
    partial: bool,
}

impl BestFirst {
    /// For trees of at most three quarters of this memory; the table has the rest. No memory is allocated before the
    /// first search.
    pub fn new(hash_mebibytes: usize) -> BestFirst {
        BestFirst {
            bytes: (hash_mebibytes << 20) / 4 * 3,
            arena: None,
            path: None,
            assigned: Vec::new(),
            partial: false,
        }
    }

    /// Drops the tree.
    pub fn clear(&mut self) {
        self.path = None;
    }

    /// The tree of the last search, if there is one.
    pub fn arena(&self) -> Option<&Arena> {
        self.arena.as_ref().filter(|_| self.path.is_some())
    }

    /// Whether the last search ended before it had evaluated each move at the root.
    pub(super) fn is_partial(&self) -> bool {
        self.partial
    }

    /// The arena with a root for `pos`: the kept tree if it contains the position, or an empty one. While pondering,
    /// the rest of the tree stays, because the opponent may play another move.
    fn enter(&mut self, pos: &GamePath, settings: TreeSettings, ponders: bool) -> (Arena, u32) {
        let mut arena = self.arena.take().unwrap_or_else(|| Arena::new(self.bytes));
        let known = self.path.take().filter(|(_, before)| *before == settings);
        let known = known.and_then(|(path, _)| Some((below(&arena, &path, pos)?, path)));
        let Some((root, path)) = known else {
            arena.clear();
            self.assigned.iter_mut().for_each(|at| *at = None);
            self.path = Some((pos.clone(), settings));
            return (arena, 0);
        };
        let (root, path) = match ponders {
            true => (root, path),
            false => {
                arena.retain(root, |_| true, &mut self.assigned);
                (0, pos.clone())
            }
        };
        if arena.node(root).is_leaf() {
            // A repetition that ends the game within a line does not end it at the root.
            arena.node_mut(root).reopen();
        }
        self.path = Some((path, settings));
        (arena, root)
    }

    /// Searches from the boards' position, one thread on each. Returns the last report, without nodes and time.
    pub(super) fn search<B: SearchBoard + Send>(
        &mut self,
        pos: &GamePath,
        boards: Vec<B>,
        history: &mut [MoveHistory],
        (limits, only): (&SearchLimits, &[Move]),
        shared: &Shared,
        on_report: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        let method = Method::of(shared);
        let draw_for = (shared.settings.draw.value != 0).then(|| pos.side_to_move());
        let settings = {
            let SearchSettings { techniques, declaration, draw, .. } = *shared.settings;
            TreeSettings { method, techniques, declaration, draw, draw_for }
        };
        if !only.is_empty() {
            self.clear();
        }
        let (arena, root) = self.enter(pos, settings, shared.control.clock().is_none());
        self.assigned.resize(shared.settings.threads, None);
        let last = limits.depth.unwrap_or(u32::MAX).max(1);
        let shared_tree = SharedTree::new(arena, root, method, std::mem::take(&mut self.assigned), last);
        let pool = WorkerPool { shared_tree: Mutex::new(shared_tree), changed: Condvar::new(), limits, only };
        let mut boards = boards.into_iter().zip(history);
        let (board, history) = boards.next().expect("there is at least one thread");
        let mut first = Tree::new(board, shared, history);
        std::thread::scope(|scope| {
            for (index, (board, history)) in boards.enumerate() {
                let builder = std::thread::Builder::new().stack_size(16 << 20);
                let pool = &pool;
                let run = move || {
                    let mut tree = Tree::new(board, shared, history);
                    pool.run(&mut tree, index + 1, None);
                    tree.publish_nodes();
                };
                // If the system refuses to start a thread, the search continues without it.
                let _ = builder.spawn_scoped(scope, run);
            }
            let finished = Finished(&shared.finished);
            pool.run(&mut first, 0, Some(&mut ProgressReporter::new(on_report)));
            drop(finished);
            pool.changed.notify_all();
        });
        first.publish_nodes();
        let shared_tree = pool.shared_tree.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Without a move the game is lost.
        let lost = SearchReport { score: -MATE, line: 1, ..SearchReport::default() };
        let report = reports(&first, &shared_tree).into_iter().next().unwrap_or(lost);
        if shared_tree.root == 0 && root != 0 {
            // The arena was full, and the rest of the tree was dropped.
            self.path = self.path.take().map(|(_, settings)| (pos.clone(), settings));
        }
        self.partial = shared_tree.partial;
        if shared_tree.partial || !only.is_empty() {
            self.clear();
        }
        (self.arena, self.assigned) = (Some(shared_tree.arena), shared_tree.softmax.assigned);
        report
    }
}

/// The node of a position below the first node, if the game went there by moves of the tree.
fn below(arena: &Arena, first: &GamePath, pos: &GamePath) -> Option<u32> {
    let moves: Vec<Move> = pos.moves().collect();
    let before = first.moves().count();
    let played = moves.get(before..)?;
    let mut back = pos.clone();
    played.iter().for_each(|_| back.undo_move());
    let same = |a: &Position, b: &Position| a == b;
    let goes_on = same(back.position(), first.position()) && back.moves().eq(first.moves());
    let step = |at: u32, &mv: &Move| arena.child(at, mv);
    goes_on.then(|| played.iter().try_fold(0, step)).flatten()
}
