//! Frames: how requests and answers travel on a byte stream.
//!
//! A frame is a header, a payload and a checksum, with the byte stuffing of SLIP (Romkey, RFC 1055, 1988) around it:
//! every frame ends with [`END`]; inside it `END` is sent as `ESC ESC_END` and `ESC` as `ESC ESC_ESC`. A receiver
//! that has lost its place is in step again after the next `END`. A sender puts an `END` in front too, so that
//! noise before a frame becomes a (bad) frame of its own. Empty frames (no byte at all between two `END`s) are ignored.
//! `ESC` followed by anything else than `ESC_END` or `ESC_ESC` makes the frame bad; both bytes are left out, unless the
//! second is `END`, which ends the frame.
//!
//! | bytes | what |
//! |---|---|
//! | 0 | opcode (answers: `opcode` with bit 7 set) |
//! | 1 | answers: status; requests: zero |
//! | 2–3 | sequence number, chosen by the host, returned in each answer |
//! | 4–5 | requests: number of positions in the batch (0 for requests without positions); answers: index in the batch |
//! | 6–7 | payload bytes |
//! | 8… | payload |
//! | last 4 | CRC-32 (ISO-HDLC: polynomial 0x04C11DB7 reflected, start and end XOR 0xFFFFFFFF) of all before it |
//!
//! All numbers are little-endian. Each position of a batch is answered by one frame, in order; other requests by one.
//! Only `PERFT` has several answers to one position: any number of `PROGRESS` before the last, all with index 0.
//! A request whose frame is bad as a whole is answered by one frame with index 0. The chip works on the requests in
//! the order of their arrival, and answers in that order.
//!
//! The chip has a request buffer of [`BUFFER_BYTES`]: a host may have several requests in flight as long as the sum
//! over the unanswered ones of payload plus [`ENTRY_BYTES`] does not exceed it. A request that does not fit is
//! answered `BUSY`. (Within that rule at most [`DESCRIPTORS`] / 2 requests are waiting; a host that breaks it so far
//! that not even the descriptor of a `BUSY` answer fits is not answered at all.)
//!
//! # Which status a bad request gets
//!
//! The first of these that holds: fewer than 12 bytes (missing header bytes count as zero), or more payload than
//! [`MAX_REQUEST_PAYLOAD`]: `BAD_LENGTH`; a wrong checksum, or an `ESC` followed by neither `ESC_END` nor `ESC_ESC`:
//! `BAD_CRC`; a length field that is not the number of payload bytes: `BAD_LENGTH`; no room: `BUSY`; an unknown
//! opcode: `BAD_OPCODE`; a payload that does not suit the opcode: `BAD_LENGTH` (`INFO`: not empty; `LOAD_TABLE`:
//! fewer than 4 bytes; `GENERATE`, `COUNT`, `EVALUATE`: a count of zero, or other than `64 * count` bytes; `PERFT`: other
//! than 68 bytes; `CANCEL`: not empty). Only the three with a batch read the count; all ignore the status byte of a request. An answer without a result has no payload
//! but where [`crate::opcode::Status`] names one. Where no table is loaded, each position of an `EVALUATE` batch is
//! answered `NO_TABLE`, possible or not.

use bytemuck::{Pod, Zeroable};

pub const END: u8 = 0xC0;
pub const ESC: u8 = 0xDB;
pub const ESC_END: u8 = 0xDC;
pub const ESC_ESC: u8 = 0xDD;

pub const HEADER_BYTES: usize = 8;
pub const CRC_BYTES: usize = 4;
/// The longest payload of a request: 32 positions, or an equal part of a table.
pub const MAX_REQUEST_PAYLOAD: usize = 2048;
/// The longest payload of an answer: the result header and the most move records.
pub const MAX_ANSWER_PAYLOAD: usize = crate::opcode::RESULT_BYTES + 4 * crate::moves::MAX_MOVES;
/// Positions in the largest batch.
pub const MAX_BATCH: usize = MAX_REQUEST_PAYLOAD / crate::position::IMAGE_BYTES;
/// Bytes of the chip's request buffer.
pub const BUFFER_BYTES: usize = 8192;
/// Bytes that a request occupies in the request buffer besides its payload.
pub const ENTRY_BYTES: usize = 32;
/// Descriptors of waiting requests that the chip holds.
pub const DESCRIPTORS: usize = 512;

/// Reflected CRC-32 polynomial.
pub const CRC_POLYNOMIAL: u32 = 0xEDB8_8320;
/// Start value and final XOR of the CRC.
pub const CRC_INVERT: u32 = 0xFFFF_FFFF;
/// What the CRC register holds after a frame and its own checksum (before the final XOR).
pub const CRC_RESIDUE: u32 = 0xDEBB_20E3;

/// The first eight bytes of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Header {
    pub opcode: u8,
    pub status: u8,
    pub sequence: u16,
    /// Requests: positions in the batch. Answers: index in the batch.
    pub count: u16,
    /// Payload bytes.
    pub length: u16,
}
