//! The weights: one block RAM for each slot, read for both views at once.
//!
//! ```text
//!                 +-----------+
//!   own, their   =>           => own_weights 88 x 9
//!   write_enable ->  Weights  => their_weights 88 x 9
//!   write_slot   =>           |
//!   write_data   =>           |
//!                 +-----------+
//! ```
//!
//! Latency one clock, two reads of each slot per clock. A write goes where the own view points, in place of its
//! read of the slot ([`super::views`]). What is read from a slot in the clock in which it is written is not defined (`no_rw_check`: else yosys takes two block
//! RAMs for a slot). An address is `row * 32 + code`; the slots of hand kinds have the count for a code. Cost: 88 block RAMs of 2048 x 9.

use super::views::VIEW;
use crate::network::{bus_width, unpack, value::Value};
use hayasashi_spec::piece::*;
use hayasashi_spec::table::SLOTS;
use rust_hdl::core::timing::TimingInfo;
use rust_hdl::prelude::*;
use std::fmt::Write;

/// Bits of an address within a slot.
pub const ADDRESS_BITS: usize = 11;
/// Bits of a weight.
pub const WEIGHT_BITS: usize = 9;
/// Wires of the weights of one view.
pub const WEIGHTS_WIDTH: usize = SLOTS * WEIGHT_BITS;

/// Memory of all weights.
#[derive(LogicBlock)]
pub struct Weights {
    pub clock: Signal<In, Clock>,
    pub own: Signal<In, Bits<{ bus_width(VIEW) }>>,
    pub their: Signal<In, Bits<{ bus_width(VIEW) }>>,
    pub write_enable: Signal<In, Bit>,
    pub write_slot: Signal<In, Bits<7>>,
    pub write_data: Signal<In, Bits<WEIGHT_BITS>>,
    pub own_weights: Signal<Out, Bits<WEIGHTS_WIDTH>>,
    pub their_weights: Signal<Out, Bits<WEIGHTS_WIDTH>>,
    _memory: Vec<u16>,
    _stale: bool,
}

impl Default for Weights {
    fn default() -> Self {
        Weights {
            clock: Default::default(),
            own: Default::default(),
            their: Default::default(),
            write_enable: Default::default(),
            write_slot: Default::default(),
            write_data: Default::default(),
            own_weights: Default::default(),
            their_weights: Default::default(),
            _memory: vec![0; SLOTS << ADDRESS_BITS],
            _stale: true,
        }
    }
}

impl Weights {
    fn read(&self, view: &Bits<{ bus_width(VIEW) }>) -> Bits<WEIGHTS_WIDTH> {
        let fields = unpack(view, VIEW);
        let mut out = [false; WEIGHTS_WIDTH];
        for slot in 0..SLOTS {
            let weight = self._memory[place(&fields, slot)];
            for bit in 0..WEIGHT_BITS {
                out[WEIGHT_BITS * slot + bit] = weight >> bit & 1 != 0;
            }
        }
        Bits::Long(out.into())
    }
}

/// Where a slot is read, or written, for the fields of a view.
fn place(fields: &[Value], slot: usize) -> usize {
    let code = if slot < SQUARES {
        (0..CODE_BITS).fold(0, |code, i| code | ((fields[1 + i].bits >> slot & 1) as usize) << i)
    } else {
        (fields[6].bits >> (CODE_BITS * (slot - SQUARES))) as usize & ((1 << CODE_BITS) - 1)
    };
    slot << ADDRESS_BITS | (fields[0].bits as usize) << CODE_BITS | code
}

/// The address of a slot in Verilog, from the view on port `view`.
fn address(view: &str, slot: usize) -> String {
    let row = format!("{view}[5:0]");
    if slot < SQUARES {
        let bits: Vec<String> = (0..CODE_BITS).rev().map(|i| format!("{view}[{}]", 6 + SQUARES * i + slot)).collect();
        format!("{{{row}, {}}}", bits.join(", "))
    } else {
        let low = 6 + SQUARES * CODE_BITS + CODE_BITS * (slot - SQUARES);
        format!("{{{row}, {view}[{}:{low}]}}", low + CODE_BITS - 1)
    }
}

impl Logic for Weights {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            if self._stale {
                self._stale = false;
                self.own_weights.next = self.read(&self.own.val());
                self.their_weights.next = self.read(&self.their.val());
            }
            if self.write_enable.val() {
                let slot = self.write_slot.val().to_u8() as usize;
                if slot < SLOTS {
                    let place = place(&unpack(&self.own.val(), VIEW), slot);
                    self._memory[place] = self.write_data.val().to_u16();
                }
                self._stale = true;
            }
        }
        self._stale |= self.own.changed || self.their.changed;
    }

    fn connect(&mut self) {
        self.own_weights.connect();
        self.their_weights.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut text = String::new();
        for slot in 0..SLOTS {
            let (low, high) = (WEIGHT_BITS * slot, WEIGHT_BITS * slot + WEIGHT_BITS - 1);
            let (own, their) = (address("own", slot), address("their", slot));
            writeln!(
                text,
                "(* no_rw_check *) reg [8:0] slot{slot} [0:2047];\n\
                 wire write{slot} = write_enable && write_slot == 7'd{slot};\n\
                 wire [10:0] own{slot} = {own};\n\
                 wire [10:0] their{slot} = {their};\n\
                 always @(posedge clock) if (write{slot}) slot{slot}[own{slot}] <= write_data; \
                 else own_weights[{high}:{low}] <= slot{slot}[own{slot}];\n\
                 always @(posedge clock) their_weights[{high}:{low}] <= slot{slot}[their{slot}];"
            )
            .expect("writing to a string");
        }
        Verilog::Custom(text)
    }

    fn timing(&self) -> Vec<TimingInfo> {
        let inputs = ["own", "their", "write_enable", "write_slot", "write_data"];
        vec![TimingInfo {
            name: "weights".into(),
            clock: "clock".into(),
            inputs: inputs.map(Into::into).into(),
            outputs: vec!["own_weights".into(), "their_weights".into()],
        }]
    }
}
