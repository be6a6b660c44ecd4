//! Sends bytes on a serial line: 8 data bits, no parity, 1 stop bit.
//!
//! ```text
//!            +--------+
//!   clock   ->        -> ready
//!   valid   -> UartTx -> line
//!   data 8  =>        |
//!            +--------+
//! ```
//!
//! Handshake: a byte is taken in a clock with `valid` and `ready`; `ready` comes back with the end of its stop bit.
//! Latency: the start bit begins one clock later. Throughput: ten bits and at most two clocks a byte.
//! Cost: 38 flip-flops. Model: none (below the byte stream). Proof: `hdl/formal/uart`. Absent: a queue, breaks.

use super::baud::Divisor;
use rust_hdl::prelude::*;

/// Serial transmitter.
#[derive(LogicBlock)]
pub struct UartTx {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// A byte.
    pub valid: Signal<In, Bit>,
    /// Its value.
    pub data: Signal<In, Bits<8>>,
    /// It is taken in this clock.
    pub ready: Signal<Out, Bit>,
    /// The line, high when idle; from a register.
    pub line: Signal<Out, Bit>,
    /// The inverted line, so that the power-on state is an idle line.
    low: DFF<Bit>,
    busy: DFF<Bit>,
    phase: DFF<Bits<24>>,
    shift: DFF<Bits<8>>,
    /// Bits behind the present one, the stop bit among them.
    bits_left: DFF<Bits<4>>,
    sum: Signal<Local, Bits<25>>,
    increment: Constant<Bits<25>>,
    bits_after_start: Constant<Bits<4>>,
}

impl UartTx {
    /// At this rate.
    pub fn new(divisor: Divisor) -> Self {
        UartTx {
            clock: Default::default(),
            valid: Default::default(),
            data: Default::default(),
            ready: Default::default(),
            line: Default::default(),
            low: Default::default(),
            busy: Default::default(),
            phase: Default::default(),
            shift: Default::default(),
            bits_left: Default::default(),
            sum: Default::default(),
            increment: Constant::new((divisor.increment as u64).into()),
            bits_after_start: Constant::new(9u64.into()),
        }
    }
}

impl Logic for UartTx {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, low, busy, phase, shift, bits_left);
        self.line.next = !self.low.q.val();
        self.ready.next = !self.busy.q.val();
        self.sum.next = bit_cast::<25, 24>(self.phase.q.val()) + self.increment.val();
        self.phase.d.next = bit_cast::<24, 25>(self.sum.val());
        if !self.busy.q.val() {
            self.phase.d.next = 0.into();
            if self.valid.val() {
                self.busy.d.next = true;
                self.low.d.next = true;
                self.shift.d.next = self.data.val();
                self.bits_left.d.next = self.bits_after_start.val();
            }
        } else if self.sum.val().get_bit(24) {
            self.bits_left.d.next = self.bits_left.q.val() - 1;
            if !self.bits_left.q.val().any() {
                self.busy.d.next = false;
            } else if self.bits_left.q.val() == 1 {
                self.low.d.next = false;
            } else {
                self.low.d.next = !self.shift.q.val().get_bit(0);
                self.shift.d.next = self.shift.q.val() >> 1;
            }
        }
    }
}
