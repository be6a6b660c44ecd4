//! The chip that only searches (`units.movegen = 0`, `units.search = 2`) against the model built alike: in simulation, and as
//! emitted Verilog. All answers but registers and clocks are the same, byte for byte; a search that is cancelled has what the model
//! has after as many steps.

use hayasashi_hdl::config::ChipConfig;
use hayasashi_model::{evaluate::default_table, position::Position, search::Walker, top::Chip, Model};
use hayasashi_sim::{verilog::Build, RtlChip, SimulatedChip, VerilogChip};
use hayasashi_spec::frame::{Header, MAX_BATCH, MAX_REQUEST_PAYLOAD};
use hayasashi_spec::opcode::{Opcode, Status, ANSWER};
use hayasashi_spec::position::{Fault, PositionImage};
use hayasashi_spec::registers::{CAP_MOVEGEN, CAP_NETWORK, CAP_PERFT};
use hayasashi_spec::search::{Found, SearchHead, MIN_TABLE_BITS};
use hayasashi_tests::link::{frame, frames};
use hayasashi_tests::link_bench::Rng;
use hayasashi_tests::{data_lines, image_from_sfen, replay::Tool};
use std::sync::Arc;

/// Clocks without an answer after which none is expected any more.
const QUIET_CLOCKS: u64 = 100_000;

type Answers = Vec<(Header, Vec<u8>)>;

/// A chip and the model, which are asked the same.
struct Pair<C> {
    chip: C,
    model: Chip,
}

impl<C: SimulatedChip> Pair<C> {
    fn new(chip: C) -> Self {
        Pair { chip, model: Chip::new(Model::without(CAP_MOVEGEN | CAP_PERFT | CAP_NETWORK)) }
    }

    /// So many answers of the chip.
    fn take(&mut self, count: usize) -> Answers {
        let (mut bytes, mut last) = (Vec::new(), self.chip.clocks());
        loop {
            self.chip.run(C::STEP_CLOCKS).unwrap();
            let before = bytes.len();
            self.chip.pull(&mut bytes);
            if bytes.len() > before || self.chip.pending() > 0 {
                last = self.chip.clocks();
            }
            // Each answer ends with an END, of which there may be one more before it.
            let whole = bytes.last() == Some(&0xC0) && frames(&bytes).len() >= count;
            if whole {
                return frames(&bytes);
            }
            assert!(self.chip.clocks() - last < QUIET_CLOCKS, "{} answers instead of {count}", frames(&bytes).len());
        }
    }

    /// The answers of both, which must be the same but for clocks.
    fn ask(&mut self, requests: &[Vec<u8>]) -> Answers {
        let bytes = requests.concat();
        self.model.push(&bytes);
        let expected = frames(&self.model.pull());
        self.chip.push(&bytes);
        let mut answers = self.take(expected.len());
        for (header, payload) in &mut answers {
            if header.opcode == Opcode::Search as u8 | ANSWER && header.status == Status::Ok as u8 {
                let found: &mut Found = bytemuck::from_bytes_mut(payload);
                assert!(found.clocks > 0);
                found.clocks = 0;
            }
        }
        assert_eq!(answers.len(), expected.len());
        for (at, (answer, expected)) in answers.iter().zip(&expected).enumerate() {
            assert_eq!(answer, expected, "answer {at} of {}", self.chip.name());
        }
        answers
    }
}

fn table() -> Vec<Vec<u8>> {
    let size = MAX_REQUEST_PAYLOAD - 4;
    let part = |(i, part): (usize, &[u8])| {
        frame(Opcode::LoadTable as u8, i as u16, 0, &[&((i * size) as u32).to_le_bytes(), part].concat())
    };
    default_table().to_bytes().chunks(size).enumerate().map(part).collect()
}

fn search(sequence: u16, head: SearchHead, image: &PositionImage, path: &[u64]) -> Vec<u8> {
    let payload = [bytemuck::bytes_of(&head), &image.bytes, bytemuck::cast_slice(path)].concat();
    frame(Opcode::Search as u8, sequence, 0, &payload)
}

/// Every opcode, as a good request and as one of a wrong length; a search at last, which no CANCEL ends.
fn all_opcodes(image: &PositionImage) -> Vec<Vec<u8>> {
    let of_two = [image.bytes, image.bytes].concat();
    let walk = [&[2, 0, 0, 0], &image.bytes[..]].concat();
    let mut requests = vec![
        frame(Opcode::Echo as u8, 2, 0, b"echo"),
        frame(Opcode::Cancel as u8, 3, 0, &[]),
        frame(Opcode::Perft as u8, 4, 0, &walk),
        frame(0x7F, 5, 0, &walk),
        frame(Opcode::LoadTable as u8, 6, 0, &[9, 0, 0, 0, 1]),
    ];
    for opcode in [Opcode::Count, Opcode::Generate, Opcode::Evaluate, Opcode::Expand] {
        requests.push(frame(opcode as u8, 7, 2, &of_two));
        requests.push(frame(opcode as u8, 8, 3, &of_two));
    }
    let wrong = [Opcode::Search, Opcode::Perft, Opcode::LoadTable, Opcode::Info, Opcode::Cancel];
    requests.extend(wrong.map(|opcode| frame(opcode as u8, 9, 0, &[1, 2, 3])));
    requests.push(search(1, SearchHead { nodes: 5, table_bits: MIN_TABLE_BITS, ..SearchHead::default() }, image, &[]));
    requests
}

