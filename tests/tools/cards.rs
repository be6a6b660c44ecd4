//! Cards on PCIe: their files, and builds of their designs with fakes for Vivado and Python.

use hayasashi_boards::{
    board::Board,
    card::{Bridge, Card},
};
use hayasashi_tests::fake_tools::Bench;
use std::{collections::BTreeSet, fs, path::Path};

/// A `python3` that makes an environment whose Python is a fake: `pip` succeeds, and the script for LitePCIe writes two files.
const PYTHON: &str = r#"
[ "$2" = venv ] || exit 9
/bin/mkdir -p venv/bin
/bin/cat > venv/bin/python <<'TOOL'
#!/bin/sh
[ "$1" = -m ] && exit 0
/bin/mkdir -p design/driver/kernel design/gateware
echo "$*" > design/gateware/asked
case "$*" in *--bitstream) echo bits > design/gateware/hayasashi.bit;; esac
TOOL
/bin/chmod +x venv/bin/python
"#;

#[test]
fn cards_have_numbers_and_files_of_their_own() {
    let cards = Card::all().unwrap();
    let boards = Board::all().unwrap();
    let numbers: BTreeSet<u32> = cards.iter().map(|c| c.number).chain(boards.iter().map(|b| b.number)).collect();
    assert_eq!(numbers.len(), cards.len() + boards.len());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../constraints/cards");
    let readme = fs::read_to_string(folder.join("../README.md")).unwrap();
    for card in &cards {
        assert!(boards.iter().all(|board| board.stem != card.stem), "{}", card.stem);
        assert!(readme.contains(&format!("`{}`", card.stem)), "README.md does not describe `{}`", card.stem);
        let release = card.release().config();
        assert_eq!((release.board, release.clock_hz), (card.number, card.chip_hz));
    }
    let scripts = ["xdma.tcl", "xdma.xdc", "litepcie_card.py"].map(String::from);
    let known: BTreeSet<String> = cards.iter().map(|card| format!("{}.toml", card.stem)).chain(scripts).collect();
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let found: BTreeSet<String> = fs::read_dir(&folder).unwrap().map(name).filter(|n| n != "__pycache__").collect();
    assert_eq!(found, known);
}

#[test]
fn without_vivado_the_design_is_written_and_the_rest_is_named() {
    let bench = Bench::new();
    let (code, out, err) = bench.run(&["build", "--board", "nitefury"]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(
        err.contains("missed: no bitstream, because Vivado is not on PATH") && err.contains("-source xdma.tcl"),
        "{err}"
    );
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(bench.built("report.json")).unwrap()).unwrap();
    assert_eq!((&report["bridge"], &report["bitstream"]), (&"xdma".into(), &serde_json::Value::Null));
    for file in ["chip/hayasashi_axis64.v", "xdma.tcl", "xdma.xdc"] {
        assert!(bench.built(file).is_file(), "{file}");
    }
    // A part of the build succeeds without Vivado.
    let (code, ..) = bench.run(&["build", "--board", "nitefury", "--stop-after", "verilog"]);
    assert_eq!(code, 0);
    let (code, _, err) = bench.run(&["build", "--board", "nitefury", "--seed", "3"]);
    assert!(code == 2 && err.contains("--seed"), "{err}");
    let (code, _, err) = bench.run(&["build", "--board", "nitefurry"]);
    assert!(code == 2 && err.contains("`nitefury`") && err.contains("`ulx3s-85f`"), "{err}");
}

#[test]
fn vivado_gets_the_card_s_part_and_clock() {
    let bench = Bench::new();
    bench.tool("vivado", "/bin/mkdir -p design; echo bits > design/xdma.bit");
    let (code, out, err) = bench.run(&["build", "--board", "nitefury"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("bitstream: ") && out.contains("design/xdma.bit"), "{out}");
    let calls = bench.calls();
    let card = Card::find("nitefury").unwrap().unwrap();
    let end = format!("-tclargs chip/hayasashi_axis64.v design {} {}", card.part, card.chip_hz);
    assert!(calls.len() == 1 && calls[0].ends_with(&end), "{calls:?}");
    // Vivado fails, or writes nothing.
    bench.tool("vivado", "echo 'ERROR: [Common 17-345] A valid license was not found'; exit 1");
    let (code, _, err) = bench.run(&["build", "--board", "nitefury"]);
    assert!(code == 2 && err.contains("Vivado failed") && err.contains("license"), "{err}");
    bench.tool("vivado", "exit 0");
    let (code, _, err) = bench.run(&["build", "--board", "nitefury"]);
    assert!(code == 2 && err.contains("xdma.bit"), "{err}");
}

#[test]
fn litepcie_s_design_comes_from_a_script() {
    let bench = Bench::new();
    bench.tool("python3", PYTHON);
    let (code, out, err) = bench.run(&["build", "--board", "nitefury-litepcie"]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("driver: ") && err.contains("Vivado is not on PATH"), "{out}{err}");
    let card = Card::find("nitefury-litepcie").unwrap().unwrap();
    assert_eq!(card.bridge, Bridge::LitePcie);
    let asked = fs::read_to_string(bench.built("design/gateware/asked")).unwrap();
    assert!(
        asked.trim_end().ends_with(&format!("litepcie_card.py chip design {} {}", card.part, card.chip_hz)),
        "{asked}"
    );
    bench.tool("vivado", "exit 0");
    let (code, out, err) = bench.run(&["build", "--board", "nitefury-litepcie"]);
    assert!(code == 0 && out.contains("hayasashi.bit"), "{out}{err}");
}
