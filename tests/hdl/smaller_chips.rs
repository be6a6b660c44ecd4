//! A chip built without an evaluator (`units.evaluate = 0`), one that only counts moves (`units.movegen = 0`), or one that only
//! searches (`units.search = 1` as well): the gateware in simulation and the model configured alike give the same bytes, the host
//! says what is missing, and the engine plays as on any other back end. `only_searches` has the searches.

use hayasashi_accel::{
    AccelError, Capability, CoProcessor, Failover, FailoverListener, InProcessTransport, ModelStream, RemoteChip,
    RtlStream, VerilogStream,
};
use hayasashi_engine::search::{Decision, GamePath, MoveSource, SearchLimits, Searcher};
use hayasashi_engine::Control;
use hayasashi_hdl::config::ChipConfig;
use hayasashi_model::{evaluate::first_table, top::Chip, Model};
use hayasashi_shogi::rules::{Move, PositionCommand};
use hayasashi_sim::{RtlChip, SimulatedChip};
use hayasashi_spec::{opcode::*, position::PositionImage, registers::*};
use hayasashi_tests::{
    data_lines, image_from_sfen,
    link::{frame, frames},
    replay::Tool,
};
use std::{sync::Arc, time::Duration};

const GREETING: Duration = Duration::from_secs(60);

/// What the chips lack, and which requests of [`rtl_equals_model`] they refuse.
const LACKS: [(u32, usize); 3] =
    [(CAP_EVALUATE, 8), (CAP_MOVEGEN | CAP_EVALUATE | CAP_PERFT, 10), (CAP_MOVEGEN | CAP_PERFT | CAP_NETWORK, 8)];

fn rtl(lacks: u32) -> RtlChip {
    RtlChip::new(&ChipConfig { capabilities: Model::without(lacks).capabilities(), ..ChipConfig::default() })
}

fn board(lacks: u32) -> RemoteChip {
    RemoteChip::connect(InProcessTransport(ModelStream::with_model(Model::without(lacks))), GREETING).unwrap()
}

fn images() -> Vec<PositionImage> {
    let lines = data_lines("rules/uchifuzume.tsv").into_iter().step_by(30);
    lines.map(|line| image_from_sfen(line.split('\t').next().unwrap()).0).collect()
}

#[test]
fn rtl_equals_model() {
    LACKS.into_iter().for_each(|(lacks, refused)| rtl_equals_model_without(lacks, refused));
}

fn rtl_equals_model_without(lacks: u32, refused: usize) {
    let batch: Vec<u8> = images().iter().flat_map(|image| image.bytes).collect();
    let count = (batch.len() / 64) as u16;
    let table = first_table().to_bytes();
    let part = |offset: u32, bytes: &[u8]| [&offset.to_le_bytes(), bytes].concat();
    let mut broken = frame(Opcode::Evaluate as u8, 10, 1, &batch[..64]);
    broken[20] ^= 1;
    let requests = [
        frame(Opcode::Generate as u8, 1, count, &batch),
        // Every shape of what needs an evaluator, right and wrong ones: refused once, not once for each position.
        frame(Opcode::Evaluate as u8, 2, count, &batch),
        frame(Opcode::Evaluate as u8, 3, 0, &[]),
        frame(Opcode::Expand as u8, 13, count, &batch),
        frame(Opcode::Evaluate as u8, 4, 2, &batch[..64]),
        frame(Opcode::LoadTable as u8, 5, 0, &part(0, &table[..1000])),
        frame(Opcode::LoadTable as u8, 6, 0, &part(1000, &table[1000..1010])),
        frame(Opcode::LoadTable as u8, 7, 0, &[]),
        frame(Opcode::Count as u8, 8, count, &batch),
        frame(0x7F, 9, 0, &[1, 2, 3]),
        frame(Opcode::Perft as u8, 12, 0, &[&[0, 0, 0, 0], &batch[..64]].concat()),
        broken,
        frame(Opcode::Info as u8, 11, 0, &[]),
    ];
    let (mut rtl, mut model) = (rtl(lacks), Chip::new(Model::without(lacks)));
    let mut statuses = Vec::new();
    for (i, request) in requests.iter().enumerate() {
        model.push(request);
        let mut expected = frames(&model.pull());
        rtl.push(request);
        let (mut bytes, mut quiet) = (Vec::new(), 0);
        // Some clocks longer than it answers, in case it says too much.
        while quiet < 500 || (frames(&bytes).len() < expected.len() && quiet < 5_000) {
            let before = bytes.len();
            rtl.step();
            rtl.pull(&mut bytes);
            quiet = if bytes.len() > before || rtl.pending() > 0 { 0 } else { quiet + 1 };
        }
        let mut answers = frames(&bytes);
        assert_eq!(answers.len(), expected.len(), "answers to request {i}");
        if i == requests.len() - 1 {
            // Registers that tell a model from a simulation.
            for answers in [&mut answers, &mut expected] {
                let info: &mut Info = bytemuck::from_bytes_mut(&mut answers[0].1);
                (info.build_id, info.board, info.clock_hz, info.clocks) = (0, 0, 0, 0);
                let capabilities = Model::without(lacks).capabilities();
                info.search_table_bits = 0;
                assert_eq!((info.capabilities, info.table_loaded, info.bad_frames), (capabilities, 0, 1));
            }
        }
        assert_eq!(answers, expected, "request {i}");
        statuses.extend(answers.iter().map(|a| a.0.status));
    }
    let counted = statuses.iter().filter(|&&status| status == Status::BadOpcode as u8).count();
    assert_eq!(counted, refused, "{statuses:?}");
}

