//! Skid buffer: a register stage for a stream, with `ready` from a register too.
//!
//! ```text
//!             +------------+
//!   clock    ->            -> tvalid
//!   clear    ->            => tdata N
//!   valid    -> SkidBuffer -> tlast
//!   data N   =>            -> ready
//!   last     ->            |
//!   tready   ->            |
//!             +------------+
//! ```
//!
//! Handshake: on both sides a value of N bits passes in a clock with valid and ready. `tdata` and `tlast` stay until they are taken
//! or `clear` is high, which empties the buffer.
//! Latency: one clock. Throughput: one value a clock. Cost: 2 N + 4 flip-flops. Model: none (the values stay the same).

use rust_hdl::prelude::*;

/// A register stage.
#[derive(LogicBlock, Default)]
pub struct SkidBuffer<const N: usize> {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Drops both values.
    pub clear: Signal<In, Bit>,
    /// A value comes.
    pub valid: Signal<In, Bit>,
    /// The value.
    pub data: Signal<In, Bits<N>>,
    /// It is the last one of a frame.
    pub last: Signal<In, Bit>,
    /// It is taken in this clock; from a register.
    pub ready: Signal<Out, Bit>,
    /// A value leaves.
    pub tvalid: Signal<Out, Bit>,
    /// The value.
    pub tdata: Signal<Out, Bits<N>>,
    /// It is the last one of a frame.
    pub tlast: Signal<Out, Bit>,
    /// It is taken in this clock.
    pub tready: Signal<In, Bit>,
    /// The value at the output.
    out_valid: DFF<Bit>,
    out_data: DFF<Bits<N>>,
    out_last: DFF<Bit>,
    /// The value behind it, which came in a clock in which the output was not taken.
    spare: DFF<Bit>,
    spare_data: DFF<Bits<N>>,
    spare_last: DFF<Bit>,
}

impl<const N: usize> Logic for SkidBuffer<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, out_valid, out_data, out_last, spare, spare_data, spare_last);
        self.ready.next = !self.spare.q.val();
        self.tvalid.next = self.out_valid.q.val();
        self.tdata.next = self.out_data.q.val();
        self.tlast.next = self.out_last.q.val();
        if !self.out_valid.q.val() | self.tready.val() {
            if self.spare.q.val() {
                self.out_valid.d.next = true;
                self.out_data.d.next = self.spare_data.q.val();
                self.out_last.d.next = self.spare_last.q.val();
                self.spare.d.next = false;
            } else {
                self.out_valid.d.next = self.valid.val();
                self.out_data.d.next = self.data.val();
                self.out_last.d.next = self.last.val();
            }
        } else if self.valid.val() & !self.spare.q.val() {
            self.spare.d.next = true;
            self.spare_data.d.next = self.data.val();
            self.spare_last.d.next = self.last.val();
        }
        if self.clear.val() {
            self.out_valid.d.next = false;
            self.spare.d.next = false;
        }
    }
}
