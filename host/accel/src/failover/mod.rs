//! A board that may be unplugged in the middle of a game.
//!
//! The software model answers bit-identically. So it answers whatever the board left unanswered when it was lost, in the
//! thread that waits for the answer. Every request has one ticket and every ticket one outcome: nothing is lost,
//! duplicated or reordered. A thread tries to reopen the board at intervals, loads the evaluation table if the board has
//! lost it, and returns the board to service. A board whose answers are malformed is not asked again.
//!
//! The evaluation table belongs to the host: the model has it as soon as it is set, whatever the board holds or refuses.

mod answers;
mod event;
mod guard;

pub use event::{FailoverEvent, FailoverListener};

use crate::{
    error::no_thread, AccelError, CoProcessor, PerftResult, PositionError, RemoteChip, Request, SearchRequest,
    SearchResult, SimulationStatistics, Ticket,
};
use guard::Guard;
use hayasashi_model::evaluate::Evaluation;
use hayasashi_spec::{
    frame::{MAX_BATCH, MAX_REQUEST_PAYLOAD},
    opcode::Opcode,
    perft::Sums,
    position::PositionImage,
    registers::Info,
    search::Found,
};
use std::{sync::Arc, thread::JoinHandle, time::Duration};

/// Time between two attempts to reopen a lost board.
pub const PROBE_INTERVAL: Duration = Duration::from_secs(2);

/// A board, replaced by the software model while it is lost.
pub struct Failover {
    guard: Arc<Guard>,
    probe_thread: Option<JoinHandle<()>>,
}

impl Failover {
    /// Guards `board`; `reopen` opens it again after a loss.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn new(
        board: RemoteChip,
        reopen: impl Fn() -> Result<RemoteChip, AccelError> + Send + Sync + 'static,
        listener: FailoverListener,
    ) -> Result<Failover, AccelError> {
        Failover::with_interval(board, reopen, listener, PROBE_INTERVAL)
    }

    /// Like [`Failover::new`], with another time between attempts to reopen the board.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn with_interval(
        board: RemoteChip,
        reopen: impl Fn() -> Result<RemoteChip, AccelError> + Send + Sync + 'static,
        listener: FailoverListener,
        interval: Duration,
    ) -> Result<Failover, AccelError> {
        let target = board.name();
        let guard = Arc::new(Guard::new(board, Box::new(reopen), interval, listener));
        let for_thread = guard.clone();
        let probe_thread = std::thread::Builder::new().name("probe".into()).spawn(move || for_thread.probe());
        let probe_thread = probe_thread.map_err(|error| no_thread(target, &error))?;
        Ok(Failover { guard, probe_thread: Some(probe_thread) })
    }

    /// Whether the board itself answers at present.
    pub fn has_board(&self) -> bool {
        self.guard.board().is_some()
    }
}

impl CoProcessor for Failover {
    fn name(&self) -> String {
        match self.has_board() {
            true => self.guard.target().into(),
            false => format!("model (for {})", self.guard.target()),
        }
    }

    /// The model answers `LOAD_TABLE`. A request that completes a table also loads it into the board before this returns.
    fn submit(&self, request: Request) -> Ticket {
        if request.payload.len() > MAX_REQUEST_PAYLOAD {
            return Ticket::ready(Err(AccelError::TooLong { bytes: request.payload.len() }));
        }
        if request.opcode == Opcode::LoadTable as u8 {
            return Ticket::ready(Ok(self.guard.load_table_part(&request)));
        }
        let (board, model, generation) = self.guard.backends_for(request.opcode);
        if request.opcode == Opcode::Cancel as u8 {
            // The model may have taken over the perft request.
            model.answer(&request);
        }
        let Some(board) = board else { return model.submit(request) };
        let guard = self.guard.clone();
        let ticket = board.submit(request.clone());
        ticket.then(move |outcome| guard.or_model(outcome, &request, &model, generation))
    }

    fn max_batch(&self) -> usize {
        self.guard.board().map_or(MAX_BATCH, |b| b.max_batch())
    }

    fn simulation_statistics(&self) -> Option<SimulationStatistics> {
        self.guard.board()?.simulation_statistics()
    }

    /// Never fails: the model has it at once, and evaluates if the board cannot. The model has a network only if the first board
    /// takes one, so that its searches are those of the board.
    fn set_evaluation(&self, evaluation: &Evaluation) -> Result<(), AccelError> {
        self.guard.set_evaluation(evaluation);
        Ok(())
    }

    /// The model begins again if the board is lost.
    fn perft(
        &self,
        position: &PositionImage,
        depth: u8,
        watch: &mut dyn FnMut(Sums) -> bool,
    ) -> Result<Result<PerftResult, PositionError>, AccelError> {
        let (board, model, generation) = self.guard.backends_for(Opcode::Perft as u8);
        let result = match &board {
            Some(board) => board.perft(position, depth, watch),
            None => model.perft(position, depth, watch),
        };
        match result {
            Err(error) if board.is_some() && self.guard.replaces(&error, generation) => {
                model.perft(position, depth, watch)
            }
            other => other,
        }
    }

    fn identity(&self) -> Result<Info, AccelError> {
        self.guard.board().map_or_else(|| self.info(), |board| board.identity())
    }

    /// The model begins again if the board is lost, or has lost its table. It searches with the board's table size.
    fn search(
        &self,
        request: &SearchRequest,
        watch: &mut dyn FnMut(Found) -> bool,
    ) -> Result<Result<SearchResult, PositionError>, AccelError> {
        let request = self.guard.searches().map_or_else(|| request.clone(), |chip| request.within(&chip));
        let (board, model, generation) = self.guard.backends_for(Opcode::Search as u8);
        let Some(board) = board else { return model.search(&request, watch) };
        match board.search(&request, watch) {
            Err(error) if self.guard.replaces(&error, generation) => model.search(&request, watch),
            Ok(Err(PositionError::NoTable)) => {
                self.guard.note_table_loss(generation);
                model.search(&request, watch)
            }
            other => other,
        }
    }
}

impl Drop for Failover {
    fn drop(&mut self) {
        self.guard.stop();
        if let Some(thread) = self.probe_thread.take() {
            let _ = thread.join();
        }
        self.guard.close();
    }
}
