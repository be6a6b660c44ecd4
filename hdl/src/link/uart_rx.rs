//! Receives bytes from a serial line: 8 data bits, no parity, 1 stop bit.
//!
//! ```text
//!           +--------+
//!   clock  ->        -> valid
//!   line   -> UartRx => data 8
//!          |         -> framing_error
//!          |         -> line_low
//!           +--------+
//! ```
//!
//! Handshake: `valid` is high for one clock with `data`. `framing_error` is high for one clock where the stop bit is
//! missing, and the byte is dropped; then the line must be idle before the next start bit counts. `line_low` is the line as the
//! clock sees it, inverted.
//! Latency: 9.5 bits and 3 clocks from the start bit's edge. Throughput: the line's. Cost: 40 flip-flops.
//! Method: a phase accumulator, set half a bit back by each start bit's edge, samples each bit within a clock of its middle.
//! Model: none (below the byte stream). Proof: `hdl/formal/uart`. Absent: parity, majority votes, flow control;
//! breaks (`break_detector`); a reset: every state recovers.

use super::baud::{Divisor, PHASE_BITS};
use super::synchroniser::Synchroniser;
use rust_hdl::prelude::*;

/// What the receiver waits for.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum UartRxState {
    /// A start bit's edge.
    Idle,
    /// The middle of the start bit.
    Start,
    /// The middle of a data bit.
    Data,
    /// The middle of the stop bit.
    Stop,
    /// The idle line, after a byte without stop bit.
    Break,
}

/// Serial receiver.
#[derive(LogicBlock)]
pub struct UartRx {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The line, high when idle; any phase.
    pub line: Signal<In, Bit>,
    /// For one clock: a byte.
    pub valid: Signal<Out, Bit>,
    /// Its value.
    pub data: Signal<Out, Bits<8>>,
    /// For one clock: the stop bit is missing, the byte is dropped.
    pub framing_error: Signal<Out, Bit>,
    /// The line is low, two clocks ago.
    pub line_low: Signal<Out, Bit>,
    /// Of the inverted line, so that the power-on state is an idle line.
    low: Synchroniser,
    state: DFF<UartRxState>,
    phase: DFF<Bits<24>>,
    shift: DFF<Bits<8>>,
    received: DFF<Bits<3>>,
    sum: Signal<Local, Bits<25>>,
    tick: Signal<Local, Bit>,
    increment: Constant<Bits<25>>,
    /// Half a bit, and one clock that quantisation costs on average.
    first: Constant<Bits<24>>,
    high_bit: Constant<Bits<8>>,
}

impl UartRx {
    /// At this rate.
    pub fn new(divisor: Divisor) -> Self {
        UartRx {
            clock: Default::default(),
            line: Default::default(),
            valid: Default::default(),
            data: Default::default(),
            framing_error: Default::default(),
            line_low: Default::default(),
            low: Default::default(),
            state: Default::default(),
            phase: Default::default(),
            shift: Default::default(),
            received: Default::default(),
            sum: Default::default(),
            tick: Default::default(),
            increment: Constant::new((divisor.increment as u64).into()),
            first: Constant::new(((1u64 << (PHASE_BITS - 1)) + divisor.increment as u64).into()),
            high_bit: Constant::new(0x80u64.into()),
        }
    }
}

impl Logic for UartRx {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, phase, shift, received);
        self.low.clock.next = self.clock.val();
        self.low.raw.next = !self.line.val();
        self.line_low.next = self.low.value.val();
        self.sum.next = bit_cast::<25, 24>(self.phase.q.val()) + self.increment.val();
        self.tick.next = self.sum.val().get_bit(24);
        self.phase.d.next = bit_cast::<24, 25>(self.sum.val());
        self.valid.next = false;
        self.data.next = self.shift.q.val();
        self.framing_error.next = false;
        match self.state.q.val() {
            UartRxState::Idle => {
                self.phase.d.next = self.first.val();
                if self.low.value.val() {
                    self.state.d.next = UartRxState::Start;
                }
            }
            UartRxState::Start => {
                if self.tick.val() {
                    self.received.d.next = 0.into();
                    if self.low.value.val() {
                        self.state.d.next = UartRxState::Data;
                    } else {
                        self.state.d.next = UartRxState::Idle;
                    }
                }
            }
            UartRxState::Data => {
                if self.tick.val() {
                    self.shift.d.next = self.shift.q.val() >> 1;
                    if !self.low.value.val() {
                        self.shift.d.next = (self.shift.q.val() >> 1) | self.high_bit.val();
                    }
                    self.received.d.next = self.received.q.val() + 1;
                    if self.received.q.val().all() {
                        self.state.d.next = UartRxState::Stop;
                    }
                }
            }
            UartRxState::Stop => {
                if self.tick.val() {
                    if self.low.value.val() {
                        self.framing_error.next = true;
                        self.state.d.next = UartRxState::Break;
                    } else {
                        self.valid.next = true;
                        self.state.d.next = UartRxState::Idle;
                    }
                }
            }
            UartRxState::Break => {
                if !self.low.value.val() {
                    self.state.d.next = UartRxState::Idle;
                }
            }
        }
    }
}
