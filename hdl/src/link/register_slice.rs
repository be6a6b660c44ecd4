//! A register slice: cuts a stream of bytes in two, so that no path goes through from either side to the other.
//!
//! ```text
//!               ┌────────────────┐
//!  in_valid ───▶│                ├───▶ out_valid
//!  in_data ──8─▶│ register_slice ├─8─▶ out_data
//!  in_ready ◀───┤                │◀─── out_ready
//!               └────────────────┘
//! ```
//!
//! Handshake: a byte passes in a clock with valid and ready, on each side. `in_ready` and `out_valid` come from
//! registers. Latency one clock, throughput one byte per clock. Room for two bytes: one that waits at the output and
//! one that came while it waited. Model: none (the byte stream is the same).

use rust_hdl::prelude::*;

/// Two registers in a stream.
#[derive(LogicBlock, Default)]
pub struct RegisterSlice {
    pub clock: Signal<In, Clock>,
    pub in_valid: Signal<In, Bit>,
    pub in_data: Signal<In, Bits<8>>,
    pub in_ready: Signal<Out, Bit>,
    pub out_valid: Signal<Out, Bit>,
    pub out_data: Signal<Out, Bits<8>>,
    pub out_ready: Signal<In, Bit>,
    first: DFF<Bits<8>>,
    first_valid: DFF<Bit>,
    second: DFF<Bits<8>>,
    second_valid: DFF<Bit>,
}

impl Logic for RegisterSlice {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, first, first_valid, second, second_valid);
        self.in_ready.next = !self.second_valid.q.val();
        self.out_valid.next = self.first_valid.q.val();
        self.out_data.next = self.first.q.val();
        if self.out_ready.val() | !self.first_valid.q.val() {
            if self.second_valid.q.val() {
                self.first.d.next = self.second.q.val();
                self.first_valid.d.next = true;
                self.second_valid.d.next = false;
            } else {
                self.first.d.next = self.in_data.val();
                self.first_valid.d.next = self.in_valid.val();
            }
        } else if self.in_valid.val() & !self.second_valid.q.val() {
            self.second.d.next = self.in_data.val();
            self.second_valid.d.next = true;
        }
    }
}
