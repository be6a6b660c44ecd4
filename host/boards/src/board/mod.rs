//! Boards as data: `constraints/<board>.toml` and the constraint file of the same stem.
//!
//! To add a board, add those two files. The build script embeds them in the program. `constraints/README.md` explains every
//! key.
//!
//! ```
//! use hayasashi_boards::board::Board;
//!
//! let board = Board::find("ulx3s-85f").unwrap();
//! assert_eq!(board.device.part, "LFE5U-85F");
//! assert_eq!(board.constraints.name, "ulx3s-85f.lpf");
//! assert!(hayasashi_hdl::verilog::board(&board.config()).unwrap().contains("EHXPLLL"));
//! ```

mod check;
mod error;
mod files;
mod schema;

pub use error::BoardError;
pub use files::stems;
pub use schema::{Budget, ClockSpec, Device, Flash, Place, Routed, Uart, Units};

use hayasashi_hdl::{
    config::{ChipConfig, BUILD_ID},
    top::board::{BoardConfig, Output},
};
use hayasashi_spec::registers::{CAP_EVALUATE, CAP_MOVEGEN, CAP_NETWORK, CAP_PERFT, CAP_SEARCH};
use std::{collections::BTreeMap, path::Path};

/// Number of the first board in the information register `BOARD`. Smaller numbers are not boards.
pub const FIRST_NUMBER: u32 = hayasashi_spec::registers::BOARD_SIMULATION + 1;

/// Slices of a logic tile of an ECP5.
pub const SLICES: u32 = 4;

/// A board with valid values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Stem of its files, and its name on the command line.
    pub stem: String,
    /// Its display name.
    pub name: String,
    /// Its number in the information register `BOARD`, which no other board has.
    pub number: u32,
    /// The FPGA.
    pub device: Device,
    /// The oscillator and the chip's clock.
    pub clock: ClockSpec,
    /// The serial line.
    pub uart: Uart,
    /// Which units the chip has.
    pub units: Units,
    /// Output ports other than `uart_tx`.
    pub outputs: BTreeMap<String, Output>,
    /// Options of place and route.
    pub place: Place,
    /// Maximum resources of the chip, and its minimum clock.
    pub budget: Budget,
    /// Its last place and route; absent where no tool has routed it.
    pub routed: Option<Routed>,
    /// Options of the loader.
    pub flash: Flash,
    /// The constraint file.
    pub constraints: Constraints,
    /// The text of the board's TOML file.
    pub text: String,
}

/// A constraint file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraints {
    /// File name, without folders.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Board {
    /// The embedded board with this stem, or the board of the file at this path, which ends in `.toml`.
    ///
    /// # Errors
    /// If there is no such board or its files are not valid.
    pub fn find(given: &str) -> Result<Board, BoardError> {
        match given.ends_with(".toml") {
            true => Board::read(Path::new(given)),
            false => files::embedded(given),
        }
    }

    /// All embedded boards, sorted by stem.
    ///
    /// # Errors
    /// If the files of a board are not valid.
    pub fn all() -> Result<Vec<Board>, BoardError> {
        stems().map(files::embedded).collect()
    }

    /// Reads a board's files. Its number must not be that of an embedded board with another stem.
    ///
    /// # Errors
    /// If a file cannot be read or is not valid.
    pub fn read(path: &Path) -> Result<Board, BoardError> {
        files::read(path)
    }

    /// Parses the texts of a board's files; `constraints` has the name and the text of each constraint file.
    ///
    /// # Errors
    /// If the text is not valid.
    pub fn parse(stem: &str, text: &str, constraints: &[(&str, &str)]) -> Result<Board, BoardError> {
        let file = format!("{stem}.toml");
        let schema: schema::BoardFile = toml::from_str(text)
            .map_err(|e| BoardError::Parse { file: file.clone(), reason: e.to_string().trim_end().into() })?;
        check::board(&file, stem, schema, text, constraints)
    }

    /// The configuration of the chip on this board.
    pub fn chip(&self) -> ChipConfig {
        ChipConfig {
            board: self.number,
            clock_hz: self.clock.chip_hz,
            build_id: BUILD_ID,
            capabilities: if self.units.movegen == 1 { CAP_MOVEGEN } else { 0 }
                | if self.units.evaluate == 1 { CAP_EVALUATE } else { 0 }
                | if self.units.perft > 0 { CAP_PERFT } else { 0 }
                | if self.units.search > 0 { CAP_SEARCH } else { 0 }
                | if self.units.network > 0 { CAP_NETWORK } else { 0 },
            perft_units: self.units.perft,
            search_table_bits: self.units.search_table_bits,
            search_walkers: self.units.search.max(1),
            baud_hz: self.uart.baud_hz,
        }
    }

    /// The chip with the units of this board, for a simulation. Number and clock of the board change nothing that is counted, so most
    /// boards share one compiled simulation.
    pub fn simulated_chip(&self) -> ChipConfig {
        let ChipConfig { capabilities, perft_units, search_table_bits, search_walkers, .. } = self.chip();
        let perft_units = perft_units.max(1);
        ChipConfig { capabilities, perft_units, search_table_bits, search_walkers, ..ChipConfig::default() }
    }

    /// The configuration of the gateware's top level.
    pub fn config(&self) -> BoardConfig {
        BoardConfig {
            family: self.device.family,
            oscillator_hz: self.clock.oscillator_hz,
            differential: self.clock.differential,
            pll: self.clock.pll,
            outputs: self.outputs.iter().map(|(name, output)| (name.clone(), *output)).collect(),
            chip: self.chip(),
        }
    }
}
