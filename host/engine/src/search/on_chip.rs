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
    /// Power of two of the table's entries.
    pub table_bits: u8,
}

type Outcome = Result<Result<SearchResult, PositionError>, AccelError>;

/// What the thread of the request shares with the search.
#[derive(Default)]
struct Told {
    found: Mutex<Found>,
    stop: AtomicBool,
}

impl ChipSearch<'_> {
    /// Searches. The report's line is empty if the chip has found no move; the error is that of a chip that failed.
    pub fn run(&self, on_report: &mut dyn FnMut(&SearchReport)) -> (SearchReport, Option<AccelError>) {
        let told = Arc::new(Told::default());
        let outcome = self.start(told.clone());
        let forced = self.is_forced();
        let mut stability = SearchStability::default();
        let mut reported = 0;
        let mut stopped: Option<Instant> = None;
        let (found, failure) = loop {
            let end = match outcome.recv_timeout(LOOK) {
                Ok(end) => Some(end),
                Err(RecvTimeoutError::Timeout) => None,
                // The thread panicked.
                Err(RecvTimeoutError::Disconnected) => break (told.found(), None),
            };
            let found = match &end {
                Some(Ok(Ok(result))) => result.found,
                _ => told.found(),
            };
            let mut spent = self.is_over();
            if found.depth > reported && found.length > 0 {
                reported = found.depth;
                let report = self.report(&found);
                if let Some(&best) = report.pv.first() {
                    stability.update(best, report.score);
                }
                on_report(&report);
                spent |= self.is_enough(&stability, forced);
            }
            match end {
                Some(Ok(Ok(_))) => break (found, None),
                Some(Ok(Err(error))) => break (found, Some(self.refused(error))),
                Some(Err(error)) => break (found, Some(error)),
                None => {}
            }
            if spent && stopped.is_none() {
                told.stop.store(true, Relaxed);
                stopped = Some(Instant::now());
            }
            if stopped.is_some_and(|at| at.elapsed() >= GRACE) {
                let waited = GRACE;
                break (found, Some(AccelError::Late { target: self.chip.name(), waited }));
            }
        };
        told.stop.store(true, Relaxed);
        (self.report(&found), failure)
    }

    /// Sends the request from a thread of its own.
    fn start(&self, told: Arc<Told>) -> Receiver<Outcome> {
        let request = self.request();
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
        let head = SearchHead { depth, nodes, draw, table_bits: self.table_bits, ..SearchHead::default() };
        let mut path = Vec::new();
        let mut game = self.pos.clone();
        for _ in 0..self.pos.moves().count() {
            game.undo_move();
            path.push(path_word(&view::image(game.position()), game.in_check()));
        }
        path.reverse();
        SearchRequest { head, position: view::image(self.pos.position()), path }
    }

    /// Whether the search must end now.
    fn is_over(&self) -> bool {
        let late = match (self.budget, self.control.clock()) {
            (Some(budget), Some(clock)) => clock >= budget.hard,
            _ => false,
        };
        late || self.control.is_stopped()
    }

    /// Whether no other iteration should begin.
    fn is_enough(&self, stability: &SearchStability, forced: bool) -> bool {
        let (Some(budget), Some(time), Some(clock)) = (self.budget, self.limits.time, self.control.clock()) else {
            return false;
        };
        forced && matches!(time, TimeControl::Clock(_)) || budget.is_spent(clock, stability)
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
