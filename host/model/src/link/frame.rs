//! Frames: header, payload, checksum. Mirrors the checks of `hdl/src/link/receiver.rs` and `transmitter.rs`.
//!
//! ```
//! use hayasashi_model::link::frame::{encode_frame, Decoder};
//! use hayasashi_spec::frame::{Header, MAX_REQUEST_PAYLOAD};
//!
//! let mut bytes = Vec::new();
//! encode_frame(Header { opcode: 2, sequence: 7, ..Header::default() }, b"abc", &mut bytes);
//! let mut decoder = Decoder::new(MAX_REQUEST_PAYLOAD);
//! let mut seen = 0;
//! decoder.push(&bytes, |frame| {
//!     let frame = frame.unwrap();
//!     assert_eq!((frame.header.sequence, frame.payload), (7, &b"abc"[..]));
//!     seen += 1;
//! });
//! assert_eq!(seen, 1);
//! ```

use super::slip_decoder::{RawFrame, SlipDecoder};
use super::slip_encoder::stuff;
use hayasashi_spec::frame::*;
use hayasashi_spec::opcode::Status;

/// The checksum of frames and tables.
pub static CRC: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);

/// Appends a frame to `out`, with an [`END`] on both sides. Sets `header.length`.
pub fn encode_frame(header: Header, payload: &[u8], out: &mut Vec<u8>) {
    let header = Header { length: payload.len() as u16, ..header };
    let header = bytemuck::bytes_of(&header);
    let mut digest = CRC.digest();
    digest.update(header);
    digest.update(payload);
    out.push(END);
    stuff(header, out);
    stuff(payload, out);
    stuff(&digest.finalize().to_le_bytes(), out);
    out.push(END);
}

/// A whole frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame<'a> {
    /// The first eight bytes.
    pub header: Header,
    /// Its payload; `header.length` bytes.
    pub payload: &'a [u8],
}

/// Why a frame is bad. The header is as received, with missing bytes as zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FrameError {
    /// Fewer bytes than a header and a checksum.
    #[error("a frame of {bytes} bytes, but at least {} are expected; hint: check whether the line was interrupted", HEADER_BYTES + CRC_BYTES)]
    TooShort {
        /// As received.
        header: Header,
        /// Of the frame.
        bytes: usize,
    },
    /// More payload than the limit.
    #[error(
        "a frame of more than {limit} payload bytes; hint: an END byte or a word may be lost, check the line's speed and flow control"
    )]
    TooLong {
        /// As received.
        header: Header,
        /// The most payload bytes.
        limit: usize,
    },
    /// A wrong escape, checksum or mark.
    #[error("a damaged frame (sequence number {}, if undamaged); hint: check the line's speed and cable", header.sequence)]
    Damaged {
        /// As received.
        header: Header,
    },
    /// The length field differs from the number of payload bytes.
    #[error("a frame of {bytes} payload bytes has the length field {}; hint: check that both ends use the same protocol version", header.length)]
    Length {
        /// As received.
        header: Header,
        /// Payload bytes.
        bytes: usize,
    },
}

impl FrameError {
    /// The header as received.
    pub fn header(&self) -> Header {
        match *self {
            FrameError::TooShort { header, .. }
            | FrameError::TooLong { header, .. }
            | FrameError::Damaged { header }
            | FrameError::Length { header, .. } => header,
        }
    }

    /// The status with which a chip answers such a request.
    pub fn status(&self) -> Status {
        match self {
            FrameError::Damaged { .. } => Status::BadCrc,
            _ => Status::BadLength,
        }
    }
}

/// Finds frames in a byte stream that arrives in pieces of any size. It recovers from any noise at the next `END`.
#[derive(Clone, Debug)]
pub struct Decoder {
    slip: SlipDecoder,
    max_payload: usize,
}

impl Decoder {
    /// A decoder of frames with up to `max_payload` bytes: [`MAX_REQUEST_PAYLOAD`] or [`MAX_ANSWER_PAYLOAD`].
    pub fn new(max_payload: usize) -> Decoder {
        Decoder { slip: SlipDecoder::new(HEADER_BYTES + max_payload + CRC_BYTES), max_payload }
    }

    /// Takes some bytes and calls `each` for every frame, good or bad, that ends in them.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(Result<Frame, FrameError>)) {
        let limit = self.max_payload;
        self.slip.push(bytes, |raw| each(decode(raw, limit)));
    }

    /// Discards an incomplete frame.
    pub fn restart(&mut self) {
        self.slip.restart();
    }
}

fn decode(raw: RawFrame, limit: usize) -> Result<Frame, FrameError> {
    let mut header = Header::default();
    let seen = raw.bytes.len().min(HEADER_BYTES);
    bytemuck::bytes_of_mut(&mut header)[..seen].copy_from_slice(&raw.bytes[..seen]);
    let Some(body) = raw.bytes.len().checked_sub(CRC_BYTES).filter(|&body| body >= HEADER_BYTES) else {
        return Err(FrameError::TooShort { header, bytes: raw.bytes.len() });
    };
    if raw.too_long {
        return Err(FrameError::TooLong { header, limit });
    }
    let (body, checksum) = raw.bytes.split_at(body);
    if raw.broken || CRC.checksum(body).to_le_bytes() != checksum {
        return Err(FrameError::Damaged { header });
    }
    let payload = &body[HEADER_BYTES..];
    if header.length as usize != payload.len() {
        return Err(FrameError::Length { header, bytes: payload.len() });
    }
    Ok(Frame { header, payload })
}
