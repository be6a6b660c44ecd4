//! Boards as data: `constraints/<board>.toml` with the constraint file of the same stem.
//!
//! Adding a board is adding those two files; the build script embeds them, so that an installed program knows its
//! boards. `constraints/README.md` explains every key.
//!
//! ```
//! use hayasashi::board::Board;
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
pub use schema::{Budget, ClockSpec, Device, Flash, Place, Uart, Units};

use hayasashi_hdl::top::{
    board::{BoardConfig, Output},
    config::{ChipConfig, BUILD_ID},
};
use hayasashi_spec::registers::{CAP_EVALUATE, CAP_MOVEGEN, CAP_PERFT};
use std::{collections::BTreeMap, path::Path};

/// Number of the first board in the information register `BOARD`: those below are no boards.
pub const FIRST_NUMBER: u32 = hayasashi_spec::registers::BOARD_SIMULATION + 1;

/// Slices of a logic tile of an ECP5.
pub const SLICES: u32 = 4;

/// A board that can be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Stem of its files, and its name on the command line.
    pub stem: String,
    /// Its name for people.
    pub name: String,
    /// Its number in the information register `BOARD`, unlike that of any other board.
    pub number: u32,
    /// What is soldered on.
    pub device: Device,
    /// Oscillator and the chip's clock.
    pub clock: ClockSpec,
    /// The serial line.
    pub uart: Uart,
    /// Which units the chip has.
    pub units: Units,
    /// Output ports beside `uart_tx`.
    pub outputs: BTreeMap<String, Output>,
    /// For place and route.
    pub place: Place,
    /// What the chip may take at most, and the clock that it must reach.
    pub budget: Budget,
    /// For the loader.
    pub flash: Flash,
    /// The constraint file.
    pub constraints: Constraints,
    /// The board's TOML text, for the build's hash.
    pub text: String,
}

/// A constraint file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraints {
    /// File name, without folders.
    pub name: String,
    /// What is in it.
    pub text: String,
}

impl Board {
    /// An embedded board by its stem, or one in a file whose path ends in `.toml`, with the constraint file beside it.
    pub fn find(given: &str) -> Result<Board, BoardError> {
        match given.ends_with(".toml") {
            true => Board::read(Path::new(given)),
            false => files::embedded(given),
        }
    }

    /// Every embedded board, by stem.
    pub fn all() -> Result<Vec<Board>, BoardError> {
        stems().map(files::embedded).collect()
    }

    /// Reads a board's files. Its number must not be that of an embedded board of another stem.
    pub fn read(path: &Path) -> Result<Board, BoardError> {
        files::read(path)
    }

    /// Makes a board of the texts of its files; `constraints` has file name and text of each constraint file.
    pub fn parse(stem: &str, text: &str, constraints: &[(&str, &str)]) -> Result<Board, BoardError> {
        let file = format!("{stem}.toml");
        let schema: schema::File = toml::from_str(text)
            .map_err(|e| BoardError::Parse { file: file.clone(), reason: e.to_string().trim_end().into() })?;
        check::board(&file, stem, schema, text, constraints)
    }

    /// The constants of the chip for this board.
    pub fn chip(&self) -> ChipConfig {
        ChipConfig {
            board: self.number,
            clock_hz: self.clock.chip_hz,
            build_id: BUILD_ID,
            capabilities: if self.units.movegen == 1 { CAP_MOVEGEN } else { 0 }
                | if self.units.evaluate == 1 { CAP_EVALUATE } else { 0 }
                | if self.units.perft > 0 { CAP_PERFT } else { 0 },
            perft_units: self.units.perft,
            baud_hz: self.uart.baud_hz,
        }
    }

    /// All that the gateware's top level depends on.
    pub fn config(&self) -> BoardConfig {
        BoardConfig {
            family: self.device.family,
            oscillator_hz: self.clock.oscillator_hz,
            pll: self.clock.pll.map(Into::into),
            outputs: self.outputs.iter().map(|(name, output)| (name.clone(), *output)).collect(),
            chip: self.chip(),
        }
    }
}
