//! The resources of a device that the cells of a netlist use.

use hayasashi_hdl::top::pll::Family;
use serde::Serialize;
use std::ops::AddAssign;

/// The resources of a cell, a block or a chip. Block RAMs are counted in halves, because Xilinx devices can split them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourceCount {
    /// Look-up tables, including those of carry chains and distributed RAM.
    pub luts: u64,
    /// Flip-flops.
    pub flip_flops: u64,
    /// Halves of block RAMs.
    pub half_block_rams: u64,
    /// Multipliers.
    pub multipliers: u64,
}

/// The same in a report, in whole block RAMs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Area {
    /// Look-up tables.
    pub luts: u64,
    /// Flip-flops.
    pub flip_flops: u64,
    /// Block RAMs.
    pub block_rams: u64,
    /// Multipliers.
    pub multipliers: u64,
}

impl ResourceCount {
    /// The resources of one cell of a type; none for wires, buffers and multiplexers inside slices.
    pub fn of(family: Family, cell: &str) -> ResourceCount {
        let (table, flip_flops): (&[(&str, ResourceCount)], &[&str]) = match family {
            Family::Ecp5 => (ECP5, &["TRELLIS_FF"]),
            Family::Gowin | Family::Gw5a => {
                (GOWIN, &["DFF", "DFFE", "DFFS", "DFFR", "DFFP", "DFFC", "DFFN", "DFFSE", "DFFRE", "DFFPE", "DFFCE"])
            }
            Family::Xilinx => (XILINX, &["FDRE", "FDSE", "FDCE", "FDPE"]),
        };
        if flip_flops.contains(&cell) {
            return ResourceCount { flip_flops: 1, ..ResourceCount::default() };
        }
        table.iter().find(|(name, _)| *name == cell).map(|(_, count)| *count).unwrap_or_default()
    }

    /// In whole block RAMs, rounded up.
    pub fn area(self) -> Area {
        Area {
            luts: self.luts,
            flip_flops: self.flip_flops,
            block_rams: self.half_block_rams.div_ceil(2),
            multipliers: self.multipliers,
        }
    }
}

impl AddAssign for ResourceCount {
    fn add_assign(&mut self, other: ResourceCount) {
        self.luts += other.luts;
        self.flip_flops += other.flip_flops;
        self.half_block_rams += other.half_block_rams;
        self.multipliers += other.multipliers;
    }
}

const fn luts(luts: u64) -> ResourceCount {
    ResourceCount { luts, flip_flops: 0, half_block_rams: 0, multipliers: 0 }
}

const fn ram(half_block_rams: u64) -> ResourceCount {
    ResourceCount { luts: 0, flip_flops: 0, half_block_rams, multipliers: 0 }
}

const MULTIPLIER: ResourceCount = ResourceCount { luts: 0, flip_flops: 0, half_block_rams: 0, multipliers: 1 };

/// A carry cell takes two look-up tables; a distributed RAM takes four, and two for its write port.
const ECP5: &[(&str, ResourceCount)] = &[
    ("LUT4", luts(1)),
    ("CCU2C", luts(2)),
    ("TRELLIS_DPR16X4", luts(6)),
    ("DP16KD", ram(2)),
    ("PDPW16KD", ram(2)),
    ("MULT18X18D", MULTIPLIER),
];

/// A larger look-up table is made of four-input ones and multiplexers. An `ALU` takes the place of one.
const GOWIN: &[(&str, ResourceCount)] = &[
    ("LUT1", luts(1)),
    ("LUT2", luts(1)),
    ("LUT3", luts(1)),
    ("LUT4", luts(1)),
    ("ALU", luts(1)),
    ("RAM16S1", luts(4)),
    ("RAM16S2", luts(4)),
    ("RAM16S4", luts(4)),
    ("RAM16SDP1", luts(6)),
    ("RAM16SDP2", luts(6)),
    ("RAM16SDP4", luts(6)),
    ("SP", ram(2)),
    ("SPX9", ram(2)),
    ("SDPB", ram(2)),
    ("SDPX9B", ram(2)),
    ("DPB", ram(2)),
    ("DPX9B", ram(2)),
    ("pROM", ram(2)),
    ("pROMX9", ram(2)),
    ("MULT9X9", MULTIPLIER),
    ("MULT18X18", MULTIPLIER),
    ("MULT36X36", MULTIPLIER),
];

const XILINX: &[(&str, ResourceCount)] = &[
    ("LUT1", luts(1)),
    ("LUT2", luts(1)),
    ("LUT3", luts(1)),
    ("LUT4", luts(1)),
    ("LUT5", luts(1)),
    ("LUT6", luts(1)),
    ("INV", luts(1)),
    ("SRL16E", luts(1)),
    ("SRLC32E", luts(1)),
    ("RAM32X1D", luts(2)),
    ("RAM64X1D", luts(2)),
    ("RAM32M", luts(4)),
    ("RAM64M", luts(4)),
    ("RAMB18E1", ram(1)),
    ("RAMB36E1", ram(2)),
    ("DSP48E1", MULTIPLIER),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted() {
        let mut sum = ResourceCount::default();
        for cell in ["RAMB18E1", "RAMB36E1", "LUT6", "FDRE", "MUXF7"] {
            sum += ResourceCount::of(Family::Xilinx, cell);
        }
        assert_eq!(sum.area(), Area { luts: 1, flip_flops: 1, block_rams: 2, multipliers: 0 });
        assert_eq!(ResourceCount::of(Family::Ecp5, "CCU2C").luts, 2);
        assert_eq!(ResourceCount::of(Family::Gowin, "DFFRE").flip_flops, 1);
        assert_eq!(ResourceCount::of(Family::Gw5a, "SDPX9B").area().block_rams, 1);
        assert_eq!(ResourceCount::of(Family::Ecp5, "$scopeinfo"), ResourceCount::default());
    }
}
