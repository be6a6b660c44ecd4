//! Holds the reset until all that was under way has left the chip.
//!
//! ```text
//!             +-----------+
//!   clock    -> ResetHold -> reset
//!   request  ->           |
//!             +-----------+
//! ```
//!
//! Handshake: `reset` is high from the clock after `request` until [`HOLD_CLOCKS`] clocks after it. It is low after
//! configuration: the registers start as a reset leaves them.
//! Latency: one clock. Throughput: a `request` during a reset starts the time again. Cost: 11 flip-flops.
//! Model: none (a model is made anew). Absent: a synchroniser (see [`super::uart_chip`]).
//!
//! Why so long: only what decides what happens next is reset: states, flags, pointers and counters. The pipelines go on, and
//! the moves of the groups that `movegen::pick` holds are made, but nobody looks at the results.

use crate::movegen::{move_maker::MOVE_CLOCKS, pipeline::RESULT_CLOCKS};
use hayasashi_spec::piece::SQUARES;
use rust_hdl::prelude::*;

/// Clocks for which a reset goes on after it was requested.
pub const HOLD_CLOCKS: u64 = (1 << HOLD_BITS) - 1;
const HOLD_BITS: usize = 10;
// Three groups, a test of a pawn drop for each move, and twice the way from a move to its result.
const _: () = assert!(HOLD_CLOCKS > 2 * 3 * SQUARES as u64 + 4 * (MOVE_CLOCKS + RESULT_CLOCKS));

crate::constants! {
    Values {
        hold_clocks: Bits<HOLD_BITS> = HOLD_CLOCKS;
    }
}

/// Holds the reset.
#[derive(LogicBlock, Default)]
pub struct ResetHold {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Starts a reset.
    pub request: Signal<In, Bit>,
    /// The reset.
    pub reset: Signal<Out, Bit>,
    held: DFF<Bit>,
    clocks_left: DFF<Bits<HOLD_BITS>>,
    value: Values,
}

impl Logic for ResetHold {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held, clocks_left);
        self.reset.next = self.held.q.val();
        self.held.d.next = self.clocks_left.q.val().any() | self.request.val();
        if self.clocks_left.q.val().any() {
            self.clocks_left.d.next = self.clocks_left.q.val() - 1;
        }
        if self.request.val() {
            self.clocks_left.d.next = self.value.hold_clocks.val();
        }
    }
}
