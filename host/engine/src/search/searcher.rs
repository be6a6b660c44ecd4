//! The entry point of the search: iterative deepening at the root, on one thread or several.
//!
//! Several threads search the same root and share only the transposition table (lazy SMP).

use super::{
    accumulator::Weights,
    best_first::{arena::Arena, BestFirst},
    board::{LinkedBoard, NativeBoard, SearchBoard},
    chip_lines::ChipLines,
    game_path::GamePath,
    history::MoveHistory,
    move_source::MoveSource,
    on_chip::{ChipSearch, SearchSize},
    patience::Patience,
    realization::Algorithm,
    root::{deepen, RootSearch},
    root_mate::RootMate,
    score::{UsiScore, MATE},
    settings::SearchSettings,
    time::SearchLimits,
    transposition::Transposition,
    tree::{Finished, Shared, Tree},
};
use crate::{statistics::MoveTable, Control};
use hayasashi_accel::AccelError;
use hayasashi_shogi::rules::{Declaration, Move};
use std::{
    cell::Cell,
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
        Arc,
    },
    time::Duration,
};

/// A searcher, for any number of searches; it keeps the transposition table and the move history.
pub struct Searcher {
    source: MoveSource,
    /// The sources of the other threads.
    siblings: Vec<MoveSource>,
    /// The weights for the engine's own rules.
    weights: Arc<Weights>,
    table: Transposition,
    history: Vec<MoveHistory>,
    mates: RootMate,
    /// The algorithm of the previous search.
    searched: Algorithm,
    /// Whether the chip's table is of this game.
    chip_has_table: bool,
    /// Mebibytes for the table; a best-first search divides them between the table and its tree.
    hash_mebibytes: usize,
    best_first: BestFirst,
    /// How positions are searched.
    pub settings: SearchSettings,
    /// Probabilities of moves, for realization-probability and Monte-Carlo search, and for reductions.
    pub moves: Arc<MoveTable>,
}

/// The result of an iteration, or of the whole search.
#[derive(Clone, Debug, Default)]
pub struct SearchReport {
    /// Depth of the last completed iteration.
    pub depth: u32,
    /// Deepest ply reached, including quiescence.
    pub selective_depth: u32,
    /// Score for the mover, see [`super::score`].
    pub score: i32,
    /// Moves made so far.
    pub nodes: u64,
    /// At the end of a tree search: the first thread's nodes by ply (0 at ply 0). Empty after other searches.
    pub nodes_by_ply: Vec<u64>,
    /// Time since the search started.
    pub elapsed: Duration,
    /// The best line.
    pub pv: Vec<Move>,
    /// Share of the transposition table in use, in thousandths.
    pub hash_permille: usize,
    /// The number of this line, from 1 for the best.
    pub line: usize,
}

impl SearchReport {
    /// The score as USI reports it.
    pub fn usi_score(&self) -> UsiScore {
        UsiScore::of(self.score)
    }

    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-6)) as u64
    }
}

/// What to do in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Play the first move; the second is the expected reply.
    Move(Move, Option<Move>),
    /// Declare a win by the entering-king rule.
    Declare,
    /// Resign: there is no legal move, or none of those allowed at the root.
    Resign,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchOutcome {
    /// What to do.
    pub decision: Decision,
    /// The last report; `pv` is empty unless the decision is a move.
    pub report: SearchReport,
    /// The first error of a back end that failed during the search. The model answered in its place.
    pub failure: Option<AccelError>,
}

