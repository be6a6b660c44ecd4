//! One board for real: from the gateware to a bitstream, within the board's budget and at its clock, by PyPI's tools, which
//! are the same everywhere. The other boards go the same way by the same command.
//!
//! A build takes a quarter of an hour or more. So `data/boards/orangecrab-85f.json` records the last one, and a build with the
//! same inputs is not repeated. `HAYASASHI_UPDATE=1` writes the record.

use hayasashi_boards::{board::Board, flow::commands};
use hayasashi_tests::{
    checksum,
    program::{command, texts},
    record_is_old, skip,
};
use serde_json::{json, Value};
use std::{fs, path::Path};

const BOARD: &str = "orangecrab-85f";
/// A checksum of all inputs. The build id is left out: it changes with every comment in the gateware's sources. So is the table
/// `[routed]` of the board file, which is a result.
fn inputs(board: &Board) -> String {
    let mut config = board.config();
    config.chip.build_id = 0;
    let verilog = hayasashi_hdl::verilog::board(&config).unwrap();
    let mut in_result = false;
    let is_input = |line: &&str| {
        in_result = if line.starts_with('[') { line.starts_with("[routed]") } else { in_result };
        !in_result
    };
    let text: Vec<&str> = board.text.lines().filter(is_input).collect();
    checksum(&[verilog.as_str(), &text.join("\n"), &board.constraints.text, &commands(board).unwrap()])
}

#[test]
fn a_board_keeps_its_budget_and_its_clock() {
    let board = Board::find(BOARD).unwrap();
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("data/boards/{BOARD}.json"));
    let inputs = inputs(&board);
    let recorded: Value = fs::read_to_string(&record).map_or(Value::Null, |text| serde_json::from_str(&text).unwrap());
    if recorded["inputs"] == inputs.as_str() {
        assert!(recorded["chip_mhz"].as_f64().unwrap() * 1e6 >= board.budget.fmax_hz as f64, "{recorded}");
        assert!(recorded["luts"].as_u64().unwrap() <= board.budget.luts as u64, "{recorded}");
        return;
    }
    record_is_old(&record, 20);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(BOARD);
    // Longer than the patience of other tests.
    let build = ["build", "--board", BOARD, "--tools", "python", "--quiet", "--out", folder.to_str().unwrap()];
    let (code, told, err) = texts(command(&build).output().unwrap());
    if code == 2 && !err.contains("failed (") {
        return skip(&format!("a board's bitstream: {err}"));
    }
    assert_eq!(code, 0, "{told}\n{err}");
    let report: Value = serde_json::from_str(&fs::read_to_string(folder.join("report.json")).unwrap()).unwrap();
    assert_eq!(report["passed"], true, "{told}");
    let clocks = report["clocks"].as_array().unwrap();
    // The tools name the clocks in their own ways; the chip's is the slowest.
    let slowest = clocks.iter().map(|clock| clock["achieved_mhz"].as_f64().unwrap()).fold(f64::MAX, f64::min);
    assert!((65.0..200.0).contains(&slowest), "{}", report["clocks"]);
    let bitstream = fs::read(folder.join("bitstream.bit")).unwrap();
    // The comment field at the head of an ECP5 bitstream (Lattice TN-02039).
    assert!(bitstream.starts_with(&[0xff, 0x00]) && bitstream.len() > 100_000, "{} bytes", bitstream.len());
    if std::env::var_os("HAYASASHI_UPDATE").is_some() {
        let luts = &report["resources"]["luts"]["used"];
        let new = json!({ "inputs": inputs, "chip_mhz": slowest, "luts": luts, "build_id": report["build_id"], "tools": report["tools"] });
        fs::write(record, format!("{new:#}\n")).unwrap();
    }
}
