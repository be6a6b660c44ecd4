//! The chip behind its byte port. Mirrors `hdl/src/top/chip.rs`.
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
use crate::link::frame::{encode_frame, Decoder};
use crate::Model;
use hayasashi_spec::frame::MAX_REQUEST_PAYLOAD;

/// A chip in software. Answers each request as soon as its last byte is pushed, so it is never `BUSY`.
#[derive(Clone, Debug)]
pub struct Chip {
    decoder: Decoder,
    dispatcher: Dispatcher,
    answers: Vec<u8>,
}

impl Default for Chip {
    fn default() -> Chip {
        Chip::new(Model::default())
    }
}

impl Chip {
    /// A chip that has just been reset, but with `model`'s table.
    pub fn new(model: Model) -> Chip {
        Chip { decoder: Decoder::new(MAX_REQUEST_PAYLOAD), dispatcher: Dispatcher::new(model), answers: Vec::new() }
    }

    /// The co-processor inside.
    pub fn model(&self) -> &Model {
        self.dispatcher.model()
    }

    /// Takes request bytes, any number at a time.
    pub fn push(&mut self, bytes: &[u8]) {
        let Chip { decoder, dispatcher, answers } = self;
        decoder.push(bytes, |frame| {
            dispatcher.frame(frame, |header, payload| encode_frame(header, payload, answers));
        });
    }

    /// Gives all answer bytes that there are.
    pub fn pull(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.answers)
    }

    /// Moves up to `out.len()` answer bytes to `out`; answers how many.
    pub fn pull_into(&mut self, out: &mut [u8]) -> usize {
        let n = out.len().min(self.answers.len());
        out[..n].copy_from_slice(&self.answers[..n]);
        self.answers.drain(..n);
        n
    }
}
