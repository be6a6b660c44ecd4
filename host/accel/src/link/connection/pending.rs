//! A request without its outcome, and its transmissions.

use super::RequestId;
use crate::{Request, Response};
use hayasashi_spec::{
    frame::{Header, ENTRY_BYTES},
    opcode::{Opcode, Status},
    position::IMAGE_BYTES,
};
use std::{borrow::Cow, collections::VecDeque, time::Instant};

/// Transmissions of one request whose answers are still recognised.
const REMEMBERED: usize = 16;

/// One frame sent for a request.
pub(super) struct Transmission {
    pub(super) sequence: u16,
    /// Counted over all requests.
    pub(super) number: u64,
    /// The positions of the request that it asks for; `[0]` for a request without positions.
    pub(super) positions: Vec<u16>,
    /// Answers to it so far.
    pub(super) answered: usize,
}

/// A request waiting to be sent, or in flight.
pub(super) struct PendingRequest {
    pub(super) request: Request,
    /// Answers received, by index in the batch.
    pub(super) answers: Vec<Option<Response>>,
    /// Answers not yet received.
    pub(super) missing: usize,
    /// The latest transmissions; the last is the current one.
    pub(super) transmissions: VecDeque<Transmission>,
    /// Number of the first transmission.
    pub(super) first: u64,
    /// Transmissions since the last new answer.
    pub(super) attempts: u32,
    /// The status that last asked for a retransmission.
    pub(super) refusal: Option<Status>,
    /// Earliest time to send it again.
    pub(super) not_before: Option<Instant>,
    /// Since when it has been answered with nothing but `BUSY`.
    pub(super) busy_since: Option<Instant>,
    /// [`Progress::counted`](crate::Progress::counted) in the latest report of a request that takes long.
    pub(super) counted: u64,
    /// [`LinkStatistics::damage`](crate::LinkStatistics::damage) at the last new answer, or before the first transmission.
    pub(super) damage_before: u64,
}

impl PendingRequest {
    pub(super) fn new(request: Request) -> PendingRequest {
        let answers = vec![None; request.answers()];
        PendingRequest {
            missing: answers.len(),
            request,
            answers,
            transmissions: VecDeque::new(),
            first: 0,
            attempts: 0,
            refusal: None,
            not_before: None,
            busy_since: None,
            counted: 0,
            damage_before: 0,
        }
    }

    pub(super) fn is(&self, opcode: Opcode) -> bool {
        self.request.opcode == opcode as u8
    }

    /// Its opcode, if it takes long.
    pub(super) fn long(&self) -> Option<Opcode> {
        Opcode::from_code(self.request.opcode).filter(|opcode| opcode.is_long())
    }

    /// The positions to ask for next: those without an answer, at most `most`.
    fn next_positions(&self, most: usize) -> Vec<u16> {
        let missing = self.answers.iter().enumerate().filter(|(_, answer)| answer.is_none());
        missing.map(|(index, _)| index as u16).take(most).collect()
    }

    /// The next frame, for at most `most` positions. Its sequence number is still zero.
    pub(super) fn next_frame(&self, most: usize) -> (Header, Cow<'_, [u8]>, Vec<u16>) {
        let Request { opcode, count, payload } = &self.request;
        let header = |count| Header { opcode: *opcode, count, ..Header::default() };
        let whole = |positions| (header(*count), Cow::Borrowed(&payload[..]), positions);
        if !self.request.is_divisible() {
            return whole(vec![0]);
        }
        match self.next_positions(most) {
            positions if positions.len() == self.answers.len() => whole(positions),
            positions => {
                let image = |&p: &u16| &payload[p as usize * IMAGE_BYTES..][..IMAGE_BYTES];
                let images = positions.iter().flat_map(image).copied().collect();
                (header(positions.len() as u16), Cow::Owned(images), positions)
            }
        }
    }

    /// Bytes of the chip's request buffer that the next frame occupies.
    pub(super) fn next_cost(&self, most: usize) -> usize {
        ENTRY_BYTES
            + match self.request.is_divisible() {
                true => IMAGE_BYTES * self.missing.min(most),
                false => self.request.payload.len(),
            }
    }

    /// Bytes of the chip's request buffer that the current transmission occupies.
    pub(super) fn cost(&self) -> usize {
        ENTRY_BYTES
            + match (self.request.is_divisible(), self.transmissions.back()) {
                (true, Some(current)) => IMAGE_BYTES * current.positions.len(),
                _ => self.request.payload.len(),
            }
    }

    /// Notes a transmission; returns the sequence number of one that is no longer recognised.
    pub(super) fn sent(&mut self, transmission: Transmission) -> Option<u16> {
        if self.transmissions.is_empty() {
            self.first = transmission.number;
        }
        self.attempts += 1;
        self.transmissions.push_back(transmission);
        let forgotten = (self.transmissions.len() > REMEMBERED).then(|| self.transmissions.pop_front());
        forgotten.flatten().map(|t| t.sequence)
    }

    /// The number of the current transmission; 0 before the first.
    pub(super) fn current(&self) -> u64 {
        self.transmissions.back().map_or(0, |t| t.number)
    }

    /// The transmission with this sequence number.
    pub(super) fn transmission(&mut self, sequence: u16) -> Option<&mut Transmission> {
        self.transmissions.iter_mut().find(|t| t.sequence == sequence)
    }
}

/// A transmission of a request, as the table of sequence numbers has it.
#[derive(Clone, Copy)]
pub(super) struct Sent {
    pub(super) id: RequestId,
    pub(super) number: u64,
}
