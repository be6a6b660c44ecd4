//! The search of the root by the co-processor itself (`SEARCH`), within the limits of the host.
//!
//! The chip begins iterations by itself; the host watches them, reports them, and cancels the search when its time is over. A chip
//! without `SEARCH` is replaced by the software model, which finds the same at equal nodes. The request runs in a thread of its
//! own: whatever the chip does, the host ends in time with what it has been told.

use super::{
    game_path::GamePath,
    score::{LONGEST_MATE, MATE},
    searcher::SearchReport,
    time::{Budget, SearchLimits, SearchStability, TimeControl},
};
use crate::Control;
use hayasashi_accel::{
    search::{line, SearchRequest, SearchResult},
    view, AccelError, CoProcessor, PositionError,
};
use hayasashi_spec::search::{path_word, Found, SearchHead, MAX_DEPTH};
use std::{
    cell::Cell,
    sync::{
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{channel, Receiver, RecvTimeoutError},
        Arc, Mutex, PoisonError,
    },
    time::{Duration, Instant},
};

/// Time between two looks at the clock and at what the chip has found.
const LOOK: Duration = Duration::from_millis(1);
/// How long a chip that was told to stop may take to answer, before the host ends with what it knows.
const GRACE: Duration = Duration::from_millis(30);

/// A search by the chip.
pub(super) struct ChipSearch<'a> {
    pub chip: Arc<dyn CoProcessor>,
    pub pos: &'a GamePath,
    pub limits: &'a SearchLimits,
    pub budget: Option<Budget>,
    pub control: &'a Control,
    /// Value of a draw for the mover, in centipawns.
    pub draw: i32,
    /// Nodes of the mate search before.
    pub spent: u64,
    pub size: SearchSize,
    /// Whether the chip's table is of this game.
    pub has_table: Cell<bool>,
}

/// What the options say about each request.
#[derive(Clone, Copy)]
pub(super) struct SearchSize {
    /// Power of two of the table's entries.
    pub table_bits: u8,
    /// Most steps; 0 for no limit.
    pub steps: u64,
    /// Bits of the techniques.
    pub techniques: u32,
    /// Whether a request begins with the table of the one before.
    pub keeps_table: bool,
}

/// The request `SEARCH` for the last position of a game; the positions before it are the path.
pub fn chip_request(head: SearchHead, game: &GamePath) -> SearchRequest {
    let mut before = game.clone();
    let mut path = Vec::new();
    for _ in 0..game.moves().count() {
        before.undo_move();
        path.push(path_word(&view::image(before.position()), before.in_check()));
    }
    path.reverse();
    SearchRequest { head, position: view::image(game.position()), path }
}

type Outcome = Result<Result<SearchResult, PositionError>, AccelError>;

/// What the thread of the request shares with the search.
#[derive(Default)]
struct Told {
    found: Mutex<Found>,
    stop: AtomicBool,
}

/// How a request has ended.
pub(super) enum End {
    /// It has reached one of its limits.
    Complete,
    /// The host has ended it, or it was cancelled.
    Stopped,
    /// The chip has failed, or has not answered in time.
    Failed(AccelError),
}

