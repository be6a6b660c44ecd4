//! The link with stand-ins for its units, and a reference for its answers.

use crate::{link::plain, replay::Replay, search_walker};
use hayasashi_hdl::{config::ChipConfig, link::endpoint::Endpoint};
use hayasashi_sim::Stepper;
use hayasashi_spec::{
    frame::*,
    opcode::*,
    position::IMAGE_BYTES,
    registers::REGISTERS,
    search::{SearchHead, SEARCH_HEAD_BYTES},
};
use std::collections::VecDeque;

/// Bytes of the stand-in's table.
pub const TABLE_BYTES: u32 = 100;
/// A table with this byte is rejected.
pub const BAD_BYTE: u8 = 0xEE;
/// Clocks of perft with one ply: those in which the sums settle.
const ONE_PLY_CLOCKS: u64 = 4;

/// The chip whose link is tested: it has all that a request may ask for.
pub fn chip() -> ChipConfig {
    ChipConfig { search_walkers: 3, ..ChipConfig::searching() }
}

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
    score(image).wrapping_add((index + 1).wrapping_mul(0x1357))
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
    /// The last search.
    search: search_walker::Script,
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
                *self = Reference { table: self.table.clone(), search: self.search, ..Reference::default() };
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
            Some(Opcode::Info) if payload.is_empty() => answer(Status::Ok, 0, vec![0; 4 * REGISTERS]),
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
            Some(Opcode::Search) if Opcode::Search.accepts(header.count, payload.len()) => {
                if !self.table.loaded {
                    return answer(Status::NoTable, 0, vec![]);
                }
                let (head, rest) = payload.split_at(SEARCH_HEAD_BYTES);
                let head: SearchHead = bytemuck::pod_read_unaligned(head);
                if !head.is_in_range() || head.table_bits > chip().search_table_bits {
                    return answer(Status::Range, 0, vec![]);
                }
                assert_eq!(head.interval, 0, "a search without reports");
                match faults(&rest[..IMAGE_BYTES]) {
                    0 => answer(
                        Status::Ok,
                        0,
                        bytemuck::bytes_of(&search_walker::answer(payload, &mut self.search)).to_vec(),
                    ),
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
    /// A position was started in the last clock.
    started: bool,
    under_way: VecDeque<UnderWay>,
    walkers: Vec<search_walker::Walker>,
}

/// A position that the stand-in works on.
struct UnderWay {
    /// Clocks until its answer stands.
    wait: u64,
    faults: u32,
    count: u16,
    payload: Vec<u8>,
    /// Bytes of it that were taken.
    taken: usize,
}

impl Bench {
    /// A link that has just been switched on.
    pub fn new(seed: u64) -> Bench {
        Bench::of(&chip(), seed)
    }

    /// The link of this chip.
    pub fn of(chip: &ChipConfig, seed: u64) -> Bench {
        Bench {
            stepper: Stepper::new(Endpoint::new(chip)),
            rx: VecDeque::new(),
            tx: Vec::new(),
            stall: 0,
            gap: 0,
            replay: None,
            rng: Rng(seed | 1),
            table: Table::default(),
            image: [0; IMAGE_BYTES],
            started: false,
            under_way: VecDeque::new(),
            walkers: (0..chip.walkers() as u64).map(|seat| search_walker::Walker::new(seed + (seat << 32))).collect(),
        }
    }

    /// Steps until all requests are taken, nothing is searched, and no answer byte has come for `quiet` clocks.
    pub fn run(&mut self, quiet: u64) {
        let (mut since, mut seen) = (0, self.tx.len());
        while since < quiet || !self.rx.is_empty() {
            self.step();
            since = if self.tx.len() == seen && !self.walkers.iter().any(search_walker::Walker::is_at_work) {
                since + 1
            } else {
                0
            };
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
        let ready = self.under_way.len() + self.started as usize <= 3 && self.rng.below(4) != 0;
        let oldest = self.under_way.front().filter(|position| position.wait == 0);
        let shows_word = oldest.is_some_and(|answer| answer.taken < answer.payload.len()) && self.rng.below(4) != 0;
        let link = &mut self.stepper.block;
        link.bytes.rx_valid.next = byte.is_some();
        link.bytes.rx_data.next = (byte.unwrap_or(0) as u64).into();
        link.bytes.tx_ready.next = tx_ready;
        link.moves.ready.next = ready;
        link.moves.answered.next = oldest.is_some();
        link.moves.faults.next = oldest.map_or(0, |answer| answer.faults as u64).into();
        link.moves.count.next = oldest.map_or(0, |answer| answer.count as u64).into();
        link.moves.length.next = oldest.map_or(0, |answer| answer.payload.len() as u64).into();
        let mut word = [0; 8];
        if let Some(answer) = oldest {
            let left = &answer.payload[answer.taken.min(answer.payload.len())..];
            let bytes = left.len().min(8);
            word[..bytes].copy_from_slice(&left[..bytes]);
        }
        link.answers.data.next = u64::from_le_bytes(word).into();
        link.answers.valid.next = shows_word;
        link.table.offset.next = (self.table.offset as u64).into();
        link.table.error.next = self.table.error;
        link.table.loaded.next = self.table.loaded;
        link.table.version.next = (5 * self.table.loaded as u64).into();
        link.table.checksum.next = (6 * self.table.loaded as u64).into();
        for (walker, ports) in self.walkers.iter_mut().zip(&mut link.walkers) {
            walker.drive(ports);
        }
        self.stepper.settle();
        if let Some(replay) = &mut self.replay {
            replay.sample(&*self.stepper.block);
        }
        let link = &self.stepper.block;
        assert!(link.bytes.rx_ready.val());
        for (walker, ports) in self.walkers.iter_mut().zip(&link.walkers) {
            walker.clock(ports, &self.image);
        }
        if link.bytes.tx_valid.val() && tx_ready {
            self.tx.push(link.bytes.tx_data.val().to_u8());
        }
        for position in &mut self.under_way {
            position.wait = position.wait.saturating_sub(1);
        }
        if link.table.start.val() {
            self.table.start();
        }
        if link.table.valid.val() {
            self.table.byte(link.table.byte.val().to_u8());
        }
        if link.answers.take.val() && shows_word {
            self.under_way[0].taken += 8;
        }
        if link.moves.retire.val() {
            let answer = self.under_way.pop_front().expect("an answer to be retired");
            // A walk or a search follows where an answer is not read.
            assert!(answer.taken >= answer.payload.len() || answer.taken == 0 && answer.faults == 0);
        }
        if std::mem::take(&mut self.started) {
            let (records, scores) = (link.moves.want_records.val(), link.moves.want_scores.val());
            let wait = 1 + self.rng.below(40);
            self.under_way.push_back(UnderWay { wait, ..work(&self.image, records, scores) });
        }
        if link.position.valid.val() {
            self.image.rotate_left(8);
            self.image[IMAGE_BYTES - 8..].copy_from_slice(&link.position.data.val().to_u64().to_le_bytes());
        }
        if link.position.start.val() {
            assert!(ready && !link.position.valid.val());
            self.started = true;
        }
        self.stepper.rise();
    }
}

/// The stand-in's answer to a position.
fn work(image: &[u8], want_records: bool, want_scores: bool) -> UnderWay {
    let (faults, count) = (faults(image), count(image));
    let mut payload = (count as u32 | (result(image) as u32) << 16).to_le_bytes().to_vec();
    if faults != 0 {
        payload = faults.to_le_bytes().to_vec();
    } else if want_records {
        payload.extend((0..count).flat_map(|m| record(image, m).to_le_bytes()));
        payload.extend((0..count).filter(|_| want_scores).flat_map(|m| child_score(image, m).to_le_bytes()));
    } else if want_scores {
        payload = (score(image) as u32).to_le_bytes().to_vec();
    }
    UnderWay { wait: 0, faults, count, payload, taken: 0 }
}
