//! The two readings of each network's Verilog are equal: that of synthesis, and that of the back end `verilog`, which passes
//! over a network whose inputs have not changed (`SKIP_SETTLED`).
//!
//! Both readings have the same statements. What differs is when they run. So for every network it is checked that the guard
//! looks at all inputs that the statements read, and that both readings' registers take the same. For the small networks
//! yosys proves the two readings equal, by induction over two clocks: the guard has one form.

use hayasashi_hdl::network::{emit::SKIP, Wire, Wires, Word};
use hayasashi_hdl::{config::ChipConfig, network, verilog};
use hayasashi_tests::skip;
use rust_hdl::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Networks of more characters are not proved: the time grows faster than the text.
const SMALL: usize = 2500;

network! {
    /// A small network that can be held.
    Sample = sample(SampleIn) -> SampleOut, held {
        in requests: Wires<4>;
        in enabled: Wires<4>;
        out granted: Wires<4>;
        out count: Wires<3>;
        out any: Wire;
    }
}

fn sample<W: Word>(inputs: SampleIn<W>) -> SampleOut<W> {
    let waiting = inputs.requests & inputs.enabled;
    SampleOut { granted: waiting.lowest(), count: waiting.popcount(), any: waiting.any() }
}

/// The networks of the chip that searches, each once, as modules of the name `network`.
fn networks() -> Vec<String> {
    let text = verilog::chip(&ChipConfig::searching());
    let mut networks = BTreeMap::new();
    for module in text.split_inclusive("endmodule\n").filter(|module| module.contains(SKIP)) {
        let body = module.split_once('(').expect("ports").1;
        networks.insert(body, format!("module network({body}"));
    }
    networks.into_values().collect()
}

/// The commands that compare the two readings of the module in a file.
fn comparison(file: &str, text: &str) -> String {
    let held = if text.contains("input wire hold,") { "-set in_hold 0" } else { "" };
    format!(
        "design -reset\nread_verilog -D{SKIP} {file}\nrename network skipping\nread_verilog {file}\nrename network plain\n\
         proc\nopt_clean\nmiter -equiv -flatten -make_outputs plain skipping both\nhierarchy -top both\nopt -full\n\
         sat -tempinduct -verify -prove trigger 0 {held} -maxsteps 4 both\n"
    )
}

/// yosys on PATH, or where `hdl/formal/run --setup` has put it.
fn yosys() -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent()?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let setup = Command::new(root.join("hdl/formal/run")).env("CARGO_TARGET_DIR", target).arg("--setup").status();
    let installed = target.join("formal-tools/bin/yosys");
    match setup {
        Ok(status) if !status.success() => None,
        Ok(_) if installed.exists() => Some(installed),
        _ => Some("yosys".into()),
    }
}

/// Whether yosys proves all these networks; its last words.
fn proves(name: &str, networks: &[String]) -> Option<(bool, String)> {
    let yosys = yosys()?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let mut script = String::new();
    for (i, text) in networks.iter().enumerate() {
        let file = format!("network_{i}.v");
        std::fs::write(folder.join(&file), text).unwrap();
        write!(script, "{}", comparison(&file, text)).unwrap();
    }
    std::fs::write(folder.join("compare.ys"), script).unwrap();
    let output = Command::new(yosys).args(["-q", "compare.ys"]).current_dir(&folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    Some((output.status.success(), said.lines().rev().take(20).collect::<Vec<_>>().join("\n")))
}

/// Names in a text.
fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$')).collect()
}

/// The lines from the first one with `start` to the next one with `end`.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let rest = text.split_once(start).unwrap_or_else(|| panic!("no `{start}` in\n{text}")).1;
    rest.split_once(end).unwrap_or_else(|| panic!("no `{end}` in\n{text}")).0
}

/// What is wrong with the guard of a network.
fn wrong_guard(text: &str) -> Option<String> {
    let header = between(text, "(", ");");
    let inputs = header.lines().filter(|line| line.contains("input wire")).filter_map(|l| l.split_whitespace().last());
    let inputs: BTreeSet<&str> =
        inputs.map(|name| name.trim_end_matches(',')).filter(|name| !["clock", "hold"].contains(name)).collect();
    let body = between(text, "`endif\n", &format!("`ifdef {SKIP}\n        "));
    // A register may take an input as it is.
    let taken = between(text, &format!("`ifndef {SKIP}\n"), "`endif");
    let read: BTreeSet<&str> = (&words(body) | &words(taken)).intersection(&inputs).copied().collect();
    let plain = between(text, "`else\n", "`endif");
    let sensitive: BTreeSet<&str> = words(plain).intersection(&inputs).copied().collect();
    let guard = between(text, "always @(posedge clock) if (", "`else").split_whitespace().collect::<Vec<_>>().join(" ");
    let compared = read.iter().all(|input| guard.contains(&format!("(seen${input} == {input})")));
    let kept = read.iter().all(|input| guard.contains(&format!("seen${input} <= {input};")));
    // Where registers can be held, both readings hold them.
    let held = header.contains("input wire hold,");
    let enabled = taken.lines().filter(|line| line.contains(" <= ")).all(|line| line.contains("if (!hold) ") == held);
    let registers = |part: &str| -> BTreeSet<String> {
        let lines = part.lines().filter_map(|line| line.split_once(" <= "));
        lines.map(|(name, value)| format!("{} <= {value}", name.split_whitespace().last().unwrap())).collect()
    };
    let skipping = registers(between(text, &format!("`ifdef {SKIP}\n        "), "`endif"));
    let clocked = registers(taken);
    match () {
        _ if read.is_empty() || clocked.is_empty() => Some("nothing was recognised".into()),
        _ if sensitive != read => Some(format!("{sensitive:?} are listed, {read:?} are read")),
        _ if !compared || !kept => Some(format!("not all of {read:?} are compared and kept")),
        _ if guard.starts_with("!hold & ") != held || !enabled => Some("not held, or held for no reason".into()),
        _ if skipping != clocked => Some(format!("registers take {skipping:?} and {clocked:?}")),
        _ => None,
    }
}

#[test]
fn every_guard_looks_at_all_that_is_read() {
    let networks = networks();
    assert!(networks.len() > 20, "{} networks", networks.len());
    for network in &networks {
        assert_eq!(wrong_guard(network), None, "{network}");
    }
    let forgotten = networks[0].lines().find(|line| line.starts_with("        seen$")).expect("an input that is kept");
    assert!(wrong_guard(&networks[0].replace(forgotten, "")).is_some(), "`{forgotten}` is not needed");
}

#[test]
fn both_readings_of_small_networks_are_equal() {
    let small = |text: &String| text.len() < SMALL && !text.contains("$signed") && !text.contains("hold");
    let mut small: Vec<String> = networks().into_iter().filter(small).collect();
    assert!(small.len() >= 5, "{} small networks", small.len());
    small.push(verilog::of(Sample::default()).replace("module top(", "module network("));
    match proves("readings", &small) {
        None => skip("equal readings: yosys cannot be had"),
        Some((proved, said)) => assert!(proved, "{said}"),
    }
}

#[test]
fn a_guard_that_forgets_an_input_is_found() {
    let text = verilog::of(Sample::default()).replace("module top(", "module network(");
    let forgotten = text.replace("        seen$enabled <= enabled;\n", "");
    assert_ne!(text, forgotten);
    if let Some((proved, _)) = proves("forgotten", &[forgotten]) {
        assert!(!proved, "an input that is not kept makes no difference");
    }
}
