//! A Xilinx board by the real tools, on demand: neither PyPI nor Debian's stable releases have nextpnr and packer for them.

use hayasashi_tests::program::run;
use serde_json::Value;
use std::{fs, path::Path};

/// `apt install nextpnr-himbaechel-xilinx prjxray prjxray-database` on Debian testing, then
/// `./tests/run test --test tools xilinx -- --ignored`.
#[test]
#[ignore = "wants nextpnr-himbaechel-xilinx and prjxray of Debian testing, and a quarter of an hour"]
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
    // 9,448 frames of 101 words, and what is around them.
    let size = fs::metadata(folder.join("bitstream.bit")).unwrap().len();
    assert!((9448 * 101 * 4..4_000_000).contains(&size), "{size}");
}
