//! The software model as a byte stream.

use super::StreamChip;
use hayasashi_model::{top::Chip, Model};
use std::io;

/// The software model behind the byte protocol.
#[derive(Default)]
pub struct ModelStream {
    chip: Chip,
    answers: Vec<u8>,
    pulled: usize,
}

/// No request bytes are accepted while more than this many bytes of answers wait to be pulled.
const ANSWER_BYTES: usize = 1 << 16;
/// Bytes accepted at a time, so that a call returns soon.
const PUSH_BYTES: usize = 512;

impl ModelStream {
    /// A model that has just been switched on.
    pub fn new() -> ModelStream {
        ModelStream::default()
    }

    /// A byte stream with another model, for instance one without an evaluator.
    pub fn with_model(model: Model) -> ModelStream {
        ModelStream { chip: Chip::new(model), ..ModelStream::default() }
    }
}

impl StreamChip for ModelStream {
    fn name(&self) -> String {
        "model-stream".into()
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        if self.answers.len() - self.pulled > ANSWER_BYTES {
            return 0;
        }
        let taken = bytes.len().min(PUSH_BYTES);
        self.chip.push(&bytes[..taken]);
        taken
    }

    fn step(&mut self) -> io::Result<bool> {
        Ok(false)
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        if self.pulled == self.answers.len() {
            self.answers = self.chip.pull();
            self.pulled = 0;
        }
        let bytes = buffer.len().min(self.answers.len() - self.pulled);
        buffer[..bytes].copy_from_slice(&self.answers[self.pulled..][..bytes]);
        self.pulled += bytes;
        bytes
    }
}
