//! A board that may be unplugged in the middle of a game.
//!
//! The software model answers bit-identically. So it answers whatever the board left unanswered when it was lost, in the
//! thread that waits for the answer. Every request has one ticket and every ticket one outcome: nothing is lost,
//! duplicated or reordered. A thread tries to reopen the board at intervals, loads the evaluation table if the board has
//! lost it, and returns the board to service.

mod event;

pub use event::{FailoverEvent, FailoverListener};

use crate::{AccelError, CoProcessor, ModelBackend, RemoteChip, Request, RequestOutcome, Responses, Ticket};
use hayasashi_spec::{
    opcode::{Opcode, Status},
    registers::CAP_EVALUATE,
    table::{TableHeader, TABLE_BYTES},
};
use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread::JoinHandle,
    time::Duration,
};

type Reopen = Box<dyn Fn() -> Result<RemoteChip, AccelError> + Send + Sync>;

/// Time between two attempts to reopen a lost board.
pub const PROBE_INTERVAL: Duration = Duration::from_secs(2);

struct State {
    board: Option<Arc<RemoteChip>>,
    /// Counts the connections, so that a late failure of an earlier one does not end its successor.
    generation: u64,
    /// Checksum of the table that the board holds, as far as known.
    board_table: Option<u32>,
    /// The board was reset; the probe thread must load its table.
    table_lost: bool,
    model: Arc<ModelBackend>,
    /// Checksum of the table that the model holds.
    model_table: Option<u32>,
    /// The bytes of the table file received so far.
    table: Vec<u8>,
    stop: bool,
}

struct Inner {
    target: String,
    state: Mutex<State>,
    /// Held while a table is loaded into the board, so that parts of two loads do not mix.
    loading: Mutex<()>,
    changed: Condvar,
    reopen: Reopen,
    interval: Duration,
    listener: FailoverListener,
}

/// A board, replaced by the software model while it is lost.
pub struct Failover {
    inner: Arc<Inner>,
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
        let state = State {
            board_table: table_of(&board),
            board: Some(Arc::new(board)),
            generation: 0,
            table_lost: false,
            model: Arc::new(ModelBackend::new()),
            model_table: None,
            table: Vec::new(),
            stop: false,
        };
        let inner = Arc::new(Inner {
            target: target.clone(),
            state: Mutex::new(state),
            loading: Mutex::new(()),
            changed: Condvar::new(),
            reopen: Box::new(reopen),
            interval,
            listener,
        });
        let for_thread = inner.clone();
        let probe_thread =
            std::thread::Builder::new().name("probe".into()).spawn(move || for_thread.probe()).map_err(|e| {
                AccelError::Open {
                    target,
                    reason: e.to_string(),
                    hint: "the system has too many threads; close other programs".into(),
                }
            })?;
        Ok(Failover { inner, probe_thread: Some(probe_thread) })
    }

    /// Whether the board itself answers at present.
    pub fn has_board(&self) -> bool {
        self.inner.state().board.is_some()
    }
}

impl CoProcessor for Failover {
    fn name(&self) -> String {
        match self.has_board() {
            true => self.inner.target.clone(),
            false => format!("model (for {})", self.inner.target),
        }
    }

    /// The model answers `LOAD_TABLE`. A request that completes a table also loads it into the board before this returns.
    fn submit(&self, request: Request) -> Ticket {
        if request.payload.len() > hayasashi_spec::frame::MAX_REQUEST_PAYLOAD {
            return Ticket::ready(Err(AccelError::TooLong { bytes: request.payload.len() }));
        }
        if request.opcode == Opcode::LoadTable as u8 {
            return Ticket::ready(Ok(self.inner.load_table_part(&request)));
        }
        if request.opcode == Opcode::Cancel as u8 {
            // The model may have taken over the perft request.
            self.inner.state().model.answer(&request);
        }
        let (board, model, generation) = {
            let state = self.inner.state();
            let needs_table = request.opcode == Opcode::Evaluate as u8;
            let suits = !needs_table || state.model_table.is_some() && state.board_table == state.model_table;
            (state.board.clone().filter(|_| suits), state.model.clone(), state.generation)
        };
        let Some(board) = board else { return Ticket::ready(Ok(model.answer(&request))) };
        let inner = self.inner.clone();
        let ticket = board.submit(request.clone());
        ticket.then(move |outcome| inner.or_model(outcome, &request, &model, generation))
    }

    fn max_batch(&self) -> usize {
        let board = self.inner.state().board.clone();
        board.map_or(hayasashi_spec::frame::MAX_BATCH, |b| b.max_batch())
    }
}

impl Drop for Failover {
    fn drop(&mut self) {
        self.inner.state().stop = true;
        self.inner.changed.notify_all();
        if let Some(thread) = self.probe_thread.take() {
            let _ = thread.join();
        }
        let board = self.inner.state().board.take();
        drop(board);
    }
}

