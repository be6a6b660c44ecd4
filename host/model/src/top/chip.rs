//! The chip behind its byte port or its word port. Mirrors `hdl/src/top/chip.rs`.
//!
//! ```
//! use hayasashi_model::{link::frame::encode_frame, top::Chip};
//! use hayasashi_spec::{frame::Header, opcode::Opcode};
//!
//! let mut request = Vec::new();
//! encode_frame(Header { opcode: Opcode::Echo as u8, ..Header::default() }, b"abc", &mut request);
//! let mut chip = Chip::default();
//! chip.push(&request);
//! let mut answer = Vec::new();
//! encode_frame(Header { opcode: 0x82, ..Header::default() }, b"abc", &mut answer);
//! assert_eq!(chip.pull(), answer);
//! ```

use crate::link::dispatcher::Dispatcher;
use crate::link::framing::{encode, Receiver};
use crate::Model;
use hayasashi_spec::frame::MAX_REQUEST_PAYLOAD;
use hayasashi_spec::word_frame::Framing;

/// A chip in software. It answers each request when its last byte is pushed, so it is never `BUSY`.
#[derive(Clone, Debug)]
pub struct Chip {
    framing: Framing,
    receiver: Receiver,
    dispatcher: Dispatcher,
    answers: Vec<u8>,
}

impl Default for Chip {
    fn default() -> Chip {
        Chip::new(Model::default())
    }
}

impl Chip {
    /// A chip after reset, with `model`'s table, behind its byte port.
    pub fn new(model: Model) -> Chip {
        Chip::behind(Framing::Slip, model)
    }

    /// The same behind the port with these frames.
    pub fn behind(framing: Framing, model: Model) -> Chip {
        let receiver = Receiver::new(framing, MAX_REQUEST_PAYLOAD);
        Chip { framing, receiver, dispatcher: Dispatcher::new(model), answers: Vec::new() }
    }

    /// The co-processor inside.
    pub fn model(&self) -> &Model {
        self.dispatcher.model()
    }

    /// Takes any number of request bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        let Chip { framing, receiver, dispatcher, answers } = self;
        receiver.push(bytes, |frame| {
            dispatcher.frame(frame, |header, payload| encode(*framing, header, payload, answers));
        });
    }

    /// Takes all pending answer bytes.
    pub fn pull(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.answers)
    }

    /// Moves up to `out.len()` answer bytes to `out`; returns their number.
    pub fn pull_into(&mut self, out: &mut [u8]) -> usize {
        let n = out.len().min(self.answers.len());
        out[..n].copy_from_slice(&self.answers[..n]);
        self.answers.drain(..n);
        n
    }
}
