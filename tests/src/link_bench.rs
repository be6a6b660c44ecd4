//! The link with stand-ins for its units, and a reference for its answers.

use crate::{link::plain, replay::Replay};
use hayasashi_hdl::{config::ChipConfig, link::endpoint::Endpoint};
use hayasashi_sim::Stepper;
use hayasashi_spec::{frame::*, opcode::*, position::IMAGE_BYTES};
use std::collections::VecDeque;

/// Bytes of the stand-in's table.
pub const TABLE_BYTES: u32 = 100;
/// A table with this byte is rejected.
pub const BAD_BYTE: u8 = 0xEE;
/// Clocks of perft with one ply: those in which the sums settle.
const ONE_PLY_CLOCKS: u64 = 4;

/// The stand-in's fault bits of a position. Each result is a function of a few bytes of the image.
pub fn faults(image: &[u8]) -> u32 {
    image[63] as u32 & 31
}

/// The stand-in's number of legal moves.
pub fn count(image: &[u8]) -> u16 {
    u16::from_le_bytes([image[0], image[1]]) % 594
}

/// The stand-in's result flags.
pub fn result(image: &[u8]) -> u16 {
    u16::from_le_bytes([image[2], image[3]])
}

/// The stand-in's move record `index`.
pub fn record(image: &[u8], index: u16) -> u32 {
    (image[4] as u32) << 24 | 0xC0 << 16 | index as u32
}

/// The stand-in's score.
pub fn score(image: &[u8]) -> u16 {
    u16::from_le_bytes([image[5], image[6]])
}

/// The stand-in's score of the position after a move.
pub fn child_score(image: &[u8], index: u16) -> u16 {
    score(image).wrapping_add(0x1357 * (index + 1))
}

/// The state of a table while it is loaded.
#[derive(Default, Clone)]
pub struct Table {
    /// The next byte expected.
    pub offset: u32,
    /// The table was rejected.
    pub error: bool,
    /// The table is complete.
    pub loaded: bool,
}

impl Table {
    /// Starts over.
    pub fn start(&mut self) {
        *self = Table::default();
    }

    /// Takes the next byte.
    pub fn byte(&mut self, byte: u8) {
        if self.error || self.loaded {
            return;
        }
        self.offset += 1;
        if byte == BAD_BYTE {
            *self = Table { error: true, ..Table::default() };
        } else if self.offset == TABLE_BYTES {
            *self = Table { loaded: true, ..Table::default() };
        }
    }
}

/// Random numbers from a seed.
pub struct Rng(pub u64);

impl Rng {
    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        let bits;
        (self.0, bits) = hayasashi_shogi::random::split_mix(self.0);
        bits % limit
    }
}

/// The answers that the link must give to a stream while its buffer has room.
#[derive(Default)]
pub struct Reference {
    /// The table as loaded so far.
    pub table: Table,
    frame: Vec<u8>,
    escaped: bool,
    broken: bool,
    present: bool,
}

/// Headers and payloads of answers.
pub type Answers = Vec<(Header, Vec<u8>)>;

impl Reference {
    /// Processes bytes and appends the answers.
    pub fn push(&mut self, bytes: &[u8], answers: &mut Answers) {
        for &byte in bytes {
            if byte == END {
                if self.present {
                    let broken = self.broken || self.escaped;
                    let frame = std::mem::take(&mut self.frame);
                    self.frame(frame, broken, answers);
                }
                *self = Reference { table: self.table.clone(), ..Reference::default() };
                continue;
            }
            self.present = true;
            match (std::mem::take(&mut self.escaped), byte) {
                (true, ESC_END) => self.frame.push(END),
                (true, ESC_ESC) => self.frame.push(ESC),
                (true, _) => self.broken = true,
                (false, ESC) => self.escaped = true,
                (false, other) => self.frame.push(other),
            }
        }
    }

