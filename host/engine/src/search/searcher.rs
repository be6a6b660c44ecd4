//! Iterative deepening at the root, on one thread or several.
//!
//! Several threads search the same root and share nothing but the transposition table (lazy SMP): what one of them finds
//! orders and cuts the others' trees.

use super::{
    accumulator::Weights,
    best_first::{arena::Arena, BestFirst},
    board::{LinkedBoard, NativeBoard, SearchBoard},
    game_path::GamePath,
    history::MoveHistory,
    move_source::MoveSource,
    realization::Algorithm,
    root::{deepen, RootSearch},
    root_mate::RootMate,
    score::{UsiScore, MATE},
    settings::SearchSettings,
    time::SearchLimits,
    transposition::Transposition,
    tree::{Shared, Tree},
};
use crate::{statistics::MoveTable, Control};
use hayasashi_accel::AccelError;
use hayasashi_shogi::rules::{Declaration, Move};
use std::{
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
        Arc,
    },
    time::Duration,
};

/// A search that can be asked again and again; it keeps what it history about positions and moves.
pub struct Searcher {
    source: MoveSource,
    /// Sources of the other threads.
    siblings: Vec<MoveSource>,
    /// The evaluation of the engine's own rules, where they take the place of the software model.
    weights: Option<Arc<Weights>>,
    table: Transposition,
    history: Vec<MoveHistory>,
    mates: RootMate,
    /// How the last position was searched.
    searched: Algorithm,
    /// Mebibytes of the table; best-first searches share them with it.
    hash_mebibytes: usize,
    best_first: BestFirst,
    /// How positions are searched.
    pub settings: SearchSettings,
    /// Probabilities of moves, for realization-probability and Monte-Carlo search, and for reductions.
    pub moves: Arc<MoveTable>,
}

/// What a search knows after an iteration, or at its end.
#[derive(Clone, Debug, Default)]
pub struct SearchReport {
    /// Plies of the last iteration that was completed.
    pub depth: u32,
    /// Deepest ply reached, quiescence included.
    pub selective_depth: u32,
    /// Score for the mover, see [`super::score`].
    pub score: i32,
    /// Moves made so far.
    pub nodes: u64,
    /// At the end of a search: the first thread's nodes of the tree, by plies from the root (none at 0). Empty where no tree
    /// was searched, or a best-first one.
    pub nodes_by_ply: Vec<u64>,
    /// Time since the search began.
    pub elapsed: Duration,
    /// The best line.
    pub pv: Vec<Move>,
    /// Part of the transposition table in use, in thousandths.
    pub hash_permille: usize,
    /// Which of the lines asked for this is, 1 for the best.
    pub line: usize,
}

impl SearchReport {
    /// The score as it is told.
    pub fn usi_score(&self) -> UsiScore {
        UsiScore::of(self.score)
    }

    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-6)) as u64
    }
}

/// What the searcher would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Play this move and expect the other as the answer.
    Move(Move, Option<Move>),
    /// Declare a win by entering king.
    Declare,
    /// Resign: no legal move, or none of those asked for.
    Resign,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchOutcome {
    /// What to do.
    pub decision: Decision,
    /// What is known; `pv` is empty unless a move is chosen.
    pub report: SearchReport,
    /// The back end failed; the rest is what was known by then.
    pub failure: Option<AccelError>,
}

impl Searcher {
    /// A searcher that asks `move_source`, with a transposition table of so many mebibytes.
    pub fn new(source: MoveSource, hash_mebibytes: usize) -> Searcher {
        let weights = source.table().filter(|_| source.is_direct()).map(|t| Arc::new(Weights::new(t.clone())));
        Searcher {
            source,
            siblings: Vec::new(),
            weights,
            table: Transposition::new(hash_mebibytes),
            hash_mebibytes,
            best_first: BestFirst::new(hash_mebibytes),
            history: Vec::new(),
            mates: RootMate::default(),
            settings: SearchSettings::default(),
            moves: MoveTable::built_in(),
            searched: Algorithm::default(),
        }
    }

