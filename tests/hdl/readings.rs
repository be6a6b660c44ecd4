//! The two readings of each network's Verilog are equal: that of synthesis, and that of the back end `verilog`, which passes
//! over a network whose inputs have not changed (`SKIP_SETTLED`).
//!
//! yosys proves it for each network by induction over two clocks. `hold` is low: it is an enable of all registers in both.

use hayasashi_hdl::{config::ChipConfig, network::emit::SKIP, verilog};
use hayasashi_tests::skip;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The networks of the chip, each once, as modules of the name `network`.
fn networks() -> Vec<String> {
    let text = verilog::chip(&ChipConfig::default());
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

#[test]
fn both_readings_of_every_network_are_equal() {
    let networks = networks();
    assert!(networks.len() > 20, "{} networks", networks.len());
    match proves("readings", &networks) {
        None => skip("equal readings: yosys cannot be had"),
        Some((proved, said)) => assert!(proved, "{said}"),
    }
}

#[test]
fn a_guard_that_forgets_an_input_is_found() {
    let mut network = networks().into_iter().find(|network| network.matches("    seen$").count() > 1).unwrap();
    let forgotten = network.lines().find(|line| line.starts_with("        seen$")).unwrap().to_string();
    network = network.replace(&forgotten, "");
    if let Some((proved, _)) = proves("forgotten", &[network]) {
        assert!(!proved, "`{forgotten}` is not needed");
    }
}
