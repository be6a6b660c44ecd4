//! Counts the clocks of a long request, and tells when a report of its progress is due.
//!
//! ```text
//!                +-------------+
//!   clock       ->             => clocks 64
//!   start       -> ReportTimer -> due
//!   run         ->             |
//!   interval 6  =>             |
//!                +-------------+
//! ```
//!
//! Handshake: `start` begins at zero; clocks with `run` are counted. `due` is high for one clock after each 2^`interval` of them,
//! unless `interval` is 0. `interval` stays while `run`.
//! Latency: `due` two clocks late. Throughput: one request at a time. Cost: 66 flip-flops. Model: none: it has no clock.
//! Absent: a guard against overflow, which is years away.

use rust_hdl::prelude::*;

/// Counts the clocks of a long request.
#[derive(LogicBlock, Default)]
pub struct ReportTimer {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// For one clock: a request begins.
    pub start: Signal<In, Bit>,
    /// It goes on.
    pub run: Signal<In, Bit>,
    /// Power of two of the clocks between two reports; 0 for none.
    pub interval: Signal<In, Bits<6>>,
    /// Clocks so far.
    pub clocks: Signal<Out, Bits<64>>,
    /// For one clock: a report is due.
    pub due: Signal<Out, Bit>,
    sum: DFF<Bits<64>>,
    /// The bit of the sum that changes when a report is due, and its value a clock ago.
    period: DFF<Bit>,
    period_before: DFF<Bit>,
    /// Intervals so far.
    periods: Signal<Local, Bits<64>>,
}

impl Logic for ReportTimer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sum, period, period_before);
        self.clocks.next = self.sum.q.val();
        self.periods.next = self.sum.q.val() >> self.interval.val();
        self.period.d.next = bit_cast::<1, 64>(self.periods.val()).any();
        self.period_before.d.next = self.period.q.val();
        self.due.next =
            self.run.val() & (self.period.q.val() != self.period_before.q.val()) & self.interval.val().any();
        if self.run.val() {
            self.sum.d.next = self.sum.q.val() + 1;
        }
        if self.start.val() {
            self.sum.d.next = 0.into();
            self.period.d.next = false;
            self.period_before.d.next = false;
        }
    }
}
