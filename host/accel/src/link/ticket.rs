//! Submitted requests whose answers come later.

use super::{decode_result, PositionError, PositionResult, RequestOutcome, Response};
use crate::{long_request::LongRequest, AccelError, Progress};
use std::{
    sync::{Arc, Condvar, Mutex},
    time::Duration,
};

/// Time between two questions of [`PendingBatch::wait_while`] whether to continue.
const WAIT_STEP: Duration = Duration::from_millis(2);

/// Where the outcome of a request is stored when it arrives.
#[derive(Debug, Default)]
pub(crate) struct ReplySlot {
    outcome: Mutex<Option<RequestOutcome>>,
    completed: Condvar,
    progress: Mutex<Option<Progress>>,
}

impl ReplySlot {
    pub(crate) fn complete(&self, outcome: RequestOutcome) {
        *self.outcome.lock().unwrap() = Some(outcome);
        self.completed.notify_all();
    }

    pub(crate) fn set_progress(&self, progress: Progress) {
        *self.progress.lock().unwrap() = Some(progress);
    }
}

/// A submitted request: [`poll`](Ticket::poll) it now and then, or [`wait`](Ticket::wait) for its outcome.
///
/// A ticket can be sent to another thread. Dropping a ticket does not cancel its request.
#[must_use = "the answers come through the ticket"]
pub struct Ticket {
    slot: Arc<ReplySlot>,
    finish: Option<Box<dyn FnOnce(RequestOutcome) -> RequestOutcome + Send>>,
    work: Option<Arc<LongRequest>>,
}

impl Ticket {
    /// A ticket whose outcome is already known.
    pub fn ready(outcome: RequestOutcome) -> Ticket {
        let slot = ReplySlot { outcome: Mutex::new(Some(outcome)), ..ReplySlot::default() };
        Ticket { slot: Arc::new(slot), finish: None, work: None }
    }

    /// A ticket, and the slot for its outcome.
    pub(crate) fn open() -> (Ticket, Arc<ReplySlot>) {
        let slot = Arc::new(ReplySlot::default());
        (Ticket { slot: slot.clone(), finish: None, work: None }, slot)
    }

    /// Applies `finish` to the outcome, in the thread that waits for it.
    pub fn then(self, finish: impl FnOnce(RequestOutcome) -> RequestOutcome + Send + 'static) -> Ticket {
        let earlier = self.finish;
        let both = move |outcome| finish(earlier.into_iter().fold(outcome, |o, f| f(o)));
        Ticket { slot: self.slot, finish: Some(Box::new(both)), work: self.work }
    }

    /// Whether the outcome has arrived, so that [`wait`](Ticket::wait) returns at once.
    pub fn poll(&self) -> bool {
        self.slot.outcome.lock().unwrap().is_some()
    }

    /// The latest progress of a request that takes long, if any has been reported.
    pub fn progress(&self) -> Option<Progress> {
        let reported = *self.slot.progress.lock().unwrap();
        self.work.as_ref().map(|work| work.progress()).or(reported)
    }

    /// Takes the progress from this work in the same process.
    pub(crate) fn with_progress_of(self, work: Arc<LongRequest>) -> Ticket {
        Ticket { work: Some(work), ..self }
    }

    /// Waits for the outcome, but at most this long. Returns whether it has arrived.
    pub fn wait_for(&self, longest: Duration) -> bool {
        let outcome = self.slot.outcome.lock().unwrap();
        self.slot.completed.wait_timeout_while(outcome, longest, |o| o.is_none()).unwrap().0.is_some()
    }

    /// Waits for the outcome.
    ///
    /// # Errors
    /// The back end failed before it answered.
    pub fn wait(self) -> RequestOutcome {
        let outcome = {
            let outcome = self.slot.outcome.lock().unwrap();
            self.slot.completed.wait_while(outcome, |o| o.is_none()).unwrap().take().unwrap()
        };
        match self.finish {
            Some(finish) => finish(outcome),
            None => outcome,
        }
    }
}

/// A submitted batch of any size; each position has a result of type `T`.
#[must_use = "the results come through `wait`"]
pub struct PendingBatch<T> {
    target: String,
    /// The requests in order, each with its number of positions.
    requests: Vec<(usize, Ticket)>,
    result: std::marker::PhantomData<fn() -> T>,
}

impl<T: PositionResult> PendingBatch<T> {
    pub(crate) fn new(target: String, requests: Vec<(usize, Ticket)>) -> PendingBatch<T> {
        PendingBatch { target, requests, result: std::marker::PhantomData }
    }

    /// Whether all answers have arrived, so that [`wait`](PendingBatch::wait) returns at once.
    pub fn poll(&self) -> bool {
        self.requests.iter().all(|(_, ticket)| ticket.poll())
    }

    /// Waits until all answers have arrived, as long as `continues`, which is asked every few milliseconds. Returns whether
    /// they have. The requests stay in flight.
    pub fn wait_while(&self, mut continues: impl FnMut() -> bool) -> bool {
        self.requests.iter().all(|(_, ticket)| loop {
            if ticket.wait_for(WAIT_STEP) {
                return true;
            }
            if !continues() {
                return false;
            }
        })
    }

    /// Waits for the results: one for each position, in the order of the positions.
    ///
    /// # Errors
    /// The first failure of the back end.
    pub fn wait(self) -> Result<Vec<Result<T, PositionError>>, AccelError> {
        let mut results = Vec::new();
        let mut failure = None;
        // Wait for all, so that no request stays in flight when one fails.
        for (positions, ticket) in self.requests {
            match ticket.wait().and_then(|answers| decode_batch(&self.target, positions, &answers)) {
                Ok(batch) => results.extend(batch),
                Err(e) => failure = failure.or(Some(e)),
            }
        }
        failure.map_or(Ok(results), Err)
    }
}

fn decode_batch<T: PositionResult>(
    target: &str,
    positions: usize,
    answers: &[Response],
) -> Result<Vec<Result<T, PositionError>>, AccelError> {
    let batch = answers.iter().map(|a| decode_result(target, a)).collect::<Result<Vec<_>, _>>()?;
    if batch.len() != positions {
        let reason = format!("{} answers to {positions} positions", batch.len());
        return Err(AccelError::malformed(target, T::OPCODE, reason));
    }
    Ok(batch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tickets_finish_in_order() {
        let t = Ticket::ready(Ok(vec![])).then(|_| Err(AccelError::TooLong { bytes: 1 })).then(|o| {
            assert!(o.is_err());
            Ok(vec![])
        });
        assert!(t.poll());
        assert_eq!(t.wait(), Ok(vec![]));
    }
}
