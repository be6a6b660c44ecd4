//! A board that may be unplugged in mid-game.
//!
//! The software model answers bit-identically, so whatever the board has not answered when it is lost is answered by
//! the model, in the thread that collects it. Every request has one ticket and every ticket one outcome: nothing is
//! lost, doubled or reordered. The board is looked for at intervals, given the evaluation table when it lost it, and
//! taken back.

use super::{
    AccelError, CoProcessor, ModelBackend, Notice, Notify, RemoteChip, Request, RequestOutcome, Responses, Ticket,
};
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

/// Time between two looks for a lost board.
pub const PROBE_INTERVAL: Duration = Duration::from_secs(2);

struct State {
    board: Option<Arc<RemoteChip>>,
    /// Counts the boards, so that a late failure of an earlier one does not end its successor.
    generation: u64,
    /// Checksum of the table that the board is known to hold.
    board_table: Option<u32>,
    /// The board was reset: the prober is to load its table.
    table_lost: bool,
    model: Arc<ModelBackend>,
    /// Checksum of the table that the model holds.
    model_table: Option<u32>,
    /// The table file as far as it has come.
    table: Vec<u8>,
    stop: bool,
}

struct Inner {
    target: String,
    state: Mutex<State>,
    /// Held while the board is given a table: parts of two loads must not mix.
    loading: Mutex<()>,
    changed: Condvar,
    reopen: Reopen,
    interval: Duration,
    notify: Notify,
}

/// A board, with the software model standing in while it is lost.
pub struct Resilient {
    inner: Arc<Inner>,
    prober: Option<JoinHandle<()>>,
}

impl Resilient {
    /// Guards `board`; `reopen` opens it again after a loss.
    pub fn new(
        board: RemoteChip,
        reopen: impl Fn() -> Result<RemoteChip, AccelError> + Send + Sync + 'static,
        notify: Notify,
    ) -> Result<Resilient, AccelError> {
        Resilient::with_interval(board, reopen, notify, PROBE_INTERVAL)
    }

    /// Like [`Resilient::new`], looking for a lost board at other intervals.
    pub fn with_interval(
        board: RemoteChip,
        reopen: impl Fn() -> Result<RemoteChip, AccelError> + Send + Sync + 'static,
        notify: Notify,
        interval: Duration,
    ) -> Result<Resilient, AccelError> {
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
            notify,
        });
        let for_thread = inner.clone();
        let prober =
            std::thread::Builder::new().name("probe".into()).spawn(move || for_thread.probe()).map_err(|e| {
                AccelError::Open { target, reason: e.to_string(), hint: "the system is short of threads".into() }
            })?;
        Ok(Resilient { inner, prober: Some(prober) })
    }

    /// Whether the board itself answers now.
    pub fn has_board(&self) -> bool {
        self.inner.state().board.is_some()
    }
}

impl CoProcessor for Resilient {
    fn name(&self) -> String {
        match self.has_board() {
            true => self.inner.target.clone(),
            false => format!("model (for {})", self.inner.target),
        }
    }

    /// A `LOAD_TABLE` request is answered by the model; when it completes a table, the board is given it before this
    /// returns.
    fn submit(&self, request: Request) -> Ticket {
        if request.payload.len() > hayasashi_spec::frame::MAX_REQUEST_PAYLOAD {
            return Ticket::ready(Err(AccelError::TooLong { bytes: request.payload.len() }));
        }
        if request.opcode == Opcode::LoadTable as u8 {
            return Ticket::ready(Ok(self.inner.take_table_part(&request)));
        }
        if request.opcode == Opcode::Cancel as u8 {
            // The walk may be the model's by now.
            self.inner.state().model.answer(&request);
        }
        let (board, model, generation) = {
            let state = self.inner.state();
            let needs_table = request.opcode == Opcode::Evaluate as u8;
            let may = !needs_table || state.model_table.is_some() && state.board_table == state.model_table;
            (state.board.clone().filter(|_| may), state.model.clone(), state.generation)
        };
        let Some(board) = board else { return Ticket::ready(Ok(model.answer(&request))) };
        let inner = self.inner.clone();
        let ticket = board.submit(request.clone());
        ticket.then(move |outcome| inner.make_good(outcome, &request, &model, generation))
    }

    fn max_batch(&self) -> usize {
        let board = self.inner.state().board.clone();
        board.map_or(hayasashi_spec::frame::MAX_BATCH, |b| b.max_batch())
    }
}

impl Drop for Resilient {
    fn drop(&mut self) {
        self.inner.state().stop = true;
        self.inner.changed.notify_all();
        if let Some(prober) = self.prober.take() {
            let _ = prober.join();
        }
        let board = self.inner.state().board.take();
        drop(board);
    }
}