#[test]
fn the_host_says_what_is_missing() {
    let images = images();
    let counts = board(CAP_MOVEGEN | CAP_EVALUATE | CAP_PERFT);
    assert_eq!(counts.info().unwrap().capabilities, 0);
    assert!(counts.count(&images).unwrap().iter().all(Result::is_ok));
    let error = counts.generate(&images).unwrap_err();
    assert!(error.to_string().contains("`units.movegen = 0`"), "{error}");
    let searches = board(CAP_MOVEGEN | CAP_NETWORK);
    assert_eq!(searches.info().unwrap().capabilities, CAP_EVALUATE | CAP_SEARCH);
    searches.load_table(&first_table().to_bytes()).unwrap();
    for (error, words) in [
        (searches.count(&images).unwrap_err(), "only searches"),
        (searches.generate(&images).unwrap_err(), "`units.movegen = 0`"),
        (searches.evaluate(&images).unwrap_err(), "only searches"),
        (searches.expand(&images).unwrap_err(), "only searches"),
    ] {
        assert!(matches!(error, AccelError::MissingCapability { .. }) && error.to_string().contains(words), "{error}");
    }
    let board = board(CAP_EVALUATE);
    assert_eq!(board.info().unwrap().capabilities, CAP_MOVEGEN | CAP_PERFT);
    assert!(board.count(&images).unwrap().iter().all(Result::is_ok));
    let lacks = |error: AccelError| {
        assert!(matches!(error, AccelError::MissingCapability { capability: Capability::Evaluate, .. }), "{error}");
        assert!(error.to_string().contains("`units.evaluate = 0`"), "{error}");
    };
    lacks(board.evaluate(&images).unwrap_err());
    lacks(board.load_table(&first_table().to_bytes()).unwrap_err());
}

/// The emitted Verilog of a chip that only counts, under Verilator, counts as the model does.
#[test]
fn verilog_that_only_counts_equals_model() {
    if !Tool::Verilator.installed() {
        return;
    }
    let config = ChipConfig { capabilities: 0, ..ChipConfig::default() };
    let board = RemoteChip::connect(InProcessTransport(VerilogStream::open(&config).unwrap()), GREETING).unwrap();
    let lines = data_lines("rules/uchifuzume.tsv").into_iter().chain(data_lines("rules/legal_moves.tsv"));
    let images: Vec<PositionImage> = lines.map(|line| image_from_sfen(line.split('\t').next().unwrap()).0).collect();
    assert!(images.len() > 5_000);
    let model = Model::default();
    for images in images.chunks(31) {
        let counted = board.count(images).unwrap();
        for (image, counted) in images.iter().zip(counted) {
            let (counted, expected) = (counted.unwrap(), model.count(image).unwrap());
            assert_eq!((counted.moves, counted.flags), (expected.moves, expected.flags), "{image:?}");
        }
    }
}

/// A search to a fixed depth: what it would play, score, nodes, and line.
fn search(chip: Arc<dyn CoProcessor>) -> (Decision, i32, u64, Vec<Move>) {
    let source = MoveSource::open(chip, first_table()).unwrap();
    let command = PositionCommand::parse("startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b").unwrap();
    let mut game = GamePath::new(command.start);
    command.moves.into_iter().for_each(|mv| game.do_move(mv));
    let limits = SearchLimits { depth: Some(3), ..SearchLimits::default() };
    let outcome = Searcher::new(source, 8).search(&game, &limits, &[], &Control::default(), &mut |_| {});
    assert_eq!(outcome.failure, None);
    (outcome.decision, outcome.report.score, outcome.report.nodes, outcome.report.pv)
}

#[test]
fn the_engine_plays_with_the_models_scores() {
    let whole = RemoteChip::connect(InProcessTransport(ModelStream::new()), GREETING).unwrap();
    let expected = search(Arc::new(whole));
    for (lacks, _) in LACKS {
        assert_eq!(search(Arc::new(board(lacks))), expected);
        let silent: FailoverListener = Arc::new(|notice| panic!("{notice}"));
        let guarded = Failover::new(board(lacks), move || Ok(board(lacks)), silent).unwrap();
        assert_eq!(search(Arc::new(guarded)), expected);
    }
}

#[test]
fn the_simulated_chip_says_so_in_its_greeting() {
    let board = RemoteChip::connect(InProcessTransport(RtlStream::new(rtl(CAP_EVALUATE))), GREETING).unwrap();
    assert_eq!(board.handshake_info().capabilities, CAP_MOVEGEN | CAP_PERFT);
}
