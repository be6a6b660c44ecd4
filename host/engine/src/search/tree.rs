//! The state of one thread, and the operations that all nodes share.
//!
//! The decisions of the tree depend only on moves, scores and node counts, never on time or on the back end.

use super::{
    board::SearchBoard,
    game_path::Repeated,
    history::{bonus, MoveHistory, PieceTo, CONTINUATION_PLIES},
    move_order::Ranked,
    parameters::Parameters,
    score::{MATE, PERPETUAL},
    settings::SearchSettings,
    techniques::Techniques,
    time::Budget,
    transposition::Transposition,
};
use crate::{statistics::MoveTable, Control};
use hayasashi_shogi::rules::{Move, Position};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The deepest ply, including quiescence.
pub const MAX_PLY: usize = 127;
/// Nodes between two readings of the clock.
const CLOCK_CHECK_NODES: u64 = 512;
/// Marks a static evaluation that was not computed.
pub(super) const NO_EVAL: i32 = i32::MIN;

/// The state that the threads of a search share.
pub(super) struct Shared<'a> {
    pub table: &'a Transposition,
    pub control: &'a Control,
    pub budget: Option<Budget>,
    pub node_limit: u64,
    pub settings: &'a SearchSettings,
    /// Nodes of the mate search at the root, and those that the threads have published.
    pub nodes: AtomicU64,
    /// The first thread has finished.
    pub finished: AtomicBool,
    /// Pondering has taken enough time: the search may stop as soon as the clock runs.
    pub enough: AtomicBool,
    /// Probabilities of moves.
    pub moves: &'a MoveTable,
}

/// Tells the other threads that the first one has finished when it is dropped, also by a panic.
pub(super) struct Finished<'a>(pub &'a AtomicBool);

impl Drop for Finished<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// The data of one ply of the path.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The move being searched.
    pub placed: PieceTo,
    pub mv: Move,
    /// Static evaluation for the mover.
    pub eval: i32,
    pub in_check: bool,
    pub killers: [Move; 2],
    /// A move that a singular search excludes.
    pub excluded: Move,
    /// Depth that forced moves of the path have saved less what open ones have used, in parts of a ply.
    pub carry: i32,
}

/// Frames before the root.
const FRAMES_BEFORE_ROOT: usize = CONTINUATION_PLIES[CONTINUATION_PLIES.len() - 1];

/// The search of one thread.
pub(super) struct Tree<'a, B> {
    pub board: B,
    pub shared: &'a Shared<'a>,
    pub techniques: Techniques,
    pub parameters: Parameters,
    pub history: &'a mut MoveHistory,
    pub nodes: u64,
    /// The nodes by ply.
    pub nodes_by_ply: [u64; MAX_PLY + 2],
    published_nodes: u64,
    /// Nodes at which entries are exchanged with other engines.
    next_exchange: u64,
    pub selective_depth: usize,
    pub root_depth: i32,
    pub aborted: bool,
    frames: Vec<Frame>,
    /// Principal variations by ply.
    pub pv: Vec<Vec<Move>>,
    /// The moves of all nodes of the path.
    pub moves: Vec<Ranked>,
}

impl<'a, B: SearchBoard> Tree<'a, B> {
    /// A search from the position of the board.
    pub fn new(board: B, shared: &'a Shared<'a>, history: &'a mut MoveHistory) -> Tree<'a, B> {
        let in_check = board.path().in_check();
        let frame = Frame {
            placed: PieceTo::NONE,
            mv: Move::NONE,
            eval: NO_EVAL,
            in_check,
            killers: [Move::NONE; 2],
            excluded: Move::NONE,
            carry: 0,
        };
        Tree {
            board,
            shared,
            techniques: shared.settings.techniques,
            parameters: shared.settings.parameters,
            history,
            nodes: 0,
            nodes_by_ply: [0; MAX_PLY + 2],
            published_nodes: 0,
            next_exchange: shared.control.sharing().map_or(u64::MAX, |sharing| sharing.settings().every),
            selective_depth: 0,
            root_depth: 0,
            aborted: false,
            frames: vec![frame; FRAMES_BEFORE_ROOT + MAX_PLY + 4],
            pv: vec![Vec::new(); MAX_PLY + 3],
            moves: Vec::with_capacity(4096),
        }
    }

    #[inline(always)]
    pub fn position(&self) -> &Position {
        self.board.path().position()
    }

    #[inline(always)]
    pub fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[FRAMES_BEFORE_ROOT + ply]
    }

    /// The piece and destination of the move this many plies before the move at `ply`.
    #[inline(always)]
    pub fn placed_before(&self, ply: usize, plies: usize) -> PieceTo {
        self.frames[FRAMES_BEFORE_ROOT + ply - plies].placed
    }

    /// The static evaluation this many plies earlier.
    #[inline(always)]
    pub fn eval_before(&self, ply: usize, plies: usize) -> i32 {
        match ply >= plies {
            true => self.frames[FRAMES_BEFORE_ROOT + ply - plies].eval,
            false => NO_EVAL,
        }
    }

    /// The nodes of all threads, as far as they are published.
    pub fn all_nodes(&self) -> u64 {
        self.shared.nodes.load(Relaxed) + (self.nodes - self.published_nodes)
    }

