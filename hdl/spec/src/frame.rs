//! Frames: requests and answers on a byte stream.
//!
//! A frame is a header, a payload and a checksum, with the byte stuffing of SLIP (Romkey, RFC 1055, 1988) around it:
//! every frame ends with [`END`]; inside it `END` is sent as `ESC ESC_END` and `ESC` as `ESC ESC_ESC`. A receiver
//! that has lost synchronisation recovers at the next `END`. A sender puts an `END` in front too, so that
//! noise before a frame becomes a (bad) frame of its own. Empty frames (no byte at all between two `END`s) are ignored.
//! `ESC` followed by any byte other than `ESC_END` or `ESC_ESC` makes the frame bad; both bytes are dropped, unless the
//! second is `END`, which ends the frame.
//!
//! | bytes | contents |
//! |---|---|
//! | 0 | opcode (answers: `opcode` with bit 7 set) |
//! | 1 | answers: status; requests: zero |
//! | 2–3 | sequence number, chosen by the host, returned in each answer |
//! | 4–5 | requests: number of positions in the batch (0 for requests without positions); answers: index in the batch |
//! | 6–7 | payload bytes |
//! | 8… | payload |
//! | last 4 | CRC-32 (ISO-HDLC: polynomial 0x04C11DB7 reflected, start and end XOR 0xFFFFFFFF) of all bytes before it |
//!
//! All numbers are little-endian. Each position of a batch is answered by one frame, in order; other requests by one.
//! Only `PERFT` and `SEARCH` have several answers: any number of `PROGRESS` before the last, all with index 0.
//! A request in a bad frame is answered by one frame with index 0. The chip processes and answers requests in the order
//! of their arrival.
//!
//! The chip has a request buffer of [`BUFFER_BYTES`]: a host may have several requests in flight as long as the sum
//! over the unanswered ones of payload plus [`ENTRY_BYTES`] does not exceed it. A request that does not fit is
//! answered `BUSY`. (Within that rule at most [`DESCRIPTORS`] / 2 requests wait. If a host exceeds it so far
//! that there is no descriptor for the `BUSY` answer either, the request gets no answer.)
//!
//! # Which status a bad request gets
//!
//! The first of these that holds: fewer than 12 bytes (missing header bytes count as zero), or more payload than
//! [`MAX_REQUEST_PAYLOAD`]: `BAD_LENGTH`; a wrong checksum, or an `ESC` followed by neither `ESC_END` nor `ESC_ESC`:
//! `BAD_CRC`; a length field that differs from the number of payload bytes: `BAD_LENGTH`; no room: `BUSY`; an unknown
//! opcode: `BAD_OPCODE`; a payload whose length does not fit the opcode: `BAD_LENGTH` (`INFO`: not empty; `LOAD_TABLE`:
//! fewer than 4 bytes; `GENERATE`, `COUNT`, `EVALUATE`, `EXPAND`: a count of zero, or other than `64 * count` bytes; `PERFT`: other
//! than 68 bytes; `SEARCH`: other than 96 bytes and up to 240 words of 8; `CANCEL`: not empty). These payload rules are [`crate::opcode::Opcode::accepts`].
//! Only the four opcodes with a batch read the count; all ignore the status byte of a request. An answer without a result
//! has no payload, except where [`crate::opcode::Status`] names one. Where no table is loaded, each position of an
//! `EVALUATE` or `EXPAND` batch is answered `NO_TABLE`, even if the position cannot occur, and so is a `SEARCH`, whatever its numbers.

use bytemuck::{Pod, Zeroable};

/// Ends every frame.
pub const END: u8 = 0xC0;
/// Escapes the byte that follows it.
pub const ESC: u8 = 0xDB;
/// Stands for [`END`] after [`ESC`].
pub const ESC_END: u8 = 0xDC;
/// Stands for [`ESC`] after [`ESC`].
pub const ESC_ESC: u8 = 0xDD;

/// Bytes of a frame's [`Header`].
pub const HEADER_BYTES: usize = 8;
/// Bytes of a frame's checksum.
pub const CRC_BYTES: usize = 4;
/// The longest payload of a request: 32 positions, or an equal part of a table.
pub const MAX_REQUEST_PAYLOAD: usize = 2048;
/// The longest payload of an answer: the result header, and the most move records with their scores.
pub const MAX_ANSWER_PAYLOAD: usize = crate::opcode::RESULT_BYTES + (4 + 2) * crate::moves::MAX_MOVES;
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
    /// [`crate::opcode::Opcode`]; answers: with the bit [`crate::opcode::ANSWER`] set.
    pub opcode: u8,
    /// Answers: [`crate::opcode::Status`]. Requests: zero.
    pub status: u8,
    /// Chosen by the host; each answer repeats the number of its request.
    pub sequence: u16,
    /// Requests: positions in the batch. Answers: index in the batch.
    pub count: u16,
    /// Payload bytes.
    pub length: u16,
}
