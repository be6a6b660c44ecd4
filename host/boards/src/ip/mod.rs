//! The co-processor as plain Verilog for other designs: two AXI-Stream wrappers, a FuseSoC core, a LiteX module, and a test
//! bench with requests and the answers of the software model.

mod conversation;

pub use conversation::{conversation, Conversation};

use hayasashi_hdl::{
    config::{ChipConfig, BUILD_ID, MAX_PERFT_UNITS, MAX_WALKERS},
    verilog,
};
use hayasashi_spec::{
    registers::{BOARD_OTHER, CAP_EVALUATE, CAP_MOVEGEN, CAP_NETWORK, CAP_PERFT, CAP_SEARCH},
    search::USUAL_TABLE_BITS,
    word_frame::Framing,
    PROTOCOL_VERSION,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Version of the release.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The options of a release.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Release {
    /// Value of the register `CLOCK_HZ`; 0 if the clock is unknown.
    pub clock_hz: u32,
    /// Value of the register `BOARD`.
    pub board: u32,
    /// Whether the chip has an evaluator, which takes a quarter of the LUTs and nine tenths of the block RAMs.
    pub evaluator: bool,
    /// Units that share a walk (`PERFT`), up to [`MAX_PERFT_UNITS`]; 0 for none. The first is there anyway; each other one takes
    /// nearly as many LUTs as a chip without evaluator.
    pub walk_units: u32,
    /// Most entries of the table of a search (`SEARCH`), as a power of two; `None` for a chip that does not search. A walker needs
    /// the evaluator, and takes as many LUTs as a chip without evaluator.
    pub search_table_bits: Option<u8>,
    /// Walkers of such a chip, up to [`MAX_WALKERS`]: so many requests are worked on at a time.
    pub walkers: u32,
    /// Whether such a chip takes a network that corrects the table's score. It takes an eighth more LUTs and 108 more block RAMs.
    pub network: bool,
}

impl Default for Release {
    fn default() -> Release {
        Release {
            clock_hz: 0,
            board: BOARD_OTHER,
            evaluator: true,
            walk_units: 1,
            search_table_bits: None,
            walkers: 1,
            network: false,
        }
    }
}

/// A file of the release.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Path in the folder of the release, with `/`.
    pub path: String,
    /// Content of the file.
    pub text: String,
}

/// Why a release cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{path}`: {source}; hint: give a writable folder with `--out`")]
pub struct ReleaseError {
    path: PathBuf,
    source: io::Error,
}

/// Files that depend on the options only in the placeholders `@…@`.
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
    ("src/network.rs", include_str!("../../../../hdl/spec/src/network.rs")),
    ("src/opcode.rs", include_str!("../../../../hdl/spec/src/opcode.rs")),
    ("src/perft.rs", include_str!("../../../../hdl/spec/src/perft.rs")),
    ("src/piece.rs", include_str!("../../../../hdl/spec/src/piece.rs")),
    ("src/position.rs", include_str!("../../../../hdl/spec/src/position.rs")),
    ("src/registers.rs", include_str!("../../../../hdl/spec/src/registers.rs")),
    ("src/search.rs", include_str!("../../../../hdl/spec/src/search.rs")),
    ("src/table.rs", include_str!("../../../../hdl/spec/src/table.rs")),
    ("src/word_frame.rs", include_str!("../../../../hdl/spec/src/word_frame.rs")),
];

impl Release {
    /// All files. Equal options give equal bytes.
    pub fn files(&self) -> Vec<File> {
        let config = self.config();
        let [bytes, words] = [Framing::Slip, Framing::Words].map(|framing| conversation(framing, self.evaluator));
        let placeholders = [
            ("@VERSION@", VERSION.to_string()),
            ("@BUILD@", format!("{BUILD_ID:08x}")),
            ("@UNITS@", self.units()),
            ("@CLOCK@", if self.clock_hz == 0 { "unknown".into() } else { format!("{} Hz", self.clock_hz) }),
            ("@BOARD@", format!("0x{:08X}", self.board)),
            ("@REQUEST_BYTES@", bytes.requests.len().to_string()),
            ("@ANSWER_BYTES@", bytes.answers.len().to_string()),
            ("@WORD_REQUEST_BYTES@", words.requests.len().to_string()),
            ("@WORD_ANSWER_BYTES@", words.answers.len().to_string()),
        ];
        let filled =
            |text: &str| placeholders.iter().fold(text.to_string(), |text, (name, value)| text.replace(name, value));
        let mut files: Vec<File> =
            FILES.iter().map(|(path, text)| File { path: path.to_string(), text: filled(text) }).collect();
        let mut add = |path: String, text| files.push(File { path, text });
        for (name, bits, verilog) in [
            (verilog::AXI_STREAM_8, 8, verilog::axi_stream_8(&config)),
            (verilog::AXI_STREAM_64, 64, verilog::axi_stream_64(&config)),
        ] {
            add(format!("{name}.v"), self.with_header(name, bits, &verilog));
        }
        for (name, conversation) in [("hayasashi", &bytes), ("hayasashi_word", &words)] {
            add(format!("{name}_requests.hex"), hex(&conversation.requests));
            add(format!("{name}_answers.hex"), hex(&conversation.answers));
        }
        files
    }

    /// Writes all files into a folder, which is created if necessary, and returns their paths.
    ///
    /// # Errors
    /// If a file cannot be written.
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

    /// The configuration of the chip.
    pub fn config(&self) -> ChipConfig {
        ChipConfig {
            board: self.board,
            clock_hz: self.clock_hz,
            capabilities: CAP_MOVEGEN
                | if self.evaluator { CAP_EVALUATE } else { 0 }
                | if self.walk_units > 0 { CAP_PERFT } else { 0 }
                | if self.search_table_bits.is_some() { CAP_SEARCH } else { 0 }
                | if self.network { CAP_NETWORK } else { 0 },
            perft_units: self.walk_units.clamp(1, MAX_PERFT_UNITS),
            search_table_bits: self.search_table_bits.unwrap_or(USUAL_TABLE_BITS),
            search_walkers: self.walkers.clamp(1, MAX_WALKERS),
            ..ChipConfig::default()
        }
    }

    /// The units, in words.
    fn units(&self) -> String {
        let walks = match self.walk_units {
            0 => "no walks".into(),
            1 => "walks".into(),
            units => format!("walks by {units} units"),
        };
        let search = match (self.search_table_bits, self.walkers) {
            (None, _) => String::new(),
            (Some(_), 1) => ", search".into(),
            (Some(_), walkers) => format!(", search by {walkers} walkers"),
        };
        let network = if self.network { " by a network" } else { "" };
        format!("moves, {}, {walks}{search}{network}", if self.evaluator { "evaluation" } else { "no evaluator" })
    }

    fn with_header(&self, name: &str, bits: u32, verilog: &str) -> String {
        let (major, minor) = (PROTOCOL_VERSION >> 16, PROTOCOL_VERSION & 0xFFFF);
        let clock = if self.clock_hz == 0 { String::new() } else { format!(", clock {} Hz", self.clock_hz) };
        let units = self.units();
        format!(
            "// {name}: the Hayasashi shogi co-processor behind AXI-Stream of {bits} bits: {units}{clock}.\n\
             // Version {VERSION}, build {BUILD_ID:08x}, protocol {major}.{minor}. Ports and timing: README.md.\n\
             // Generated by `hayasashi release`; make changes in the gateware's sources.\n\
             // SPDX-License-Identifier: MIT OR Apache-2.0\n\n\
             {}\n",
            verilog.trim()
        )
    }
}

/// One byte on each line, for `$readmemh`.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}\n")).collect()
}
