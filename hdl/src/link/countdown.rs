//! A register of 12 bits that knows beforehand whether it is zero or one.
//!
//! ```text
//!        ┌───────────┐
//!        │           ├─12─▶ q
//!  d ─12▶│ countdown ├────▶ any   q is not zero
//!        │           ├────▶ last  q is one
//!        └───────────┘
//! ```
//!
//! Handshake: as a flip-flop's; whoever counts writes `q - 1` to `d`. The flags come from registers, so that a state
//! machine that looks at them need not compare. After power-on `q` is zero.
//! Latency: one clock. Throughput: a value a clock. Model: none (a counter is a number there).
//! Absent: counting, an enable.

use rust_hdl::prelude::*;

#[derive(LogicBlock, Default)]
pub struct Countdown {
    pub clock: Signal<In, Clock>,
    pub d: Signal<In, Bits<12>>,
    pub q: Signal<Out, Bits<12>>,
    pub any: Signal<Out, Bit>,
    pub last: Signal<Out, Bit>,
    count: DFF<Bits<12>>,
    not_zero: DFF<Bit>,
    is_one: DFF<Bit>,
}

impl Logic for Countdown {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count, not_zero, is_one);
        self.count.d.next = self.d.val();
        self.not_zero.d.next = self.d.val().any();
        self.is_one.d.next = self.d.val() == 1;
        self.q.next = self.count.q.val();
        self.any.next = self.not_zero.q.val();
        self.last.next = self.is_one.q.val();
    }
}
