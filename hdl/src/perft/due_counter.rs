//! Counts moves that are still to come.
//!
//! ```text
//!             +------------+
//!   clock    -> DueCounter -> any   there is one
//!   add 10   =>            |
//!   take     ->            |
//!             +------------+
//! ```
//!
//! Handshake: none; `add` and `take` may come in one clock. Latency: one clock. Cost: 11 flip-flops. Model: none.
//! Throughput: one `add` and one `take` a clock.
//! Absent: a guard: no more is taken than was added.

use rust_hdl::prelude::*;

/// Counts moves that are still to come.
#[derive(LogicBlock, Default)]
pub struct DueCounter {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// So many more.
    pub add: Signal<In, Bits<10>>,
    /// One came.
    pub take: Signal<In, Bit>,
    /// There is one still to come.
    pub any: Signal<Out, Bit>,
    due: DFF<Bits<11>>,
    taken: Signal<Local, Bits<11>>,
}

impl Logic for DueCounter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, due);
        self.taken.next = 0.into();
        if self.take.val() {
            self.taken.next = 1.into();
        }
        self.due.d.next = self.due.q.val() + bit_cast::<11, 10>(self.add.val()) - self.taken.val();
        self.any.next = self.due.q.val().any();
    }
}
