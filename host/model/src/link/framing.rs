//! Frames on either port: a stream says how it tells its frames apart, and the rest of the program need not care.

use super::frame::{encode_frame, Decoder, Frame, FrameError};
use super::word_frame::{encode_word_frame, WordDecoder};
use hayasashi_spec::{frame::Header, word_frame::Framing};

/// Appends a frame to `out`. Sets `header.length`.
pub fn encode(framing: Framing, header: Header, payload: &[u8], out: &mut Vec<u8>) {
    match framing {
        Framing::Slip => encode_frame(header, payload, out),
        Framing::Words => encode_word_frame(header, payload, out),
    }
}

/// The chip's receiver.
#[derive(Clone, Debug)]
pub enum Receiver {
    /// On a byte port.
    Slip(Decoder),
    /// On a word port.
    Words(WordDecoder),
}

impl Receiver {
    /// A receiver of frames with up to `max_payload` bytes.
    pub fn new(framing: Framing, max_payload: usize) -> Receiver {
        match framing {
            Framing::Slip => Receiver::Slip(Decoder::new(max_payload)),
            Framing::Words => Receiver::Words(WordDecoder::new(max_payload)),
        }
    }

    /// Takes some bytes and calls `each` for every frame, good or bad, that ends in them.
    pub fn push(&mut self, bytes: &[u8], each: impl FnMut(Result<Frame, FrameError>)) {
        match self {
            Receiver::Slip(decoder) => decoder.push(bytes, each),
            Receiver::Words(decoder) => decoder.push(bytes, each),
        }
    }
}
