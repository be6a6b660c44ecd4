//! The state behind a [`Failover`](super::Failover), and the thread that brings a lost board back.

use super::{answers, FailoverEvent, FailoverListener};
use crate::{AccelError, CoProcessor, ModelBackend, RemoteChip, Request, RequestOutcome, Responses};
use hayasashi_model::{evaluate::Evaluation, Model};
use hayasashi_spec::{
    opcode::{Opcode, Status},
    registers::{Info, CAP_EVALUATE, CAP_NETWORK, CAP_SEARCH},
};
use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard},
    time::Duration,
};

pub(super) type Reopen = Box<dyn Fn() -> Result<RemoteChip, AccelError> + Send + Sync>;

struct State {
    board: Option<Arc<RemoteChip>>,
    /// A lost board, which the probe thread closes: closing may take a while, and the thread that lost it is in a hurry.
    lost: Option<Arc<RemoteChip>>,
    /// The board sent malformed answers; it is not opened again.
    faulty: bool,
    /// Counts the connections, so that a late failure of an earlier one does not end its successor.
    generation: u64,
    /// Checksum of the table or network that the board holds, as far as known.
    board_table: Option<u32>,
    /// The board was reset; the probe thread must load its table.
    table_lost: bool,
    model: Arc<ModelBackend>,
    /// Checksum of the table or network that the model holds.
    model_table: Option<u32>,
    /// The bytes of its file received so far.
    table: Vec<u8>,
    stop: bool,
}

/// A board, the model, and what is known about both.
pub(super) struct Guard {
    target: String,
    /// The registers of the first connection.
    identity: Info,
    state: Mutex<State>,
    /// Held while a table is loaded into the board, so that parts of two loads do not mix.
    loading: Mutex<()>,
    changed: Condvar,
    reopen: Reopen,
    interval: Duration,
    listener: FailoverListener,
}

/// Checksum of the table or network that the board held at the handshake.
fn table_of(board: &RemoteChip) -> Option<u32> {
    let info = board.handshake_info();
    (info.table_loaded == 1).then_some(info.table_checksum)
}

/// The model in place of a board with these `CAP_…` bits. It takes a network only if the board does: searches are the same on both.
fn model_for(capabilities: u32) -> Model {
    Model::without(!capabilities & CAP_NETWORK)
}

impl Guard {
    pub fn new(board: RemoteChip, reopen: Reopen, interval: Duration, listener: FailoverListener) -> Guard {
        let (target, identity) = (board.name(), *board.handshake_info());
        let state = State {
            board_table: table_of(&board),
            board: Some(Arc::new(board)),
            lost: None,
            faulty: false,
            generation: 0,
            table_lost: false,
            model: Arc::new(ModelBackend::with_model(model_for(identity.capabilities))),
            model_table: None,
            table: Vec::new(),
            stop: false,
        };
        let (state, loading, changed) = (Mutex::new(state), Mutex::new(()), Condvar::new());
        Guard { target, identity, state, loading, changed, reopen, interval, listener }
    }

    pub fn target(&self) -> &str {
        &self.target
    }

    /// The board's registers, if it searches by itself.
    pub fn searches(&self) -> Option<Info> {
        Some(self.identity).filter(|info| info.capabilities & CAP_SEARCH != 0)
    }

    /// The board, unless it is lost.
    pub fn board(&self) -> Option<Arc<RemoteChip>> {
        self.state().board.clone()
    }

    /// The board if it can answer this opcode now, the model, and the number of the connection.
    pub fn backends_for(&self, opcode: u8) -> (Option<Arc<RemoteChip>>, Arc<ModelBackend>, u64) {
        let state = self.state();
        let needs_table = Opcode::from_code(opcode).is_some_and(Opcode::needs_table);
        let suits = !needs_table || state.model_table.is_some() && state.board_table == state.model_table;
        (state.board.clone().filter(|_| suits), state.model.clone(), state.generation)
    }

    /// Ends the probe thread.
    pub fn stop(&self) {
        let board = {
            let mut state = self.state();
            state.stop = true;
            state.board.clone()
        };
        // A table that the probe thread is loading over a noisy line may take minutes.
        if let Some(board) = board {
            board.close();
        }
        self.changed.notify_all();
    }

    /// Closes the board.
    pub fn close(&self) {
        let boards = {
            let mut state = self.state();
            (state.board.take(), state.lost.take())
        };
        drop(boards);
    }

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
    pub fn or_model(
        &self,
        outcome: RequestOutcome,
        request: &Request,
        model: &ModelBackend,
        generation: u64,
    ) -> RequestOutcome {
        let checked = outcome.and_then(|answers| {
            answers::check(&self.target, request, &answers)?;
            Ok(answers)
        });
        match checked {
            Err(error) if self.replaces(&error, generation) => Ok(model.answer(request)),
            Ok(answers) if answers.iter().any(|a| a.status == Status::NoTable as u8) => {
                // The board had a table when the request was sent, so it has been reset.
                self.note_table_loss(generation);
                Ok(model.answer(request))
            }
            other => other,
        }
    }

