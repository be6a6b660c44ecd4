//! The move generation unit in RustHDL's simulator against the software model.

use hayasashi_hdl::movegen::pipeline::*;
use hayasashi_hdl::movegen::positions::BOARD_WIDTH;
use hayasashi_hdl::movegen::tag_decoder::TAG_WIDTH;
use hayasashi_hdl::movegen::unit::{MovegenUnit, UnitConfig};
use hayasashi_hdl::position::Tag;
use hayasashi_model::movegen;
use hayasashi_model::position::Position;
use hayasashi_sim::Stepper;
use hayasashi_spec::moves::MoveRecord;
use hayasashi_spec::position::PositionImage;
use hayasashi_tests::{data_lines, image_from_sfen, rtl};
use rust_hdl::prelude::*;

struct Bench {
    unit: Stepper<MovegenUnit>,
    want_records: bool,
}

impl Bench {
    fn step(&mut self) {
        self.unit.settle();
        self.unit.rise();
    }

    fn run(&mut self, image: &PositionImage) -> (u8, u16, u16, Vec<MoveRecord>, u64) {
        while !self.unit.block.requests.ready.val() {
            self.step();
        }
        self.unit.block.position.next = rtl::bus(&image.bytes);
        self.unit.block.requests.want_records.next = self.want_records;
        self.unit.block.start.next = true;
        let started = self.unit.clocks();
        self.step();
        self.unit.block.start.next = false;
        while !self.unit.block.requests.answered.val() {
            self.step();
            assert!(self.unit.clocks() < started + 1000, "no answer");
        }
        let latency = self.unit.clocks() - started;
        let faults = self.unit.block.requests.faults.val().to_u8();
        let length = self.unit.block.requests.length.val().to_u16() as usize;
        let mut payload = Vec::new();
        while payload.len() < length {
            assert!(self.unit.clocks() < started + 3000, "{} of {length} bytes", payload.len());
            let valid = self.unit.block.words.valid.val();
            if valid {
                payload.extend(self.unit.block.words.data.val().to_u64().to_le_bytes());
            }
            self.unit.block.words.take.next = valid;
            self.step();
            self.unit.block.words.take.next = false;
            self.unit.settle();
        }
        payload.truncate(length);
        self.unit.block.requests.retire.next = true;
        self.step();
        self.unit.block.requests.retire.next = false;
        let words: Vec<u32> = payload.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        let records = words[1..].iter().map(|&word| bytemuck::cast(word)).collect();
        let (count, result) = (words[0] as u16, (words[0] >> 16) as u16);
        assert_eq!(faults != 0, faults as u32 == words[0] && faults != 0, "faults of {image:?}");
        (faults, count, result, records, latency)
    }
}

fn check(bench: &mut Bench, sfen: &str) {
    let (image, _) = image_from_sfen(sfen);
    let position = Position::from(&image);
    let mut moves = Vec::new();
    let expected = movegen::generate(&position, &mut moves);
    let (faults, count, result, records, latency) = bench.run(&image);
    assert_eq!(faults, position.faults(), "faults of {sfen}");
    if faults != 0 {
        return;
    }
    assert_eq!((count, result), (expected.moves, expected.flags), "{sfen}");
    assert_eq!(records.len(), if bench.want_records { moves.len() } else { 0 }, "{sfen}");
    for (i, (got, want)) in records.iter().zip(&moves).enumerate() {
        assert_eq!(got, want, "record {i} of {sfen}");
    }
    let moves = records.len() as u64;
    assert!((20..=70 + moves).contains(&latency), "latency {latency} of {sfen}");
}

#[test]
fn unit_equals_model_on_data() {
    let mut bench = Bench { unit: Stepper::new(MovegenUnit::default()), want_records: true };
    let started = std::time::Instant::now();
    let lines = data_lines("rules/uchifuzume.tsv")
        .into_iter()
        .chain(data_lines("rules/legal_moves.tsv").into_iter().step_by(10));
    let mut n = 0;
    for line in lines {
        check(&mut bench, line.split('\t').next().unwrap());
        n += 1;
    }
    println!("{n} positions, {} clocks, {:.1} s", bench.unit.clocks(), started.elapsed().as_secs_f64());
}

