//! Replays on the emitted Verilog, under Verilator, what a RustHDL block did, clock by clock.

use rust_hdl::prelude::*;
use std::{fmt::Write, path::PathBuf, process::Command};

/// Values of the ports of a block.
#[derive(Default)]
struct Ports {
    depth: usize,
    /// Name, whether the block drives it, and its bits, most significant first.
    values: Vec<(String, bool, String)>,
}

impl Probe for Ports {
    fn visit_start_scope(&mut self, _: &str, _: &dyn Block) {
        self.depth += 1;
    }
    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        self.depth -= 1;
    }
    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let drives = match signal.kind() {
            AtomKind::InputParameter if name != "clock" => false,
            AtomKind::OutputParameter => true,
            _ => return,
        };
        if self.depth == 1 {
            let bits = match signal.vcd() {
                VCDValue::Single(bit) => bit.to_string(),
                VCDValue::Vector(bits) => bits.iter().map(|b| b.to_string()).collect(),
                other => panic!("port {name} has the value {other:?}"),
            };
            self.values.push((name.to_string(), drives, bits));
        }
    }
}

/// The ports of a block in each clock.
#[derive(Default)]
pub struct Replay {
    ports: Vec<(String, bool, usize)>,
    lines: String,
    clocks: usize,
}

impl Replay {
    /// Notes the ports of a settled block, once for each clock, just before the rising edge.
    pub fn sample(&mut self, block: &dyn Block) {
        let mut ports = Ports::default();
        block.accept("top", &mut ports);
        if self.ports.is_empty() {
            self.ports = ports.values.iter().map(|(n, d, b)| (n.clone(), *d, b.len())).collect();
        }
        ports.values.iter().for_each(|(_, _, bits)| self.lines.push_str(bits));
        self.lines.push('\n');
        self.clocks += 1;
    }

    /// Runs the Verilog with the same inputs and compares the outputs. `Ok(false)` where Verilator is not installed.
    ///
    /// The Verilog must come from a fresh block: RustHDL emits what a RAM holds as its initial contents. (Icarus does not
    /// finish on blocks with combinational paths between modules in both directions.)
    pub fn check(&self, name: &str, verilog: &str) -> Result<bool, String> {
        if Command::new("verilator").arg("--version").output().is_err() {
            crate::skip("verilator is not installed (Debian package `verilator`)");
            return Ok(false);
        }
        let folder: PathBuf = std::env::temp_dir().join(format!("replay-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        let file = |suffix: &str| folder.join(suffix).to_string_lossy().to_string();
        std::fs::write(file("ports.txt"), &self.lines).map_err(|e| e.to_string())?;
        std::fs::write(file("block.v"), verilog).map_err(|e| e.to_string())?;
        std::fs::write(file("bench.v"), self.bench(&file("ports.txt"))).map_err(|e| e.to_string())?;
        let run = |command: &mut Command| {
            let output = command.output().map_err(|e| e.to_string())?;
            let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).to_string();
            if output.status.success() {
                Ok(text)
            } else {
                Err(text)
            }
        };
        let build = ["--binary", "-Wno-fatal", "-Wno-lint", "--top-module", "bench", "-o", "bench", "--Mdir"];
        run(Command::new("verilator").args(build).args([&file("obj"), &file("bench.v"), &file("block.v")]))?;
        let text = run(&mut Command::new(file("obj/bench")))?;
        if !text.contains("REPLAYED") || text.contains("DIFFERS") {
            return Err(format!("{name} (files in {}): {}", folder.display(), &text[..text.len().min(2000)]));
        }
        let _ = std::fs::remove_dir_all(folder);
        Ok(true)
    }

    fn bench(&self, ports: &str) -> String {
        let width: usize = self.ports.iter().map(|p| p.2).sum();
        let mut v = format!(
            "module bench;\ninteger i = 0;\ninteger bad = 0;\nreg clock = 0;\nreg [{}:0] line [0:{}];\n",
            width - 1,
            self.clocks - 1
        );
        let mut at = width;
        let mut connect = String::from(".clock(clock)");
        let mut compare = String::new();
        for (name, drives, bits) in &self.ports {
            at -= bits;
            writeln!(v, "wire [{}:0] w_{name};\nwire [{}:0] x_{name} = line[i][{at} +: {bits}];", bits - 1, bits - 1)
                .unwrap();
            write!(connect, ", .{name}({}_{name})", if *drives { 'w' } else { 'x' }).unwrap();
            if *drives {
                writeln!(
                    compare,
                    "if (w_{name} !== x_{name} && bad < 5) begin bad = bad + 1; \
                     $display(\"DIFFERS clock %0d {name}: Verilog %h, RustHDL %h\", i, w_{name}, x_{name}); end"
                )
                .unwrap();
            }
        }
        let last = self.clocks - 1;
        format!(
            "{v}\ntop uut({connect});\ninitial begin\n$readmemb(\"{ports}\", line);\n\
             for (i = 0; i <= {last}; i = i + 1) begin\n#5;\n{compare}\nclock = 1; #5; clock = 0;\nend\n\
             $display(\"REPLAYED\"); $finish;\nend\nendmodule\n"
        )
    }
}
