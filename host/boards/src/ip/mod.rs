//! The co-processor as plain Verilog for other people's designs: two AXI-Stream wrappers, a FuseSoC core, a LiteX
//! module, and a test bench with a conversation that the software model has answered.

mod conversation;

pub use conversation::{conversation, Conversation};

use hayasashi_hdl::{
    config::{ChipConfig, BUILD_ID},
    verilog,
};
use hayasashi_spec::{
    registers::{BOARD_OTHER, CAP_EVALUATE, CAP_MOVEGEN},
    PROTOCOL_VERSION,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The release's version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What may be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Release {
    /// What the register `CLOCK_HZ` will say; 0 where it is not known.
    pub clock_hz: u32,
    /// What the register `BOARD` will say.
    pub board: u32,
    /// With the evaluator, which is half of the chip and most of its block RAM.
    pub evaluator: bool,
}

impl Default for Release {
    fn default() -> Release {
        Release { clock_hz: 0, board: BOARD_OTHER, evaluator: true }
    }
}

/// A file of the release.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Path below the release's folder, with `/`.
    pub path: String,
    pub text: String,
}

/// Why a release cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{path}`: {source}; hint: choose a folder that you may write to by --out")]
pub struct ReleaseError {
    path: PathBuf,
    source: io::Error,
}

/// Files that do not depend on what was chosen, but for the marks `@…@`.
const FILES: &[(&str, &str)] = &[
    ("README.md", include_str!("files/README.md")),
    ("hayasashi.core", include_str!("files/hayasashi.core")),
    ("hayasashi_litex.py", include_str!("files/hayasashi_litex.py")),
    ("hayasashi_tb.sv", include_str!("files/hayasashi_tb.sv")),
    ("LICENSE-MIT", include_str!("../../../../LICENSE-MIT")),
    ("LICENSE-APACHE", include_str!("../../../../LICENSE-APACHE")),
    ("PROTOCOL.md", include_str!("../../../../hdl/spec/PROTOCOL.md")),
    ("src/frame.rs", include_str!("../../../../hdl/spec/src/frame.rs")),
    ("src/moves.rs", include_str!("../../../../hdl/spec/src/moves.rs")),
    ("src/opcode.rs", include_str!("../../../../hdl/spec/src/opcode.rs")),
    ("src/piece.rs", include_str!("../../../../hdl/spec/src/piece.rs")),
    ("src/position.rs", include_str!("../../../../hdl/spec/src/position.rs")),
    ("src/registers.rs", include_str!("../../../../hdl/spec/src/registers.rs")),
    ("src/table.rs", include_str!("../../../../hdl/spec/src/table.rs")),
];

/// Warnings of Verilator that RustHDL's Verilog gives everywhere: constants of 32 bits, signals of which a part is used, and
/// names that a module shares with the one around it. All other warnings stay on.
const QUIET: [&str; 5] = ["DECLFILENAME", "UNUSEDPARAM", "UNUSEDSIGNAL", "VARHIDDEN", "WIDTH"];

impl Release {
    /// All files. The same release always gives the same bytes.
    pub fn files(&self) -> Vec<File> {
        let config = self.config();
        let spoken = conversation(self.evaluator);
        let marks = [
            ("@VERSION@", VERSION.to_string()),
            ("@BUILD@", format!("{BUILD_ID:08x}")),
            ("@UNITS@", if self.evaluator { "moves and evaluation" } else { "moves; no evaluator" }.to_string()),
            ("@CLOCK@", if self.clock_hz == 0 { "not told".into() } else { format!("{} Hz", self.clock_hz) }),
            ("@BOARD@", format!("0x{:08X}", self.board)),
            ("@REQUEST_BYTES@", spoken.requests.len().to_string()),
            ("@ANSWER_BYTES@", spoken.answers.len().to_string()),
        ];
        let filled = |text: &str| marks.iter().fold(text.to_string(), |text, (mark, value)| text.replace(mark, value));
        let mut files: Vec<File> =
            FILES.iter().map(|(path, text)| File { path: path.to_string(), text: filled(text) }).collect();
        let mut add = |path: String, text| files.push(File { path, text });
        for (name, bits, verilog) in [
            (verilog::AXI_STREAM_8, 8, verilog::axi_stream_8(&config)),
            (verilog::AXI_STREAM_64, 64, verilog::axi_stream_64(&config)),
        ] {
            add(format!("{name}.v"), self.headed(name, bits, &verilog));
        }
        add("hayasashi_requests.hex".into(), hex(&spoken.requests));
        add("hayasashi_answers.hex".into(), hex(&spoken.answers));
        files
    }

    /// Writes all files below a folder, which is made where it is missing, and gives their paths.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, ReleaseError> {
        let mut written = Vec::new();
        for file in self.files() {
            let path = folder.join(&file.path);
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent)
                .and_then(|()| fs::write(&path, &file.text))
                .map_err(|source| ReleaseError { path: path.clone(), source })?;
            written.push(path);
        }
        Ok(written)
    }

    /// The chip inside.
    pub fn config(&self) -> ChipConfig {
        ChipConfig {
            board: self.board,
            clock_hz: self.clock_hz,
            capabilities: if self.evaluator { CAP_MOVEGEN | CAP_EVALUATE } else { CAP_MOVEGEN },
            ..ChipConfig::default()
        }
    }

    fn headed(&self, name: &str, bits: u32, verilog: &str) -> String {
        let (major, minor) = (PROTOCOL_VERSION >> 16, PROTOCOL_VERSION & 0xFFFF);
        let clock = if self.clock_hz == 0 { String::new() } else { format!(", clock {} Hz", self.clock_hz) };
        let units = if self.evaluator { "" } else { ", without evaluator" };
        let off: String = QUIET.iter().map(|warning| format!("/* verilator lint_off {warning} */\n")).collect();
        format!(
            "// {name}: the Hayasashi shogi co-processor behind AXI-Stream of {bits} bits{units}{clock}.\n\
             // Version {VERSION}, build {BUILD_ID:08x}, protocol {major}.{minor}. Ports and timing: README.md.\n\
             // Written by `hayasashi release`; changes belong in the gateware's sources.\n\
             // SPDX-License-Identifier: MIT OR Apache-2.0\n\n\
             /* verilator lint_save */\n{off}\n{}\n\n/* verilator lint_restore */\n",
            verilog.trim()
        )
    }
}

/// One byte a line, for `$readmemh`.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}\n")).collect()
}
