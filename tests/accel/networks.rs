//! Networks on back ends that take them and on those that do not.

use hayasashi_accel::*;
use hayasashi_model::{
    evaluate::{first_table, network::Network, network::NetworkWeights, Evaluation, Loader, PartError},
    Model,
};
use hayasashi_spec::{
    network::*,
    registers::CAP_NETWORK,
    search::{Found, SearchHead},
    table::TABLE_BYTES,
};
use hayasashi_tests::image_from_sfen;
use std::{
    io,
    sync::{
        atomic::{AtomicBool, Ordering::Relaxed},
        Arc,
    },
    time::Duration,
};

const TIMEOUT: Duration = Duration::from_secs(60);
const SFEN: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

/// A network of few units, which corrects every score.
fn evaluation() -> Evaluation {
    const UNITS: usize = 8;
    let list = |count: usize| (0..count).map(|i| (i * 7919 % 61) as i16 - 30).collect::<Vec<i16>>();
    let weights = NetworkWeights {
        first: list(FEATURES * UNITS),
        bias: vec![60; UNITS],
        last: [list(UNITS), vec![-20; UNITS]],
        constant: 35,
    };
    Arc::new(Network::new(Arc::new(first_table()), 3, weights).unwrap()).into()
}

fn search(chip: &dyn CoProcessor) -> Found {
    let head = SearchHead { depth: 5, table_bits: 10, ..SearchHead::default() };
    let request = SearchRequest { head, position: image_from_sfen(SFEN).0, path: Vec::new() };
    Found { clocks: 0, ..chip.search(&request, &mut |_| true).unwrap().unwrap().found }
}

/// What the model finds with this evaluation, which has the units that the network was made with.
fn expected(evaluation: Evaluation) -> Found {
    search(&ModelBackend::with_model(Model::with_evaluation(evaluation)))
}

/// A board that is lost when it is told to be.
struct Fragile {
    chip: ModelStream,
    lost: Arc<AtomicBool>,
}

impl StreamChip for Fragile {
    fn name(&self) -> String {
        "fragile".into()
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        self.chip.push(bytes)
    }

    fn step(&mut self) -> io::Result<bool> {
        match self.lost.load(Relaxed) {
            true => Err(io::ErrorKind::BrokenPipe.into()),
            false => self.chip.step(),
        }
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        self.chip.pull(buffer)
    }
}

fn board(lacks: u32, lost: &Arc<AtomicBool>) -> RemoteChip {
    let chip = ModelStream::with_model(Model::without(lacks));
    RemoteChip::connect(InProcessTransport(Fragile { chip, lost: lost.clone() }), TIMEOUT).unwrap()
}

fn guarded(lacks: u32, lost: &Arc<AtomicBool>) -> Failover {
    let absent = || Err(AccelError::TooLong { bytes: 0 });
    Failover::new(board(lacks, lost), absent, Arc::new(|_| ())).unwrap()
}

#[test]
fn a_chip_has_the_network_or_the_table_alone() {
    let (all, never) = (evaluation(), Arc::default());
    let table = Evaluation::from(all.table.clone());
    assert_ne!(expected(all.clone()), expected(table.clone()));
    for (lacks, taken) in [(0, &all), (CAP_NETWORK, &table)] {
        let board = board(lacks, &never);
        for _ in 0..2 {
            board.set_evaluation(&all).unwrap();
        }
        let checksum = all.for_chip(CAP_NETWORK & !lacks).checksum();
        assert_eq!(board.info().unwrap().table_checksum, checksum);
        assert_eq!(search(&board), expected(taken.clone()));
        let position = [image_from_sfen(SFEN).0];
        let scores = ModelBackend::with_model(Model::with_evaluation(table.clone())).evaluate(&position);
        assert_eq!(board.evaluate(&position), scores);
    }
}

