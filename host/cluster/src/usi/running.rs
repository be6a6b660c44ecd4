//! A search that the leader has begun.

use super::{
    entries::Entries,
    job::{Found, Job},
    strategy::{Best, Strategy},
};
use hayasashi_engine::search::{
    score::UsiScore,
    time::{Budget, SearchStability},
    GamePath,
};
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// A search that is running.
pub(super) struct Running {
    pub strategy: Box<dyn Strategy>,
    pub game: GamePath,
    pub position: String,
    /// The member whose answer to `go mate` is passed on.
    pub mate: Option<usize>,
    pub infinite: bool,
    pub pondering: bool,
    pub nodes: Option<u64>,
    pub budget: Option<Budget>,
    pub stability: SearchStability,
    pub begun: Instant,
    /// When the clock began to run.
    pub clock: Option<Instant>,
    pub stopped: Option<Instant>,
    /// The `stop` of the GUI has come.
    pub released: bool,
    pub seats: Vec<Seat>,
    /// The time of a simulation, in nodes.
    pub now: u64,
    pub all_nodes: u64,
    pub iterations: u32,
    pub reported: Option<Best>,
    /// The longest of its members' searches.
    pub longest: Duration,
}

/// What a member does in a search.
#[derive(Clone, Default)]
pub(super) struct Seat {
    /// Nodes of its finished searches.
    pub used: u64,
    /// Most nodes of its present search, if the limit of the move sets them.
    pub most: Option<u64>,
    /// When it said something last.
    pub heard: Option<Instant>,
    /// It was told to stop.
    pub stopped: bool,
    /// A simulation: what it has sent for the tables of the others.
    pub entries: Entries,
    /// A simulation: what it has found, when, and whether its search ended then.
    pub reports: VecDeque<(u64, Found, bool)>,
}

impl Running {
    /// Whether an answer is allowed now.
    pub fn may_answer(&self) -> bool {
        self.released || !self.infinite && !self.pondering
    }

    /// A member's search is over.
    pub fn finish(&mut self, at: usize, found: &Found) {
        let seat = &mut self.seats[at];
        let cut = seat.most.is_some_and(|most| found.nodes >= most);
        self.strategy.done(at, found, seat.stopped || cut);
        self.heed();
    }

    /// Notes the best move after each iteration.
    pub fn heed(&mut self) {
        if self.strategy.iterations() > self.iterations {
            self.iterations = self.strategy.iterations();
            if let Some(Best { pv, score, .. }) = self.strategy.best() {
                pv.first().into_iter().for_each(|&first| self.stability.update(first, score));
            }
        }
    }

    /// Hands over what a simulation has not heard yet, as if it had been stopped. Where the result is known, it is later than that.
    pub fn deliver(&mut self) {
        if self.strategy.is_over() {
            return;
        }
        for at in 0..self.seats.len() {
            let last = std::mem::take(&mut self.seats[at].reports).pop_back();
            if let Some((_, found, _)) = last {
                self.seats[at].stopped = true;
                self.finish(at, &found);
            }
        }
    }

    /// Whether the time for the move is up, as far as the search is stable.
    pub fn is_enough(&self, budget: &Budget, clock: Duration) -> bool {
        !budget.is_whole() && self.iterations > 0 && budget.is_spent(clock, &self.stability)
    }

    /// The line of the best move; `running` are the nodes of unfinished searches.
    pub fn info(&self, running: u64) -> String {
        let Some(Best { pv, score, depth, .. }) = &self.reported else { return String::new() };
        let elapsed = self.begun.elapsed();
        let nodes = self.all_nodes + running;
        let rate = (nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64;
        let moves: String = pv.iter().map(|mv| format!(" {mv}")).collect();
        format!(
            "info depth {depth} score {} nodes {} nps {rate} time {}{}{moves}",
            UsiScore::of(*score),
            nodes,
            elapsed.as_millis(),
            if pv.is_empty() { "" } else { " pv" },
        )
    }
}

/// An answer that needs no search.
pub(super) struct Known(pub Best);

impl Strategy for Known {
    fn job(&mut self, _: usize) -> Option<Job> {
        None
    }

    fn done(&mut self, _: usize, _: &Found, _: bool) {}

    fn lost(&mut self, _: usize) {}

    fn best(&self) -> Option<Best> {
        Some(self.0.clone())
    }

    fn iterations(&self) -> u32 {
        0
    }
}
