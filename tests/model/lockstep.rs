//! Rules, model, RustHDL simulation and emitted Verilog give the same bytes: moves in order, flags, counts and scores.

use hayasashi_accel::view;
use hayasashi_accel::RulesBackend;
use hayasashi_accel::{self, BackendSpec, CoProcessor, ModelBackend, Request};
use hayasashi_model::{evaluate::default_table, Model};
use hayasashi_shogi::{
    random::Random,
    rules::{MoveList, Position},
};
use hayasashi_spec::opcode::Opcode;
use hayasashi_spec::position::PositionImage;
use hayasashi_tests::{data_lines, replay::Tool};
use std::sync::Arc;

/// Positions that test the limits of the rules.
const EDGES: [&str; 10] = [
    // 593 moves; 599 without the enemy king.
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "R8/2K1S1SS1/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    // Mated.
    "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1",
    // No own king, no king at all, an empty board with all pieces in one hand.
    "4k4/9/4G4/9/9/9/9/9/9 b RBGrb2g4s4n4l18p 1",
    "9/9/9/9/9/9/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
    "9/9/9/9/9/9/9/9/9 w 2R2B4G4S4N4L18P 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1",
    // No moves and not in check.
    "K8/2n6/1gg6/9/9/9/9/9/4k4 b - 1",
    // Double check; a pinned piece that may move along its pin.
    "ln2+r1r2/5s+Pkl/3+B1p1p1/p4B2p/2P6/P6PP/1PNP1P3/2G3SK1/L4G1NL w 2GSN3Ps3p 76",
    "4r3k/9/9/9/4R4/9/9/4S4/4K4 b - 1",
];

/// Positions of random games from the start, every position of each.
fn walks(games: usize, seed: u64) -> Vec<String> {
    let mut random = Random::from_state(seed);
    let mut sfens = Vec::new();
    for _ in 0..games {
        let mut position = Position::startpos();
        for _ in 0..150 {
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            sfens.push(position.to_sfen());
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[random.below(moves.len())]);
        }
    }
    sfens
}

fn data(path: &str, step: usize) -> impl Iterator<Item = String> {
    data_lines(path).into_iter().step_by(step).map(|line| {
        let sfen = line.strip_prefix("sfen ").unwrap_or(&line);
        sfen.split('\t').next().unwrap().split(" moves").next().unwrap().to_string()
    })
}

fn compare(first: &dyn CoProcessor, second: &dyn CoProcessor, sfens: &[String]) {
    for group in sfens.chunks(32) {
        let images: Vec<PositionImage> =
            group.iter().map(|s| view::image(&Position::from_sfen(s).unwrap_or_else(|e| panic!("{s}: {e}")))).collect();
        for opcode in [Opcode::Generate, Opcode::Count, Opcode::Evaluate, Opcode::Expand] {
            let request = Request::batch(opcode, &images);
            let answers = [first, second].map(|chip| chip.request(request.clone()).unwrap());
            assert_eq!(answers[0].len(), group.len());
            for (i, sfen) in group.iter().enumerate() {
                let [a, b] = [&answers[0][i], &answers[1][i]];
                assert_eq!(a, b, "{} of {sfen}: {} and {}", opcode.name(), first.name(), second.name());
            }
        }
    }
}

fn model() -> ModelBackend {
    ModelBackend::with_model(Model::with_evaluation(Arc::new(default_table())))
}

#[test]
fn rules_equal_model() {
    let mut sfens: Vec<String> = EDGES.iter().map(ToString::to_string).collect();
    sfens.extend(data("rules/legal_moves.tsv", 1));
    sfens.extend(data("rules/uchifuzume.tsv", 1));
    sfens.extend(data("mate/tsume_1.sfen", 1));
    sfens.extend(walks(40, 1));
    assert!(sfens.len() > 10_000);
    let rules = RulesBackend::default();
    rules.load_table(&default_table().to_bytes()).unwrap();
    compare(&rules, &model(), &sfens);
}

/// The requests to a simulated chip: the edges, and every `step`-th of some four hundred other positions.
fn simulated(step: usize) -> Vec<String> {
    let mut others: Vec<String> = data("rules/uchifuzume.tsv", 1).collect();
    others.extend(data("rules/legal_moves.tsv", 25));
    others.extend(data("mate/tsume_1.sfen", 4));
    others.extend(walks(4, 2).into_iter().step_by(5));
    assert!(others.len() > 400);
    EDGES.iter().map(ToString::to_string).chain(others.into_iter().step_by(step)).collect()
}

#[test]
fn rtl_equals_model() {
    // Some thousand clocks a second; the emitted Verilog has all.
    let rtl = hayasashi_accel::open(&BackendSpec::Rtl).unwrap().chip;
    rtl.load_table(&default_table().to_bytes()).unwrap();
    compare(&*rtl, &model(), &simulated(12));
}

#[test]
fn verilog_equals_model() {
    if !Tool::Verilator.installed() {
        return;
    }
    let verilog = hayasashi_accel::open(&BackendSpec::Verilog).unwrap().chip;
    verilog.load_table(&default_table().to_bytes()).unwrap();
    compare(&*verilog, &model(), &simulated(1));
}
