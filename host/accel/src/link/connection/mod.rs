//! Requests in flight: sequence numbers, credit, loss and retransmission. No I/O; the caller passes the time.
//!
//! Every request is idempotent, so a lost one is sent again; of a batch, only the positions without an answer. Each
//! transmission has its own sequence number. The chip answers in the order of arrival (a sliding window with selective
//! repeat), therefore:
//! * an answer to a later transmission means that the missing answers to an earlier one are lost: that request is sent
//!   again at once;
//! * silence for longer than the reply timeout means that everything in flight is lost; after a damaged frame, an eighth of
//!   that time does;
//! * answers are stored by position, whichever transmission of the request they belong to; the first one counts.
//!
//! A transmission holds credit ([`ENTRY_BYTES`] and its payload) until it is answered in full, refused or lost. Requests
//! are sent only within the chip's buffer. So a `BUSY` answer is rare (it follows the retransmission of a request that was
//! not lost after all), and the request is sent again after a short delay.
//!
//! A chip behind a word port skips everything after a damaged request up to a filler, and may wait for the rest of a frame of
//! which a word was lost. So fillers go out after a refusal, and a whole frame of them after a time-out and at the beginning.
//!
//! A chip that brings no request forward for `reply_timeout * max_timeouts` is lost, whatever it sends meanwhile.
//!
//! | module | contents |
//! |---|---|
//! | `pending` | a request and its transmissions |
//! | `receive` | answers |
//! | `word_answers` | finds answers in a stream of words |
//! | `batch_limit` | positions in one frame, by the quality of the line |
//! | `conduct` | what a chip sends that is no answer, for error messages |
//!
//! [`ENTRY_BYTES`]: hayasashi_spec::frame::ENTRY_BYTES

mod batch_limit;
mod conduct;
mod pending;
mod receive;
mod word_answers;

use super::{LinkLimits, LinkStatistics, Request, RequestOutcome};
use crate::{AccelError, Progress};
use batch_limit::BatchLimit;
use conduct::{Conduct, Idle};
use hayasashi_model::link::{framing::encode, word_frame::encode_fillers};
use hayasashi_spec::{
    frame::{Header, ENTRY_BYTES},
    opcode::{Opcode, Status},
    word_frame::{Framing, FLUSH_WORDS},
};
use pending::{PendingRequest, Sent, Transmission};
use receive::AnswerDecoder;
use std::{
    collections::{BTreeMap, HashMap},
    time::{Duration, Instant},
};

/// Identifies a request within a [`Connection`].
pub type RequestId = u64;

/// The state of one connection to a chip.
pub struct Connection {
    limits: LinkLimits,
    target: String,
    framing: Framing,
    decoder: AnswerDecoder,
    /// Filler words that go out before the next frame.
    fillers: usize,
    next_id: RequestId,
    next_sequence: u16,
    transmissions: u64,
    waiting: BTreeMap<RequestId, PendingRequest>,
    in_flight: BTreeMap<RequestId, PendingRequest>,
    by_sequence: HashMap<u16, Sent>,
    /// Number of the latest transmission of a `CANCEL`.
    last_cancel: u64,
    batch_limit: BatchLimit,
    credit_used: usize,
    /// Encoded frames; the first `written` bytes have been sent.
    outgoing: Vec<u8>,
    written: usize,
    /// When everything in flight counts as lost.
    due: Instant,
    /// When the chip last made progress, or was last without work.
    last_progress: Instant,
    /// What else the chip has sent since then.
    conduct: Conduct,
    completed: Vec<(RequestId, RequestOutcome)>,
    progress: Vec<(RequestId, Progress)>,
    statistics: LinkStatistics,
}

/// Bytes encoded ahead of the transport, at most about this many.
const AHEAD_BYTES: usize = 4096;
/// After a damaged frame the wait for an answer is this part of the reply timeout.
const DAMAGE_HASTE: u32 = 8;