fn table_of(board: &RemoteChip) -> Option<u32> {
    let info = board.greeting();
    (info.table_loaded == 1).then_some(info.table_checksum)
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn tell(&self, notice: Notice) {
        match notice {
            Notice::Back { .. } => tracing::info!("{notice}"),
            _ => tracing::warn!("{notice}"),
        }
        (self.notify)(&notice);
    }

    /// The board's outcome, or the model's where the board has none.
    fn make_good(
        &self,
        outcome: RequestOutcome,
        request: &Request,
        model: &ModelBackend,
        generation: u64,
    ) -> RequestOutcome {
        match outcome {
            Err(error) if error.is_lost() => {
                match error {
                    // The line is alive: only this one request is the model's.
                    AccelError::Unanswered { .. } => tracing::warn!("{error}; the software model answers it"),
                    _ => self.lose(generation, error),
                }
                Ok(model.answer(request))
            }
            Ok(answers) if answers.iter().any(|a| a.status == Status::NoTable as u8) => {
                // Only requests that the board's table was known for are sent to it.
                self.lose_table(generation);
                Ok(model.answer(request))
            }
            other => other,
        }
    }

    fn lose(&self, generation: u64, error: AccelError) {
        let board = {
            let mut state = self.state();
            if state.generation != generation {
                return;
            }
            state.board_table = None;
            state.board.take()
        };
        if let Some(board) = board {
            self.tell(Notice::Lost { target: self.target.clone(), error });
            // Frees the port before the prober wants it.
            drop(board);
            self.changed.notify_all();
        }
    }

    fn lose_table(&self, generation: u64) {
        {
            let mut state = self.state();
            if state.generation != generation || state.board_table.take().is_none() {
                return;
            }
            state.table_lost = true;
        }
        self.tell(Notice::TableLost { target: self.target.clone() });
        self.changed.notify_all();
    }

    fn take_table_part(&self, request: &Request) -> Responses {
        let (answers, complete) = {
            let mut state = self.state();
            let state = &mut *state;
            // Requests on their way keep the model as it was when they were submitted.
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
            self.bring_table();
        }
        answers
    }

    /// Gives the board the model's table, unless it has it. Gives whether it was loaded.
    fn bring_table(&self) -> bool {
        let _one_at_a_time = self.loading.lock().unwrap();
        let (board, generation, table) = {
            let state = self.state();
            let differs = state.model_table.is_some() && state.board_table != state.model_table;
            match &state.board {
                Some(board) if differs && board.greeting().capabilities & CAP_EVALUATE != 0 => {
                    (board.clone(), state.generation, state.table.clone())
                }
                _ => return false,
            }
        };
        let header: TableHeader = bytemuck::pod_read_unaligned(&table[..std::mem::size_of::<TableHeader>()]);
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
                    true => self.lose(generation, error),
                    false => self.tell(Notice::TableRefused { target: self.target.clone(), error }),
                }
                false
            }
        }
    }

    /// The prober's thread: waits for a loss, then looks for the board until it is back.
    fn probe(&self) {
        let mut told = None;
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
            // A loss is often a moment's: wait a little even before the first look.
            let (after, _) = self.changed.wait_timeout_while(state, self.interval, |s| !s.stop).unwrap();
            state = after;
            if state.stop {
                return;
            }
            state.table_lost = false;
            drop(state);
            if had_board {
                if self.bring_table() {
                    self.tell(Notice::Back { target: self.target.clone(), table_reloaded: true });
                }
            } else {
                self.look(&mut told);
            }
            state = self.state();
        }
    }

    fn look(&self, told: &mut Option<AccelError>) {
        match (self.reopen)() {
            Ok(board) => {
                let generation = {
                    let mut state = self.state();
                    state.generation += 1;
                    state.board_table = table_of(&board);
                    state.board = Some(Arc::new(board));
                    state.generation
                };
                let table_reloaded = self.bring_table();
                *told = None;
                let state = self.state();
                let is_there = state.generation == generation && state.board.is_some();
                drop(state);
                if is_there {
                    self.tell(Notice::Back { target: self.target.clone(), table_reloaded });
                }
            }
            Err(error @ (AccelError::WrongMagic { .. } | AccelError::WrongVersion { .. })) => {
                if told.as_ref() != Some(&error) {
                    *told = Some(error.clone());
                    self.tell(Notice::Unusable { target: self.target.clone(), error });
                }
            }
            Err(error) => tracing::debug!("looked for {}: {error}", self.target),
        }
    }
}
