//! `PERFT` on whole chips: published numbers, rate, progress, cancellation, refusal.

use hayasashi_accel::view;
use hayasashi_accel::{
    self, BackendSpec, CoProcessor, InProcessTransport, PerftResult, PositionError, RemoteChip, Request, RtlStream,
};
use hayasashi_hdl::config::ChipConfig;
use hayasashi_shogi::rules::Position;
use hayasashi_sim::RtlChip;
use hayasashi_spec::{opcode::*, perft::*, position::PositionImage};
use hayasashi_tests::{data_lines, image_from_sfen, replay::Tool};
use std::{sync::Arc, time::Duration};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// Expansions that a simulation computes in seconds, and in minutes.
const SOON: u64 = 50_000;
const MINUTES: u64 = 1_000_000;
/// From this size on, the beginning and the end of a walk do not affect its rate.
const LONG: u64 = 10_000;

fn open(spec: BackendSpec) -> Arc<dyn CoProcessor> {
    hayasashi_accel::open(&spec).unwrap().chip
}

fn verilog() -> Option<Arc<dyn CoProcessor>> {
    Tool::Verilator.installed().then(|| open(BackendSpec::Verilog))
}

fn image(sfen: &str) -> PositionImage {
    view::image(&Position::from_sfen(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}")))
}

fn walk(chip: &dyn CoProcessor, sfen: &str, depth: u8) -> Sums {
    let walked = chip.perft(&image(sfen), depth, &mut |_| true).unwrap().unwrap();
    assert!(walked.complete);
    walked.sums
}

/// Published positions, depths and leaves, and expansions by the model, up to a limit of expansions.
fn published(most: u64) -> Vec<(String, u8, u64, u64)> {
    let model = open(BackendSpec::Model);
    let mut lines = Vec::new();
    for line in data_lines("rules/perft.tsv") {
        let fields: Vec<&str> = line.split('\t').collect();
        let (depth, nodes) = (fields[1].parse().unwrap(), fields[2].parse().unwrap());
        // The model counts these in a moment; it is asked how many expansions they are.
        if nodes <= 600 * most {
            let sums =
                if depth == 1 { Sums { expansions: 1, ..Sums::default() } } else { walk(&*model, fields[0], depth) };
            if sums.expansions <= most {
                assert!(depth == 1 || sums.nodes == nodes, "model, {line}");
                lines.push((fields[0].to_string(), depth, nodes, sums.expansions));
            }
        }
    }
    lines
}

fn check(chip: &dyn CoProcessor, most: u64) {
    let lines = published(most);
    assert!(lines.len() >= 5);
    for (sfen, depth, nodes, expansions) in lines {
        let sums = walk(chip, &sfen, depth);
        let rate = sums.expansions as f64 / sums.clocks as f64;
        println!("{sfen}, {depth} plies: {} expansions, {} clocks, {rate:.3}", sums.expansions, sums.clocks);
        assert_eq!((sums.nodes, sums.expansions), (nodes, expansions), "{sfen}, {depth} plies");
        assert!(expansions < LONG || rate >= 0.9, "{rate} expansions a clock");
    }
}

#[test]
fn rtl_reaches_the_published_numbers() {
    check(&*open(BackendSpec::Rtl), 1000);
}

#[test]
fn verilog_reaches_the_published_numbers() {
    if let Some(chip) = verilog() {
        check(&*chip, SOON);
    }
}

/// `cargo test --release --test model perft:: -- --ignored --nocapture` takes minutes.
#[test]
#[ignore = "a million expansions in simulation"]
fn verilog_reaches_more_of_the_published_numbers() {
    check(&*verilog().expect("Verilator"), MINUTES);
}

#[test]
fn pawn_drops_that_mate() {
    let Some(chip) = verilog() else { return };
    for (i, line) in data_lines("rules/uchifuzume.tsv").iter().enumerate() {
        let sfen = line.split('\t').next().expect("a first field");
        let mut position = Position::from_sfen(sfen).unwrap();
        let depth = if i % 30 == 0 { 3 } else { 2 };
        let sums = walk(&*chip, sfen, depth);
        assert_eq!(sums.nodes, position.perft(depth as u32), "{sfen}, {depth} plies");
        assert_eq!(sums.expansions, position.perft(depth as u32 - 1), "{sfen}, {depth} plies");
    }
}

/// A long walk reports its progress, ends when cancelled, and leaves the chip in its earlier state.
fn check_end(chip: &dyn CoProcessor) {
    let mut told = Vec::new();
    let walked = chip.perft(&image(START), 8, &mut |sums| {
        told.push(sums);
        sums.nodes < 20_000
    });
    let PerftResult { sums, complete } = walked.unwrap().unwrap();
    assert!(!complete && sums.nodes >= 20_000 && sums.nodes < 416_062_133_009, "{sums:?}");
    let last = told.last().expect("it was told of");
    assert!(told.is_sorted_by_key(|sums| sums.nodes) && last.nodes <= sums.nodes && last.clocks <= sums.clocks);
    assert_eq!(chip.count(&[image(START)]).unwrap()[0].unwrap().moves, 30);
    assert_eq!(walk(chip, START, 3).nodes, 25_470);
}

#[test]
fn a_walk_may_be_ended() {
    check_end(&*open(BackendSpec::Model));
    check_end(&*open(BackendSpec::Rtl));
    verilog().iter().for_each(|chip| check_end(&**chip));
}

#[test]
fn what_cannot_be_walked_is_refused() {
    let (possible, impossible) = (image(START), image_from_sfen("4k4/4P4/4P4/9/9/9/9/9/4K4 b - 1").0);
    for chip in [open(BackendSpec::Model), open(BackendSpec::ModelStream), open(BackendSpec::Rtl)] {
        for (depth, interval) in [(0, 0), (9, 0), (255, 0), (2, 1), (2, 9), (2, 41), (2, 255)] {
            let answers = chip.request(Request::perft(&possible, depth, interval)).unwrap();
            let answer = (answers.len(), answers[0].status, &answers[0].payload[..]);
            assert_eq!(answer, (1, Status::Range as u8, &[][..]), "{}: {depth} {interval}", chip.name());
        }
        let mut request = Request::perft(&possible, 2, 0);
        request.payload[3] = 1;
        assert_eq!(chip.request(request.clone()).unwrap()[0].status, Status::Range as u8);
        request.payload.push(0);
        assert_eq!(chip.request(request).unwrap()[0].status, Status::BadLength as u8);
        let refused = chip.perft(&impossible, 3, &mut |_| true).unwrap();
        let counted = chip.count(&[impossible]).unwrap()[0];
        let Err(PositionError::Impossible { faults }) = refused else { panic!("{refused:?}") };
        assert_eq!(counted, Err(PositionError::Impossible { faults }));
        assert_eq!(walk(&*chip, START, 2).nodes, 900);
        // A cancellation without a walk is answered, and ends none that comes after it.
        assert_eq!(chip.request(Request::new(Opcode::Cancel, [])).unwrap()[0].status, Status::Ok as u8);
        let last = chip.request(Request::perft(&possible, 1, 0)).unwrap();
        assert_eq!(
            (last[0].status, &last[0].payload[..16]),
            (Status::Ok as u8, &[30u64, 1].map(u64::to_le_bytes).concat()[..])
        );
    }
}

#[test]
fn units_share_a_walk() {
    let chip = RtlChip::new(&ChipConfig { perft_units: 3, ..ChipConfig::default() });
    let board = RemoteChip::connect(InProcessTransport(RtlStream::new(chip)), Duration::from_secs(60)).unwrap();
    let alone = open(BackendSpec::Rtl);
    for (sfen, depth) in [(START, 1), (START, 2), (START, 3), ("4k4/9/9/9/9/9/9/9/4K4 b - 1", 6)] {
        let (shared, one) = (walk(&board, sfen, depth), walk(&*alone, sfen, depth));
        assert_eq!((shared.nodes, shared.expansions), (one.nodes, one.expansions), "{sfen}, {depth} plies");
        assert!(depth < 3 || shared.clocks < one.clocks, "{shared:?} {one:?}");
    }
}
