//! Requests in flight: sequence numbers, credit, loss and retransmission. No I/O; the caller passes the time.
//!
//! Every request is idempotent, so a lost one is sent again. Each transmission has its own sequence number. The chip
//! answers in the order of arrival (a sliding window with selective repeat), therefore:
//! * an answer to a later transmission means that the missing answers to an earlier one are lost: that request is sent
//!   again at once;
//! * silence for longer than the reply timeout means that everything in flight is lost;
//! * answers are stored by index, whichever transmission of the request they belong to; the first one counts.
//!
//! A transmission holds credit ([`ENTRY_BYTES`] and its payload) until it is answered in full, refused or lost. Requests
//! are sent only within the chip's buffer. So a `BUSY` answer is rare (it follows the retransmission of a request that was
//! not lost after all), and the request is sent again after a short delay.

use super::{LinkLimits, LinkStatistics, Request, RequestOutcome, Response};
use crate::AccelError;
use hayasashi_model::link::frame::{encode_frame, Decoder};
use hayasashi_spec::{
    frame::{Header, ENTRY_BYTES, MAX_ANSWER_PAYLOAD},
    opcode::{Status, ANSWER},
    perft::{Sums, SUMS_BYTES},
};
use std::{
    collections::{BTreeMap, HashMap},
    time::Instant,
};

/// Identifies a request within a [`Connection`].
pub type RequestId = u64;

/// A request without its outcome: waiting to be sent, or in flight.
struct PendingRequest {
    request: Request,
    /// Answers received, by index in the batch.
    answers: Vec<Option<Response>>,
    /// Answers not yet received.
    missing: usize,
    /// Sequence numbers of all its transmissions; the last is the current one.
    sequences: Vec<u16>,
    /// Number of the current transmission, counted over all requests.
    transmission: u64,
    /// Transmissions since the last new answer.
    attempts: u32,
    /// The status that last asked for a retransmission.
    refusal: Option<Status>,
    /// Earliest time to send it again.
    not_before: Option<Instant>,
}

impl PendingRequest {
    /// Bytes of the chip's request buffer that it occupies.
    fn cost(&self) -> usize {
        self.request.payload.len() + ENTRY_BYTES
    }
}

/// The state of one connection to a chip.
pub struct Connection {
    limits: LinkLimits,
    target: String,
    decoder: Decoder,
    next_id: RequestId,
    next_sequence: u16,
    transmissions: u64,
    waiting: BTreeMap<RequestId, PendingRequest>,
    in_flight: BTreeMap<RequestId, PendingRequest>,
    /// Sequence number → request and transmission.
    by_sequence: HashMap<u16, (RequestId, u64)>,
    credit_used: usize,
    /// Encoded frames; the first `written` bytes have been sent.
    outgoing: Vec<u8>,
    written: usize,
    /// When bytes were last sent or a frame last received.
    last_activity: Instant,
    /// Consecutive reply timeouts.
    timeouts: u32,
    completed: Vec<(RequestId, RequestOutcome)>,
    progress: Vec<(RequestId, Sums)>,
    statistics: LinkStatistics,
}

/// Bytes encoded ahead of the transport, at most about this many.
const AHEAD_BYTES: usize = 4096;

