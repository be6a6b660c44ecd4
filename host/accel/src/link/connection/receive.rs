//! Answers from the chip.
//!
//! Only an answer that a request still lacks, and the growing counts of a walk, count as progress. Every other frame is
//! noted for the error message, and cannot keep a connection alive.

use super::{
    conduct::Idle,
    pending::{PendingRequest, Sent},
    word_answers::WordAnswers,
    Connection,
};
use crate::{Progress, Request, RequestId, Response};
use hayasashi_model::link::frame::{Decoder, Frame, FrameError};
use hayasashi_spec::{
    frame::{Header, MAX_ANSWER_PAYLOAD},
    moves::MAX_MOVES,
    opcode::{Opcode, Status, ANSWER},
    word_frame::Framing,
};
use std::time::Instant;

/// Finds answers in the stream.
pub(super) enum AnswerDecoder {
    Slip(Decoder),
    Words(WordAnswers),
}

impl AnswerDecoder {
    pub(super) fn new(framing: Framing) -> AnswerDecoder {
        match framing {
            Framing::Slip => AnswerDecoder::Slip(Decoder::new(MAX_ANSWER_PAYLOAD)),
            Framing::Words => AnswerDecoder::Words(WordAnswers::new()),
        }
    }

    fn push(&mut self, bytes: &[u8], each: impl FnMut(Result<Frame, FrameError>)) {
        match self {
            AnswerDecoder::Slip(decoder) => decoder.push(bytes, each),
            AnswerDecoder::Words(answers) => answers.push(bytes, each),
        }
    }
}

impl Connection {
    /// Processes bytes from the chip.
    pub fn receive(&mut self, bytes: &[u8], now: Instant) {
        self.statistics.bytes_received += bytes.len() as u64;
        self.conduct.bytes += bytes.len() as u64;
        let mut frames = Vec::new();
        self.decoder.push(bytes, |frame| frames.push(frame.map(|f| (f.header, f.payload.to_vec())).map_err(drop)));
        for frame in frames {
            match frame {
                Ok((header, payload)) => self.receive_answer(header, payload, now),
                Err(()) => self.damaged(now),
            }
        }
    }

    /// Does not wait for the rest of an answer any longer. On a word stream, answers may be found behind its beginning.
    pub(super) fn give_up_answer(&mut self, now: Instant) {
        let AnswerDecoder::Words(decoder) = &mut self.decoder else { return };
        let mut frames = Vec::new();
        decoder.give_up(|frame| frames.push((frame.header, frame.payload.to_vec())));
        frames.into_iter().for_each(|(header, payload)| self.receive_answer(header, payload, now));
    }

    /// A frame that brings nothing forward.
    fn stale(&mut self, idle: Idle) {
        self.statistics.stale += 1;
        self.conduct.note(idle);
    }

    fn receive_answer(&mut self, header: Header, payload: Vec<u8>, now: Instant) {
        let refused = matches!(Status::from_code(header.status), Some(Status::BadCrc | Status::BadLength));
        if refused && self.framing == Framing::Words {
            // The chip skips what follows until a filler comes, and does not answer it.
            self.fillers = self.fillers.max(1);
            self.hasten(now);
        }
        let Some(&sent) = self.by_sequence.get(&header.sequence) else { return self.stale(Idle::UnknownSequence) };
        let Sent { id, number } = sent;
        let is_current = self.in_flight.get(&id).is_some_and(|p| p.current() == number);
        let Some(pending) = self.in_flight.get_mut(&id).or_else(|| self.waiting.get_mut(&id)) else { return };
        let opcode_matches = header.opcode == pending.request.opcode | ANSWER;
        match Status::from_code(header.status) {
            Some(status @ Status::BadCrc) => return self.request_damaged(id, is_current, status),
            Some(status @ Status::BadLength) if pending.request.has_valid_length() => {
                return self.request_damaged(id, is_current, status);
            }
            _ if !opcode_matches => return self.stale(Idle::WrongOpcode),
            Some(Status::Busy) => return self.busy(sent, header.sequence, is_current, now),
            Some(Status::Progress) => return self.long_progress(sent, &payload, now),
            Some(Status::Cancelled) if pending.long().is_none() || self.last_cancel < pending.first => {
                return self.stale(Idle::WrongStatus);
            }
            Some(Status::BadLength | Status::BadOpcode) if header.count == 0 => {
                // The whole request is answered by this one frame.
                let Header { opcode, status, count: index, .. } = header;
                pending.answers = vec![Some(Response { opcode, status, index, payload })];
                self.statistics.answers += 1;
                self.progressed(now);
                self.finish(id);
                return self.retransmit_before(number);
            }
            _ => {}
        }
        self.store(sent, header, payload, is_current, now);
    }