/// Checksum of the table that the board held at the handshake.
fn table_of(board: &RemoteChip) -> Option<u32> {
    let info = board.handshake_info();
    (info.table_loaded == 1).then_some(info.table_checksum)
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn notify(&self, event: FailoverEvent) {
        match event {
            FailoverEvent::Recovered { .. } => tracing::info!("{event}"),
            _ => tracing::warn!("{event}"),
        }
        (self.listener)(&event);
    }

    /// The board's outcome, or the model's where the board failed.
    fn or_model(
        &self,
        outcome: RequestOutcome,
        request: &Request,
        model: &ModelBackend,
        generation: u64,
    ) -> RequestOutcome {
        match outcome {
            Err(error) if error.is_lost() => {
                match error {
                    // The line works: only this request goes to the model.
                    AccelError::Unanswered { .. } => tracing::warn!("{error}; the software model answers it"),
                    _ => self.drop_board(generation, error),
                }
                Ok(model.answer(request))
            }
            Ok(answers) if answers.iter().any(|a| a.status == Status::NoTable as u8) => {
                // The board had a table when the request was sent, so it has been reset.
                self.note_table_loss(generation);
                Ok(model.answer(request))
            }
            other => other,
        }
    }

    fn drop_board(&self, generation: u64, error: AccelError) {
        let board = {
            let mut state = self.state();
            if state.generation != generation {
                return;
            }
            state.board_table = None;
            state.board.take()
        };
        if let Some(board) = board {
            self.notify(FailoverEvent::Lost { target: self.target.clone(), error });
            // Closes the port before the probe thread opens it again.
            drop(board);
            self.changed.notify_all();
        }
    }

    fn note_table_loss(&self, generation: u64) {
        {
            let mut state = self.state();
            if state.generation != generation || state.board_table.take().is_none() {
                return;
            }
            state.table_lost = true;
        }
        self.notify(FailoverEvent::TableLost { target: self.target.clone() });
        self.changed.notify_all();
    }

    fn load_table_part(&self, request: &Request) -> Responses {
        let (answers, complete) = {
            let mut state = self.state();
            let state = &mut *state;
            // Requests in flight keep the model as it was when they were submitted.
            if Arc::get_mut(&mut state.model).is_none() {
                state.model = Arc::new(state.model.fork());
            }
            let answers = state.model.answer(request);
            let complete = answers[0].status == Status::Ok as u8 && {
                if request.payload[..4] == [0; 4] {
                    state.table.clear();
                }
                state.table.extend_from_slice(&request.payload[4..]);
                state.table.len() == TABLE_BYTES
            };
            state.model_table = state.model.table_checksum();
            (answers, complete)
        };
        if complete {
            self.sync_table();
        }
        answers
    }

    /// Loads the model's table into the board unless the board has it. Returns whether it was loaded.
    fn sync_table(&self) -> bool {
        let _guard = self.loading.lock().unwrap();
        let (board, generation, table) = {
            let state = self.state();
            let differs = state.model_table.is_some() && state.board_table != state.model_table;
            match &state.board {
                Some(board) if differs && board.handshake_info().capabilities & CAP_EVALUATE != 0 => {
                    (board.clone(), state.generation, state.table.clone())
                }
                _ => return false,
            }
        };
        let header: TableHeader = bytemuck::pod_read_unaligned(&table[..size_of::<TableHeader>()]);
        match board.load_table(&table) {
            Ok(()) => {
                let mut state = self.state();
                if state.generation == generation {
                    state.board_table = Some(header.checksum);
                }
                true
            }
            Err(error) => {
                match error.is_lost() {
                    true => self.drop_board(generation, error),
                    false => self.notify(FailoverEvent::TableRejected { target: self.target.clone(), error }),
                }
                false
            }
        }
    }

    /// The probe thread: waits for a loss, then tries to reopen the board until it is back.
    fn probe(&self) {
        let mut reported = None;
        let mut state = self.state();
        loop {
            if state.stop {
                return;
            }
            if state.board.is_some() && !state.table_lost {
                state = self.changed.wait(state).unwrap();
                continue;
            }
            let had_board = state.board.is_some();
            // A loss is often short: wait even before the first attempt.
            let (guard, _) = self.changed.wait_timeout_while(state, self.interval, |s| !s.stop).unwrap();
            state = guard;
            if state.stop {
                return;
            }
            state.table_lost = false;
            drop(state);
            if had_board {
                if self.sync_table() {
                    self.notify(FailoverEvent::Recovered { target: self.target.clone(), table_reloaded: true });
                }
            } else {
                self.try_reopen(&mut reported);
            }
            state = self.state();
        }
    }

    fn try_reopen(&self, reported: &mut Option<AccelError>) {
        match (self.reopen)() {
            Ok(board) => {
                let generation = {
                    let mut state = self.state();
                    state.generation += 1;
                    state.board_table = table_of(&board);
                    state.board = Some(Arc::new(board));
                    state.generation
                };
                let table_reloaded = self.sync_table();
                *reported = None;
                let state = self.state();
                let is_open = state.generation == generation && state.board.is_some();
                drop(state);
                if is_open {
                    self.notify(FailoverEvent::Recovered { target: self.target.clone(), table_reloaded });
                }
            }
            Err(error @ (AccelError::WrongMagic { .. } | AccelError::WrongVersion { .. })) => {
                if reported.as_ref() != Some(&error) {
                    *reported = Some(error.clone());
                    self.notify(FailoverEvent::Unusable { target: self.target.clone(), error });
                }
            }
            Err(error) => tracing::debug!("`{}` cannot be reopened: {error}", self.target),
        }
    }
}
