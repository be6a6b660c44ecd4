//! The chip on a board: oscillator, UART pins and a few outputs.

use super::pll::{check_clock, ClockError, Family, Pll};
use crate::config::ChipConfig;
use crate::link::baud::{self, BaudError};
use hayasashi_spec::registers::{CAP_EVALUATE, CAP_MOVEGEN, CAP_NETWORK, CAP_PERFT, CAP_SEARCH};
use serde::Deserialize;
use std::fmt;

/// What an output pin beside the UART shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")] // as in `Output::word`
pub enum Output {
    /// Always 0.
    Low,
    /// Always 1.
    High,
    /// 1 while the chip's clock runs.
    Running,
    /// 0 while the chip's clock runs.
    NotRunning,
    /// 1 while bytes pass.
    Activity,
    /// 0 while bytes pass.
    NotActivity,
}

impl Output {
    /// Its word in a board's file.
    pub const fn word(self) -> &'static str {
        match self {
            Output::Low => "low",
            Output::High => "high",
            Output::Running => "running",
            Output::NotRunning => "not_running",
            Output::Activity => "activity",
            Output::NotActivity => "not_activity",
        }
    }
}

/// All that the top level of a board depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardConfig {
    /// The device's family.
    pub family: Family,
    /// Frequency at the pin `oscillator`.
    pub oscillator_hz: u32,
    /// The oscillator has two pins, the second with the inverse.
    pub differential: bool,
    /// Makes `chip.clock_hz` of it; without one they are the same clock.
    pub pll: Option<Pll>,
    /// Output ports beside `uart_tx`, by name.
    pub outputs: Vec<(String, Output)>,
    /// The chip.
    pub chip: ChipConfig,
}

/// Ports that every board top has.
pub const PORTS: [&str; 3] = ["oscillator", "uart_rx", "uart_tx"];
/// The second port of a differential oscillator.
pub const INVERSE: &str = "oscillator_n";

/// Why a board top cannot be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BoardError {
    /// The clock cannot be had.
    Clock(ClockError),
    /// The UART cannot run at the rate.
    Baud(BaudError),
    /// A differential oscillator of a family whose input buffer this project does not know.
    Differential,
    /// A port's name is taken, or is no identifier.
    Port {
        /// The name.
        name: String,
        /// Why it is refused.
        reason: &'static str,
    },
    /// A combination of units that the chip does not have.
    Capabilities {
        /// `CAP_` bits (`hayasashi_spec::registers`).
        capabilities: u32,
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardError::Clock(error) => error.fmt(f),
            BoardError::Baud(error) => error.fmt(f),
            BoardError::Differential => f.write_str("only Xilinx boards may have a differential oscillator; write `false`"),
            BoardError::Port { name, reason } => write!(f, "output `{name}`: {reason}"),
            BoardError::Capabilities { capabilities } => write!(
                f,
                "capabilities 0x{capabilities:X}: a chip only counts moves, or it only searches (0x{:X}), or it has 0x{CAP_MOVEGEN:X} \
                 (moves), and then may have 0x{CAP_PERFT:X} (perft) and 0x{CAP_EVALUATE:X} (evaluation), and with that 0x{CAP_SEARCH:X} (search); \
                 one that searches may have 0x{CAP_NETWORK:X} (networks)",
                CAP_EVALUATE | CAP_SEARCH
            ),
        }
    }
}

impl std::error::Error for BoardError {}

impl BoardConfig {
    /// Refuses what cannot be built.
    pub fn check(&self) -> Result<(), BoardError> {
        check_clock(self.family, self.oscillator_hz, self.pll, self.chip.clock_hz).map_err(BoardError::Clock)?;
        if self.differential && self.family != Family::Xilinx {
            return Err(BoardError::Differential);
        }
        baud::divisor(self.chip.clock_hz, self.chip.baud_hz).map_err(BoardError::Baud)?;
        let capabilities = self.chip.capabilities;
        let has = |capability: u32| capabilities & capability != 0;
        let all = CAP_MOVEGEN | CAP_EVALUATE | CAP_PERFT | CAP_SEARCH | CAP_NETWORK;
        let known = match capabilities & !CAP_NETWORK {
            0 => true,
            alone if !has(CAP_MOVEGEN) => alone == CAP_EVALUATE | CAP_SEARCH,
            _ => capabilities & !all == 0 && (has(CAP_EVALUATE) || !has(CAP_SEARCH)),
        };
        if !known || (has(CAP_NETWORK) && !has(CAP_SEARCH)) {
            return Err(BoardError::Capabilities { capabilities });
        }
        for (i, (name, _)) in self.outputs.iter().enumerate() {
            let wrong = |reason| Err(BoardError::Port { name: name.clone(), reason });
            let is_identifier = name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            if !is_identifier {
                return wrong("a port's name is lower-case letters, digits and `_`, a letter first; rename it");
            }
            let taken = PORTS.contains(&name.as_str()) || (self.differential && name == INVERSE);
            if taken || self.outputs[..i].iter().any(|(other, _)| other == name) {
                return wrong("there is a port of this name already; rename it");
            }
        }
        Ok(())
    }
}
