//! The evaluation unit in RustHDL's simulator against the software model.

use hayasashi_hdl::evaluate::unit::{EvaluateUnit, LATENCY_CLOCKS};
use hayasashi_model::evaluate::{first_table, EvalTable};
use hayasashi_model::position::Position;
use hayasashi_sim::Stepper;
use hayasashi_spec::position::PositionImage;
use hayasashi_spec::table::*;
use hayasashi_tests::{data_lines, image_from_sfen, rtl};

struct Bench(Stepper<EvaluateUnit>);

impl Bench {
    fn new() -> Bench {
        Bench(Stepper::new(EvaluateUnit::default()))
    }

    fn step(&mut self) {
        self.0.settle();
        self.0.rise();
    }

    fn load(&mut self, bytes: &[u8]) {
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
                self.0.block.position.next = rtl::bus(&image.bytes);
            }
            self.step();
            if self.0.block.done.val() {
                scores.push(self.0.block.score.val().to_u16() as i16);
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
    for table in [first_table(), wild_table()] {
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

#[test]
fn a_bad_table_is_not_loaded() {
    let good = first_table().to_bytes();
    let mut bench = Bench::new();
    for (at, value) in [(0, b'X'), (4, 9), (9, 0), (12, 77), (101, 2), (TABLE_BYTES - 1, 1)] {
        let mut bytes = good.clone();
        assert_ne!(bytes[at], value);
        bytes[at] = value;
        bench.load(&bytes);
        assert!(!bench.0.block.loaded.val() && bench.0.block.load_error.val(), "byte {at}");
        assert_eq!(bench.0.block.load_offset.val().to_u32(), 0);
        assert_eq!(bench.0.block.checksum.val().to_u32(), 0);
    }
    let mut longer = good.clone();
    longer.push(0);
    bench.load(&longer);
    assert!(!bench.0.block.loaded.val() && bench.0.block.load_error.val());
    bench.load(&good[..1000]);
    assert!(!bench.0.block.loaded.val() && !bench.0.block.load_error.val());
    assert_eq!(bench.0.block.load_offset.val().to_u32(), 1000);
    bench.load(&good);
    assert!(bench.0.block.loaded.val());
}
