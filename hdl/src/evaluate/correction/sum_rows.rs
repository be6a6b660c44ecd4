//! The sums of a side's units, by walker and ply, in block RAM.
//!
//! ```text
//!                      +---------+
//!   clock             ->         => sums 960   the row at the last clock's `read_address`
//!   read_address 8    => SumRows |
//!   write             ->         |
//!   write_address 8   =>         |
//!   write_data 960    =>         |
//!                      +---------+
//! ```
//!
//! Handshake: none. Nobody uses what a row gives that is read in the clock in which it is written. A row that was never written is zero.
//! Latency: one clock. Throughput: a row read and one written a clock.
//! Cost: 14 block RAMs of 512 x 72 (computed). Absent: what a row belongs to (`accumulator`).
//! Model: none; the model adds all features of each position.

use super::sums::SideSums;
use crate::network::width;
use crate::search::table_rows::memory_of_zeros;
use rust_hdl::core::timing::TimingInfo;
use rust_hdl::prelude::*;

/// Wires of the number of a row: a ply, then a walker.
pub const ROW_BITS: usize = 8;
const SUMS_WIDTH: usize = width::<SideSums>();

/// Keeps sums.
#[derive(LogicBlock)]
pub struct SumRows {
    /// Clock of the memory.
    pub clock: Signal<In, Clock>,
    /// The row that is read.
    pub read_address: Signal<In, Bits<ROW_BITS>>,
    /// A row is written.
    pub write: Signal<In, Bit>,
    /// Which one.
    pub write_address: Signal<In, Bits<ROW_BITS>>,
    /// Its contents.
    pub write_data: Signal<In, Bits<SUMS_WIDTH>>,
    /// The row that was read.
    pub sums: Signal<Out, Bits<SUMS_WIDTH>>,
    _rows: Vec<Bits<SUMS_WIDTH>>,
    _stale: bool,
}

impl Default for SumRows {
    fn default() -> Self {
        SumRows {
            clock: Default::default(),
            read_address: Default::default(),
            write: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            sums: Default::default(),
            _rows: vec![0.into(); 1 << ROW_BITS],
            _stale: true,
        }
    }
}

impl Logic for SumRows {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            if self._stale {
                self._stale = false;
                self.sums.next = self._rows[self.read_address.val().to_u64() as usize];
            }
            if self.write.val() {
                self._rows[self.write_address.val().to_u64() as usize] = self.write_data.val();
                self._stale = true;
            }
        }
        self._stale |= self.read_address.changed;
    }

    fn connect(&mut self) {
        self.sums.connect();
    }

    fn hdl(&self) -> Verilog {
        let memory = memory_of_zeros(SUMS_WIDTH, self._rows.len());
        Verilog::Custom(format!(
            "{memory}\
             initial sums = 0;\n\
             always @(posedge clock) begin\n    sums <= memory[read_address];\n    \
             if (write) memory[write_address] <= write_data;\nend\n"
        ))
    }

    fn timing(&self) -> Vec<TimingInfo> {
        let inputs = ["read_address", "write", "write_address", "write_data"];
        vec![TimingInfo {
            name: "sum_rows".into(),
            clock: "clock".into(),
            inputs: inputs.map(Into::into).to_vec(),
            outputs: vec!["sums".into()],
        }]
    }
}
