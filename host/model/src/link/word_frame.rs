//! Frames in words of 64 bits: the encoder of both sides, and the chip's receiver.
//!
//! ```
//! use hayasashi_model::link::word_frame::{encode_word_frame, WordDecoder};
//! use hayasashi_spec::frame::{Header, MAX_REQUEST_PAYLOAD};
//!
//! let mut bytes = Vec::new();
//! encode_word_frame(Header { opcode: 2, sequence: 7, ..Header::default() }, b"abc", &mut bytes);
//! assert_eq!(bytes.len(), 3 * 8);
//! let mut seen = 0;
//! WordDecoder::new(MAX_REQUEST_PAYLOAD).push(&bytes, |frame| {
//!     let frame = frame.unwrap();
//!     assert_eq!((frame.header.sequence, frame.payload), (7, &b"abc"[..]));
//!     seen += 1;
//! });
//! assert_eq!(seen, 1);
//! ```

use super::frame::{Frame, FrameError, CRC};
use hayasashi_spec::frame::{Header, HEADER_BYTES};
use hayasashi_spec::word_frame::{frame_words, header, payload_words, trailer, FILLER, WORD_BYTES};

/// Appends a frame to `out`, which holds whole words. Sets `header.length`.
pub fn encode_word_frame(header: Header, payload: &[u8], out: &mut Vec<u8>) {
    let header = Header { length: payload.len() as u16, ..header };
    let start = out.len();
    out.extend(bytemuck::bytes_of(&header));
    out.extend(payload);
    out.resize(start + HEADER_BYTES + WORD_BYTES * payload_words(payload.len()), 0);
    let crc = CRC.checksum(&out[start..]);
    out.extend(trailer(crc).to_le_bytes());
}

/// Appends filler words to `out`.
pub fn encode_fillers(words: usize, out: &mut Vec<u8>) {
    out.extend(std::iter::repeat_n(FILLER.to_le_bytes(), words).flatten());
}

/// The frame in these bytes, which are whole words: as many as the length in the header asks for.
///
/// # Errors
/// Its CRC or its mark is wrong, or the number of words is not that of the header.
pub fn decode_word_frame(bytes: &[u8]) -> Result<Frame<'_>, FrameError> {
    let (head, rest) = bytes.split_at_checked(HEADER_BYTES).unwrap_or_default();
    let header = bytemuck::try_pod_read_unaligned(head).unwrap_or_default();
    let damaged = FrameError::Damaged { header };
    let (body, end) = bytes.split_at_checked(bytes.len().saturating_sub(WORD_BYTES)).ok_or(damaged)?;
    let whole = bytes.len() == WORD_BYTES * frame_words(header.length.into());
    if !whole || trailer(CRC.checksum(body)).to_le_bytes() != end {
        return Err(damaged);
    }
    Ok(Frame { header, payload: rest.get(..header.length.into()).ok_or(damaged)? })
}

/// Assembles words from bytes that arrive in pieces of any size.
#[derive(Clone, Copy, Debug, Default)]
pub struct WordAssembler {
    bytes: [u8; WORD_BYTES],
    filled: usize,
}

impl WordAssembler {
    /// Takes some bytes and calls `each` for every word that ends in them.
    pub fn push(&mut self, input: &[u8], mut each: impl FnMut(u64)) {
        let missing = (WORD_BYTES - self.filled) % WORD_BYTES;
        let (rest_of_word, input) = input.split_at(missing.min(input.len()));
        self.push_part(rest_of_word, &mut each);
        let (words, part) = input.as_chunks();
        words.iter().for_each(|word| each(u64::from_le_bytes(*word)));
        self.push_part(part, &mut each);
    }

    /// Takes at most the rest of a word.
    fn push_part(&mut self, input: &[u8], each: &mut impl FnMut(u64)) {
        for &byte in input {
            self.bytes[self.filled] = byte;
            self.filled = (self.filled + 1) % WORD_BYTES;
            if self.filled == 0 {
                each(u64::from_le_bytes(self.bytes));
            }
        }
    }
}

/// What the receiver does with the next word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// It is a filler or a header.
    Idle,
    /// It belongs to the frame that has begun.
    Frame,
    /// It follows a bad frame: skipped up to a filler.
    Skipping,
}

/// The chip's receiver: finds frames in a stream of words. After a bad frame it skips all words up to the next filler.
#[derive(Clone, Debug)]
pub struct WordDecoder {
    assembler: WordAssembler,
    state: State,
    /// Words of the frame so far, as bytes.
    frame: Vec<u8>,
    max_payload: usize,
}

impl WordDecoder {
    /// A decoder of frames with up to `max_payload` bytes.
    pub fn new(max_payload: usize) -> WordDecoder {
        let frame = Vec::with_capacity(WORD_BYTES * frame_words(max_payload));
        WordDecoder { assembler: WordAssembler::default(), state: State::Idle, frame, max_payload }
    }

    /// Takes some bytes and calls `each` for every frame, good or bad, that ends in them.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(Result<Frame, FrameError>)) {
        let mut assembler = self.assembler;
        assembler.push(bytes, |word| self.word(word, &mut each));
        self.assembler = assembler;
    }

    /// Takes a word.
    pub fn word(&mut self, word: u64, mut each: impl FnMut(Result<Frame, FrameError>)) {
        match self.state {
            State::Idle | State::Skipping if word == FILLER => self.state = State::Idle,
            State::Skipping => {}
            State::Idle => self.begin(word, each),
            State::Frame => {
                self.frame.extend(word.to_le_bytes());
                let length = u16::from_le_bytes([self.frame[6], self.frame[7]]);
                if self.frame.len() == WORD_BYTES * frame_words(length.into()) {
                    let frame = decode_word_frame(&self.frame);
                    self.state = if frame.is_ok() { State::Idle } else { State::Skipping };
                    each(frame);
                }
            }
        }
    }

    fn begin(&mut self, word: u64, mut each: impl FnMut(Result<Frame, FrameError>)) {
        let header = header(word);
        if header.length as usize > self.max_payload {
            self.state = State::Skipping;
            return each(Err(FrameError::TooLong { header, limit: self.max_payload }));
        }
        self.frame.clear();
        self.frame.extend(word.to_le_bytes());
        self.state = State::Frame;
    }
}
