//! The keys of `constraints/<board>.toml`. A key that is not here is refused.

use hayasashi_hdl::top::{board, pll};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub name: String,
    pub number: u32,
    pub device: Device,
    pub clock: ClockSpec,
    pub uart: Uart,
    pub units: Units,
    #[serde(default)]
    pub outputs: BTreeMap<String, Output>,
    pub place: Place,
    pub budget: Budget,
    pub flash: Flash,
}

/// The device, in the words of its tools.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// `ecp5`, `gowin` or `xilinx`.
    #[serde(with = "Family")]
    pub family: pll::Family,
    /// Part number: for ECP5 without package and speed (`LFE5U-85F`), for the others whole.
    pub part: String,
    /// Package.
    pub package: String,
    /// Speed grade: ECP5 6, 7 or 8, Gowin the digit behind `C`, Xilinx the digit behind the dash.
    pub speed_grade: u32,
    /// Gowin only: what nextpnr-himbaechel calls the family, e.g. `GW2A-18C`.
    pub series: Option<String>,
}

#[derive(Deserialize)]
#[serde(remote = "pll::Family", rename_all = "lowercase")]
enum Family {
    Ecp5,
    Gowin,
    Xilinx,
}

/// The clocks.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockSpec {
    /// At the pin `oscillator`.
    pub oscillator_hz: u32,
    /// The chip's clock.
    pub chip_hz: u32,
    /// What makes the one of the other; absent where they are the same.
    pub pll: Option<Pll>,
}

/// Dividers of the PLL: see [`pll::Pll`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pll {
    /// Divides the oscillator.
    pub reference_divider: u32,
    /// VCO over divided oscillator.
    pub multiplier: u32,
    /// Divides the VCO.
    pub output_divider: u32,
}

impl From<Pll> for pll::Pll {
    fn from(Pll { reference_divider, multiplier, output_divider }: Pll) -> pll::Pll {
        pll::Pll { reference_divider, multiplier, output_divider }
    }
}

/// The serial line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uart {
    /// Bits per second.
    pub baud_hz: u32,
}

/// How many units of each kind the chip has.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Units {
    /// Move generators: 1, or 0 where the chip only counts moves.
    pub movegen: u32,
    /// Evaluators: 0 or 1.
    pub evaluate: u32,
    /// Units that walk trees, the first of them the move generator: 0 to 4.
    pub perft: u32,
}

/// What an output pin shows: see [`board::Output`].
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")] // as `board::Output::word` has it
pub(super) enum Output {
    Low,
    High,
    Running,
    NotRunning,
    Activity,
    NotActivity,
}

impl From<Output> for board::Output {
    fn from(output: Output) -> board::Output {
        match output {
            Output::Low => board::Output::Low,
            Output::High => board::Output::High,
            Output::Running => board::Output::Running,
            Output::NotRunning => board::Output::NotRunning,
            Output::Activity => board::Output::Activity,
            Output::NotActivity => board::Output::NotActivity,
        }
    }
}

/// For place and route.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Seed of the placer.
    pub seed: u32,
    /// ECP5 only: slices of the four in a logic tile that the placer leaves free, in three rows of four.
    #[serde(default)]
    pub free_slices: u32,
}

/// What the chip may take at most (each number includes its limit), and the clock that it must reach.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Look-up tables, as the family's tool counts them.
    pub luts: u32,
    /// Flip-flops.
    pub flip_flops: u32,
    /// Block RAMs (Xilinx: of 36 Kbit).
    pub block_rams: u32,
    /// Multipliers.
    pub multipliers: u32,
    /// Least clock after routing; at least the chip's.
    pub fmax_hz: u32,
}

/// For the loader.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flash {
    /// What openFPGALoader calls the board (`-b`).
    pub board: String,
}
