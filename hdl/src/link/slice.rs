//! A register slice: offers each byte from registers, and takes the next one without looking at the taker.
//!
//! ```text
//!            ┌───────┐
//!  valid ───▶│       ├───▶ tvalid
//!  data ──8─▶│ slice ├─8─▶ tdata
//!  last ────▶│       ├───▶ tlast
//!  ready ◀───┤       │◀─── tready
//!            └───────┘◀─── clear
//! ```
//!
//! Handshake: on both sides a byte passes in a clock with valid and ready. What is offered stays until it is taken or
//! `clear` is high, which empties the slice. `ready` comes from a register.
//! Latency: one clock. Throughput: one byte a clock. Model: none (the bytes stay the same).

use rust_hdl::prelude::*;

#[derive(LogicBlock, Default)]
pub struct Slice {
    pub clock: Signal<In, Clock>,
    pub clear: Signal<In, Bit>,
    pub valid: Signal<In, Bit>,
    pub data: Signal<In, Bits<8>>,
    pub last: Signal<In, Bit>,
    pub ready: Signal<Out, Bit>,
    pub tvalid: Signal<Out, Bit>,
    pub tdata: Signal<Out, Bits<8>>,
    pub tlast: Signal<Out, Bit>,
    pub tready: Signal<In, Bit>,
    offered: DFF<Bit>,
    offered_data: DFF<Bits<8>>,
    offered_last: DFF<Bit>,
    /// A byte that came in the clock in which the taker stopped.
    spare: DFF<Bit>,
    spare_data: DFF<Bits<8>>,
    spare_last: DFF<Bit>,
}

impl Logic for Slice {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, offered, offered_data, offered_last, spare, spare_data, spare_last);
        self.ready.next = !self.spare.q.val();
        self.tvalid.next = self.offered.q.val();
        self.tdata.next = self.offered_data.q.val();
        self.tlast.next = self.offered_last.q.val();
        if !self.offered.q.val() | self.tready.val() {
            if self.spare.q.val() {
                self.offered.d.next = true;
                self.offered_data.d.next = self.spare_data.q.val();
                self.offered_last.d.next = self.spare_last.q.val();
                self.spare.d.next = false;
            } else {
                self.offered.d.next = self.valid.val();
                self.offered_data.d.next = self.data.val();
                self.offered_last.d.next = self.last.val();
            }
        } else if self.valid.val() & !self.spare.q.val() {
            self.spare.d.next = true;
            self.spare_data.d.next = self.data.val();
            self.spare_last.d.next = self.last.val();
        }
        if self.clear.val() {
            self.offered.d.next = false;
            self.spare.d.next = false;
        }
    }
}
