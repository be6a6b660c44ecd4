//! Requests in flight: sequence numbers, credit, loss and repetition, without any I/O and with a clock from outside.
//!
//! Every request may be asked twice, so a lost one is simply sent again. Each transmission has a sequence number of
//! its own. The chip answers in the order of arrival, therefore:
//! * an answer to a later transmission means that what an earlier one still lacks is lost: it is sent again at once;
//! * silence for longer than the wire's patience means that all in flight are lost;
//! * answers are kept by index, whichever transmission of their request they belong to; the first one counts.
//!
//! A transmission holds credit ([`ENTRY_BYTES`] and its payload) until it is answered in full, refused or lost; new
//! ones are only sent within the chip's buffer, so a `BUSY` answer is the exception (a repetition of what was not
//! lost after all), and is followed by a short pause.

use super::{AccelError, Request, Response, Responses};
use hayasashi_model::link::frame::{encode_frame, Decoder};
use hayasashi_spec::{
    frame::{Header, BUFFER_BYTES, ENTRY_BYTES, MAX_ANSWER_PAYLOAD},
    opcode::{Status, ANSWER},
    perft::{Sums, SUMS_BYTES},
};
use std::{
    collections::{BTreeMap, HashMap},
    time::{Duration, Instant},
};

/// How long and how often an [`Exchange`] tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkLimits {
    /// Bytes of the chip's request buffer.
    pub credit: usize,
    /// Longest silence of the chip with requests before it.
    pub patience: Duration,
    /// Silences in a row after which the chip is lost.
    pub silences: u32,
    /// Transmissions of one request, in a row without a new answer to it, after which it is given up.
    pub attempts: u32,
    /// Pause after a `BUSY` answer.
    pub pause: Duration,
}

impl Default for LinkLimits {
    fn default() -> LinkLimits {
        LinkLimits {
            credit: BUFFER_BYTES,
            patience: Duration::from_secs(1),
            silences: 3,
            attempts: 20,
            pause: Duration::from_millis(2),
        }
    }
}

/// What happened on the line so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkStatistics {
    /// Frames sent.
    pub sent: u64,
    /// Answers taken.
    pub answers: u64,
    /// Requests sent again.
    pub repeated: u64,
    /// Answers dropped: doubles, or to requests that nobody remembers.
    pub stale: u64,
    /// Damaged frames received.
    pub damaged: u64,
    /// `BUSY` answers.
    pub busy: u64,
    /// Bytes received.
    pub bytes_received: u64,
    /// Most credit ever in use.
    pub most_credit: usize,
}

/// Identifies a request within an [`Exchange`].
pub type Id = u64;

struct Flight {
    request: Request,
    answers: Vec<Option<Response>>,
    missing: usize,
    /// Sequence numbers of all its transmissions; the last is the current one.
    sequences: Vec<u16>,
    transmission: u64,
    attempts: u32,
    refusal: Option<Status>,
    not_before: Option<Instant>,
}

impl Flight {
    fn cost(&self) -> usize {
        self.request.payload.len() + ENTRY_BYTES
    }
}

/// The state of one conversation with a chip.
pub struct Exchange {
    limits: LinkLimits,
    target: String,
    decoder: Decoder,
    next_id: Id,
    next_sequence: u16,
    transmissions: u64,
    waiting: BTreeMap<Id, Flight>,
    flying: BTreeMap<Id, Flight>,
    /// Sequence number → request and transmission.
    known: HashMap<u16, (Id, u64)>,
    credit_used: usize,
    outgoing: Vec<u8>,
    written: usize,
    last_sign: Instant,
    silences: u32,
    done: Vec<(Id, Result<Responses, AccelError>)>,
    progress: Vec<(Id, Sums)>,
    statistics: LinkStatistics,
}

/// Encodes ahead of the wire at most this much.
const AHEAD_BYTES: usize = 4096;

impl Exchange {
    /// A conversation that has not begun. `target` names the chip in errors; `first_sequence` is any number, best
    /// one that an earlier conversation did not use just now.
    pub fn new(target: impl Into<String>, limits: LinkLimits, first_sequence: u16, now: Instant) -> Exchange {
        Exchange {
            limits,
            target: target.into(),
            decoder: Decoder::new(MAX_ANSWER_PAYLOAD),
            next_id: 0,
            next_sequence: first_sequence,
            transmissions: 0,
            waiting: BTreeMap::new(),
            flying: BTreeMap::new(),
            known: HashMap::new(),
            credit_used: 0,
            outgoing: Vec::new(),
            written: 0,
            last_sign: now,
            silences: 0,
            done: Vec::new(),
            progress: Vec::new(),
            statistics: LinkStatistics::default(),
        }
    }

    /// Changes the limits from now on.
    pub fn set_limits(&mut self, limits: LinkLimits) {
        self.limits = limits;
    }

