//! The weights: one block RAM for each slot, read for both views at once.
//!
//! ```text
//!                   +-----------+
//!   own 446        =>           => own_weights 88 x 9
//!   their 446      =>  Weights  => their_weights 88 x 9
//!   write_enable   ->           |
//!   write_slot 7   =>           |
//!   write_data 9   =>           |
//!                   +-----------+
//! ```
//!
//! Handshake: with `write_enable` a weight is written to the address that the own view points to, in place of the own
//! view's read of this slot ([`super::views`]).
//! Latency: one clock. Throughput: two reads of each slot per clock.
//! Absent: reads while a table is loaded.
//! Cost: 88 block RAMs of 2048 x 9. An address is `row * 32 + code`; the slots of hand kinds have the count for a code.
//! What is read from a slot in the clock of a write is undefined (`no_rw_check`; without it yosys takes two block RAMs
//! for a slot).
//! Model: `host/model/src/evaluate/table.rs`.

use super::views::View;
use crate::network::{bus, emit::Drawing, width, Value, Word};
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
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Addresses of the mover's view.
    pub own: Signal<In, Bits<{ width::<View>() }>>,
    /// Addresses of the other side's view.
    pub their: Signal<In, Bits<{ width::<View>() }>>,
    /// A weight is written in this clock, at the address of `own`.
    pub write_enable: Signal<In, Bit>,
    /// The slot that is written.
    pub write_slot: Signal<In, Bits<7>>,
    /// The weight.
    pub write_data: Signal<In, Bits<WEIGHT_BITS>>,
    /// Weights of the mover's view, one clock later.
    pub own_weights: Signal<Out, Bits<WEIGHTS_WIDTH>>,
    /// Weights of the other side's view.
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
    fn read(&self, view: &Bits<{ width::<View>() }>) -> Bits<WEIGHTS_WIDTH> {
        let view = bus::read::<View, _>(view);
        let mut out = [false; WEIGHTS_WIDTH];
        for slot in 0..SLOTS {
            let weight = self._memory[place(&view, slot)];
            for bit in 0..WEIGHT_BITS {
                out[WEIGHT_BITS * slot + bit] = weight >> bit & 1 != 0;
            }
        }
        Bits::Long(out.into())
    }
}

/// The address of a slot that a view reads: row and code.
fn address<W: Word>(view: &View<W>, slot: usize) -> W {
    let code =
        if slot < SQUARES { W::join(&view.code.map(|plane| plane.bit(slot))) } else { view.held[slot - SQUARES] };
    W::join(&[code, view.row])
}

/// Where a slot is read, or written, in the memory of all slots.
fn place(view: &View<Value>, slot: usize) -> usize {
    slot << ADDRESS_BITS | address(view, slot).bits as usize
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
                    let place = place(&bus::read::<View, _>(&self.own.val()), slot);
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
        let mut drawing = Drawing::start(None);
        let mut addresses = Vec::new();
        for (port, name) in [("own", "own_address"), ("their", "their_address")] {
            let view = drawing.input::<View>(port);
            addresses.extend((0..SLOTS).map(|slot| address(&view, slot).named_at(name, slot)));
        }
        let mut text = drawing.wires(&addresses);
        for slot in 0..SLOTS {
            let (low, high) = (WEIGHT_BITS * slot, WEIGHT_BITS * slot + WEIGHT_BITS - 1);
            writeln!(
                text,
                "(* no_rw_check *) reg [8:0] slot{slot} [0:2047];\n\
                 wire write{slot} = write_enable && write_slot == 7'd{slot};\n\
                 always @(posedge clock) if (write{slot}) slot{slot}[own_address_{slot}] <= write_data; \
                 else own_weights[{high}:{low}] <= slot{slot}[own_address_{slot}];\n\
                 always @(posedge clock) their_weights[{high}:{low}] <= slot{slot}[their_address_{slot}];"
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
