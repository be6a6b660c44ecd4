//! Frames on a word port: the same requests and answers as on the byte port, in words of 64 bits.
//!
//! Byte 0 of a word is in its lowest bits, and on a byte stream it comes first. A frame has no stuffing:
//!
//! | words | contents |
//! |---|---|
//! | 1 | the [`Header`], whose length field says how many payload words follow |
//! | `payload_words(length)` | the payload; zero bytes fill the last word |
//! | 1, the trailer | bits 0–31: CRC-32 as in [`crate::frame`] of all bytes of the words before; bits 32–63: [`TRAILER_MARK`] |
//!
//! Between frames there may be any number of [`FILLER`] words, which the receiver skips. No opcode or answer is
//! [`END`], so a filler is never a header. An answer is one packet: its trailer is the packet's last word.
//!
//! # The chip's receiver
//!
//! It answers a header with a length above [`MAX_REQUEST_PAYLOAD`] with `BAD_LENGTH` when the header arrives, and a
//! wrong CRC or mark with `BAD_CRC`. After either it skips every word up to the next filler. It does not look at the
//! bytes that fill the last payload word, except for the CRC. All other rules of [`crate::frame`] apply, except that a word
//! port never loses a word: a receiver without room is not ready, and no request is answered `BUSY`.
//!
//! # The host
//!
//! A host that opens the port sends [`FLUSH_WORDS`] fillers, and then `CANCEL`. They end a frame that an earlier host
//! has left half sent, whatever its length. It sends them too after a time-out, because the chip may wait for the rest
//! of a frame of which a word was lost. After an answer `BAD_CRC` or `BAD_LENGTH` it sends a filler before the next
//! frame.
//!
//! A payload may hold words that look like fillers with a frame behind them, as that of an `ECHO` can. If such a request is
//! damaged, the receiver may take the frame inside it for a request.
//!
//! # Packets
//!
//! A chip behind DMA sends packets of [`PACKET_BYTES`], because a driver hands a buffer over only when it is full, or splits what
//! is in it. Where an answer ends and no other one follows at once, fillers complete its packet.
//!
//! # Resets
//!
//! The chip does not send fillers after a reset that cuts an answer short. A host that waits for the rest of such an
//! answer finds the end of the next one by its mark and its CRC.

use crate::frame::{Header, END, HEADER_BYTES, MAX_ANSWER_PAYLOAD, MAX_REQUEST_PAYLOAD};

/// Bytes of a word.
pub const WORD_BYTES: usize = 8;
/// Skipped between frames: eight [`END`] bytes.
pub const FILLER: u64 = u64::from_le_bytes([END; WORD_BYTES]);
/// The high half of every trailer: the bytes `HSYF`.
pub const TRAILER_MARK: u32 = u32::from_le_bytes(*b"HSYF");
/// Fillers that end any frame of the host, and the skipping of words behind it.
pub const FLUSH_WORDS: usize = MAX_REQUEST_PAYLOAD / WORD_BYTES + 4;
/// Bytes of a packet from a chip behind DMA: a page of the host's memory.
pub const PACKET_BYTES: usize = 4096;
/// Words of a packet.
pub const PACKET_WORDS: usize = PACKET_BYTES / WORD_BYTES;
/// Clocks without a word behind an answer after which a chip behind DMA completes the packet. A batch of counts has a word more often.
pub const PACKET_IDLE_CLOCKS: usize = 16;
/// Words of the longest request.
pub const MAX_REQUEST_WORDS: usize = frame_words(MAX_REQUEST_PAYLOAD);
/// Words of the longest answer.
pub const MAX_ANSWER_WORDS: usize = frame_words(MAX_ANSWER_PAYLOAD);

const _: () = assert!(HEADER_BYTES == WORD_BYTES && FLUSH_WORDS > MAX_REQUEST_WORDS);
const _: () = assert!(PACKET_BYTES.is_multiple_of(WORD_BYTES));

/// Words of a payload of this many bytes.
pub const fn payload_words(bytes: usize) -> usize {
    bytes.div_ceil(WORD_BYTES)
}

/// Words of a frame with this many payload bytes: header, payload and trailer.
pub const fn frame_words(payload_bytes: usize) -> usize {
    1 + payload_words(payload_bytes) + 1
}

/// The trailer of a frame with this CRC.
pub const fn trailer(crc: u32) -> u64 {
    (TRAILER_MARK as u64) << 32 | crc as u64
}

/// Whether a word has the mark of a trailer.
pub const fn has_mark(word: u64) -> bool {
    (word >> 32) as u32 == TRAILER_MARK
}

/// The header in a word.
pub fn header(word: u64) -> Header {
    bytemuck::pod_read_unaligned(&word.to_le_bytes())
}

/// How a stream tells its frames apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Framing {
    /// Bytes, with the stuffing of SLIP ([`crate::frame`]).
    #[default]
    Slip,
    /// Words of 64 bits.
    Words,
}

impl Framing {
    /// Bytes that pass at a time: 1, or those of a word.
    pub const fn unit_bytes(self) -> usize {
        match self {
            Framing::Slip => 1,
            Framing::Words => WORD_BYTES,
        }
    }

    /// The name of its port in the gateware.
    pub const fn port(self) -> &'static str {
        match self {
            Framing::Slip => "bytes",
            Framing::Words => "words",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opcode::{Opcode, ANSWER};

    #[test]
    fn a_filler_is_no_header_of_a_request_or_an_answer() {
        for opcode in Opcode::ALL {
            assert!(*opcode as u8 != END && *opcode as u8 | ANSWER != END);
        }
        assert_eq!(header(FILLER).opcode, END);
    }

    #[test]
    fn words_hold_their_bytes_from_the_lowest() {
        assert_eq!([0, 1, 8, 9].map(payload_words), [0, 1, 1, 2]);
        assert_eq!((MAX_REQUEST_WORDS, FLUSH_WORDS), (258, 260));
        assert_eq!(trailer(0x0403_0201).to_le_bytes(), [1, 2, 3, 4, b'H', b'S', b'Y', b'F']);
        assert_eq!(header(0x0007_0006_0504_0302).length, 7);
    }
}
