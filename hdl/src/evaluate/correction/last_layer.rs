//! The weights of the last layer: a row of them is read a clock.
//!
//! ```text
//!                    +-------------+
//!   read_row 3      =>             => weights 16 x 11
//!   write_enable    ->  LastLayer  |
//!   write_place 7   =>             |
//!   write_data 11   =>             |
//!                    +-------------+
//! ```
//!
//! Handshake: none. A weight's place is its unit, with 64 added for the other side's view. Nobody reads while a network is loaded.
//! Latency: one clock. Throughput: one row a clock.
//! Cost: 16 memories of 8 x 11, in look-up tables; 176 flip-flops.
//! Model: `host/model/src/evaluate/network/mod.rs`.

use super::products::{LAST_BITS, ROW, ROWS, ROW_BITS};
use hayasashi_spec::network::CHIP_UNITS;
use rust_hdl::core::timing::TimingInfo;
use rust_hdl::prelude::*;
use std::fmt::Write;

/// Wires of a place: 16 columns, then 8 rows.
pub const PLACE_BITS: usize = 7;
const _: () = assert!(ROW * ROWS == 2 * CHIP_UNITS && ROW * ROWS == 1 << PLACE_BITS);
const WEIGHTS_WIDTH: usize = ROW * LAST_BITS;

/// Memory of the last layer.
#[derive(LogicBlock)]
pub struct LastLayer {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The row that is read.
    pub read_row: Signal<In, Bits<ROW_BITS>>,
    /// A weight is written in this clock.
    pub write_enable: Signal<In, Bit>,
    /// Its place.
    pub write_place: Signal<In, Bits<PLACE_BITS>>,
    /// The weight.
    pub write_data: Signal<In, Bits<LAST_BITS>>,
    /// The weights of a row, one clock later.
    pub weights: Signal<Out, Bits<WEIGHTS_WIDTH>>,
    _memory: [u16; ROW * ROWS],
    _stale: bool,
}

impl Default for LastLayer {
    fn default() -> Self {
        LastLayer {
            clock: Default::default(),
            read_row: Default::default(),
            write_enable: Default::default(),
            write_place: Default::default(),
            write_data: Default::default(),
            weights: Default::default(),
            _memory: [0; ROW * ROWS],
            _stale: true,
        }
    }
}

impl Logic for LastLayer {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            if self._stale {
                self._stale = false;
                let row = &self._memory[ROW * self.read_row.val().to_u8() as usize..][..ROW];
                let mut out = [false; WEIGHTS_WIDTH];
                for (wires, weight) in out.chunks_exact_mut(LAST_BITS).zip(row) {
                    wires.iter_mut().enumerate().for_each(|(bit, wire)| *wire = weight >> bit & 1 != 0);
                }
                self.weights.next = Bits::Long(out.into());
            }
            if self.write_enable.val() {
                self._memory[self.write_place.val().to_u8() as usize] = self.write_data.val().to_u16();
                self._stale = true;
            }
        }
        self._stale |= self.read_row.changed;
    }

    fn connect(&mut self) {
        self.weights.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut text = String::from("initial weights = 0;\n");
        for column in 0..ROW {
            let (low, last) = (column * LAST_BITS, ROWS - 1);
            writeln!(
                text,
                "(* no_rw_check *) reg [{}:0] memory{column} [0:{last}];\n\
                 integer row{column};\n\
                 initial for (row{column} = 0; row{column} <= {last}; row{column} = row{column} + 1) \
                 memory{column}[row{column}] = 0;\n\
                 always @(posedge clock) begin\n    \
                 if (write_enable && write_place[3:0] == {column}) memory{column}[write_place[6:4]] <= write_data;\n    \
                 weights[{}:{low}] <= memory{column}[read_row];\nend",
                LAST_BITS - 1,
                low + LAST_BITS - 1,
            )
            .expect("writing to a string");
        }
        Verilog::Custom(text)
    }

    fn timing(&self) -> Vec<TimingInfo> {
        vec![TimingInfo {
            name: "last_layer".into(),
            clock: "clock".into(),
            inputs: ["read_row", "write_enable", "write_place", "write_data"].map(Into::into).into(),
            outputs: vec!["weights".into()],
        }]
    }
}