    /// Whether the model answers in place of the board after this failure. Notes the loss.
    pub fn replaces(&self, error: &AccelError, generation: u64) -> bool {
        match error {
            AccelError::TooLong { .. } | AccelError::MissingCapability { .. } => return false,
            // The line works: only this request goes to the model.
            AccelError::Unanswered { .. } | AccelError::Refused { .. } => {
                tracing::warn!("{error}; the software model answers it");
            }
            _ => self.drop_board(generation, error),
        }
        true
    }

    fn drop_board(&self, generation: u64, error: &AccelError) {
        let faulty = matches!(error, AccelError::Malformed { .. });
        {
            let mut state = self.state();
            if state.generation != generation || state.board.is_none() || state.stop {
                return;
            }
            state.board_table = None;
            state.faulty = faulty;
            state.lost = state.board.take();
        }
        let (target, error) = (self.target.clone(), error.clone());
        self.notify(match faulty {
            true => FailoverEvent::Faulty { target, error },
            false => FailoverEvent::Lost { target, error },
        });
        self.changed.notify_all();
    }

    pub fn note_table_loss(&self, generation: u64) {
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

    /// Gives the model this evaluation as the first board takes it, and loads it into the board unless the board has it.
    pub fn set_evaluation(&self, evaluation: &Evaluation) {
        let evaluation = evaluation.for_chip(self.identity.capabilities);
        let (checksum, bytes) = (evaluation.checksum(), evaluation.to_bytes());
        let mut model = model_for(self.identity.capabilities);
        model.set_evaluation(Some(evaluation));
        {
            let mut state = self.state();
            state.model = Arc::new(ModelBackend::with_model(model));
            state.model_table = Some(checksum);
            state.table = bytes;
        }
        self.sync_table();
    }

    /// The model's answer to a `LOAD_TABLE` request.
    pub fn load_table_part(&self, request: &Request) -> Responses {
        let (answers, complete) = {
            let mut state = self.state();
            let state = &mut *state;
            // Requests in flight keep the model as it was when they were submitted.
            if Arc::get_mut(&mut state.model).is_none() {
                state.model = Arc::new(state.model.fork());
            }
            let answers = state.model.answer(request);
            let accepted = answers[0].status == Status::Ok as u8;
            if accepted {
                if request.payload[..4] == [0; 4] {
                    state.table.clear();
                }
                state.table.extend_from_slice(&request.payload[4..]);
            }
            // The first part takes the model's table away, and the last one brings the new one.
            state.model_table = state.model.table_checksum();
            (answers, accepted && state.model_table.is_some())
        };
        if complete {
            self.sync_table();
        }
        answers
    }

    /// Loads the model's table or network into the board unless the board has it. Returns whether it was loaded.
    fn sync_table(&self) -> bool {
        let _guard = self.loading.lock().unwrap();
        let (board, generation, table, checksum) = {
            let state = self.state();
            let differs = state.model_table.is_some() && state.board_table != state.model_table;
            match &state.board {
                Some(board) if differs && board.handshake_info().capabilities & CAP_EVALUATE != 0 => {
                    (board.clone(), state.generation, state.table.clone(), state.model_table)
                }
                _ => return false,
            }
        };
        match board.load_table(&table) {
            Ok(()) => {
                let mut state = self.state();
                if state.generation == generation {
                    state.board_table = checksum;
                }
                true
            }
            // The board was closed on purpose.
            Err(_) if self.state().stop => false,
            Err(error) => {
                match error.is_lost() {
                    true => self.drop_board(generation, &error),
                    false => self.notify(FailoverEvent::TableRejected { target: self.target.clone(), error }),
                }
                false
            }
        }
    }

    /// The probe thread: waits for a loss, then tries to reopen the board until it is back.
    pub fn probe(&self) {
        let mut reported = None;
        let mut state = self.state();
        loop {
            if let Some(board) = state.lost.take() {
                drop(state);
                // Closes the port before it is opened again.
                drop(board);
                state = self.state();
                continue;
            }
            if state.stop {
                return;
            }
            if state.faulty || state.board.is_some() && !state.table_lost {
                state = self.changed.wait(state).unwrap();
                continue;
            }
            let had_board = state.board.is_some();
            // A loss is often short: wait even before the first attempt.
            let (guard, _) =
                self.changed.wait_timeout_while(state, self.interval, |s| !s.stop && s.lost.is_none()).unwrap();
            state = guard;
            if state.stop || state.lost.is_some() {
                continue;
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
                    if state.stop {
                        return;
                    }
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
