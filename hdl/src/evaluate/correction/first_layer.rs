//! The weights of the first layer, in block RAM: eight rows are read a clock.
//!
//! ```text
//!                      +--------------+
//!   addresses 80      =>              => own_weights 4 x 64 x 8     of the mover's view, by group and unit
//!   write_enable      ->  FirstLayer  => their_weights 4 x 64 x 8
//!   write_group 2     =>              |
//!   write_column 4    =>              |
//!   write_address 10  =>              |
//!   write_data 32     =>              |
//!                      +--------------+
//! ```
//!
//! Handshake: a write takes the place of the own view's reads. Rows of code 0 are zero, since none is ever written.
//! Latency: one clock. Throughput: a row of each group for each view a clock.
//! Absent: reads while a network is loaded.
//! Cost: 64 block RAMs of 1024 x 36, or 128 of 18 kbit (computed): for each group 16 columns of four units.
//! Model: `host/model/src/evaluate/network/mod.rs`.

use super::features::{Addresses, ADDRESS_BITS, GROUPS};
use crate::network::{bus, width, Wires};
use hayasashi_spec::network::CHIP_UNITS;
use hayasashi_spec::piece::CODE_BITS;
use rust_hdl::core::timing::TimingInfo;
use rust_hdl::prelude::*;
use std::fmt::Write;

/// Wires of a weight, two's complement.
pub const WEIGHT_BITS: usize = 8;
/// Units whose weights are in one block RAM.
pub const COLUMN_UNITS: usize = 4;
/// Wires of a row of a block RAM.
pub const COLUMN_BITS: usize = COLUMN_UNITS * WEIGHT_BITS;
/// Block RAMs side by side.
pub const COLUMNS: usize = CHIP_UNITS / COLUMN_UNITS;
const ROWS: usize = 1 << ADDRESS_BITS;

/// Layout of what is read for a view: by group, the weights of a feature unit by unit.
pub type FeatureWeights = [[Wires<WEIGHT_BITS>; CHIP_UNITS]; GROUPS];
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
    /// Their group of slots.
    pub write_group: Signal<In, Bits<2>>,
    /// Their units: four times this, and the next three.
    pub write_column: Signal<In, Bits<4>>,
    /// Their feature.
    pub write_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// The weights.
    pub write_data: Signal<In, Bits<COLUMN_BITS>>,
    /// Weights of the mover's view, one clock later.
    pub own_weights: Signal<Out, Bits<WEIGHTS_WIDTH>>,
    /// Weights of the other side's view.
    pub their_weights: Signal<Out, Bits<WEIGHTS_WIDTH>>,
    /// By group, address and column.
    _memory: Vec<u32>,
    _stale: bool,
}

impl Default for FirstLayer {
    fn default() -> Self {
        FirstLayer {
            clock: Default::default(),
            addresses: Default::default(),
            write_enable: Default::default(),
            write_group: Default::default(),
            write_column: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            own_weights: Default::default(),
            their_weights: Default::default(),
            _memory: vec![0; GROUPS * ROWS * COLUMNS],
            _stale: true,
        }
    }
}

impl FirstLayer {
    fn read(&self, addresses: [u128; GROUPS]) -> Bits<WEIGHTS_WIDTH> {
        let mut out = [false; WEIGHTS_WIDTH];
        for (group, address) in addresses.into_iter().enumerate() {
            let row = &self._memory[(group * ROWS + address as usize) * COLUMNS..][..COLUMNS];
            let wires = out[group * COLUMNS * COLUMN_BITS..].chunks_exact_mut(COLUMN_BITS);
            for (wires, weights) in wires.zip(row).filter(|(_, &weights)| weights != 0) {
                wires.iter_mut().enumerate().for_each(|(bit, wire)| *wire = weights >> bit & 1 != 0);
            }
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
                self.own_weights.next = self.read(addresses.own.map(|address| address.bits));
                self.their_weights.next = self.read(addresses.their.map(|address| address.bits));
            }
            if self.write_enable.val() {
                let group = self.write_group.val().to_u8() as usize;
                let row = group * ROWS + self.write_address.val().to_u16() as usize;
                let column = self.write_column.val().to_u8() as usize;
                self._memory[row * COLUMNS + column] = self.write_data.val().to_u32();
                self._stale = true;
            }
        }
        self._stale |= self.addresses.changed;
    }

    fn connect(&mut self) {
        self.own_weights.connect();
        self.their_weights.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut text = String::from("initial begin\n    own_weights = 0;\n    their_weights = 0;\nend\n");
        for group in 0..GROUPS {
            let wires = |view: usize| {
                let low = (view * GROUPS + group) * ADDRESS_BITS;
                format!("addresses[{}:{low}]", low + ADDRESS_BITS - 1)
            };
            writeln!(text, "wire [{}:0] own{group} = write_enable ? write_address : {};", ADDRESS_BITS - 1, wires(0))
                .expect("writing to a string");
            for column in 0..COLUMNS {
                let (memory, low) = (format!("memory{group}_{column}"), (group * COLUMNS + column) * COLUMN_BITS);
                let weights = format!("weights[{}:{low}]", low + COLUMN_BITS - 1);
                writeln!(
                    text,
                    "(* no_rw_check *) reg [{}:0] {memory} [0:{}];\n\
                     integer row{group}_{column};\n\
                     initial for (row{group}_{column} = 0; row{group}_{column} < {ROWS}; \
                     row{group}_{column} = row{group}_{column} + {}) {memory}[row{group}_{column}] = 0;\n\
                     always @(posedge clock) if (write_enable) begin\n    \
                     if (write_group == {group} && write_column == {column}) {memory}[own{group}] <= write_data;\n\
                     end else own_{weights} <= {memory}[own{group}];\n\
                     always @(posedge clock) their_{weights} <= {memory}[{}];",
                    COLUMN_BITS - 1,
                    ROWS - 1,
                    1 << CODE_BITS,
                    wires(1),
                )
                .expect("writing to a string");
            }
        }
        Verilog::Custom(text)
    }

    fn timing(&self) -> Vec<TimingInfo> {
        let inputs = ["addresses", "write_enable", "write_group", "write_column", "write_address", "write_data"];
        vec![TimingInfo {
            name: "first_layer".into(),
            clock: "clock".into(),
            inputs: inputs.map(Into::into).into(),
            outputs: vec!["own_weights".into(), "their_weights".into()],
        }]
    }
}
