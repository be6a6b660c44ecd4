//! Runs a block's emitted Verilog under Verilator or Icarus with the inputs that its RustHDL block had in each clock, and
//! compares the outputs.

use rust_hdl::prelude::*;
use std::{fmt::Write, path::PathBuf, process::Command};

/// Values of the ports of a block.
#[derive(Default)]
struct Ports {
    depth: usize,
    /// The bundle that is being visited.
    bundle: Option<String>,
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
    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.bundle = Some(name.into());
    }
    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.bundle = None;
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
                VCDValue::Vector(bits) => bits.iter().map(ToString::to_string).collect(),
                other => panic!("port {name} has the value {other:?}"),
            };
            let name = self.bundle.iter().map(|bundle| format!("{bundle}$")).chain([name.into()]).collect();
            self.values.push((name, drives, bits));
        }
    }
}

/// A simulator of Verilog.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    /// Verilator.
    Verilator,
    /// Icarus Verilog; it does not finish on blocks with combinational paths between modules in both directions.
    Icarus,
}

impl Tool {
    /// The program, its option that shows the version, and the Debian package.
    fn program(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Tool::Verilator => ("verilator", "--version", "verilator"),
            Tool::Icarus => ("iverilog", "-V", "iverilog"),
        }
    }

    /// Whether it is installed. If not, the test is reported as skipped.
    ///
    /// # Panics
    /// In CI, if it is not installed.
    pub fn installed(self) -> bool {
        let (program, version, package) = self.program();
        let found = Command::new(program).arg(version).output().is_ok();
        if !found {
            crate::skip(&format!("{program} is not installed (Debian package `{package}`)"));
        }
        found
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
    /// Records the ports of a settled block, once for each clock, just before the rising edge.
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

    /// Runs the Verilog with the same inputs and compares the outputs. `Ok(false)` if the tool is not installed.
    ///
    /// The Verilog must come from a new block, because a RAM with contents has no Verilog.
    pub fn check(&self, tool: Tool, name: &str, verilog: &str) -> Result<bool, String> {
        if !tool.installed() {
            return Ok(false);
        }
        let folder: PathBuf = std::env::temp_dir().join(format!("replay-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        let file = |suffix: &str| folder.join(suffix).to_string_lossy().to_string();
        std::fs::write(file("ports.txt"), &self.lines).map_err(|e| e.to_string())?;
        std::fs::write(file("block.v"), verilog).map_err(|e| e.to_string())?;
        std::fs::write(file("bench.v"), self.bench(&file("ports.txt"))).map_err(|e| e.to_string())?;
        let run = |command: &mut Command| {
            let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
            let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).to_string();
            if output.status.success() {
                Ok(text)
            } else {
                Err(format!("{command:?}: {text}"))
            }
        };
        let sources = [file("bench.v"), file("block.v")];
        let text = match tool {
            Tool::Verilator => {
                let flags = ["--binary", "-Wno-fatal", "-Wno-lint", "--top-module", "bench", "-o", "bench", "--Mdir"];
                run(Command::new("verilator").args(flags).arg(file("obj")).args(&sources))?;
                run(&mut Command::new(file("obj/bench")))?
            }
            Tool::Icarus => {
                let flags = ["-g2005-sv", "-s", "bench", "-o"];
                run(Command::new("iverilog").args(flags).arg(file("bench")).args(&sources))?;
                run(Command::new("vvp").args(["-n", &file("bench")]))?
            }
        };
        if !text.contains("REPLAYED") || text.contains("DIFFERS") {
            return Err(format!(
                "{name}, {tool:?} (files in {}): {}",
                folder.display(),
                text.chars().take(2000).collect::<String>()
            ));
        }
        let _ = std::fs::remove_dir_all(folder);
        Ok(true)
    }

    /// Number of recorded clocks.
    pub fn clocks(&self) -> usize {
        self.clocks
    }

    fn bench(&self, ports: &str) -> String {
        let width: usize = self.ports.iter().map(|p| p.2).sum();
        let mut v = format!(
            "module bench;\ninteger i = 0;\ninteger bad = 0;\nreg clock = 0;\n\
             reg [{0}:0] line [0:{1}];\nreg [{0}:0] now;\n",
            width - 1,
            self.clocks - 1
        );
        let mut at = width;
        let mut connect = String::from(".clock(clock)");
        let mut compare = String::new();
        for (name, drives, bits) in &self.ports {
            at -= bits;
            writeln!(v, "wire [{}:0] w_{name};\nwire [{}:0] x_{name} = now[{at} +: {bits}];", bits - 1, bits - 1)
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
             for (i = 0; i <= {last}; i = i + 1) begin\nnow = line[i]; #5;\n{compare}\nclock = 1; #5; clock = 0;\nend\n\
             $display(\"REPLAYED\"); $finish;\nend\nendmodule\n"
        )
    }
}
