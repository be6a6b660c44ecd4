//! Families of devices.

use serde::Deserialize;

/// Device families with a board top.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Lattice ECP5: `EHXPLLL`, `DCCA`.
    Ecp5,
    /// Gowin GW2A: `rPLL`, `DQCE`.
    Gowin,
    /// Gowin GW5AST-138: the oscillator without a PLL, a gate made of logic.
    Gw5a,
    /// Xilinx 7 series: `PLLE2_BASE`, `BUFGCE`.
    Xilinx,
}
