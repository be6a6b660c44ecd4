//! The release of the co-processor as Verilog with AXI-Stream: module names; the wrappers and the whole chip under cocotb;
//! the core under FuseSoC; the LiteX module.

use hayasashi_boards::ip::{conversation, Release};
use hayasashi_spec::registers::{Info, Register, BOARD_OTHER, CAP_MOVEGEN, CAP_PERFT};
use hayasashi_spec::{
    frame::{BUFFER_BYTES, MAX_BATCH},
    opcode::Opcode,
    word_frame::Framing,
    MAGIC, PROTOCOL_VERSION,
};
use hayasashi_tests::image_from_sfen;
use hayasashi_tests::link::{frame, frames, word_frames};
use hayasashi_tests::python::{self, succeeds};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const INITIAL: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const BENCH: &str = include_str!("../data/axi/bench.py");
/// Stand-ins for the chip, by the frames of its port.
const STANDINS: [&str; 2] = [include_str!("../data/axi/byte_standin.v"), include_str!("../data/axi/word_standin.v")];
const LITEX: &str = include_str!("../data/axi/litex_top.py");
const NAMES: [&str; 2] = ["hayasashi_axis8", "hayasashi_axis64"];
const FRAMINGS: [Framing; 2] = [Framing::Slip, Framing::Words];
/// Without an evaluator the chip compiles in half the time; the wrappers do not depend on the evaluator.
pub(super) const SMALL: Release = Release {
    clock_hz: 123_456_789,
    board: BOARD_OTHER,
    evaluator: false,
    walk_units: 1,
    search_table_bits: None,
    walkers: 1,
    network: false,
};

/// An empty folder for a test.
pub(super) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

pub(super) fn text(release: &Release, path: &str) -> String {
    release.files().into_iter().find(|file| file.path == path).unwrap_or_else(|| panic!("no {path}")).text
}

/// Each module's name and text.
fn modules(verilog: &str) -> Vec<(&str, &str)> {
    let starts = verilog.match_indices("\nmodule ").map(|(at, _)| at + 1);
    let body = |start: usize| &verilog[start..start + verilog[start..].find("endmodule").unwrap() + "endmodule".len()];
    starts.map(|start| (body(start)["module ".len()..].split('(').next().unwrap().trim(), body(start))).collect()
}

#[test]
fn module_names_are_unique_and_prefixed() {
    let searching = Release { search_table_bits: Some(10), ..Release::default() };
    let with_network = Release { network: true, ..searching };
    for release in [Release::default(), SMALL, searching, with_network] {
        for name in NAMES {
            let verilog = text(&release, &format!("{name}.v"));
            let found = modules(&verilog);
            assert_eq!(found[0].0, name);
            let all: BTreeSet<&str> = found.iter().map(|m| m.0).collect();
            assert_eq!(all.len(), found.len(), "duplicate module names");
            let below = format!("{name}__");
            assert!(all.iter().all(|m| *m == name || m.starts_with(&below)), "{all:?}");
            for line in verilog.lines() {
                let bare = line.replace("$signed", "").replace("$unsigned", "");
                assert!(!bare.contains('$'), "{line}");
            }
            assert_eq!(all.iter().any(|m| m.contains("evaluate__loading")), release.evaluator);
            assert_eq!(all.iter().any(|m| m.contains("picker")), release.search_table_bits.is_some());
            assert_eq!(all.iter().any(|m| m.contains("correction")), release.network);
        }
    }
}

#[test]
fn templates_are_filled_and_releases_are_reproducible() {
    let files = Release::default().files();
    assert_eq!(files, Release::default().files());
    for file in &files {
        assert!(!file.text.contains("@VERSION@") && !file.text.contains("_BYTES@"), "{}", file.path);
    }
    // The request that the README shows.
    let info = frame(Opcode::Info as u8, 0x1234, 0, &[]);
    let shown: Vec<String> = info.iter().map(|byte| format!("{byte:02X}")).collect();
    assert!(text(&Release::default(), "README.md").contains(&format!("`{}`", shown.join(" "))), "{shown:?}");
    let core = text(&Release::default(), "hayasashi.core");
    assert!(core.contains(&format!("name: ::hayasashi:{}\n", env!("CARGO_PKG_VERSION"))), "{core}");
}

#[test]
fn the_conversation_has_every_status_but_busy() {
    for (evaluator, framing) in [true, false].into_iter().flat_map(|e| FRAMINGS.map(|f| (e, f))) {
        let answers = conversation(framing, evaluator).answers;
        let answers = if framing == Framing::Slip { frames(&answers) } else { word_frames(&answers) };
        // Echoes, two batches of five, evaluations and expansions, a part of a table, three wrong requests, a count.
        assert_eq!(answers.len(), 2 + 5 + 5 + 2 * if evaluator { 5 } else { 1 } + 1 + 3 + 1);
        let statuses: BTreeSet<u8> = answers.iter().map(|(header, _)| header.status).collect();
        let expected = if evaluator { BTreeSet::from([0, 1, 2, 3, 5, 6, 8]) } else { BTreeSet::from([0, 1, 2, 3, 5]) };
        assert_eq!(statuses, expected);
        assert!(answers.iter().any(|(_, payload)| payload.len() == 4 + 4 * 593), "the most moves");
    }
}