    /// Forgets everything history: the next search is as the first one.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history.iter_mut().for_each(MoveHistory::clear);
        self.best_first.clear();
    }

    /// The tree of a best-first search, if one is kept.
    pub fn arena(&self) -> Option<&Arena> {
        self.best_first.arena()
    }

    /// Where moves and scores come from.
    pub fn source(&mut self) -> &mut MoveSource {
        &mut self.source
    }

    /// Searches a position. `only` limits the moves at the root (empty: all); `tell` hears of each line of each
    /// iteration, in order.
    ///
    /// Under limits of depth and nodes alone, on one thread, and from the same state of the searcher, the result is the
    /// same on every back end and in every run.
    pub fn search(
        &mut self,
        pos: &GamePath,
        limits: &SearchLimits,
        only: &[Move],
        control: &Control,
        tell: &mut dyn FnMut(&SearchReport),
    ) -> SearchOutcome {
        let settings = self.settings.at_least_one();
        let declares = |rule| pos.declaration(rule) == Declaration::Win;
        if only.is_empty() && settings.declaration.is_some_and(declares) {
            let report = SearchReport { score: MATE, line: 1, ..SearchReport::default() };
            return SearchOutcome { decision: Decision::Declare, report, failure: None };
        }
        // Depths of the table are plies of the one and halvings of the other.
        let before = std::mem::replace(&mut self.searched, settings.algorithm);
        if before != settings.algorithm {
            self.clear();
        }
        let shares = settings.algorithm.is_best_first();
        if before.is_best_first() != shares {
            self.best_first = BestFirst::new(self.hash_mebibytes);
            self.table = Transposition::new(self.hash_mebibytes / if shares { 4 } else { 1 });
        }
        let budget = limits.time.map(|t| t.budget(settings.network_delay));
        let mut spent = 0;
        if settings.techniques.root_mate && only.is_empty() && settings.lines == 1 {
            let (mate, nodes) = self.mates.search(pos, limits, budget, settings.draw.after, control);
            spent = nodes;
            if let Some(outcome) = mate {
                return outcome;
            }
        }
        let threads = settings.threads;
        self.history.resize_with(threads, MoveHistory::default);
        self.history.iter_mut().for_each(MoveHistory::age);
        while self.siblings.len() + 1 < threads {
            self.siblings.push(self.source.sibling());
        }
        self.table.age();
        let shared = Shared {
            table: &self.table,
            control,
            budget,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            settings: &settings,
            nodes: AtomicU64::new(spent),
            finished: AtomicBool::new(false),
            enough: AtomicBool::new(false),
            moves: &self.moves,
        };
        let root = SearchRequest { pos, limits, only, shared: &shared };
        match &self.weights {
            Some(weights) => {
                let boards = (0..threads).map(|_| NativeBoard::new(pos.clone(), weights.clone()));
                root.run(boards.collect(), &mut self.history, &mut self.best_first, tell)
            }
            None => {
                let sources = std::iter::once(&mut self.source).chain(&mut self.siblings).take(threads);
                let boards = sources.map(|source| LinkedBoard::new(pos.clone(), source));
                root.run(boards.collect(), &mut self.history, &mut self.best_first, tell)
            }
        }
    }
}

/// What the threads are asked.
struct SearchRequest<'a> {
    pos: &'a GamePath,
    limits: &'a SearchLimits,
    only: &'a [Move],
    shared: &'a Shared<'a>,
}

impl SearchRequest<'_> {
    /// Runs a thread on each board.
    fn run<B: SearchBoard + Send>(
        &self,
        boards: Vec<B>,
        history: &mut [MoveHistory],
        best_first: &mut BestFirst,
        tell: &mut dyn FnMut(&SearchReport),
    ) -> SearchOutcome {
        let SearchRequest { pos, limits, only, shared } = self;
        let (mut report, failure) = match shared.settings.algorithm.is_best_first() {
            true => best_first.search(pos, boards, history, (limits, only), shared, tell),
            false => self.deepen(boards, history, tell),
        };
        report.nodes = shared.nodes.load(Relaxed);
        report.elapsed = shared.control.elapsed();
        debug_assert!(report.pv.first().is_none_or(|&mv| pos.is_legal(mv)));
        let decision = match report.pv[..] {
            [] => Decision::Resign,
            [mv] => Decision::Move(mv, self.known_answer(mv)),
            [mv, answer, ..] => Decision::Move(mv, Some(answer)),
        };
        SearchOutcome { decision, report, failure }
    }

    /// Iterative deepening.
    fn deepen<B: SearchBoard + Send>(
        &self,
        boards: Vec<B>,
        history: &mut [MoveHistory],
        tell: &mut dyn FnMut(&SearchReport),
    ) -> (SearchReport, Option<AccelError>) {
        let SearchRequest { limits, only, shared, .. } = self;
        let mut boards = boards.into_iter().zip(history);
        let (board, history) = boards.next().expect("there is at least one thread");
        let mut first = RootSearch::new(Tree::new(board, shared, history), only);
        let mut found = std::thread::scope(|scope| {
            let helpers: Vec<_> = boards
                .enumerate()
                .map(|(index, (board, history))| {
                    let builder = std::thread::Builder::new().stack_size(16 << 20);
                    let search = move || {
                        let mut thread = RootSearch::new(Tree::new(board, shared, history), only);
                        deepen(&mut thread, limits, index + 1, &mut |_| {})
                    };
                    builder.spawn_scoped(scope, search)
                })
                .collect();
            let found = deepen(&mut first, limits, 0, tell);
            shared.finished.store(true, Relaxed);
            // A thread that the system would not start is one helper less.
            let helpers = helpers.into_iter().flatten().filter_map(|h| h.join().ok());
            let all: Vec<_> = std::iter::once(found).chain(helpers).collect();
            all
        });
        // The deepest search decides; of equally deep ones the first thread's, unless another found better. Of several
        // lines the first thread's were told.
        let mut best = 0;
        let eligible = if shared.settings.lines == 1 { found.len() } else { 1 };
        for (index, other) in found.iter().enumerate().take(eligible) {
            let chosen = &found[best];
            let deeper = other.report.depth > chosen.report.depth;
            let better = other.report.depth == chosen.report.depth && other.report.score > chosen.report.score;
            if !other.report.pv.is_empty() && (deeper || better) {
                best = index;
            }
        }
        let failure = found[0].failure.take();
        (found.swap_remove(best).report, failure)
    }

    /// The answer to a move by the table: a line that was broken off may end with its first move.
    fn known_answer(&self, mv: Move) -> Option<Move> {
        let mut after = (*self.pos).clone();
        after.do_move(mv);
        let known = self.shared.table.get(after.key())?.best;
        (known != Move::NONE && after.is_legal(known)).then_some(known)
    }
}