/// The unit of a chip that only counts.
#[test]
fn counting_unit_equals_model_on_data() {
    let config = UnitConfig { requests: true, generates: false, scores: false, walks: None };
    let mut bench = Bench { unit: Stepper::new(MovegenUnit::new(config)), want_records: false };
    let lines = data_lines("rules/uchifuzume.tsv").into_iter().chain(data_lines("rules/legal_moves.tsv"));
    for line in lines.step_by(2) {
        check(&mut bench, line.split('\t').next().unwrap());
    }
}

/// A board bus.
fn board(image: &PositionImage) -> Bits<BOARD_WIDTH> {
    let mut board = vec![0u8; BOARD_WIDTH.div_ceil(8)];
    let mut put = |at: usize, bit: bool| board[at / 8] |= (bit as u8) << (at % 8);
    for square in 0..81 {
        for i in 0..5 {
            put(81 * i + square, image.piece(square) >> i & 1 != 0);
        }
    }
    for i in 0..21 {
        put(405 + i, image.bytes[(408 + i) / 8] >> ((408 + i) % 8) & 1 != 0);
        put(426 + i, image.bytes[(432 + i) / 8] >> ((432 + i) % 8) & 1 != 0);
    }
    rtl::bus(&board)
}

/// The tag of a leaf in a row.
fn leaf(row: usize) -> Bits<TAG_WIDTH> {
    ((1 << Tag::lowest_wire("leaf") | row << Tag::lowest_wire("row")) as u64).into()
}

/// A position enters in each clock; each leaves after the documented clocks, counted but for a pawn drop that may be mate.
#[test]
fn pipeline_counts_one_position_per_clock() {
    let mut stepper = Stepper::new(Pipeline::default());
    // In the first two, a pinned piece protects the pawn, or covers the square at the king's side.
    let pinned = ["7rk/9/7S1/9/7K1/9/9/9/9 b P 1", "6r1k/6G2/9/7N1/9/6K2/9/9/9 b P 1"].map(String::from);
    let lines = data_lines("rules/uchifuzume.tsv").into_iter().chain(data_lines("rules/legal_moves.tsv"));
    let images: Vec<PositionImage> = pinned
        .into_iter()
        .chain(lines.step_by(10))
        .map(|line| image_from_sfen(line.split('\t').next().unwrap()).0)
        .collect();
    let (mut tests, mut mates) = (0, 0);
    for clock in 0..images.len() as u64 + RESULT_CLOCKS - 1 {
        stepper.block.tag.next = Default::default();
        if let Some(image) = images.get(clock as usize) {
            stepper.block.tag.next = leaf(clock as usize % 64);
            stepper.block.board.next = board(image);
        }
        stepper.settle();
        stepper.rise();
        let block = &stepper.block;
        let field = |name: &str, width: usize| {
            let low = Tag::lowest_wire(name);
            (0..width).fold(0, |value, i| value | (block.result.val().get_bit(low + i) as usize) << i)
        };
        let is_leaf = |tag: Bits<TAG_WIDTH>| tag.get_bit(Tag::lowest_wire("leaf"));
        assert_eq!(
            is_leaf(block.targets.val()),
            (TARGETS_CLOCKS - 1..).contains(&clock) && clock < images.len() as u64 + TARGETS_CLOCKS - 1
        );
        let Some(i) = (clock + 1).checked_sub(RESULT_CLOCKS) else {
            assert!(!is_leaf(block.result.val()), "clock {clock}");
            continue;
        };
        let expected = movegen::count(&Position::from(&images[i as usize]));
        let (may_mate, mates_now) = (block.may_mate.val() as u16, expected.flags >> 1 & 1);
        assert!(is_leaf(block.result.val()) && field("row", 6) == i as usize % 64, "clock {clock}");
        assert_eq!(field("check", 1) as u16, expected.flags & 1, "check in position {i}");
        assert!(mates_now <= may_mate, "position {i}");
        assert_eq!(field("count", 10) as u16 + may_mate - mates_now, expected.moves, "position {i}");
        tests += may_mate;
        mates += mates_now;
    }
    assert!(mates > 0 && mates < tests, "{mates} mates in {tests} tests of {} positions", images.len());
}
