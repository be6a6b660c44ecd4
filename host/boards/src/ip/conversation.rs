//! Requests of each kind, and the answers of the software model.

use hayasashi_accel::view;
use hayasashi_model::{
    link::{
        frame::encode_frame,
        word_frame::{encode_fillers, encode_word_frame},
    },
    top::Chip,
    Model,
};
use hayasashi_shogi::rules::Position;
use hayasashi_spec::{
    frame::{Header, BUFFER_BYTES, CRC_BYTES, ENTRY_BYTES, MAX_REQUEST_PAYLOAD},
    opcode::Opcode,
    piece::{KING, SQUARES},
    position::PositionImage,
    registers::CAP_EVALUATE,
    word_frame::{Framing, FLUSH_WORDS},
};

/// Bytes to a chip and from a chip.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conversation {
    /// Frames of the requests.
    pub requests: Vec<u8>,
    /// Frames of the answers.
    pub answers: Vec<u8>,
}

/// Positions: the initial one; one with 593 moves; one with an illegal mate by a pawn drop; White to move, in check.
const SFENS: [&str; 4] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "S1+P+S5/1PG2G1K1/g2k2n1R/5+R3/g1l+BP3P/2n1p1s2/p+n1+s4+p/1p2+n1P2/2+p1+p2+l1 b B2P2l5p 303",
    "4k4/4G4/9/9/9/9/9/9/4K4 w RBrb3g4s4n4l18p 1",
];

/// A conversation in these frames whose requests fit into the request buffer of a chip at once: every kind of request except `INFO`, whose
/// answer depends on the clock, without a loaded table; and several kinds of invalid requests.
pub fn conversation(framing: Framing, evaluator: bool) -> Conversation {
    let mut images: Vec<PositionImage> =
        SFENS.iter().map(|sfen| view::image(&Position::from_sfen(sfen).expect("a position"))).collect();
    // A position that cannot occur: a second king in the middle.
    let mut impossible = images[0];
    impossible.set_piece(SQUARES / 2, KING);
    images.push(impossible);
    let batch: Vec<u8> = images.iter().flat_map(|image| image.bytes).collect();
    let count = images.len() as u16;

    let every_byte: Vec<u8> = (0..=255).collect();
    let mut table_part = 0u32.to_le_bytes().to_vec();
    table_part.resize(MAX_REQUEST_PAYLOAD, 0xDB);

    let mut requests = Requests { framing, bytes: Vec::new(), sequence: 0, occupied: 0 };
    requests.add(Opcode::Echo as u8, 0, &every_byte);
    requests.add(Opcode::Echo as u8, 0, &[]);
    requests.add(Opcode::Count as u8, count, &batch);
    requests.add(Opcode::Generate as u8, count, &batch);
    requests.add(Opcode::Evaluate as u8, count, &batch);
    requests.add(Opcode::Expand as u8, count, &batch);
    requests.add(Opcode::LoadTable as u8, 0, &table_part);
    requests.add(Opcode::Generate as u8, count + 1, &batch);
    requests.add(0x7F, 0, &[1, 2, 3]);
    requests.add_damaged(Opcode::Count as u8, count, &batch);
    requests.add(Opcode::Count as u8, 1, &images[0].bytes);
    assert!(requests.occupied <= BUFFER_BYTES, "{} bytes exceed the buffer of the chip", requests.occupied);

    let mut chip = Chip::behind(framing, if evaluator { Model::default() } else { Model::without(CAP_EVALUATE) });
    chip.push(&requests.bytes);
    Conversation { answers: chip.pull(), requests: requests.bytes }
}

struct Requests {
    framing: Framing,
    bytes: Vec<u8>,
    sequence: u16,
    /// Occupied bytes of the chip's buffer.
    occupied: usize,
}

impl Requests {
    fn add(&mut self, opcode: u8, count: u16, payload: &[u8]) {
        // These sequence numbers contain bytes that SLIP escapes.
        let sequence = 0xDBC0u16.wrapping_add(self.sequence);
        let header = Header { opcode, status: 0, sequence, count, length: payload.len() as u16 };
        match self.framing {
            Framing::Slip => encode_frame(header, payload, &mut self.bytes),
            Framing::Words => encode_word_frame(header, payload, &mut self.bytes),
        }
        self.sequence += 1;
        self.occupied += payload.len() + ENTRY_BYTES;
    }

    /// A request with a damaged byte in its payload, and fillers that end what a word port skips behind it.
    fn add_damaged(&mut self, opcode: u8, count: u16, payload: &[u8]) {
        self.add(opcode, count, payload);
        let at = self.bytes.len() - CRC_BYTES - 30;
        self.bytes[at] = if self.bytes[at] == 0 { 1 } else { 0 };
        if self.framing == Framing::Words {
            encode_fillers(FLUSH_WORDS, &mut self.bytes);
        }
    }
}