impl ChipSearch<'_> {
    /// Searches. The report's line is empty if the chip has found no move; the error is that of a chip that failed.
    pub fn run(&self, on_report: &mut dyn FnMut(&SearchReport)) -> (SearchReport, Option<AccelError>) {
        let forced = self.is_forced();
        let mut stability = SearchStability::default();
        let (mut reported, mut enough) = (0, false);
        let (found, end) = self.ask(self.request(), &mut |found| {
            if found.depth > reported && found.length > 0 {
                reported = found.depth;
                let report = self.report(found);
                if let Some(&best) = report.pv.first() {
                    stability.update(best, report.score);
                }
                on_report(&report);
                enough = self.is_enough(&stability, forced);
            }
            enough && self.control.clock().is_some()
        });
        let failure = match end {
            End::Complete | End::Stopped => None,
            End::Failed(error) => Some(error),
        };
        (self.report(&found), failure)
    }

    /// Sends a request from a thread of its own and waits for its end. `on_look` is called with what is known, and returns whether
    /// that is enough.
    pub fn ask(&self, request: SearchRequest, on_look: &mut dyn FnMut(&Found) -> bool) -> (Found, End) {
        let told = Arc::new(Told::default());
        let outcome = self.start(request, told.clone());
        let mut stopped: Option<Instant> = None;
        let ended = loop {
            let end = match outcome.recv_timeout(LOOK) {
                Ok(end) => Some(end),
                Err(RecvTimeoutError::Timeout) => None,
                // The thread panicked.
                Err(RecvTimeoutError::Disconnected) => break (told.found(), End::Stopped),
            };
            let found = match &end {
                Some(Ok(Ok(result))) => result.found,
                _ => told.found(),
            };
            let enough = on_look(&found);
            match end {
                Some(Ok(Ok(result))) if result.complete => break (found, End::Complete),
                Some(Ok(Ok(_))) => break (found, End::Stopped),
                Some(Ok(Err(error))) => break (found, End::Failed(self.refused(error))),
                Some(Err(error)) => break (found, End::Failed(error)),
                None => {}
            }
            if (enough || self.is_over()) && stopped.is_none() {
                told.stop.store(true, Relaxed);
                stopped = Some(Instant::now());
            }
            if stopped.is_some_and(|at| at.elapsed() >= GRACE) {
                break (found, End::Failed(AccelError::Late { target: self.chip.name(), waited: GRACE }));
            }
        };
        told.stop.store(true, Relaxed);
        ended
    }

    fn start(&self, request: SearchRequest, told: Arc<Told>) -> Receiver<Outcome> {
        let (send, outcome) = channel();
        let chip = self.chip.clone();
        let run = move || {
            let end = chip.search(&request, &mut |found| {
                told.tell(found);
                !told.stop.load(Relaxed)
            });
            // The search may have ended without the answer.
            let _ = send.send(end);
        };
        // Without a thread the channel is closed, and the host searches.
        let _ = std::thread::Builder::new().name("chip search".into()).spawn(run);
        outcome
    }

    fn request(&self) -> SearchRequest {
        let depth = self.limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_DEPTH as u32) as u8;
        // A limit of 0 nodes would be none.
        let nodes = self.limits.nodes.map_or(0, |nodes| nodes.saturating_sub(self.spent).max(1));
        let draw = self.draw.clamp(-10_000, 10_000) as i16;
        let SearchSize { table_bits, steps, techniques, .. } = self.size;
        let head = SearchHead { depth, nodes, draw, table_bits, steps, techniques, ..SearchHead::default() };
        chip_request(head.keeping_table(self.keeps_table()), self.pos)
    }

    /// Whether the next request keeps the table: the first one of a game does not.
    pub fn keeps_table(&self) -> bool {
        self.has_table.replace(true) && self.size.keeps_table
    }

    /// Whether the search must end now.
    pub fn is_over(&self) -> bool {
        let late = match (self.budget, self.control.clock()) {
            (Some(budget), Some(clock)) => clock >= budget.hard,
            _ => false,
        };
        late || self.control.is_stopped()
    }

    /// Whether no other iteration should begin; while pondering, whether the search may end when the expected move is played.
    pub fn is_enough(&self, stability: &SearchStability, forced: bool) -> bool {
        let (Some(budget), Some(time)) = (self.budget, self.limits.time) else { return false };
        let spent = match self.control.clock() {
            Some(clock) => budget.is_spent(clock, stability),
            None => !budget.is_whole() && budget.is_spent(self.control.elapsed(), stability),
        };
        forced && matches!(time, TimeControl::Clock(_)) || spent
    }

    /// Whether there is only one legal move.
    fn is_forced(&self) -> bool {
        let mut moves = hayasashi_shogi::rules::MoveList::new();
        self.pos.position().legal_moves(&mut moves);
        moves.len() == 1
    }

    fn report(&self, found: &Found) -> SearchReport {
        let score = found.score as i32;
        // A mate that the chip did not complete is a mate all the same.
        debug_assert!(score.abs() <= MATE);
        SearchReport {
            depth: found.depth as u32,
            selective_depth: (found.length as u32).max(found.depth as u32),
            score: if found.length == 0 && score > LONGEST_MATE { 0 } else { score },
            nodes: found.nodes + self.spent,
            elapsed: self.control.elapsed(),
            pv: line(found, self.pos.position()),
            line: 1,
            ..SearchReport::default()
        }
    }

    fn refused(&self, error: PositionError) -> AccelError {
        AccelError::Malformed {
            target: self.chip.name(),
            opcode: hayasashi_spec::opcode::Opcode::Search as u8,
            reason: error.to_string(),
        }
    }
}

impl Told {
    /// Keeps what the chip has found, unless it is less than before.
    fn tell(&self, found: Found) {
        let mut last = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.steps >= last.steps {
            *last = found;
        }
    }

    fn found(&self) -> Found {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
