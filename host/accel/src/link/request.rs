//! Requests and their answer frames.

use crate::AccelError;
use hayasashi_spec::{frame::MAX_BATCH, opcode::Opcode, perft::PerftHead, position::PositionImage};

/// A request as it goes over the link, without its sequence number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// Opcode byte; any value, even one without an opcode.
    pub opcode: u8,
    /// Positions in the batch, 0 for requests without positions.
    pub count: u16,
    /// The payload, at most [`hayasashi_spec::frame::MAX_REQUEST_PAYLOAD`] bytes.
    pub payload: Vec<u8>,
}

impl Request {
    /// A request without positions.
    pub fn new(opcode: Opcode, payload: impl Into<Vec<u8>>) -> Request {
        Request { opcode: opcode as u8, count: 0, payload: payload.into() }
    }

    /// One batch of at most [`MAX_BATCH`] positions.
    pub fn batch(opcode: Opcode, positions: &[PositionImage]) -> Request {
        debug_assert!(positions.len() <= MAX_BATCH);
        let payload = bytemuck::cast_slice(positions).to_vec();
        Request { opcode: opcode as u8, count: positions.len() as u16, payload }
    }

    /// Perft to `depth` plies below a position, with a `PROGRESS` answer every `2^interval` clocks (0: none).
    pub fn perft(position: &PositionImage, depth: u8, interval: u8) -> Request {
        let head = PerftHead { depth, interval, ..PerftHead::default() };
        Request::new(Opcode::Perft, [bytemuck::bytes_of(&head), bytemuck::bytes_of(position)].concat())
    }

    /// How many frames answer this request if the chip accepts it: one for each position of a well-formed batch, else
    /// one. `PROGRESS` frames do not count.
    pub fn answers(&self) -> usize {
        if self.is_divisible() {
            self.count as usize
        } else {
            1
        }
    }

    /// Whether several smaller requests can ask for the same answers: it is a well-formed batch.
    pub(crate) fn is_divisible(&self) -> bool {
        self.is_batch() && self.has_valid_length()
    }

    fn is_batch(&self) -> bool {
        Opcode::from_code(self.opcode).is_some_and(Opcode::is_batch)
    }

    /// Whether the payload suits the opcode; if not, `BAD_LENGTH` is the chip's right answer.
    pub fn has_valid_length(&self) -> bool {
        Opcode::from_code(self.opcode).is_none_or(|opcode| opcode.accepts(self.count, self.payload.len()))
    }
}

/// An answer frame without its sequence number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Response {
    /// Opcode byte of the frame, [`hayasashi_spec::opcode::ANSWER`] included.
    pub opcode: u8,
    /// Status byte.
    pub status: u8,
    /// Index in the batch.
    pub index: u16,
    /// The payload.
    pub payload: Vec<u8>,
}

/// The answers to one request, in order: one, or one for each position.
pub type Responses = Vec<Response>;
/// The answers to one request, or the failure of the back end.
pub type RequestOutcome = Result<Responses, AccelError>;
