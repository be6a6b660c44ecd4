//! Requests of each kind, and what the software model answers.

use hayasashi_accel::view;
use hayasashi_model::{link::frame::encode_frame, top::Chip, Model};
use hayasashi_shogi::rules::Position;
use hayasashi_spec::{
    frame::{Header, BUFFER_BYTES, CRC_BYTES, ENTRY_BYTES, MAX_REQUEST_PAYLOAD},
    opcode::Opcode,
    piece::{KING, SQUARES},
    position::PositionImage,
    registers::CAP_EVALUATE,
};

/// Bytes to a chip and from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conversation {
    pub requests: Vec<u8>,
    pub answers: Vec<u8>,
}

/// Positions: the first one; one with 593 moves; a pawn's drop that would mate, and is not legal; White to move, in check.
const SFENS: [&str; 4] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "S1+P+S5/1PG2G1K1/g2k2n1R/5+R3/g1l+BP3P/2n1p1s2/p+n1+s4+p/1p2+n1P2/2+p1+p2+l1 b B2P2l5p 303",
    "4k4/4G4/9/9/9/9/9/9/4K4 w RBrb3g4s4n4l18p 1",
];

/// A conversation that fits into a new chip's request buffer at once: every kind of request but `INFO` (whose answer has a
/// clock in it), without a loaded table, and requests that are wrong in different ways.
///
/// # Panics
/// Never: the positions are constants, and a test reads them.
pub fn conversation(evaluator: bool) -> Conversation {
    let mut images: Vec<PositionImage> =
        SFENS.iter().map(|sfen| view::image(&Position::from_sfen(sfen).expect("a position"))).collect();
    // One that cannot occur: a second king in the middle.
    let mut impossible = images[0];
    impossible.set_piece(SQUARES / 2, KING);
    images.push(impossible);
    let batch: Vec<u8> = images.iter().flat_map(|image| image.bytes).collect();
    let count = images.len() as u16;

    let every_byte: Vec<u8> = (0..=255).collect();
    let mut part = 0u32.to_le_bytes().to_vec();
    part.resize(MAX_REQUEST_PAYLOAD, 0xDB);

    let mut requests = Requests::default();
    requests.add(Opcode::Echo as u8, 0, &every_byte);
    requests.add(Opcode::Echo as u8, 0, &[]);
    requests.add(Opcode::Count as u8, count, &batch);
    requests.add(Opcode::Generate as u8, count, &batch);
    requests.add(Opcode::Evaluate as u8, count, &batch);
    requests.add(Opcode::LoadTable as u8, 0, &part);
    requests.add(Opcode::Generate as u8, count + 1, &batch);
    requests.add(0x7F, 0, &[1, 2, 3]);
    requests.damaged(Opcode::Count as u8, count, &batch);
    requests.add(Opcode::Count as u8, 1, &images[0].bytes);
    assert!(requests.occupied <= BUFFER_BYTES, "more than a chip's buffer: {} bytes", requests.occupied);

    let mut chip = Chip::new(if evaluator { Model::default() } else { Model::without(CAP_EVALUATE) });
    chip.push(&requests.bytes);
    Conversation { answers: chip.pull(), requests: requests.bytes }
}

#[derive(Default)]
struct Requests {
    bytes: Vec<u8>,
    sequence: u16,
    /// Bytes of the chip's buffer.
    occupied: usize,
}

impl Requests {
    fn add(&mut self, opcode: u8, count: u16, payload: &[u8]) {
        // Bytes that want stuffing, too.
        let sequence = 0xDBC0u16.wrapping_add(self.sequence);
        let header = Header { opcode, status: 0, sequence, count, length: payload.len() as u16 };
        encode_frame(header, payload, &mut self.bytes);
        self.sequence += 1;
        self.occupied += payload.len() + ENTRY_BYTES;
    }

    /// A request with a byte of its payload changed on the way.
    fn damaged(&mut self, opcode: u8, count: u16, payload: &[u8]) {
        self.add(opcode, count, payload);
        let at = self.bytes.len() - CRC_BYTES - 30;
        self.bytes[at] = if self.bytes[at] == 0 { 1 } else { 0 };
    }
}
