//! The netlist that yosys makes of the whole chip, in cells of an ECP5, against the software model: what is simulated here is
//! what is placed. The models of the cells are this project's own, by the data sheets (`data/boards/ecp5_cells.v`).
//!
//! It takes some minutes. So `data/boards/netlist.json` records the last success, and a chip with the same inputs is not
//! simulated again. `HAYASASHI_UPDATE=1` writes the record.

use hayasashi_accel::{verify::Verifier, PerftResult};
use hayasashi_accel::{view, CoProcessor, InProcessTransport, ModelBackend, RemoteChip, SimulatedStream};
use hayasashi_boards::board::Board;
use hayasashi_boards::flow::{commands, synthesize_chip, BuildError, BuildJob, FinalStage, SilentObserver, ToolSource};
use hayasashi_model::evaluate::default_table;
use hayasashi_shogi::rules::Position;
use hayasashi_sim::{verilog::Build, VerilogChip};
use hayasashi_tests::{checksum, data_lines, record_is_old, replay::Tool, skip};
use serde_json::{json, Value};
use std::{fs, path::Path, time::Duration};

/// The board with everything: evaluator, records and walks.
const BOARD: &str = "ulx3s-85f-whole";
const CELLS: &str = include_str!("../data/boards/ecp5_cells.v");
/// Of the positions of the data one in so many is taken.
const STRIDE: usize = 9;
/// Longer than a busy machine needs for a greeting.
const GREETING: Duration = Duration::from_secs(600);
/// Published perft values: position, plies, leaves, leaves of one ply less.
const WALKS: [(&str, u8, u64, u64); 2] = [
    ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 3, 25_470, 900),
    ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 3, 4_809_015, 28_684),
];

fn inputs(board: &Board) -> String {
    let mut chip = board.config().chip;
    // It changes with every comment in the gateware's sources.
    chip.build_id = 0;
    checksum(&[hayasashi_hdl::verilog::chip(&chip).as_str(), CELLS, &commands(board).unwrap()])
}

#[test]
fn the_netlist_equals_the_model() {
    let board = Board::find(BOARD).unwrap();
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/boards/netlist.json");
    let inputs = inputs(&board);
    let recorded: Value = fs::read_to_string(&record).map_or(Value::Null, |text| serde_json::from_str(&text).unwrap());
    if recorded["inputs"] == inputs.as_str() || !Tool::Verilator.installed() {
        return;
    }
    record_is_old(&record, 5);
    let job = BuildJob {
        board,
        seed: None,
        out: Path::new(env!("CARGO_TARGET_TMPDIR")).join("netlist"),
        final_stage: FinalStage::Synthesis,
        tool_source: ToolSource::Python,
        venv: None,
    };
    let netlist = match synthesize_chip(&job, &mut SilentObserver) {
        Ok(file) => fs::read_to_string(file).unwrap(),
        Err(error @ BuildError::Tool { .. }) => panic!("{error}"),
        Err(error) => return skip(&format!("the chip's netlist: {error}")),
    };
    assert!(netlist.matches("LUT4 #(").count() > 10_000, "no netlist of an ECP5");
    let chip = VerilogChip::open(&Build::netlist(format!("`timescale 1ps/1ps\n{netlist}{CELLS}"))).unwrap();
    let chip = RemoteChip::connect(InProcessTransport(SimulatedStream::new(chip)), GREETING).unwrap();

    let sfens: Vec<String> = data_lines("rules/uchifuzume.tsv")
        .into_iter()
        .chain(data_lines("rules/legal_moves.tsv").into_iter().step_by(STRIDE))
        .collect();
    let positions: Vec<Position> =
        sfens.iter().map(|line| Position::from_sfen(line.split('\t').next().unwrap()).unwrap()).collect();
    assert!(positions.len() >= 500, "{} positions", positions.len());
    let model = ModelBackend::new();
    let verifier = Verifier::new(&[&chip, &model], &default_table().into()).unwrap();
    assert!(verifier.skipped().is_empty());
    let differences: Vec<String> = verifier.compare(&positions).unwrap().iter().map(ToString::to_string).collect();
    assert!(differences.is_empty(), "{differences:#?}");
    for (sfen, depth, leaves, expansions) in WALKS {
        let image = view::image(&Position::from_sfen(sfen).unwrap());
        let PerftResult { sums, complete } = chip.perft(&image, depth, &mut |_| true).unwrap().unwrap();
        assert_eq!((sums.nodes, sums.expansions, complete), (leaves, expansions, true), "{sfen}");
    }
    if std::env::var_os("HAYASASHI_UPDATE").is_some() {
        let new = json!({ "inputs": inputs, "board": BOARD, "positions": positions.len() });
        fs::write(record, format!("{new:#}\n")).unwrap();
    }
}
