//! Removes SLIP stuffing (Romkey, RFC 1055, 1988) and finds the ends of frames. Mirrors `hdl/src/link/slip_decoder.rs`.

use hayasashi_spec::frame::{END, ESC, ESC_END, ESC_ESC};

/// What lies between two `END`s, without the stuffing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawFrame<'a> {
    /// The bytes, cut off behind the decoder's limit.
    pub bytes: &'a [u8],
    /// There were more bytes than the limit.
    pub too_long: bool,
    /// An `ESC` was followed by something else than `ESC_END` or `ESC_ESC` (both left out of `bytes`), or by `END`.
    pub broken: bool,
}

/// Takes the stuffing out of a byte stream, piece by piece.
#[derive(Clone, Debug)]
pub struct SlipDecoder {
    limit: usize,
    bytes: Vec<u8>,
    too_long: bool,
    broken: bool,
    escaped: bool,
    started: bool,
}

impl SlipDecoder {
    /// A decoder for frames of up to `limit` bytes, `END`s not counted.
    pub fn new(limit: usize) -> SlipDecoder {
        let bytes = Vec::with_capacity(limit);
        SlipDecoder { limit, bytes, too_long: false, broken: false, escaped: false, started: false }
    }

    /// Takes some bytes and calls `each` for every frame that they end. Nothing between two `END`s is no frame.
    pub fn push(&mut self, input: &[u8], mut each: impl FnMut(RawFrame)) {
        for &byte in input {
            if byte == END {
                if self.started {
                    let broken = self.broken || self.escaped;
                    each(RawFrame { bytes: &self.bytes, too_long: self.too_long, broken });
                }
                self.restart();
                continue;
            }
            self.started = true;
            match (std::mem::take(&mut self.escaped), byte) {
                (false, ESC) => self.escaped = true,
                (false, _) => self.take(byte),
                (true, ESC_END) => self.take(END),
                (true, ESC_ESC) => self.take(ESC),
                (true, _) => self.broken = true,
            }
        }
    }

    /// Forgets a frame that has begun.
    pub fn restart(&mut self) {
        self.bytes.clear();
        (self.too_long, self.broken, self.escaped, self.started) = (false, false, false, false);
    }

    fn take(&mut self, byte: u8) {
        if self.bytes.len() < self.limit {
            self.bytes.push(byte);
        } else {
            self.too_long = true;
        }
    }
}
