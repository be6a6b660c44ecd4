//! A Xilinx board by the real tools, on demand: PyPI has no nextpnr for them, and Debian's stable releases have none either.

use hayasashi_tests::program::run;
use serde_json::Value;
use std::{fs, path::Path};

/// `apt install nextpnr-himbaechel-xilinx` on Debian testing, then
/// `./tests/run test --test tools xilinx -- --ignored`.
#[test]
#[ignore = "wants nextpnr-himbaechel-xilinx of Debian testing, and a quarter of an hour"]
fn a_whole_chip_is_routed_at_its_clock() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("arty-a7-100t");
    let (code, told, err) = run(&["build", "--board", "arty-a7-100t", "--quiet", "--out", folder.to_str().unwrap()]);
    assert_eq!(code, 0, "{told}\n{err}");
    let report: Value = serde_json::from_str(&fs::read_to_string(folder.join("report.json")).unwrap()).unwrap();
    assert_eq!(report["passed"], true, "{told}");
    assert!(report["clocks"].as_array().is_some_and(|clocks| !clocks.is_empty()), "{told}");
    // Nothing that the clock rate leaves out.
    assert_eq!(report["resources"]["multipliers"]["used"], 0, "{told}");
    assert!(fs::metadata(folder.join("routed.fasm")).unwrap().len() > 1_000_000);
}
