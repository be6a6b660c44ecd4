//! The weights of the first layer, in block RAM: a feature's weights are read a clock for each side.
//!
//! ```text
//!                      +--------------+
//!   addresses 24      =>              => even_weights 64 x 8    for the side that moves at even plies
//!   write_enable      ->  FirstLayer  => odd_weights 64 x 8     for the other one
//!   write_column 4    =>              |
//!   write_address 12  =>              |
//!   write_data 32     =>              |
//!                      +--------------+
//! ```
//!
//! Handshake: a write takes the place of the even side's reads. Rows of code 0 are zero, since none is ever written.
//! Latency: one clock. Throughput: a row for each side a clock.
//! Absent: reads while a network is loaded.
//! Cost: 64 block RAMs of 4096 x 9 (computed), one for each unit.
//! Model: `host/model/src/evaluate/network/mod.rs`.

use super::features::{Addresses, ADDRESS_BITS};
use crate::network::{bus, width, Wires};
use hayasashi_spec::network::CHIP_UNITS;
use hayasashi_spec::piece::CODE_BITS;
use rust_hdl::core::timing::TimingInfo;
use rust_hdl::prelude::*;
use std::fmt::Write;

/// Wires of a weight, two's complement.
pub const WEIGHT_BITS: usize = 8;
/// Units whose weights are written in a clock.
const COLUMN_UNITS: usize = 4;
/// Wires of their weights.
pub const COLUMN_BITS: usize = COLUMN_UNITS * WEIGHT_BITS;
const COLUMNS: usize = CHIP_UNITS / COLUMN_UNITS;
const ROWS: usize = 1 << ADDRESS_BITS;

/// Layout of the weights of a feature, unit by unit.
pub type FeatureWeights = [Wires<WEIGHT_BITS>; CHIP_UNITS];
const WEIGHTS_WIDTH: usize = width::<FeatureWeights>();

/// Memory of the first layer.
#[derive(LogicBlock)]
pub struct FirstLayer {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// What is read.
    pub addresses: Signal<In, Bits<{ width::<Addresses>() }>>,
    /// Weights of four units are written in this clock.
    pub write_enable: Signal<In, Bit>,
    /// Their units: four times this, and the next three.
    pub write_column: Signal<In, Bits<4>>,
    /// Their feature.
    pub write_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// The weights.
    pub write_data: Signal<In, Bits<COLUMN_BITS>>,
    /// Weights for the side that moves at even plies, one clock later.
    pub even_weights: Signal<Out, Bits<WEIGHTS_WIDTH>>,
    /// Weights for the other one.
    pub odd_weights: Signal<Out, Bits<WEIGHTS_WIDTH>>,
    /// By address and column.
    _memory: Vec<u32>,
    _stale: bool,
}

impl Default for FirstLayer {
    fn default() -> Self {
        FirstLayer {
            clock: Default::default(),
            addresses: Default::default(),
            write_enable: Default::default(),
            write_column: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            even_weights: Default::default(),
            odd_weights: Default::default(),
            _memory: vec![0; ROWS * COLUMNS],
            _stale: true,
        }
    }
}

impl FirstLayer {
    fn read(&self, address: u128) -> Bits<WEIGHTS_WIDTH> {
        let mut out = [false; WEIGHTS_WIDTH];
        let row = &self._memory[address as usize * COLUMNS..][..COLUMNS];
        for (wires, weights) in out.chunks_exact_mut(COLUMN_BITS).zip(row) {
            wires.iter_mut().enumerate().for_each(|(bit, wire)| *wire = weights >> bit & 1 != 0);
        }
        Bits::Long(out.into())
    }
}

impl Logic for FirstLayer {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            if self._stale {
                self._stale = false;
                let addresses = bus::read::<Addresses, _>(&self.addresses.val());
                self.even_weights.next = self.read(addresses.even.bits);
                self.odd_weights.next = self.read(addresses.odd.bits);
            }
            if self.write_enable.val() {
                let (row, column) = (self.write_address.val().to_u16(), self.write_column.val().to_u8());
                self._memory[row as usize * COLUMNS + column as usize] = self.write_data.val().to_u32();
                self._stale = true;
            }
        }
        self._stale |= self.addresses.changed;
    }

    fn connect(&mut self) {
        self.even_weights.connect();
        self.odd_weights.connect();
    }

    fn hdl(&self) -> Verilog {
        let high = ADDRESS_BITS - 1;
        let mut text = format!(
            "initial begin\n    even_weights = 0;\n    odd_weights = 0;\nend\n\
             wire [{high}:0] even = write_enable ? write_address : addresses[{high}:0];\n\
             wire [{high}:0] odd = addresses[{}:{ADDRESS_BITS}];\n",
            2 * ADDRESS_BITS - 1,
        );
        for unit in 0..CHIP_UNITS {
            let wires = |at: usize| format!("[{}:{}]", WEIGHT_BITS * (at + 1) - 1, WEIGHT_BITS * at);
            let (weight, data, column) = (wires(unit), wires(unit % COLUMN_UNITS), unit / COLUMN_UNITS);
            writeln!(
                text,
                "(* no_rw_check *) reg [{}:0] memory{unit} [0:{}];\n\
                 integer row{unit};\n\
                 initial for (row{unit} = 0; row{unit} < {ROWS}; row{unit} = row{unit} + {}) memory{unit}[row{unit}] = 0;\n\
                 always @(posedge clock) if (write_enable) begin\n    \
                 if (write_column == {column}) memory{unit}[even] <= write_data{data};\n\
                 end else even_weights{weight} <= memory{unit}[even];\n\
                 always @(posedge clock) odd_weights{weight} <= memory{unit}[odd];",
                WEIGHT_BITS - 1,
                ROWS - 1,
                1 << CODE_BITS,
            )
            .expect("writing to a string");
        }
        Verilog::Custom(text)
    }

    fn timing(&self) -> Vec<TimingInfo> {
        let inputs = ["addresses", "write_enable", "write_column", "write_address", "write_data"];
        vec![TimingInfo {
            name: "first_layer".into(),
            clock: "clock".into(),
            inputs: inputs.map(Into::into).into(),
            outputs: vec!["even_weights".into(), "odd_weights".into()],
        }]
    }
}