    /// Publishes the nodes of this thread.
    pub fn publish_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.published_nodes, Relaxed);
        self.published_nodes = self.nodes;
    }

    /// Whether the search must end. Once true, it stays true.
    #[inline(always)]
    pub fn must_end(&mut self) -> bool {
        if self.aborted {
            return true;
        }
        let shared = self.shared;
        self.aborted = shared.control.is_stopped()
            || shared.settings.threads == 1 && self.all_nodes() >= shared.node_limit
            || (B::HIGH_LATENCY || self.nodes.is_multiple_of(CLOCK_CHECK_NODES)) && self.check_clock();
        self.aborted
    }

    /// [`Tree::must_end`], and reads the clock now.
    pub fn must_end_now(&mut self) -> bool {
        self.aborted = self.must_end() || self.check_clock();
        self.aborted
    }

    /// Reads the clock and the state of the other threads.
    #[cold]
    fn check_clock(&mut self) -> bool {
        let shared = self.shared;
        if let Some(sharing) = shared.control.sharing() {
            while self.nodes >= self.next_exchange {
                sharing.exchange(shared.table);
                self.next_exchange += sharing.settings().every;
            }
        }
        if shared.settings.threads > 1 {
            self.publish_nodes();
            if shared.finished.load(Relaxed) || shared.nodes.load(Relaxed) >= shared.node_limit {
                return true;
            }
        }
        match (&shared.budget, shared.control.clock()) {
            (Some(budget), Some(clock)) => clock >= budget.hard || shared.enough.load(Relaxed),
            _ => false,
        }
    }

    /// Prefetches the table entry of the position after a move.
    #[inline(always)]
    pub fn prefetch(&self, mv: Move) {
        self.shared.table.prefetch(self.position().key_after(mv));
    }

    /// Makes a move at `ply` and counts a node.
    #[inline(always)]
    pub fn make(&mut self, ply: usize, mv: Move, checks: bool) {
        self.follow(ply, mv, checks);
        self.count(ply + 1);
    }

    /// Makes a move at `ply` without counting a node.
    #[inline(always)]
    pub fn follow(&mut self, ply: usize, mv: Move, checks: bool) {
        let placed = PieceTo::of(self.position(), mv);
        let frame = self.frame(ply);
        (frame.placed, frame.mv) = (placed, mv);
        self.board.make(mv, checks);
        self.frame(ply + 1).in_check = checks;
    }

    /// Makes a null move at `ply` and counts a node.
    pub fn pass(&mut self, ply: usize) {
        let frame = self.frame(ply);
        (frame.placed, frame.mv) = (PieceTo::NONE, Move::NONE);
        self.frame(ply + 1).carry = self.frame(ply).carry;
        self.board.pass();
        self.frame(ply + 1).in_check = false;
        self.count(ply + 1);
    }

    #[inline(always)]
    fn count(&mut self, ply: usize) {
        self.nodes += 1;
        self.nodes_by_ply[ply] += 1;
    }

    #[inline(always)]
    pub fn evaluate(&mut self) -> i32 {
        let eval = self.board.evaluate();
        self.shared.settings.noise.with(eval, self.board.path().key())
    }

    /// The score of a draw for the mover at `ply`.
    fn draw(&self, ply: usize) -> i32 {
        let value = self.shared.settings.draw.value;
        if ply.is_multiple_of(2) {
            value
        } else {
            -value
        }
    }

    /// The first step of every node; returns its score if the node is decided.
    #[inline(always)]
    pub fn enter(&mut self, ply: usize) -> Option<i32> {
        self.pv[ply].clear();
        self.selective_depth = self.selective_depth.max(ply);
        if self.must_end() {
            return Some(0);
        }
        if let Some(score) = self.ended(ply) {
            return Some(score);
        }
        (ply >= MAX_PLY).then(|| self.evaluate())
    }

    /// The score of a position in which the game has ended by repetition or by the number of moves.
    #[inline(always)]
    pub fn ended(&self, ply: usize) -> Option<i32> {
        match self.board.path().repeated() {
            None => {}
            Some(Repeated::Draw) => return Some(self.draw(ply)),
            Some(Repeated::Win) => return Some(PERPETUAL),
            Some(Repeated::Loss) => return Some(-PERPETUAL),
        }
        let pos = self.position();
        if pos.ply() > self.shared.settings.draw.after {
            let mated = self.frames[FRAMES_BEFORE_ROOT + ply].in_check && !pos.has_legal_move();
            return Some(if mated { -MATE + ply as i32 } else { self.draw(ply) });
        }
        None
    }

    /// Sets the principal variation of this ply to the move and the variation after it.
    pub fn update_pv(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.pv.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(mv);
        here[ply].extend_from_slice(&below[0]);
    }

    /// Updates the move history after `best` cut off and the other moves did not.
    pub fn learn(&mut self, ply: usize, depth: i32, best: Move, quiets: &[Move], captures: &[Move]) {
        let bonus = bonus(depth);
        let quiet = !self.position().is_forcing(best);
        if quiet {
            let killers = &mut self.frame(ply).killers;
            if killers[0] != best {
                *killers = [best, killers[0]];
            }
            self.learn_quiet(ply, best, bonus);
            for &mv in quiets {
                self.learn_quiet(ply, mv, -bonus);
            }
        } else {
            self.learn_capture(best, bonus);
        }
        for &mv in captures {
            self.learn_capture(mv, -bonus);
        }
    }

    /// Adds a bonus to a quiet move at `ply`.
    pub fn learn_quiet(&mut self, ply: usize, mv: Move, bonus: i32) {
        let pos = self.board.path().position();
        let (side, placed) = (pos.side_to_move(), PieceTo::of(pos, mv));
        self.history.learn_quiet(side, mv, bonus);
        for plies in CONTINUATION_PLIES {
            let before = self.placed_before(ply, plies);
            if before != PieceTo::NONE {
                self.history.learn_continuation(before, placed, bonus);
            }
        }
    }

    fn learn_capture(&mut self, mv: Move, bonus: i32) {
        let pos = self.board.path().position();
        self.history.learn_capture(PieceTo::of(pos, mv), pos.captured_kind(mv), bonus);
    }
}