    /// The limits now.
    pub fn limits(&self) -> LinkLimits {
        self.limits
    }

    /// What happened so far.
    pub fn statistics(&self) -> LinkStatistics {
        self.statistics
    }

    /// Whether no request is unanswered.
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.flying.is_empty()
    }

    /// Takes a request; its outcome comes from [`take_done`](Exchange::take_done).
    pub fn submit(&mut self, request: Request) -> Id {
        let id = self.next_id;
        self.next_id += 1;
        let answers = vec![None; request.answers()];
        let flight = Flight {
            missing: answers.len(),
            request,
            answers,
            sequences: Vec::new(),
            transmission: 0,
            attempts: 0,
            refusal: None,
            not_before: None,
        };
        self.waiting.insert(id, flight);
        id
    }

    /// Bytes for the chip, as far as credit allows. Report what was written by [`wrote`](Exchange::wrote).
    pub fn outgoing(&mut self, now: Instant) -> &[u8] {
        while self.outgoing.len() - self.written < AHEAD_BYTES && self.send_next(now) {}
        &self.outgoing[self.written..]
    }

    /// The wire took `bytes` of the outgoing ones.
    pub fn wrote(&mut self, bytes: usize, now: Instant) {
        if bytes > 0 {
            self.written += bytes;
            self.last_sign = self.last_sign.max(now);
        }
        if self.written == self.outgoing.len() {
            self.outgoing.clear();
            self.written = 0;
        }
    }

    fn send_next(&mut self, now: Instant) -> bool {
        let Some((&id, first)) = self.waiting.first_key_value() else { return false };
        let pauses = first.not_before.is_some_and(|t| now < t);
        // A request larger than the whole buffer is sent alone, and the chip says what it thinks of it.
        let fits = self.credit_used + first.cost() <= self.limits.credit || self.flying.is_empty();
        if pauses || !fits {
            return false;
        }
        let mut flight = self.waiting.remove(&id).unwrap();
        let sequence = self.take_sequence();
        let header = Header {
            opcode: flight.request.opcode,
            status: 0,
            sequence,
            count: flight.request.count,
            length: flight.request.payload.len() as u16,
        };
        encode_frame(header, &flight.request.payload, &mut self.outgoing);
        if self.flying.is_empty() {
            self.last_sign = now;
        }
        self.transmissions += 1;
        self.statistics.sent += 1;
        self.statistics.repeated += (!flight.sequences.is_empty()) as u64;
        self.known.insert(sequence, (id, self.transmissions));
        flight.sequences.push(sequence);
        flight.transmission = self.transmissions;
        flight.attempts += 1;
        self.credit_used += flight.cost();
        self.statistics.most_credit = self.statistics.most_credit.max(self.credit_used);
        self.flying.insert(id, flight);
        true
    }

    fn take_sequence(&mut self) -> u16 {
        while self.known.contains_key(&self.next_sequence) {
            self.next_sequence = self.next_sequence.wrapping_add(1);
        }
        let sequence = self.next_sequence;
        self.next_sequence = sequence.wrapping_add(1);
        sequence
    }

    /// Takes bytes from the chip.
    pub fn receive(&mut self, bytes: &[u8], now: Instant) {
        self.statistics.bytes_received += bytes.len() as u64;
        let mut frames = Vec::new();
        self.decoder.push(bytes, |frame| frames.push(frame.map(|f| (f.header, f.payload.to_vec())).map_err(drop)));
        for frame in frames {
            match frame {
                Ok((header, payload)) => self.answer(header, payload, now),
                Err(()) => self.statistics.damaged += 1,
            }
        }
    }

    fn answer(&mut self, header: Header, payload: Vec<u8>, now: Instant) {
        self.last_sign = now;
        self.silences = 0;
        let Some(&(id, transmission)) = self.known.get(&header.sequence) else {
            self.statistics.stale += 1;
            return;
        };
        let is_current = self.flying.get(&id).is_some_and(|f| f.transmission == transmission);
        let in_company = self.flying.len() > 1;
        let Some(flight) = self.flying.get_mut(&id).or_else(|| self.waiting.get_mut(&id)) else { return };
        let opcode_matches = header.opcode == flight.request.opcode | ANSWER;
        match Status::from_code(header.status) {
            Some(status @ Status::BadCrc) if is_current => return self.repeat(id, Some(status), None),
            Some(status @ Status::BadLength) if flight.request.has_valid_length() => {
                if is_current {
                    self.repeat(id, Some(status), None);
                }
                return;
            }
            Some(status @ Status::Busy) if is_current && opcode_matches => {
                self.statistics.busy += 1;
                // Others hold the room: that is no failure of this one.
                flight.attempts -= in_company as u32;
                return self.repeat(id, Some(status), Some(now + self.limits.pause));
            }
            Some(Status::BadCrc | Status::Busy) => return,
            _ if !opcode_matches => {
                self.statistics.stale += 1;
                return;
            }
            Some(Status::Progress) => {
                // It is being worked on, and what was sent before it is not any more.
                flight.attempts = 1;
                if payload.len() == SUMS_BYTES {
                    self.progress.push((id, bytemuck::pod_read_unaligned(&payload)));
                }
                return self.repeat_before(transmission);
            }
            Some(Status::BadLength | Status::BadOpcode) => {
                // The whole request is answered by this one frame.
                flight.answers = vec![None];
                flight.missing = 1;
            }
            _ => {}
        }
        let index = header.count as usize;
        match flight.answers.get_mut(index) {
            Some(place @ None) => {
                *place = Some(Response { opcode: header.opcode, status: header.status, index: header.count, payload });
                flight.missing -= 1;
                flight.attempts = 1;
                self.statistics.answers += 1;
            }
            _ => self.statistics.stale += 1,
        }
        let was_last = index + 1 >= flight.answers.len();
        if flight.missing == 0 {
            self.finish(id);
        } else if was_last && is_current {
            self.repeat(id, None, None);
        }
        self.repeat_before(transmission);
    }

    /// Everything sent before `transmission` and still in flight is lost, for the chip keeps the order.
    fn repeat_before(&mut self, transmission: u64) {
        let lost: Vec<Id> =
            self.flying.iter().filter(|(_, f)| f.transmission < transmission).map(|(id, _)| *id).collect();
        for id in lost {
            self.repeat(id, None, None);
        }
    }

    /// Puts a request in flight back into the queue, or gives it up.
    fn repeat(&mut self, id: Id, refusal: Option<Status>, not_before: Option<Instant>) {
        let mut flight = self.flying.remove(&id).expect("only requests in flight are repeated");
        self.credit_used -= flight.cost();
        flight.refusal = refusal.or(flight.refusal);
        flight.not_before = not_before;
        if flight.attempts < self.limits.attempts {
            self.waiting.insert(id, flight);
            return;
        }
        let (target, opcode, attempts) = (self.target.clone(), flight.request.opcode, flight.attempts);
        self.forget(&flight);
        self.done.push((
            id,
            Err(match flight.refusal {
                Some(status) => AccelError::Refused { target, opcode, status },
                None => AccelError::Unanswered { target, opcode, attempts },
            }),
        ));
    }

    fn finish(&mut self, id: Id) {
        let flight = match self.flying.remove(&id) {
            Some(flight) => {
                self.credit_used -= flight.cost();
                flight
            }
            None => self.waiting.remove(&id).expect("a request is in flight or waiting"),
        };
        self.forget(&flight);
        self.done.push((id, Ok(flight.answers.into_iter().flatten().collect())));
    }

    fn forget(&mut self, flight: &Flight) {
        for sequence in &flight.sequences {
            self.known.remove(sequence);
        }
    }

    /// When [`tick`](Exchange::tick) has something to do, if nothing else happens.
    pub fn deadline(&self) -> Option<Instant> {
        let silence = (!self.flying.is_empty()).then(|| self.last_sign + self.limits.patience);
        let pause = self.waiting.first_key_value().and_then(|(_, f)| f.not_before);
        silence.into_iter().chain(pause).min()
    }

    /// Looks at the clock. The error means that the chip is lost; all unanswered requests are then done, with it.
    pub fn tick(&mut self, now: Instant) -> Result<(), AccelError> {
        if self.flying.is_empty() || now < self.last_sign + self.limits.patience {
            return Ok(());
        }
        self.silences += 1;
        if self.silences >= self.limits.silences {
            let waited = self.limits.patience * self.silences;
            let reason = format!("no answer within {waited:?}");
            let error = AccelError::Lost { target: self.target.clone(), reason };
            self.fail_all(&error);
            return Err(error);
        }
        self.last_sign = now;
        self.outgoing.clear();
        self.written = 0;
        self.repeat_before(u64::MAX);
        Ok(())
    }

    /// Gives up every unanswered request with this error.
    pub fn fail_all(&mut self, error: &AccelError) {
        let ids = self.flying.keys().chain(self.waiting.keys()).copied().collect::<Vec<_>>();
        self.done.extend(ids.into_iter().map(|id| (id, Err(error.clone()))));
        self.flying.clear();
        self.waiting.clear();
        self.known.clear();
        self.outgoing.clear();
        self.written = 0;
        self.credit_used = 0;
    }

    /// The requests that are done since the last call.
    pub fn take_done(&mut self) -> Vec<(Id, Result<Responses, AccelError>)> {
        std::mem::take(&mut self.done)
    }

    /// How far walks have come, as told since the last call.
    pub fn take_progress(&mut self) -> Vec<(Id, Sums)> {
        std::mem::take(&mut self.progress)
    }
}
