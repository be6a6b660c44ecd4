//! One board for real: from the gateware to a bitstream, within the board's budget and at its clock, by PyPI's tools, which
//! are the same everywhere. The other boards go the same way by the same command.

use hayasashi_tests::{program::run, skip};
use serde_json::Value;
use std::{fs, path::Path};

#[test]
fn a_board_keeps_its_budget_and_its_clock() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("orangecrab-85f");
    let out = folder.to_str().unwrap();
    let board = ["build", "--board", "orangecrab-85f", "--tools", "python", "--quiet", "--out", out];
    let (code, told, err) = run(&board);
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
}