#[test]
fn a_model_in_place_of_a_board_searches_as_the_board_did() {
    let all = evaluation();
    let bytes = all.for_chip(CAP_NETWORK).to_bytes();
    for (lacks, taken) in [(0, all.clone()), (CAP_NETWORK, all.table.clone().into())] {
        for whole in [true, false] {
            let lost = Arc::default();
            let chip = guarded(lacks, &lost);
            match whole {
                true => chip.set_evaluation(&all).unwrap(),
                // As a request, in parts.
                false if lacks == 0 => chip.load_table(&bytes).unwrap(),
                false => {
                    assert!(matches!(chip.load_table(&bytes), Err(AccelError::Table { .. })));
                    chip.load_table(&all.table.to_bytes()).unwrap();
                }
            }
            let before = search(&chip);
            assert!(chip.has_board());
            lost.store(true, Relaxed);
            assert_eq!(search(&chip), before);
            assert!(!chip.has_board());
            assert_eq!(before, expected(taken.clone()));
        }
    }
}

#[test]
fn a_team_has_what_every_member_takes() {
    let (all, never) = (evaluation(), Arc::default());
    for (lacks, taken) in [(0, all.clone()), (CAP_NETWORK, all.table.clone().into())] {
        let team = Team::new(vec![Arc::new(ModelBackend::new()), Arc::new(board(lacks, &never))]).unwrap();
        team.set_evaluation(&all).unwrap();
        assert_eq!(team.info().unwrap().table_loaded, 1);
        let expected = expected(taken);
        for _ in 0..4 {
            assert_eq!(search(&team), expected);
        }
    }
}

#[test]
fn a_file_that_no_chip_takes_is_refused_before_it_is_sent() {
    let chip = ModelBackend::new();
    let refused = |bytes: &[u8], part: &str| {
        let error = chip.load_table(bytes).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    };
    refused(&evaluation().to_bytes(), "a network of 8 units instead of 64");
    let good = evaluation().for_chip(CAP_NETWORK).to_bytes();
    refused(&good[..good.len() - 1], &format!("instead of {}", good.len()));
    refused(&good[..TABLE_BYTES], &format!("{TABLE_BYTES} bytes instead of"));
    let mut other = good.clone();
    other[4] = 3;
    refused(&other, "format 3");
    chip.load_table(&good).unwrap();
    assert!(matches!(RulesBackend::default().load_table(&good), Err(AccelError::Table { .. })));
}

#[test]
fn a_network_in_parts_is_checked_with_each_part() {
    let good = evaluation().for_chip(CAP_NETWORK).to_bytes();
    for size in [1999, 3, good.len()] {
        let mut loader = Loader::new(true);
        for at in (0..good.len()).step_by(size) {
            let end = good.len().min(at + size);
            let (next, loaded) = loader.part(at as u32, &good[at..end]).unwrap();
            assert_eq!((next as usize, loaded.is_some()), if end == good.len() { (0, true) } else { (end, false) });
        }
    }
    let head = TABLE_BYTES + SIZES_BYTES;
    let first = TABLE_BYTES + head_bytes(CHIP_UNITS);
    // A byte that is wrong, and the byte with which that is seen.
    for (wrong, last) in [
        (TABLE_BYTES, TABLE_BYTES + 3),
        (head + 1, head + 1),
        (head + 2 * CHIP_UNITS + 1, head + 2 * CHIP_UNITS + 1),
        (first - 1, first - 1),
        (first + 5, first + 5),
        (first + 6, good.len() - 1),
        (TABLE_BYTES + 5, good.len() - 1),
    ] {
        let mut bytes = good.clone();
        // -128 is out of range in the first layer, 64 only in numbers of 16 bits.
        bytes[wrong] = if wrong == first + 5 { 0x80 } else { bytes[wrong] ^ 0x40 };
        let mut loader = Loader::new(true);
        loader.part(0, &bytes[..last]).unwrap_or_else(|error| panic!("byte {wrong}: {error}"));
        let refused = loader.part(last as u32, &bytes[last..=last]);
        assert!(matches!(refused, Err(PartError::Content(_))), "byte {wrong}");
    }
    // A chip without networks refuses the format.
    let mut loader = Loader::new(false);
    loader.part(0, &good[..7]).unwrap();
    assert!(matches!(loader.part(7, &good[7..8]), Err(PartError::Content(_))));
}