impl Searcher {
    /// A searcher with this source of moves and a transposition table of this size. It evaluates as the source does, with the network
    /// that corrects the source's scores if there is one.
    pub fn new(source: MoveSource, hash_mebibytes: usize) -> Searcher {
        let weights = Arc::new(Weights::new(source.table().clone()));
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
            chip_has_table: false,
        }
    }

    /// Resets the table, also that of the chip, the move history and the tree.
    pub fn clear(&mut self) {
        self.chip_has_table = false;
        self.table.clear();
        self.history.iter_mut().for_each(MoveHistory::clear);
        self.best_first.clear();
    }

    /// The tree of a best-first search, if there is one.
    pub fn arena(&self) -> Option<&Arena> {
        self.best_first.arena()
    }

    /// The source of moves and scores.
    pub fn source(&mut self) -> &mut MoveSource {
        &mut self.source
    }

    /// Searches a position. `only` restricts the moves at the root (empty: all). `on_report` is called with each line
    /// of each iteration, in order.
    ///
    /// Under limits of depth and nodes alone, on one thread, and from the same state of the searcher, the result is the
    /// same on every back end and in every run.
    pub fn search(
        &mut self,
        pos: &GamePath,
        limits: &SearchLimits,
        only: &[Move],
        control: &Control,
        on_report: &mut dyn FnMut(&SearchReport),
    ) -> SearchOutcome {
        let settings = self.settings.at_least_one();
        let declares = |rule| pos.declaration(rule) == Declaration::Win;
        if only.is_empty() && settings.declaration.is_some_and(declares) {
            let report = SearchReport { score: MATE, line: 1, ..SearchReport::default() };
            return SearchOutcome { decision: Decision::Declare, report, failure: None };
        }
        // The depths of the two algorithms in the table have different units.
        let before = std::mem::replace(&mut self.searched, settings.algorithm);
        if before != settings.algorithm {
            self.clear();
        }
        let shares = settings.algorithm.is_best_first();
        if before.is_best_first() != shares {
            self.best_first = BestFirst::new(self.hash_mebibytes);
            self.table = Transposition::new(self.hash_mebibytes / if shares { 4 } else { 1 });
        }
        let budget = limits.time.map(|time| settings.budget(time));
        let mut spent = 0;
        if only.is_empty() && settings.lines == 1 {
            let (mate, nodes) = self.mates.search(pos, limits, budget, &settings, control);
            spent = nodes;
            if let Some(outcome) = mate {
                return outcome;
            }
        }
        let mut failure = None;
        if settings.algorithm == Algorithm::Chip {
            let search = ChipSearch {
                chip: self.source.searcher(),
                pos,
                limits,
                budget,
                control,
                draw: settings.draw.value,
                spent,
                size: SearchSize {
                    table_bits: settings.chip_table_bits,
                    steps: settings.chip_steps,
                    techniques: settings.chip_techniques,
                    keeps_table: settings.chip_keeps_table,
                },
                has_table: Cell::new(std::mem::replace(&mut self.chip_has_table, true)),
            };
            let (report, failed) = match only.is_empty() && settings.lines == 1 {
                true => search.run(on_report),
                // The request cannot leave out moves, and has one line.
                false => ChipLines { search, only, lines: settings.lines, enough: Cell::new(false) }.run(on_report),
            };
            let limited = limits.nodes.is_some_and(|limit| report.nodes >= limit);
            let searched = report.depth > 0 || limited || settings.chip_steps > 0 && failed.is_none();
            if let ([mv, rest @ ..], true) = (&report.pv[..], searched) {
                let decision = Decision::Move(*mv, rest.first().copied());
                return SearchOutcome { decision, report, failure: failed };
            }
            failure = failed;
        }
        let threads = settings.threads;
        self.history.resize_with(threads, MoveHistory::default);
        self.history.iter_mut().for_each(MoveHistory::age);
        while self.siblings.len() + 1 < threads {
            self.siblings.push(self.source.sibling());
        }
        self.table.age();
        self.table.share_from(control.sharing().map(|sharing| sharing.settings().depth));
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
        let network = self.source.evaluation().network.clone();
        let mut report = match self.source.is_direct() {
            true => {
                let board = |_| NativeBoard::new(pos.clone(), self.weights.clone(), network.clone());
                let boards = (0..threads).map(board);
                root.run(boards.collect(), &mut self.history, &mut self.best_first, on_report)
            }
            false => {
                let sources = std::iter::once(&mut self.source).chain(&mut self.siblings).take(threads);
                let board = |source| LinkedBoard::new(pos.clone(), source, Patience::of(&shared));
                let boards = sources.map(board);
                root.run(boards.collect(), &mut self.history, &mut self.best_first, on_report)
            }
        };
        let out_of_nodes = limits.nodes.is_some_and(|limit| report.nodes >= limit);
        // A best-first search may have proved its result before it completes a step.
        let unsearched = if shares { self.best_first.is_partial() } else { report.depth == 0 };
        if unsearched && !report.pv.is_empty() && !out_of_nodes {
            let board = NativeBoard::new(pos.clone(), self.weights.clone(), network);
            report = root.one_ply(board, &mut self.history[0], report);
        }
        let sources = std::iter::once(&mut self.source).chain(&mut self.siblings);
        let failure = failure.or(sources.filter_map(MoveSource::take_failure).reduce(|first, _| first));
        SearchOutcome { decision: root.decide(&report), report, failure }
    }
}

/// A search that the threads carry out.
struct SearchRequest<'a> {
    pos: &'a GamePath,
    limits: &'a SearchLimits,
    only: &'a [Move],
    shared: &'a Shared<'a>,
}