/// A test bench in Python.
pub(super) struct Bench<'a> {
    /// Its text.
    pub text: &'a str,
    /// The ports that it sees, as patterns.
    pub ports: &'a [&'a str],
}

/// The bench of the wrappers.
const WRAPPERS: Bench = Bench { text: BENCH, ports: &["a*", "?_axis_t*", "packet_words"] };

/// Builds `verilog` (top module `name`) with cocotb for a bench, and returns the command that runs it in `folder`.
pub(super) fn verilated(venv: &Path, folder: &Path, name: &str, verilog: &str, bench: &Bench) -> Command {
    let config = |option: &str| {
        let output = succeeds(Command::new(venv.join("bin/cocotb-config")).arg(option));
        output.trim().to_string()
    };
    let (share, libraries) = (config("--share"), config("--lib-dir"));
    fs::write(folder.join("dut.v"), verilog).unwrap();
    fs::write(folder.join("bench.py"), bench.text).unwrap();
    // Only the ports are public, so that Verilator can optimise the rest.
    let public = |names: &&str| format!("public_flat_rw -module \"{name}\" -var \"{names}\"\n");
    let public: String = bench.ports.iter().map(public).collect();
    fs::write(folder.join("ports.vlt"), format!("`verilator_config\n{public}")).unwrap();
    let mut verilator = Command::new("verilator");
    verilator.args(["--cc", "--exe", "--build", "--vpi", "--timescale", "1ns/1ps", "-O3", "--x-assign", "fast"]);
    verilator.args(["-Wno-fatal", "-Wno-lint", "-Wno-style", "-CFLAGS", "-O0", "--top-module", name]);
    verilator.args(["--prefix", "Vtop", "-o", "Vtop", "-Mdir", "obj", "-LDFLAGS"]);
    verilator.arg(format!("-Wl,-rpath,{libraries} -L{libraries} -lcocotbvpi_verilator"));
    verilator.args(["ports.vlt", "dut.v", &format!("{share}/lib/verilator/verilator.cpp")]);
    succeeds(verilator.current_dir(folder));

    let mut run = Command::new(folder.join("obj/Vtop"));
    run.current_dir(folder);
    run.env("MODULE", "bench").env("TOPLEVEL", name).env("TOPLEVEL_LANG", "verilog").env("PYTHONPATH", folder);
    run.env("COCOTB_RESULTS_FILE", folder.join("results.xml")).env("HAYASASHI_SEED", "1");
    // Where Python in the simulator finds its packages.
    run.env("LIBPYTHON_LOC", config("--libpython")).env("VIRTUAL_ENV", venv);
    run
}

/// Builds `verilog` (top module `name`) with cocotb and runs a test bench on it.
pub(super) fn under_cocotb(
    venv: &Path,
    folder: &Path,
    name: &str,
    verilog: &str,
    bench: &Bench,
    environment: &[(&str, &str)],
) -> String {
    let mut run = verilated(venv, folder, name, verilog, bench);
    let output = succeeds(run.envs(environment.iter().copied()));
    let results = fs::read_to_string(folder.join("results.xml")).unwrap_or_else(|_| panic!("no results:\n{output}"));
    assert!(!results.contains("<failure") && !results.contains("<error"), "{output}");
    let ran = results.matches("<testcase").count() - results.matches("<skipped").count();
    assert!(ran > 0, "no test ran:\n{output}");
    output
}

#[test]
fn wrappers_lose_nothing_under_back_pressure() {
    let Some(venv) = python::with(&["cocotb"]) else { return };
    for (name, standin) in NAMES.into_iter().zip(STANDINS) {
        let verilog = text(&SMALL, &format!("{name}.v"));
        let chip = format!("{name}__chip");
        let around = modules(&verilog).into_iter().filter(|(module, _)| !module.starts_with(&chip));
        let mut dut: String = around.map(|(_, text)| format!("{text}\n")).collect();
        dut += &standin.replace("NAME", name);
        under_cocotb(&venv, &folder(&format!("axi_standin_{name}")), name, &dut, &WRAPPERS, &[]);
    }
}

#[test]
fn the_byte_wide_chip_answers_like_the_model() {
    the_chip_answers_like_the_model(NAMES[0], FRAMINGS[0]);
}

#[test]
fn the_word_wide_chip_answers_like_the_model() {
    the_chip_answers_like_the_model(NAMES[1], FRAMINGS[1]);
}

