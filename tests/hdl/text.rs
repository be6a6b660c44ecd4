//! The emitted Verilog as text: it reads, linters have nothing to say, and it is always the same.

use hayasashi_boards::board::Board;
use hayasashi_hdl::{config::ChipConfig, verilog};
use hayasashi_tests::replay::Tool;
use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Warnings of the linter that a top may have. The most stubborn one is the name of its file.
const WARNINGS: usize = 20;
const PRIMITIVES: &str = include_str!("../data/boards/primitives.v");

/// Every text that leaves this project, with its name and its top module.
fn texts() -> Vec<(String, &'static str, String)> {
    let chip = ChipConfig::default();
    let mut texts = vec![
        ("chip".to_string(), "top", verilog::chip(&chip)),
        ("uart_chip".into(), "top", verilog::uart_chip(&chip).unwrap()),
        ("axi_stream_8".into(), verilog::AXI_STREAM_8, verilog::axi_stream_8(&chip)),
        ("axi_stream_64".into(), verilog::AXI_STREAM_64, verilog::axi_stream_64(&chip)),
    ];
    for board in Board::all().unwrap() {
        texts.push((format!("board_{}", board.stem), "top", verilog::board(&board.config()).unwrap()));
    }
    texts
}

/// The text of a top in parts.
pub struct Parts {
    /// All but the chip's units.
    pub around: String,
    /// The units, which are most of a chip.
    units: String,
    /// A module that takes the place of the units and has nothing but their ports.
    pub without: String,
}

impl Parts {
    /// Divides a text.
    pub fn of(text: &str) -> Parts {
        // The released text has other names.
        let ends = ["$units(", "__units("].map(|mark| text.find(mark).map(|at| at + mark.len() - 1));
        let end = ends.into_iter().flatten().next().expect("a chip has units");
        let start = text[..end].rfind("module ").expect("a module has a name");
        let units = &text[start..end];
        let mut parts = Parts { around: String::new(), units: String::new(), without: String::new() };
        for module in text.split_inclusive("endmodule\n") {
            let inside = module.find(units).map(|at| &module[at + units.len()..]);
            match inside {
                Some(inside) if inside.starts_with(['(', '$', '_']) => parts.units += inside,
                _ => parts.around += module,
            }
            if let Some(ports) = inside.filter(|inside| inside.starts_with('(')) {
                let ports = &ports[..ports.find(");").expect("a module has ports")];
                write!(parts.without, "{units}{ports});\nendmodule\n").unwrap();
            }
        }
        parts.units = parts.units.replace(&units["module ".len()..], "units");
        parts
    }
}

/// Warnings of `verilator --lint-only -Wall`, without those about the primitives of a board's family. A port, a parameter or a module
/// that does not exist is an error, and so are latches and what points at a wrong connection.
fn warnings(name: &str, top: &str, text: &str, units: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("text_{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{name}.v")), text).unwrap();
    // Their scale of time would be missed in every other module.
    let primitives: Vec<&str> = PRIMITIVES.lines().filter(|line| !line.starts_with("`timescale")).collect();
    std::fs::write(folder.join("primitives.v"), primitives.join("\n")).unwrap();
    let errors = ["PINMISSING", "IMPLICIT", "MULTIDRIVEN", "UNDRIVEN", "LATCH"].map(|kind| format!("-Werror-{kind}"));
    let arguments = ["--lint-only", "-Wall", "-Wno-fatal", "--timing", "--top-module", top];
    let mut command = Command::new("verilator");
    command.args(arguments).args(errors).arg(format!("{name}.v")).current_dir(&folder);
    if !units.is_empty() {
        std::fs::write(folder.join("units.v"), format!("/* verilator lint_off UNDRIVEN */\n{units}")).unwrap();
        command.arg("units.v");
    }
    if name.starts_with("board") {
        command.arg("primitives.v");
    }
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {errors}");
    let others = |line: &str| line.contains("primitives.v") || line.contains("units.v");
    let is_ours = |line: &&str| line.starts_with("%Warning") && !others(line);
    errors.lines().filter(is_ours).map(String::from).collect()
}

#[test]
fn the_linter_is_content_with_every_top() {
    if !Tool::Verilator.installed() {
        return;
    }
    let mut seen = HashSet::new();
    for (name, top, text) in texts() {
        assert!(!text.contains("lint_off"), "{name}: warnings are not to be switched off");
        // Many tops have the same units, which are read once.
        let parts = Parts::of(&text);
        let warnings = if seen.insert(parts.units) {
            warnings(&name, top, &text, "")
        } else {
            warnings(&name, top, &parts.around, &parts.without)
        };
        assert!(warnings.len() < WARNINGS, "{name}: {} warnings\n{}", warnings.len(), warnings.join("\n"));
    }
}

/// Names of a module's ports, and its text.
fn modules(text: &str) -> Vec<(Vec<&str>, &str)> {
    text.split("endmodule")
        .filter_map(|part| part.split_once("module "))
        .map(|(_, module)| {
            let header = module.split_once('(').and_then(|(_, rest)| rest.split_once(");")).expect("ports").0;
            (header.split(',').filter_map(|port| port.split_whitespace().last()).collect(), module)
        })
        .collect()
}

#[test]
fn registers_and_memories_are_in_the_modules_around_them() {
    for (name, _, text) in texts() {
        for (ports, module) in modules(&text) {
            let is_register = ports == ["d", "q", "clock"] || ports.contains(&"read_clock");
            assert!(!is_register, "{name}: a module that is only a register or a memory:\n{module}");
        }
    }
    let text = verilog::chip(&ChipConfig::default());
    assert!(modules(&text).len() <= 105, "{} modules", modules(&text).len());
    assert!(text.contains("always @(posedge clock) written <= written_next;"), "a register under its name");
}

#[test]
fn the_text_is_always_the_same() {
    let texts: Vec<String> = (0..2).map(|_| verilog::chip(&ChipConfig::default())).collect();
    assert!(texts[0] == texts[1], "two texts of one chip differ");
}