impl SearchRequest<'_> {
    /// Runs one thread on each board.
    fn run<B: SearchBoard + Send>(
        &self,
        boards: Vec<B>,
        history: &mut [MoveHistory],
        best_first: &mut BestFirst,
        on_report: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        let SearchRequest { pos, limits, only, shared } = self;
        let mut report = match shared.settings.algorithm.is_best_first() {
            true => best_first.search(pos, boards, history, (limits, only), shared, on_report),
            false => self.deepen(boards, history, on_report),
        };
        report.nodes = shared.nodes.load(Relaxed);
        report.elapsed = shared.control.elapsed();
        debug_assert!(report.pv.first().is_none_or(|&mv| pos.is_legal(mv)));
        report
    }

    /// The result of a search of one ply, whatever the time, for a search that has ended before: the engine does not play a
    /// move that it has not searched. `report` is the end of that search.
    fn one_ply(&self, board: NativeBoard, history: &mut MoveHistory, report: SearchReport) -> SearchReport {
        let settings =
            SearchSettings { algorithm: Algorithm::default(), threads: 1, lines: 1, ..self.shared.settings.clone() };
        let (table, control) = (Transposition::new(1), Control::default());
        let shared = Shared {
            table: &table,
            control: &control,
            budget: None,
            node_limit: u64::MAX,
            settings: &settings,
            nodes: AtomicU64::new(report.nodes),
            finished: AtomicBool::new(false),
            enough: AtomicBool::new(false),
            moves: self.shared.moves,
        };
        let limits = SearchLimits { depth: Some(1), ..SearchLimits::default() };
        let mut root = RootSearch::new(Tree::new(board, &shared, history), self.only);
        let searched = deepen(&mut root, &limits, 0, &mut |_| {});
        SearchReport {
            nodes: shared.nodes.load(Relaxed),
            elapsed: self.shared.control.elapsed(),
            hash_permille: report.hash_permille,
            ..searched
        }
    }

    /// What to do after this report.
    fn decide(&self, report: &SearchReport) -> Decision {
        match report.pv[..] {
            [] => Decision::Resign,
            [mv] => Decision::Move(mv, self.known_reply(mv)),
            [mv, reply, ..] => Decision::Move(mv, Some(reply)),
        }
    }

    /// Iterative deepening.
    fn deepen<B: SearchBoard + Send>(
        &self,
        boards: Vec<B>,
        history: &mut [MoveHistory],
        on_report: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        let SearchRequest { limits, only, shared, .. } = self;
        // Engines that share a search are like threads.
        let before = shared.control.sharing().map_or(0, |sharing| sharing.settings().member * boards.len());
        let mut boards = boards.into_iter().zip(history);
        let (board, history) = boards.next().expect("there is at least one thread");
        let mut first = RootSearch::new(Tree::new(board, shared, history), only);
        let mut results = std::thread::scope(|scope| {
            let helpers: Vec<_> = boards
                .enumerate()
                .map(|(index, (board, history))| {
                    let builder = std::thread::Builder::new().stack_size(16 << 20);
                    let search = move || {
                        let mut thread = RootSearch::new(Tree::new(board, shared, history), only);
                        deepen(&mut thread, limits, before + index + 1, &mut |_| {})
                    };
                    builder.spawn_scoped(scope, search)
                })
                .collect();
            let finished = Finished(&shared.finished);
            let results = deepen(&mut first, limits, before, on_report);
            drop(finished);
            // If the system refuses to start a thread, the search continues without it.
            let helpers = helpers.into_iter().flatten().filter_map(|h| h.join().ok());
            let all: Vec<_> = std::iter::once(results).chain(helpers).collect();
            all
        });
        // The deepest result wins; among equally deep ones the first thread's, unless another has a better score. With
        // several lines the result is that of the first thread, which reported them.
        let mut best = 0;
        let eligible = if shared.settings.lines == 1 { results.len() } else { 1 };
        for (index, other) in results.iter().enumerate().take(eligible) {
            let chosen = &results[best];
            let deeper = other.depth > chosen.depth;
            let better = other.depth == chosen.depth && other.score > chosen.score;
            if !other.pv.is_empty() && (deeper || better) {
                best = index;
            }
        }
        results.swap_remove(best)
    }

    /// The reply to a move by the table, for an aborted iteration whose line has only one move.
    fn known_reply(&self, mv: Move) -> Option<Move> {
        let mut after = (*self.pos).clone();
        after.do_move(mv);
        let reply = self.shared.table.get(after.key())?.best;
        (reply != Move::NONE && after.is_legal(reply)).then_some(reply)
    }
}