impl Connection {
    /// A new connection on a byte stream. `target` names the chip in errors. `first_sequence` is any number, preferably one that an earlier
    /// connection has not just used.
    pub fn new(target: impl Into<String>, limits: LinkLimits, first_sequence: u16, now: Instant) -> Connection {
        Connection {
            limits,
            target: target.into(),
            framing: Framing::Slip,
            decoder: AnswerDecoder::new(Framing::Slip),
            fillers: 0,
            next_id: 0,
            next_sequence: first_sequence,
            transmissions: 0,
            waiting: BTreeMap::new(),
            in_flight: BTreeMap::new(),
            by_sequence: HashMap::new(),
            last_cancel: 0,
            batch_limit: BatchLimit::new(),
            credit_used: 0,
            outgoing: Vec::new(),
            written: 0,
            due: now,
            last_progress: now,
            conduct: Conduct::default(),
            completed: Vec::new(),
            progress: Vec::new(),
            statistics: LinkStatistics::default(),
        }
    }

    /// The same on a stream with these frames, on which nothing has been sent yet.
    pub fn with_framing(self, framing: Framing) -> Connection {
        let fillers = if framing == Framing::Words { FLUSH_WORDS } else { 0 };
        Connection { framing, decoder: AnswerDecoder::new(framing), fillers, ..self }
    }

    /// Sets the limits that apply from now on.
    pub fn set_limits(&mut self, limits: LinkLimits) {
        self.limits = limits;
    }

    /// The present limits.
    pub fn limits(&self) -> LinkLimits {
        self.limits
    }

    /// The counters so far.
    pub fn statistics(&self) -> LinkStatistics {
        self.statistics
    }

