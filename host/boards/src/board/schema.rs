//! The keys of `constraints/<board>.toml`. Other keys are errors.

use hayasashi_hdl::top::{
    board::Output,
    pll::{Family, Pll},
};
use hayasashi_spec::search::USUAL_TABLE_BITS;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoardFile {
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
    pub routed: Option<Routed>,
    pub flash: Flash,
}

/// The FPGA, named as its tools name it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// `ecp5`, `gowin`, `gw5a` or `xilinx`.
    pub family: Family,
    /// Part number: without package and speed grade for ECP5 (`LFE5U-85F`), complete for the other families.
    pub part: String,
    /// Package.
    pub package: String,
    /// Speed grade: 6, 7 or 8 for ECP5, the digit after `C` for Gowin, the digit after the dash for Xilinx.
    pub speed_grade: u32,
    /// Gowin only: the name of the family in nextpnr-himbaechel, for example `GW2A-18C` or `GW5AST-138C`.
    pub series: Option<String>,
}

/// The clocks.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockSpec {
    /// Frequency at the pin `oscillator`.
    pub oscillator_hz: u32,
    /// Xilinx only: the oscillator has two pins, `oscillator` and the inverse `oscillator_n`.
    #[serde(default)]
    pub differential: bool,
    /// The chip's clock.
    pub chip_hz: u32,
    /// Dividers of the PLL that makes the chip's clock; absent if the oscillator is the chip's clock.
    pub pll: Option<Pll>,
}

/// The serial line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uart {
    /// Bits per second.
    pub baud_hz: u32,
}

/// Number of units of each kind in the chip.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Units {
    /// Move generators: 1, or 0 if the chip only counts moves or only searches.
    pub movegen: u32,
    /// Evaluators: 0 or 1.
    pub evaluate: u32,
    /// Units that walk trees, the first of which is the move generator: 0 to 4.
    pub perft: u32,
    /// Walkers of searches: 0 to 4. They need the evaluator.
    #[serde(default)]
    pub search: u32,
    /// Whether searches correct their scores by a network: 0 or 1. It needs a walker of searches.
    #[serde(default)]
    pub network: u32,
    /// Most entries of a search's table, as a power of two.
    #[serde(default = "usual_table_bits")]
    pub search_table_bits: u8,
}

fn usual_table_bits() -> u8 {
    USUAL_TABLE_BITS
}

/// Options of place and route.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Seed of the placer.
    pub seed: u32,
    /// ECP5 only: how many of the four slices of a logic tile the placer leaves free, in three of four rows.
    #[serde(default)]
    pub free_slices: u32,
}

/// Maximum resources of the chip (inclusive), and its minimum clock.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Look-up tables, as nextpnr counts them.
    pub luts: u32,
    /// Flip-flops.
    pub flip_flops: u32,
    /// Block RAMs (Xilinx: of 36 Kbit).
    pub block_rams: u32,
    /// Multipliers.
    pub multipliers: u32,
    /// Minimum frequency of the chip's clock after routing; at least `chip_hz`.
    pub fmax_hz: u32,
}

/// The last place and route that met the budget, as `build` reported it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Routed {
    /// Highest frequency of the chip's clock after routing.
    pub fmax_hz: u32,
    /// Seed of the placer.
    pub seed: u32,
    /// Day of the build, `YYYY-MM-DD`.
    pub date: String,
    /// Version of each tool.
    pub tools: BTreeMap<String, String>,
}

/// Options of the loader.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flash {
    /// Name of the board in openFPGALoader (`-b`).
    pub board: String,
}
