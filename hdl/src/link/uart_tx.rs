//! Sends bytes on a serial line: 8 data bits, no parity, 1 stop bit.
//!
//! ```text
//!           ┌─────────┐
//!  valid ──▶│         │
//!  data ─8─▶│ uart_tx ├──▶ line
//!  ready ◀──┤         │
//!           └─────────┘
//! ```
//!
//! Handshake: a byte is taken in a clock with `valid` and `ready`; `ready` comes back with the end of its stop bit.
//! Latency: the start bit begins one clock later. Throughput: ten bits and at most two clocks a byte.
//! Model: none (below the byte stream). Absent: a queue, breaks.

use super::baud::Divisor;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct UartTx {
    pub clock: Signal<In, Clock>,
    pub valid: Signal<In, Bit>,
    pub data: Signal<In, Bits<8>>,
    pub ready: Signal<Out, Bit>,
    pub line: Signal<Out, Bit>,
    /// The inverted line, so that the power-on state is an idle line.
    low: DFF<Bit>,
    busy: DFF<Bit>,
    phase: DFF<Bits<24>>,
    shift: DFF<Bits<8>>,
    /// Bits behind the present one, the stop bit among them.
    left: DFF<Bits<4>>,
    sum: Signal<Local, Bits<25>>,
    increment: Constant<Bits<25>>,
    bits_left: Constant<Bits<4>>,
}

impl UartTx {
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
            left: Default::default(),
            sum: Default::default(),
            increment: Constant::new((divisor.increment as u64).into()),
            bits_left: Constant::new(9u64.into()),
        }
    }
}

impl Logic for UartTx {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, low, busy, phase, shift, left);
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
                self.left.d.next = self.bits_left.val();
            }
        } else if self.sum.val().get_bit(24) {
            self.left.d.next = self.left.q.val() - 1;
            if !self.left.q.val().any() {
                self.busy.d.next = false;
            } else if self.left.q.val() == 1 {
                self.low.d.next = false;
            } else {
                self.low.d.next = !self.shift.q.val().get_bit(0);
                self.shift.d.next = self.shift.q.val() >> 1;
            }
        }
    }
}