impl Connection {
    /// A new connection. `target` names the chip in errors. `first_sequence` is any number, preferably one that an earlier
    /// connection has not just used.
    pub fn new(target: impl Into<String>, limits: LinkLimits, first_sequence: u16, now: Instant) -> Connection {
        Connection {
            limits,
            target: target.into(),
            decoder: Decoder::new(MAX_ANSWER_PAYLOAD),
            next_id: 0,
            next_sequence: first_sequence,
            transmissions: 0,
            waiting: BTreeMap::new(),
            in_flight: BTreeMap::new(),
            by_sequence: HashMap::new(),
            credit_used: 0,
            outgoing: Vec::new(),
            written: 0,
            last_activity: now,
            timeouts: 0,
            completed: Vec::new(),
            progress: Vec::new(),
            statistics: LinkStatistics::default(),
        }
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
        let answers = vec![None; request.answers()];
        let pending = PendingRequest {
            missing: answers.len(),
            request,
            answers,
            sequences: Vec::new(),
            transmission: 0,
            attempts: 0,
            refusal: None,
            not_before: None,
        };
        self.waiting.insert(id, pending);
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
            self.last_activity = self.last_activity.max(now);
        }
        if self.written == self.outgoing.len() {
            self.outgoing.clear();
            self.written = 0;
        }
    }

    fn send_next(&mut self, now: Instant) -> bool {
        let Some((&id, first)) = self.waiting.first_key_value() else { return false };
        let is_delayed = first.not_before.is_some_and(|t| now < t);
        // A request larger than the whole buffer is sent alone, and the chip answers it with a status.
        let fits = self.credit_used + first.cost() <= self.limits.credit_bytes || self.in_flight.is_empty();
        if is_delayed || !fits {
            return false;
        }
        let mut pending = self.waiting.remove(&id).unwrap();
        let sequence = self.take_sequence();
        let header = Header {
            opcode: pending.request.opcode,
            status: 0,
            sequence,
            count: pending.request.count,
            length: pending.request.payload.len() as u16,
        };
        encode_frame(header, &pending.request.payload, &mut self.outgoing);
        if self.in_flight.is_empty() {
            self.last_activity = now;
        }
        self.transmissions += 1;
        self.statistics.sent += 1;
        self.statistics.retransmitted += (!pending.sequences.is_empty()) as u64;
        self.by_sequence.insert(sequence, (id, self.transmissions));
        pending.sequences.push(sequence);
        pending.transmission = self.transmissions;
        pending.attempts += 1;
        self.credit_used += pending.cost();
        self.statistics.peak_credit_bytes = self.statistics.peak_credit_bytes.max(self.credit_used);
        self.in_flight.insert(id, pending);
        true
    }

    fn take_sequence(&mut self) -> u16 {
        while self.by_sequence.contains_key(&self.next_sequence) {
            self.next_sequence = self.next_sequence.wrapping_add(1);
        }
        let sequence = self.next_sequence;
        self.next_sequence = sequence.wrapping_add(1);
        sequence
    }

    /// Processes bytes from the chip.
    pub fn receive(&mut self, bytes: &[u8], now: Instant) {
        self.statistics.bytes_received += bytes.len() as u64;
        let mut frames = Vec::new();
        self.decoder.push(bytes, |frame| frames.push(frame.map(|f| (f.header, f.payload.to_vec())).map_err(drop)));
        for frame in frames {
            match frame {
                Ok((header, payload)) => self.receive_answer(header, payload, now),
                Err(()) => self.statistics.damaged += 1,
            }
        }
    }

    fn receive_answer(&mut self, header: Header, payload: Vec<u8>, now: Instant) {
        self.last_activity = now;
        self.timeouts = 0;
        let Some(&(id, transmission)) = self.by_sequence.get(&header.sequence) else {
            self.statistics.stale += 1;
            return;
        };
        let is_current = self.in_flight.get(&id).is_some_and(|f| f.transmission == transmission);
        let shares_buffer = self.in_flight.len() > 1;
        let Some(pending) = self.in_flight.get_mut(&id).or_else(|| self.waiting.get_mut(&id)) else { return };
        let opcode_matches = header.opcode == pending.request.opcode | ANSWER;
        match Status::from_code(header.status) {
            Some(status @ Status::BadCrc) if is_current => return self.retransmit(id, Some(status), None),
            Some(status @ Status::BadLength) if pending.request.has_valid_length() => {
                if is_current {
                    self.retransmit(id, Some(status), None);
                }
                return;
            }
            Some(status @ Status::Busy) if is_current && opcode_matches => {
                self.statistics.busy += 1;
                // Other requests fill the buffer, so this is not a failed attempt.
                pending.attempts -= shares_buffer as u32;
                return self.retransmit(id, Some(status), Some(now + self.limits.busy_delay));
            }
            Some(Status::BadCrc | Status::Busy) => return,
            _ if !opcode_matches => {
                self.statistics.stale += 1;
                return;
            }
            Some(Status::Progress) => {
                // The chip is working on it, so everything sent before it has been answered or lost.
                pending.attempts = 1;
                if payload.len() == SUMS_BYTES {
                    self.progress.push((id, bytemuck::pod_read_unaligned(&payload)));
                }
                return self.retransmit_before(transmission);
            }
            Some(Status::BadLength | Status::BadOpcode) => {
                // The whole request is answered by this one frame.
                pending.answers = vec![None];
                pending.missing = 1;
            }
            _ => {}
        }
        let index = header.count as usize;
        match pending.answers.get_mut(index) {
            Some(place @ None) => {
                *place = Some(Response { opcode: header.opcode, status: header.status, index: header.count, payload });
                pending.missing -= 1;
                pending.attempts = 1;
                self.statistics.answers += 1;
            }
            _ => self.statistics.stale += 1,
        }
        let was_last = index + 1 >= pending.answers.len();
        if pending.missing == 0 {
            self.finish(id);
        } else if was_last && is_current {
            self.retransmit(id, None, None);
        }
        self.retransmit_before(transmission);
    }

    /// Retransmits everything sent before `transmission` and still in flight: the chip keeps the order, so it is lost.
    fn retransmit_before(&mut self, transmission: u64) {
        let lost: Vec<RequestId> =
            self.in_flight.iter().filter(|(_, f)| f.transmission < transmission).map(|(id, _)| *id).collect();
        for id in lost {
            self.retransmit(id, None, None);
        }
    }

    /// Returns a request in flight to the queue, or fails it after too many attempts.
    fn retransmit(&mut self, id: RequestId, refusal: Option<Status>, not_before: Option<Instant>) {
        let mut pending = self.in_flight.remove(&id).expect("only requests in flight are retransmitted");
        self.credit_used -= pending.cost();
        pending.refusal = refusal.or(pending.refusal);
        pending.not_before = not_before;
        if pending.attempts < self.limits.max_attempts {
            self.waiting.insert(id, pending);
            return;
        }
        let (target, opcode, attempts) = (self.target.clone(), pending.request.opcode, pending.attempts);
        self.forget(&pending);
        self.completed.push((
            id,
            Err(match pending.refusal {
                Some(status) => AccelError::Refused { target, opcode, status },
                None => AccelError::Unanswered { target, opcode, attempts },
            }),
        ));
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
        for sequence in &pending.sequences {
            self.by_sequence.remove(sequence);
        }
    }

    /// When [`tick`](Connection::tick) is due if nothing else happens.
    pub fn deadline(&self) -> Option<Instant> {
        let timeout = (!self.in_flight.is_empty()).then(|| self.last_activity + self.limits.reply_timeout);
        let retry = self.waiting.first_key_value().and_then(|(_, f)| f.not_before);
        timeout.into_iter().chain(retry).min()
    }

    /// Checks the timeouts.
    ///
    /// # Errors
    /// The chip is lost; every unanswered request has completed with the same error.
    pub fn tick(&mut self, now: Instant) -> Result<(), AccelError> {
        if self.in_flight.is_empty() || now < self.last_activity + self.limits.reply_timeout {
            return Ok(());
        }
        self.timeouts += 1;
        if self.timeouts >= self.limits.max_timeouts {
            let waited = self.limits.reply_timeout * self.timeouts;
            let reason = format!("no answer within {waited:?}");
            let error = AccelError::Lost { target: self.target.clone(), reason };
            self.fail_all(&error);
            return Err(error);
        }
        self.last_activity = now;
        self.outgoing.clear();
        self.written = 0;
        self.retransmit_before(u64::MAX);
        Ok(())
    }

    /// Completes every unanswered request with this error.
    pub fn fail_all(&mut self, error: &AccelError) {
        let in_flight = std::mem::take(&mut self.in_flight).into_keys();
        let waiting = std::mem::take(&mut self.waiting).into_keys();
        self.completed.extend(in_flight.chain(waiting).map(|id| (id, Err(error.clone()))));
        self.by_sequence.clear();
        self.outgoing.clear();
        self.written = 0;
        self.credit_used = 0;
    }

    /// The requests completed since the last call.
    pub fn take_completed(&mut self) -> Vec<(RequestId, RequestOutcome)> {
        std::mem::take(&mut self.completed)
    }

    /// The progress of perft requests reported since the last call.
    pub fn take_progress(&mut self) -> Vec<(RequestId, Sums)> {
        std::mem::take(&mut self.progress)
    }
}
