//! The evaluation unit in RustHDL's simulator against the software model.

use hayasashi_hdl::evaluate::{
    loader::Loader,
    unit::{EvaluateUnit, LATENCY_CLOCKS},
};
use hayasashi_model::evaluate::{default_table, first_table, EvalTable};
use hayasashi_model::position::Position;
use hayasashi_sim::Stepper;
use hayasashi_spec::position::PositionImage;
use hayasashi_spec::table::*;
use hayasashi_tests::{data_lines, image_from_sfen, rtl};

/// The evaluation unit.
pub struct Bench(pub Stepper<EvaluateUnit>);

impl Bench {
    pub fn new() -> Bench {
        Bench(Stepper::new(EvaluateUnit::default()))
    }

    pub fn step(&mut self) {
        self.0.settle();
        self.0.rise();
    }

    pub fn load(&mut self, bytes: &[u8]) {
        self.0.block.load_start.next = true;
        self.step();
        self.0.block.load_start.next = false;
        self.0.block.load_valid.next = true;
        for &byte in bytes {
            self.0.block.load_byte.next = (byte as u64).into();
            self.step();
        }
        self.0.block.load_valid.next = false;
        for _ in 0..3 {
            self.step();
        }
    }

    /// Scores of positions offered one per clock.
    fn scores(&mut self, images: &[PositionImage]) -> Vec<i16> {
        let mut scores = Vec::new();
        for clock in 0.. {
            self.0.block.start.next = clock < images.len();
            if let Some(image) = images.get(clock) {
                self.0.block.board.next = rtl::board(image);
            }
            self.step();
            if self.0.block.scores.root.val() {
                scores.push(self.0.block.scores.score.val().to_u16() as i16);
            }
            if scores.len() == images.len() {
                assert_eq!(clock + 1, images.len() + LATENCY_CLOCKS - 1, "clocks");
                return scores;
            }
            assert!(clock < images.len() + 20, "no answer");
        }
        unreachable!()
    }
}

fn images() -> Vec<PositionImage> {
    let lines = data_lines("rules/legal_moves.tsv").into_iter().step_by(10).chain(data_lines("mate/tsume_1.sfen"));
    lines.map(|line| image_from_sfen(line.trim_start_matches("sfen ").split('\t').next().unwrap()).0).collect()
}

/// A table of which every entry is different from its neighbours and every value large.
fn wild_table() -> EvalTable {
    let mut bytes = first_table().to_bytes();
    for (i, weight) in bytes[64..].chunks_exact_mut(2).enumerate() {
        let value = (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        weight.copy_from_slice(&((value % 511) as i16 - 255).to_le_bytes());
    }
    for (i, value) in bytes[16..64].chunks_exact_mut(2).enumerate() {
        if i != 0 && i != 8 && i != 13 {
            value.copy_from_slice(&(5000 - 531 * i as i16).to_le_bytes());
        }
    }
    let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(&bytes[CHECKSUM_FROM..]);
    bytes[8..12].copy_from_slice(&crc.to_le_bytes());
    EvalTable::from_bytes(&bytes).expect("a good table")
}

#[test]
fn scores_equal_the_model_at_one_position_per_clock() {
    let mut bench = Bench::new();
    for table in [default_table(), wild_table()] {
        bench.load(&table.to_bytes());
        assert!(bench.0.block.loaded.val() && !bench.0.block.load_error.val());
        assert_eq!(bench.0.block.checksum.val().to_u32(), table.header().checksum);
        assert_eq!(bench.0.block.version.val().to_u32(), table.header().version);
        let images = images();
        let expected: Vec<i16> = images.iter().map(|i| table.score(&Position::from(i))).collect();
        assert!(expected.iter().any(|&s| s < 0) && expected.iter().any(|&s| s > 0));
        assert_eq!(bench.scores(&images), expected);
    }
}

/// The loader alone: the unit around it takes part in nothing here but would be simulated too.
struct LoaderBench(Stepper<Loader>);

impl LoaderBench {
    fn load(&mut self, bytes: &[u8]) {
        self.step(true, None);
        bytes.iter().for_each(|&byte| self.step(false, Some(byte)));
        (0..3).for_each(|_| self.step(false, None));
    }

    fn step(&mut self, start: bool, byte: Option<u8>) {
        let block = &mut self.0.block;
        (block.start.next, block.valid.next) = (start, byte.is_some());
        block.data.next = (byte.unwrap_or(0) as u64).into();
        self.0.settle();
        self.0.rise();
    }

    /// `loaded`, `error`, offset and checksum.
    fn state(&self) -> (bool, bool, u32, u32) {
        let block = &self.0.block;
        (block.loaded.val(), block.error.val(), block.offset.val().to_u32(), block.checksum.val().to_u32())
    }
}

#[test]
fn a_bad_table_is_not_loaded() {
    let table = first_table();
    let good = table.to_bytes();
    let mut bench = LoaderBench(Stepper::new(Loader::default()));
    for (at, value) in [(0, b'X'), (4, 9), (9, 0), (12, 77), (101, 2), (TABLE_BYTES - 1, 1)] {
        let mut bytes = good.clone();
        assert_ne!(bytes[at], value);
        bytes[at] = value;
        bench.load(&bytes);
        assert_eq!(bench.state(), (false, true, 0, 0), "byte {at}");
    }
    let mut longer = good.clone();
    longer.push(0);
    bench.load(&longer);
    assert_eq!(bench.state(), (false, true, 0, 0));
    bench.load(&good[..1000]);
    assert_eq!(bench.state(), (false, false, 1000, 0));
    bench.load(&good);
    assert_eq!(bench.state(), (true, false, 0, table.header().checksum));
}