    fn frame(&mut self, frame: Vec<u8>, broken: bool, answers: &mut Answers) {
        let mut head = [0; HEADER_BYTES];
        let known = frame.len().min(HEADER_BYTES);
        head[..known].copy_from_slice(&frame[..known]);
        let header: Header = bytemuck::pod_read_unaligned(&head);
        let mut answer = |status: Status, index: usize, payload: Vec<u8>| {
            answers.push((
                Header {
                    opcode: header.opcode | ANSWER,
                    status: status as u8,
                    sequence: header.sequence,
                    count: index as u16,
                    length: payload.len() as u16,
                },
                payload,
            ));
        };
        let payload = frame.get(HEADER_BYTES..frame.len().saturating_sub(CRC_BYTES)).unwrap_or(&[]);
        if frame.len() < HEADER_BYTES + CRC_BYTES || payload.len() > MAX_REQUEST_PAYLOAD {
            return answer(Status::BadLength, 0, vec![]);
        }
        let sound = plain(header.opcode, header.sequence, header.count, payload);
        let mut sum =
            crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(&frame[..frame.len() - 4]).to_le_bytes().to_vec();
        if header.status == 0 && header.length as usize == payload.len() {
            sum = sound[sound.len() - 4..].to_vec();
        }
        if broken || sum != frame[frame.len() - 4..] {
            return answer(Status::BadCrc, 0, vec![]);
        }
        if header.length as usize != payload.len() {
            return answer(Status::BadLength, 0, vec![]);
        }
        let batch = header.count > 0 && header.count as usize * IMAGE_BYTES == payload.len();
        let word = |w: u32| w.to_le_bytes().to_vec();
        match Opcode::from_code(header.opcode) {
            None => answer(Status::BadOpcode, 0, vec![]),
            // The caller checks the registers; here only their number counts.
            Some(Opcode::Info) if payload.is_empty() => answer(Status::Ok, 0, vec![0; 60]),
            Some(Opcode::Echo) => answer(Status::Ok, 0, payload.to_vec()),
            Some(Opcode::Cancel) if payload.is_empty() => answer(Status::Ok, 0, vec![]),
            // One ply only: there are no perft units here.
            Some(Opcode::Perft) if payload.len() == 4 + IMAGE_BYTES => {
                let (head, image) = payload.split_at(4);
                let [depth, interval] = [head[0], head[1]];
                if depth == 0 || depth > 8 || !(interval == 0 || (10..=40).contains(&interval)) || head[2..] != [0; 2] {
                    return answer(Status::Range, 0, vec![]);
                }
                assert_eq!(depth, 1, "perft with one ply");
                match faults(image) {
                    0 => answer(Status::Ok, 0, [count(image) as u64, 1, ONE_PLY_CLOCKS].map(u64::to_le_bytes).concat()),
                    faults => answer(Status::Position, 0, word(faults)),
                }
            }
            Some(Opcode::LoadTable) if payload.len() >= 4 => {
                let offset = u32::from_le_bytes(payload[..4].try_into().unwrap());
                if offset == 0 {
                    self.table.start();
                } else if offset != self.table.offset {
                    return answer(Status::TableSequence, 0, word(self.table.offset));
                }
                payload[4..].iter().for_each(|&b| self.table.byte(b));
                if self.table.error {
                    answer(Status::TableContent, 0, vec![]);
                } else {
                    answer(Status::Ok, 0, word(self.table.offset));
                }
            }
            Some(op @ (Opcode::Generate | Opcode::Count | Opcode::Evaluate | Opcode::Expand)) if batch => {
                for (i, image) in payload.chunks(IMAGE_BYTES).enumerate() {
                    let head = word(count(image) as u32 | (result(image) as u32) << 16);
                    match op {
                        op if op.needs_table() && !self.table.loaded => answer(Status::NoTable, i, vec![]),
                        _ if faults(image) != 0 => answer(Status::Position, i, word(faults(image))),
                        Opcode::Evaluate => answer(Status::Ok, i, word(score(image) as u32)),
                        Opcode::Count => answer(Status::Ok, i, head),
                        _ => {
                            let records = (0..count(image)).flat_map(|m| word(record(image, m)));
                            let scores = (0..count(image)).filter(|_| op == Opcode::Expand);
                            let scores = scores.flat_map(|m| child_score(image, m).to_le_bytes());
                            answer(Status::Ok, i, head.into_iter().chain(records).chain(scores).collect());
                        }
                    }
                }
            }
            Some(_) => answer(Status::BadLength, 0, vec![]),
        }
    }
}

/// The link in simulation, with the stand-in units.
pub struct Bench {
    /// The simulated block.
    pub stepper: Stepper<Endpoint>,
    /// Request bytes still to be sent to the link.
    pub rx: VecDeque<u8>,
    /// Answer bytes received from the link.
    pub tx: Vec<u8>,
    /// Chance in eighths that the receiver of answers stalls in a clock.
    pub stall: u64,
    /// Chance in eighths that no request byte arrives in a clock.
    pub gap: u64,
    /// A recording of the ports, if there is one.
    pub replay: Option<Replay>,
    rng: Rng,
    table: Table,
    image: [u8; IMAGE_BYTES],
    move_wait: Option<u64>,
    score_wait: Option<u64>,
    results: (u32, u16, u16, u16),
    records: VecDeque<u32>,
}

