//! The move generation unit in RustHDL's simulator against the software model.

use hayasashi_hdl::movegen::bank::{Bank, FOUND_CLOCKS};
use hayasashi_hdl::movegen::pipeline::*;
use hayasashi_hdl::movegen::serialise::{Serialise, FIRST_MOVE_CLOCKS};
use hayasashi_hdl::movegen::unit::{MovegenUnit, UnitConfig};
use hayasashi_model::movegen;
use hayasashi_model::position::Position;
use hayasashi_sim::Stepper;
use hayasashi_spec::moves::{MoveCount, MoveRecord};
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
        self.unit.block.position.next = rtl::bus(&image.bytes);
        self.unit.block.want_records.next = self.want_records;
        self.unit.block.start.next = true;
        assert!(self.unit.block.ready.val());
        let started = self.unit.clocks();
        self.step();
        self.unit.block.start.next = false;
        while !self.unit.block.done.val() {
            self.step();
            assert!(self.unit.clocks() < started + 100, "no answer");
        }
        let latency = self.unit.clocks() - started;
        let faults = self.unit.block.faults.val().to_u8();
        let count = self.unit.block.count.val().to_u16();
        let result = self.unit.block.result.val().to_u16();
        let mut records = Vec::new();
        while self.want_records && faults == 0 && records.len() < count as usize {
            assert!(self.unit.clocks() < started + 3000, "{} of {count} moves", records.len());
            if self.unit.block.record_valid.val() {
                let word = self.unit.block.record.val().to_u32();
                records.push(bytemuck::cast(word));
                self.unit.block.record_next.next = true;
                self.step();
                self.unit.block.record_next.next = false;
            }
            self.step();
        }
        self.step();
        assert!(self.unit.block.ready.val());
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
    assert!((20..=22).contains(&latency), "latency {latency} of {sfen}");
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
    let config = UnitConfig { requests: true, generates: false, walks: None };
    let mut bench = Bench { unit: Stepper::new(MovegenUnit::new(config)), want_records: false };
    let lines = data_lines("rules/uchifuzume.tsv").into_iter().chain(data_lines("rules/legal_moves.tsv"));
    for line in lines.step_by(2) {
        check(&mut bench, line.split('\t').next().unwrap());
    }
}

/// A board bus and a tag bus with a label.
fn slot(image: &PositionImage, label: u64) -> (Bits<TAG_WIDTH>, Bits<BOARD_WIDTH>) {
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
    let tag = 1 | label << 14;
    (rtl::bus(&tag.to_le_bytes()), rtl::bus(&board))
}

/// A position enters in each clock in which the pipeline is ready; the count of each comes out under its label, and
/// the only clocks lost are those of positions with a pawn drop in front of the enemy king.
#[test]
fn pipeline_counts_one_position_per_clock() {
    let mut stepper = Stepper::new(Pipeline::default());
    let lines = data_lines("rules/uchifuzume.tsv")
        .into_iter()
        .take(50)
        .chain(data_lines("rules/legal_moves.tsv").into_iter().skip(5).step_by(25));
    let positions: Vec<(PositionImage, MoveCount)> = lines
        .map(|line| {
            let (image, _) = image_from_sfen(line.split('\t').next().unwrap());
            (image, movegen::count(&Position::from(&image)))
        })
        .collect();
    let mut answers = vec![None; positions.len()];
    let (mut next, mut clocks, mut waited) = (0, 0, 0);
    while answers.iter().any(Option::is_none) {
        let offered = next < positions.len();
        let pipeline = &mut stepper.block;
        if offered {
            (pipeline.offer.next, pipeline.offer_board.next) = slot(&positions[next].0, next as u64);
        } else {
            pipeline.offer.next = Default::default();
        }
        if offered && pipeline.ready.val() {
            next += 1;
        } else {
            waited += offered as u64;
        }
        stepper.settle();
        stepper.rise();
        let pipeline = &stepper.block;
        clocks += 1;
        let result = pipeline.result.val();
        if result.get_bit(0) {
            let field = |low: usize, width: usize| (0..width).fold(0, |v, i| v | (result.get_bit(low + i) as u64) << i);
            let count = MoveCount {
                moves: field(4, 10) as u16,
                flags: field(3, 1) as u16 | ((pipeline.uchifuzume.val() == true) as u16) << 1,
            };
            assert!(answers[field(14, 34) as usize].replace(count).is_none(), "answered twice");
        }
        assert!(clocks < 10_000, "no answer");
    }
    for (answer, (_, expected)) in answers.iter().zip(&positions) {
        assert_eq!(answer.as_ref(), Some(expected));
    }
    assert!(
        waited > 0 && clocks <= positions.len() as u64 + waited + 2 * RESULT_CLOCKS,
        "{clocks} clocks, {waited} waited"
    );
}

/// The stages of the pipeline are reached after the documented clocks, and the serialiser gives the first move after a
/// fixed number of clocks, then one in each clock.
#[test]
fn latencies_are_as_documented() {
    let sfens = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1",
    ];
    for sfen in sfens {
        let (image, _) = image_from_sfen(sfen);
        let moves = movegen::count(&Position::from(&image)).moves as u64;
        let mut pipeline = Stepper::new(Pipeline::default());
        (pipeline.block.offer.next, pipeline.block.offer_board.next) = slot(&image, 0);
        let mut bank = Stepper::new(Bank::default());
        let mut serialise = Stepper::new(Serialise::default());
        for clock in 1..=RESULT_CLOCKS {
            pipeline.settle();
            pipeline.rise();
            pipeline.block.offer.next = Default::default();
            let block = &pipeline.block;
            assert_eq!(block.targets.val().get_bit(0), clock == TARGETS_CLOCKS, "{sfen}, clock {clock}");
            if clock == TARGETS_CLOCKS {
                bank.block.moves.next = block.moves.val();
                bank.block.drops.next = block.drops.val();
                bank.block.holds.next = block.holds.val();
                bank.block.theirs.next = block.theirs.val();
            }
        }
        let mut given = Vec::new();
        for clock in 0..700 {
            bank.block.command.next = ((clock == 0) as u64).into();
            bank.block.planes_in.next = bank.block.planes.val();
            serialise.block.bank.next = bank.block.planes.val();
            bank.settle();
            bank.rise();
            serialise.block.offer.next = ((clock == FOUND_CLOCKS) as u64).into();
            serialise.block.state_in.next = serialise.block.state.val();
            serialise.settle();
            serialise.rise();
            if serialise.block.valid.val().any() {
                given.push(clock + 1 - FOUND_CLOCKS);
            }
        }
        let expected: Vec<u64> = (FIRST_MOVE_CLOCKS..FIRST_MOVE_CLOCKS + moves).collect();
        assert_eq!(given, expected, "{sfen}");
    }
}