/// Positions of the data.
fn images(step: usize) -> Vec<PositionImage> {
    let lines = data_lines("rules/legal_moves.tsv").into_iter().step_by(step);
    lines.map(|line| image_from_sfen(line.split('\t').next().unwrap()).0).collect()
}

/// Refuses all but searches; faults; searches, some of positions with faults; an end by CANCEL, and searches behind it.
fn check<C: SimulatedChip>(chip: C, [bad, good]: [usize; 2], nodes: u64) {
    let mut pair = Pair::new(chip);
    let mut rng = Rng(0x1234_5678_9ABC_DEF1);
    let images = images(40);
    let statuses = |answers: &Answers| -> Vec<Status> {
        answers.iter().map(|(header, _)| Status::from_code(header.status).unwrap()).collect()
    };
    let before = statuses(&pair.ask(&all_opcodes(&images[0])));
    assert_eq!(before.last(), Some(&Status::NoTable));
    // GENERATE, COUNT, EVALUATE and EXPAND twice each, PERFT twice, and a code that is none.
    assert_eq!(before.iter().filter(|&&status| status == Status::BadOpcode).count(), 11, "{before:?}");
    // The buffer holds three parts of a table.
    for parts in table().chunks(3) {
        pair.ask(parts);
    }
    let after = statuses(&pair.ask(&all_opcodes(&images[0])));
    assert_eq!(after.last(), Some(&Status::Ok));
    assert_eq!(after[..after.len() - 1], before[..before.len() - 1]);

    let head = SearchHead { nodes, table_bits: MIN_TABLE_BITS, ..SearchHead::default() };
    let mut seen = [0; Fault::ALL.len()];
    for pass in 0..bad {
        let mut image = images[pass % images.len()];
        let (a, b) = (rng.below(81) as usize, rng.below(81) as usize);
        let (first, second) = (image.piece(a), image.piece(b));
        match pass % 3 {
            0 => image.set_piece(a, rng.below(32) as u8),
            _ => {
                image.set_piece(a, second);
                image.set_piece(b, first);
            }
        }
        let faults = Position::from(&image).faults();
        seen.iter_mut().enumerate().for_each(|(bit, count)| *count += (faults >> bit & 1) as usize);
        let small = SearchHead { nodes: 2, ..head };
        pair.ask(&[search(pass as u16, small, &image, &[]), search(1, small, &images[1], &[])]);
    }
    println!("faults {seen:?}");
    assert!(bad < 200 || seen.iter().all(|&count| count > 0), "{seen:?}");

    // More than the walkers take at a time.
    let path: Vec<u64> = (0..rng.below(9)).map(|_| rng.below(u64::MAX)).collect();
    for (at, some) in images[..good].chunks(7).enumerate() {
        let short = |i: usize| SearchHead { nodes: head.nodes >> (i % 4), ..head };
        let all: Vec<_> =
            some.iter().enumerate().map(|(i, image)| search((7 * at + i) as u16, short(i), image, &path)).collect();
        assert!(statuses(&pair.ask(&all)).iter().all(|&status| status == Status::Ok));
    }

    // Searches without end, more than there are walkers, and their CANCEL, which comes later than the table may take to be emptied.
    let emptied = 1 << ChipConfig::search_only().most_table_bits();
    for (round, image) in images[..3].iter().enumerate() {
        let endless = SearchHead { nodes: 0, ..head };
        let searches = [5, 6, 7].map(|sequence| search(sequence, endless, image, &[]));
        pair.chip.push(&searches.concat());
        let end = pair.chip.clocks() + emptied + 5_000 * (round as u64 + 1);
        while pair.chip.clocks() < end {
            pair.chip.run(C::STEP_CLOCKS).unwrap();
        }
        pair.chip.push(&frame(Opcode::Cancel as u8, 8, 0, &[]));
        let answers = pair.take(4);
        assert_eq!(statuses(&answers), [Status::Cancelled, Status::Cancelled, Status::Cancelled, Status::Ok]);
        for (at, (header, payload)) in answers[..3].iter().enumerate() {
            assert_eq!(header.sequence, 5 + at as u16);
            let found: Found = bytemuck::pod_read_unaligned(payload);
            let mut walker =
                Walker::new(endless, Arc::new(default_table()), &Position::from(image), std::iter::empty());
            while walker.found().steps < found.steps {
                assert!(walker.step());
            }
            // The third one waits for a walker.
            assert!(found.steps > 0 || at == 2);
            assert_eq!(Found { clocks: 0, ..found }, walker.found());
        }
        pair.ask(&[search(9, head, image, &[])]);
    }
    let full: Vec<u8> = images[..MAX_BATCH].iter().flat_map(|image| image.bytes).collect();
    let refused = statuses(&pair.ask(&[frame(Opcode::Count as u8, 1, MAX_BATCH as u16, &full)]));
    assert_eq!(refused, [Status::BadOpcode]);
}

#[test]
fn the_simulated_chip_equals_the_model() {
    check(RtlChip::new(&ChipConfig::search_only()), [12, 2], 20);
}

#[test]
fn the_verilog_equals_the_model() {
    if !Tool::Verilator.installed() {
        return;
    }
    let build = Build::chip(&ChipConfig::search_only()).without_skipping();
    check(VerilogChip::open(&build).unwrap(), [300, 48], 300);
}
