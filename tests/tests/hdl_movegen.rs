//! The move generation unit in RustHDL's simulator against the software model.

use hayasashi::model::movegen;
use hayasashi::model::position::Position;
use hayasashi_hdl::movegen::unit::MovegenUnit;
use hayasashi_spec::moves::MoveRecord;
use hayasashi_spec::position::PositionImage;
use hayasashi_tests::{data_lines, image_from_sfen};
use rust_hdl::prelude::*;

struct Bench {
    unit: MovegenUnit,
    clocks: u64,
}

fn settle(block: &mut impl Block) {
    for _ in 0..100 {
        block.update_all();
        if !block.has_changed() {
            return;
        }
    }
    panic!("the simulation does not settle");
}

impl Bench {
    fn new() -> Bench {
        let mut unit = MovegenUnit::default();
        unit.connect_all();
        let mut bench = Bench { unit, clocks: 0 };
        settle(&mut bench.unit);
        bench.step();
        bench
    }

    fn step(&mut self) {
        for level in [true, false] {
            self.unit.clock.next = Clock { clk: level };
            settle(&mut self.unit);
        }
        self.clocks += 1;
    }

    fn run(&mut self, image: &PositionImage) -> (u8, u16, u16, Vec<MoveRecord>, u64) {
        let mut bits = [false; 512];
        for (i, bit) in bits.iter_mut().enumerate() {
            *bit = image.bytes[i / 8] >> (i % 8) & 1 != 0;
        }
        self.unit.position.next = Bits::Long(bits.into());
        self.unit.want_records.next = true;
        self.unit.start.next = true;
        assert!(self.unit.ready.val());
        let started = self.clocks;
        self.step();
        self.unit.start.next = false;
        while !self.unit.done.val() {
            self.step();
            assert!(self.clocks < started + 100, "no answer");
        }
        let latency = self.clocks - started;
        let faults = self.unit.faults.val().to_u8();
        let count = self.unit.count.val().to_u16();
        let result = self.unit.result.val().to_u16();
        let mut records = Vec::new();
        while faults == 0 && records.len() < count as usize {
            assert!(self.clocks < started + 3000, "{} of {count} moves", records.len());
            if self.unit.record_valid.val() {
                let word = self.unit.record.val().to_u32();
                records.push(bytemuck::cast(word));
                self.unit.record_next.next = true;
                self.step();
                self.unit.record_next.next = false;
            }
            self.step();
        }
        self.step();
        assert!(self.unit.ready.val());
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
    for (i, (got, want)) in records.iter().zip(&moves).enumerate() {
        assert_eq!(got, want, "record {i} of {sfen}");
    }
    assert!([10, 16].contains(&latency), "latency {latency} of {sfen}");
}

#[test]
fn unit_equals_model_on_data() {
    let mut bench = Bench::new();
    let started = std::time::Instant::now();
    let lines = data_lines("rules/uchifuzume.tsv").into_iter().chain(data_lines("rules/legal_moves.tsv").into_iter().step_by(10));
    let mut n = 0;
    for line in lines {
        check(&mut bench, line.split('\t').next().unwrap());
        n += 1;
    }
    println!("{n} positions, {} clocks, {:.1} s", bench.clocks, started.elapsed().as_secs_f64());
}