    /// Stores an answer where it is missing.
    fn store(&mut self, Sent { id, number }: Sent, header: Header, payload: Vec<u8>, is_current: bool, now: Instant) {
        let damage = self.statistics.damage();
        let Some(pending) = self.in_flight.get_mut(&id).or_else(|| self.waiting.get_mut(&id)) else { return };
        let Some(transmission) = pending.transmission(header.sequence) else { return };
        let index = header.count as usize;
        let positions = transmission.positions.len();
        let Some(&position) = transmission.positions.get(index) else { return self.stale(Idle::WrongIndex) };
        transmission.answered += 1;
        let is_whole = transmission.answered == positions;
        let was_last = index + 1 == positions;
        let is_new = match pending.answers.get_mut(position as usize) {
            Some(place @ None) => {
                *place = Some(Response { opcode: header.opcode, status: header.status, index: position, payload });
                pending.missing -= 1;
                pending.attempts = 1;
                (pending.refusal, pending.busy_since, pending.damage_before) = (None, None, damage);
                true
            }
            _ => false,
        };
        let is_finished = pending.missing == 0;
        match is_new {
            true => {
                self.statistics.answers += 1;
                self.progressed(now);
            }
            false => self.stale(Idle::Repeated),
        }
        if was_last && is_whole {
            self.batch_limit.succeeded(positions);
        }
        if is_finished {
            self.finish(id);
        } else if was_last && is_current {
            self.retransmit(id, None, None);
        }
        self.retransmit_before(number);
    }

    /// The chip received a request damaged. If the number in its answer is right, that request is sent again at once.
    fn request_damaged(&mut self, id: RequestId, is_current: bool, status: Status) {
        self.conduct.note(Idle::RequestDamaged);
        self.statistics.refused += 1;
        if is_current {
            self.retransmit(id, Some(status), None);
        }
    }

    /// The request was not read, so it is sent again a little later, and nothing else answers this transmission.
    fn busy(&mut self, Sent { id, .. }: Sent, sequence: u16, is_current: bool, now: Instant) {
        self.statistics.busy += 1;
        self.conduct.note(Idle::Busy);
        if !is_current {
            return;
        }
        self.by_sequence.remove(&sequence);
        let delay = self.limits.busy_delay;
        if let Some(pending) = self.in_flight.get_mut(&id) {
            // Time limits it, not the number of attempts: other requests fill the buffer.
            pending.attempts -= 1;
            pending.busy_since.get_or_insert(now);
        }
        self.retransmit(id, Some(Status::Busy), Some(now + delay));
    }

    /// A report of a request that takes long. It counts only if more is counted than before and no `CANCEL` should have ended the work.
    fn long_progress(&mut self, Sent { id, number }: Sent, payload: &[u8], now: Instant) {
        let mut pendings = self.in_flight.values().chain(self.waiting.values());
        let cancelling = pendings.any(|p| p.is(Opcode::Cancel));
        let Some(pending) = self.in_flight.get_mut(&id).or_else(|| self.waiting.get_mut(&id)) else { return };
        let Some(opcode) = pending.long() else { return self.stale(Idle::WrongStatus) };
        let Some(progress) = Progress::read(opcode, payload) else { return self.stale(Idle::NoProgress) };
        let counted = progress.counted();
        let plausible = match progress {
            Progress::Walk(sums) => sums.nodes <= most_leaves(&pending.request),
            Progress::Search(_) => true,
        };
        let grows = counted > pending.counted && plausible;
        if grows {
            pending.counted = counted;
            self.progress.push((id, progress));
        }
        if grows && !cancelling {
            // Work that goes on after a `CANCEL` uses up its attempts.
            if self.last_cancel < pending.first {
                pending.attempts = 1;
            }
            self.requests().for_each(|p| p.busy_since = None);
            self.progressed(now);
        } else {
            self.stale(Idle::NoProgress);
        }
        // The chip is working on it, so everything sent before it has been answered or lost.
        self.retransmit_before(number);
    }

    /// Every request without an outcome.
    fn requests(&mut self) -> impl Iterator<Item = &mut PendingRequest> {
        self.in_flight.values_mut().chain(self.waiting.values_mut())
    }
}

/// No walk of this request has more leaves.
fn most_leaves(request: &Request) -> u64 {
    let depth = request.payload.first().copied().unwrap_or(0);
    (MAX_MOVES as u64).saturating_pow(depth.into())
}