impl Bench {
    /// A link that has just been switched on.
    pub fn new(seed: u64) -> Bench {
        Bench {
            stepper: Stepper::new(Endpoint::new(&ChipConfig::default())),
            rx: VecDeque::new(),
            tx: Vec::new(),
            stall: 0,
            gap: 0,
            replay: None,
            rng: Rng(seed | 1),
            table: Table::default(),
            image: [0; IMAGE_BYTES],
            move_wait: None,
            score_wait: None,
            results: Default::default(),
            records: VecDeque::new(),
        }
    }

    /// Steps until all requests are taken and no answer byte has come for `quiet` clocks.
    pub fn run(&mut self, quiet: u64) {
        let (mut since, mut seen) = (0, self.tx.len());
        while since < quiet || !self.rx.is_empty() {
            self.step();
            since = if self.tx.len() == seen { since + 1 } else { 0 };
            seen = self.tx.len();
        }
    }

    /// One clock.
    ///
    /// # Panics
    /// If the link breaks a handshake with its units.
    pub fn step(&mut self) {
        let byte = if self.rng.below(8) < self.gap { None } else { self.rx.pop_front() };
        let tx_ready = self.rng.below(8) >= self.stall;
        let show_record = !self.records.is_empty() && self.rng.below(4) != 0;
        let link = &mut self.stepper.block;
        link.bytes.rx_valid.next = byte.is_some();
        link.bytes.rx_data.next = (byte.unwrap_or(0) as u64).into();
        link.bytes.tx_ready.next = tx_ready;
        link.moves.ready.next = self.move_wait.is_none() && self.records.is_empty();
        link.moves.done.next = self.move_wait == Some(0);
        link.moves.faults.next = (self.results.0 as u64).into();
        link.moves.count.next = (self.results.1 as u64).into();
        link.moves.result.next = (self.results.2 as u64).into();
        link.records.data.next = (self.records.front().copied().unwrap_or(0) as u64).into();
        link.records.valid.next = show_record;
        link.scores.done.next = self.score_wait == Some(0);
        link.scores.score.next = (self.results.3 as u64).into();
        link.table.offset.next = (self.table.offset as u64).into();
        link.table.error.next = self.table.error;
        link.table.loaded.next = self.table.loaded;
        link.table_version.next = (5 * self.table.loaded as u64).into();
        link.table_checksum.next = (6 * self.table.loaded as u64).into();
        self.stepper.settle();
        if let Some(replay) = &mut self.replay {
            replay.sample(&*self.stepper.block);
        }
        let link = &self.stepper.block;
        assert!(link.bytes.rx_ready.val());
        if link.bytes.tx_valid.val() && tx_ready {
            self.tx.push(link.bytes.tx_data.val().to_u8());
        }
        self.move_wait = self.move_wait.and_then(|w| w.checked_sub(1));
        self.score_wait = self.score_wait.and_then(|w| w.checked_sub(1));
        if link.table.start.val() {
            self.table.start();
        }
        if link.table.valid.val() {
            self.table.byte(link.payload_byte.val().to_u8());
        }
        if link.records.take.val() {
            assert!(show_record, "the link takes a record that is not valid");
            self.records.pop_front();
        }
        if link.position_valid.val() {
            assert!(
                self.move_wait.is_none() && self.score_wait.is_none(),
                "a position arrives while the units are busy: {:?} {:?}",
                self.move_wait,
                self.score_wait
            );
            self.image.rotate_left(1);
            self.image[IMAGE_BYTES - 1] = link.payload_byte.val().to_u8();
        }
        if link.unit_start.val() {
            assert!(link.moves.ready.val());
            let image = self.image;
            self.results = (faults(&image), count(&image), result(&image), score(&image));
            if link.moves.want_records.val() && self.results.0 == 0 {
                self.records = (0..self.results.1).map(|m| record(&image, m)).collect();
                if link.moves.want_scores.val() {
                    let scores: Vec<u16> = (0..self.results.1).map(|m| child_score(&image, m)).collect();
                    let word = |pair: &[u16]| pair[0] as u32 | (pair.get(1).copied().unwrap_or(0) as u32) << 16;
                    self.records.extend(scores.chunks(2).map(word));
                }
            }
            self.move_wait = Some(1 + self.rng.below(9));
            if link.moves.want_scores.val() {
                self.score_wait = Some(1 + self.rng.below(9));
            }
        }
        self.stepper.rise();
    }
}