    /// Whether every request has its outcome.
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.in_flight.is_empty()
    }

    /// Queues a request; its outcome comes from [`take_completed`](Connection::take_completed).
    pub fn submit(&mut self, request: Request) -> RequestId {
        let id = self.next_id;
        self.next_id += 1;
        self.waiting.insert(id, PendingRequest::new(request));
        id
    }

    /// Bytes for the chip, as far as credit allows. Report those written with [`wrote`](Connection::wrote).
    pub fn outgoing(&mut self, now: Instant) -> &[u8] {
        while self.outgoing.len() - self.written < AHEAD_BYTES && self.send_next(now) {}
        &self.outgoing[self.written..]
    }

    /// The transport accepted `bytes` of the outgoing ones.
    pub fn wrote(&mut self, bytes: usize, now: Instant) {
        if bytes > 0 {
            self.written += bytes;
            self.due = self.due.max(now + self.limits.reply_timeout);
        }
        if self.written == self.outgoing.len() {
            self.outgoing.clear();
            self.written = 0;
        }
    }

    /// The request to send next, if the chip has room for it: the oldest, or a `CANCEL` where that has to wait and the chip works on
    /// what the `CANCEL` is to end.
    fn next_to_send(&self, now: Instant) -> Option<RequestId> {
        let may_be_sent = |pending: &PendingRequest| {
            let is_delayed = pending.not_before.is_some_and(|t| now < t);
            // Room for one `CANCEL` is kept.
            let kept = if pending.is(Opcode::Cancel) { 0 } else { ENTRY_BYTES };
            let cost = pending.next_cost(self.batch_limit.get()) + kept;
            // A request larger than the whole buffer is sent alone, and the chip answers it with a status.
            !is_delayed && (self.credit_used + cost <= self.limits.credit_bytes || self.in_flight.is_empty())
        };
        let (&first, pending) = self.waiting.first_key_value()?;
        if may_be_sent(pending) {
            return Some(first);
        }
        self.in_flight.values().find(|p| p.long().is_some())?;
        self.waiting.iter().find(|(_, p)| p.is(Opcode::Cancel) && may_be_sent(p)).map(|(&id, _)| id)
    }

    fn send_next(&mut self, now: Instant) -> bool {
        let Some(id) = self.next_to_send(now) else { return false };
        let mut pending = self.waiting.remove(&id).unwrap();
        let is_first = pending.transmissions.is_empty();
        if is_first {
            pending.damage_before = self.statistics.damage();
        }
        if self.in_flight.is_empty() {
            self.due = now + self.limits.reply_timeout;
            if is_first && self.waiting.values().all(|p| p.transmissions.is_empty()) {
                self.progressed(now);
            }
        }
        let sequence = self.take_sequence();
        self.transmissions += 1;
        self.statistics.sent += 1;
        self.statistics.retransmitted += !is_first as u64;
        let number = self.transmissions;
        let (header, payload, positions) = pending.next_frame(self.batch_limit.get());
        encode_fillers(std::mem::take(&mut self.fillers), &mut self.outgoing);
        encode(self.framing, Header { sequence, ..header }, &payload, &mut self.outgoing);
        self.by_sequence.insert(sequence, Sent { id, number });
        if pending.is(Opcode::Cancel) {
            self.last_cancel = number;
        }
        if let Some(forgotten) = pending.sent(Transmission { sequence, number, positions, answered: 0 }) {
            self.by_sequence.remove(&forgotten);
        }
        self.credit_used += pending.cost();
        self.statistics.peak_credit_bytes = self.statistics.peak_credit_bytes.max(self.credit_used);
        self.in_flight.insert(id, pending);
        true
    }

    /// The chip has brought the work forward.
    fn progressed(&mut self, now: Instant) {
        (self.due, self.last_progress) = (now + self.limits.reply_timeout, now);
        self.conduct = Conduct::default();
    }

    /// A frame arrived damaged. It may have been the answer that is waited for.
    fn damaged(&mut self, now: Instant) {
        self.statistics.damaged += 1;
        self.conduct.note(Idle::Damaged);
        self.hasten(now);
    }

    /// The answer that is waited for may not come, so the wait is shorter.
    fn hasten(&mut self, now: Instant) {
        self.due = self.due.min(now + self.limits.reply_timeout / DAMAGE_HASTE);
    }

    /// Drops what has not been sent, except for the rest of a word that has begun.
    fn drop_outgoing(&mut self) {
        self.outgoing.truncate(self.written.next_multiple_of(self.framing.unit_bytes()));
        if self.written == self.outgoing.len() {
            self.outgoing.clear();
            self.written = 0;
        }
    }

    fn take_sequence(&mut self) -> u16 {
        while self.by_sequence.contains_key(&self.next_sequence) {
            self.next_sequence = self.next_sequence.wrapping_add(1);
        }
        let sequence = self.next_sequence;
        self.next_sequence = sequence.wrapping_add(1);
        sequence
    }

    /// Retransmits everything sent before `transmission` and still in flight: the chip keeps the order, so it is lost.
    fn retransmit_before(&mut self, transmission: u64) {
        let lost: Vec<RequestId> =
            self.in_flight.iter().filter(|(_, p)| p.current() < transmission).map(|(id, _)| *id).collect();
        for id in lost {
            self.retransmit(id, None, None);
        }
    }

    /// Returns a request in flight to the queue, or fails it after too many attempts.
    fn retransmit(&mut self, id: RequestId, refusal: Option<Status>, not_before: Option<Instant>) {
        let mut pending = self.in_flight.remove(&id).expect("only requests in flight are retransmitted");
        self.credit_used -= pending.cost();
        if let Some(current) = pending.transmissions.back().filter(|t| t.answered == 0 && not_before.is_none()) {
            self.batch_limit.failed(current.positions.len());
        }
        pending.refusal = refusal.or(pending.refusal);
        pending.not_before = not_before;
        if pending.attempts < self.limits.max_attempts {
            self.waiting.insert(id, pending);
            return;
        }
        self.forget(&pending);
        self.completed.push((id, Err(self.unanswered(&pending))));
    }

    /// The error for a request with too many attempts: the line damages it, or the chip does not answer it.
    fn unanswered(&self, pending: &PendingRequest) -> AccelError {
        let (target, opcode, attempts) = (self.target.clone(), pending.request.opcode, pending.attempts);
        let cause = match pending.refusal {
            Some(Status::BadCrc | Status::BadLength) => "the chip receives it damaged".into(),
            _ if self.statistics.damage() > pending.damage_before => "the line damages frames".into(),
            _ => {
                let (missing, answers) = (pending.missing, pending.answers.len());
                let reason = format!(
                    "after {attempts} attempts {missing} of {answers} answers are missing, although the line damages no frame; the chip sent {}",
                    self.conduct
                );
                return AccelError::Malformed { target, opcode, reason };
            }
        };
        AccelError::Unanswered { target, opcode, attempts, cause }
    }

    fn finish(&mut self, id: RequestId) {
        let pending = match self.in_flight.remove(&id) {
            Some(pending) => {
                self.credit_used -= pending.cost();
                pending
            }
            None => self.waiting.remove(&id).expect("a request is in flight or waiting"),
        };
        self.forget(&pending);
        self.completed.push((id, Ok(pending.answers.into_iter().flatten().collect())));
    }

    fn forget(&mut self, pending: &PendingRequest) {
        for transmission in &pending.transmissions {
            self.by_sequence.remove(&transmission.sequence);
        }
    }

    /// When [`tick`](Connection::tick) is due if nothing else happens.
    pub fn deadline(&self) -> Option<Instant> {
        let lost = self.last_progress.checked_add(self.patience());
        let timeouts = [Some(self.due), lost].into_iter().flatten().filter(|_| !self.in_flight.is_empty());
        let retry = self.waiting.first_key_value().and_then(|(_, p)| p.not_before);
        timeouts.chain(retry).min()
    }

    /// How long a chip may have work without making progress.
    fn patience(&self) -> Duration {
        self.limits.reply_timeout.saturating_mul(self.limits.max_timeouts)
    }

    /// Checks the timeouts.
    ///
    /// # Errors
    /// The chip is lost; every unanswered request has completed with the same error.
    pub fn tick(&mut self, now: Instant) -> Result<(), AccelError> {
        if let Some(reason) = self.loss(now) {
            let error = AccelError::Lost { target: self.target.clone(), reason };
            self.fail_all(&error);
            return Err(error);
        }
        if self.in_flight.is_empty() || now < self.due {
            return Ok(());
        }
        self.give_up_answer(now);
        if self.in_flight.is_empty() || now < self.due {
            return Ok(());
        }
        self.due = now + self.limits.reply_timeout;
        self.statistics.timeouts += 1;
        self.drop_outgoing();
        if self.framing == Framing::Words {
            self.fillers = FLUSH_WORDS;
        }
        self.retransmit_before(u64::MAX);
        Ok(())
    }

    /// Why the chip counts as lost, if it does.
    fn loss(&self, now: Instant) -> Option<String> {
        let patience = self.patience();
        let mut requests = self.in_flight.values().chain(self.waiting.values());
        let exceeds = |since: Instant| now.saturating_duration_since(since) >= patience;
        if requests.clone().any(|p| p.attempts > 0 || p.busy_since.is_some()) && exceeds(self.last_progress) {
            return Some(self.stalled(patience));
        }
        let busy = requests.find(|p| p.busy_since.is_some_and(exceeds))?;
        Some(format!("`BUSY` is its only answer to request 0x{:02X} for {patience:?}", busy.request.opcode))
    }

    /// What the chip has done instead of progress.
    pub(crate) fn stalled(&self, waited: Duration) -> String {
        match self.conduct.to_string() {
            nothing if nothing == Conduct::default().to_string() => format!("no answer within {waited:?}"),
            conduct => format!("no valid answer within {waited:?}, but {conduct}"),
        }
    }

    /// Completes every unanswered request with this error.
    pub fn fail_all(&mut self, error: &AccelError) {
        let in_flight = std::mem::take(&mut self.in_flight).into_keys();
        let waiting = std::mem::take(&mut self.waiting).into_keys();
        self.completed.extend(in_flight.chain(waiting).map(|id| (id, Err(error.clone()))));
        self.by_sequence.clear();
        self.drop_outgoing();
        self.credit_used = 0;
    }

    /// The requests completed since the last call.
    pub fn take_completed(&mut self) -> Vec<(RequestId, RequestOutcome)> {
        std::mem::take(&mut self.completed)
    }

    /// The progress of requests that take long, reported since the last call.
    pub fn take_progress(&mut self) -> Vec<(RequestId, Progress)> {
        std::mem::take(&mut self.progress)
    }
}