fn the_chip_answers_like_the_model(name: &str, framing: Framing) {
    let Some(venv) = python::with(&["cocotb"]) else { return };
    let folder = folder(&format!("axi_chip_{name}"));
    let spoken = conversation(framing, false);
    fs::write(folder.join("requests.bin"), &spoken.requests).unwrap();
    fs::write(folder.join("answers.bin"), &spoken.answers).unwrap();
    fs::write(folder.join("position.bin"), image_from_sfen(INITIAL).0.bytes).unwrap();
    let info = Info {
        magic: MAGIC,
        protocol: PROTOCOL_VERSION,
        build_id: SMALL.config().build_id,
        board: BOARD_OTHER,
        clock_hz: 123_456_789,
        capabilities: CAP_MOVEGEN | CAP_PERFT,
        buffer_bytes: BUFFER_BYTES as u32,
        max_batch: MAX_BATCH as u32,
        ..Info::default()
    };
    // After a reset all counters but that of clocks are those of the first request.
    let info = Info { frames: 1, ..info };
    let counts = [Register::Clocks];
    let masks: Vec<u32> = Register::ALL.iter().map(|r| if counts.contains(r) { 0 } else { u32::MAX }).collect();
    let registers: &[u32] = bytemuck::cast_slice(std::slice::from_ref(&info));
    let words: Vec<u8> = registers.iter().chain(&masks).flat_map(|word| word.to_le_bytes()).collect();
    fs::write(folder.join("info.bin"), words).unwrap();
    let place = folder.display().to_string();
    let verilog = text(&SMALL, &format!("{name}.v"));
    under_cocotb(&venv, &folder, name, &verilog, &WRAPPERS, &[("HAYASASHI_CONVERSATION", &place)]);
}

/// FuseSoC reads the core, lints both wrappers, and runs the released test bench on the 64-bit wrapper.
#[test]
fn fusesoc_lists_lints_and_simulates_the_core() {
    let Some(venv) = python::with(&["fusesoc"]) else { return };
    let folder = folder("axi_fusesoc");
    let written = SMALL.write(&folder.join("core")).unwrap();
    assert!(written.iter().all(|path| path.is_file()));
    let fusesoc = |arguments: &[&str]| {
        let mut command = Command::new(venv.join("bin/fusesoc"));
        command.args(["--cores-root", "core"]).args(arguments).current_dir(&folder);
        // Ignore the user's own configuration.
        command.env("XDG_CONFIG_HOME", &folder).env("XDG_CACHE_HOME", &folder).env("XDG_DATA_HOME", &folder);
        // The bench runs for seconds; an optimised one takes minutes to compile.
        command.env("MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0");
        succeeds(&mut command)
    };
    let shown = fusesoc(&["core", "show", "hayasashi"]);
    for target in ["default", "lint", "lint8", "sim"] {
        assert!(shown.lines().any(|line| line.split(':').next().is_some_and(|t| t.trim() == target)), "{shown}");
    }
    for target in ["lint", "lint8"] {
        let output = fusesoc(&["run", "--target", target, "hayasashi"]);
        assert!(!output.contains("%Warning"), "{output}");
    }
    let output = fusesoc(&["run", "--target", "sim", "hayasashi", "--SEED", "7", "--ROUNDS", "4"]);
    assert!(output.contains("PASS: "), "{output}");
}

#[test]
fn litex_generates_a_design_with_it() {
    let Some(venv) = python::with(&["litex"]) else { return };
    let folder = folder("axi_litex");
    SMALL.write(&folder).unwrap();
    fs::write(folder.join("litex_top.py"), LITEX).unwrap();
    for width in ["8", "64"] {
        let mut python = Command::new(venv.join("bin/python"));
        let output = succeeds(python.args(["litex_top.py", width]).current_dir(&folder));
        let sources: BTreeMap<&str, &str> = output.lines().filter_map(|line| line.split_once(' ')).collect();
        assert_eq!(Path::new(sources["source"]), folder.join(format!("hayasashi_axis{width}.v")), "{output}");
        let mut lint = Command::new("verilator");
        lint.args([
            "--lint-only",
            "-Wno-lint",
            "-Wno-style",
            "-Werror-PINMISSING",
            "-Werror-WIDTH",
            "--top-module",
            "litex",
        ]);
        succeeds(lint.args([&format!("litex{width}.v"), &format!("hayasashi_axis{width}.v")]).current_dir(&folder));
    }
}

#[test]
fn the_error_names_a_folder_that_cannot_be_written() {
    let file = folder("axi_error").join("taken");
    fs::write(&file, "").unwrap();
    let error = SMALL.write(&file.join("below")).unwrap_err().to_string();
    assert!(error.contains("taken") && error.contains("--out"), "{error}");
    let (code, _, error) =
        hayasashi_tests::program::run(&["release", "--without-evaluator", "--out", &file.display().to_string()]);
    assert!(code == 2 && error.contains("taken"), "{code}: {error}");
    let out = folder("axi_command");
    let (code, output, _) = hayasashi_tests::program::run(&["release", "--json", "--out", &out.display().to_string()]);
    assert_eq!(code, 0);
    for line in output.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let path = Path::new(line["file"].as_str().unwrap());
        assert_eq!(fs::metadata(path).unwrap().len(), line["bytes"].as_u64().unwrap());
    }
    assert_eq!(output.lines().count(), Release::default().files().len());
}
