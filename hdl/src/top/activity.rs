//! Stretches the bytes of a serial line to what an eye can see.
//!
//! ```text
//!           +----------+
//!   clock  ->          -> lit
//!   rx     -> Activity |
//!   tx     ->          |
//!           +----------+
//! ```
//!
//! Handshake: none. `lit` is high from a low level of either line until both have been high for [`STRETCH_CLOCKS`]
//! clocks (70 ms at 60 MHz).
//! Latency: 3 clocks. Cost: 24 flip-flops. Model: none (below the byte stream). Absent: two LEDs, one for each direction.
//! Throughput: both lines in every clock.

use crate::link::synchroniser::Synchroniser;
use rust_hdl::prelude::*;

/// Clocks for which `lit` outlasts the lines.
pub const STRETCH_CLOCKS: u32 = (1 << 22) - 1;

/// Lights an LED while bytes pass.
#[derive(LogicBlock)]
pub struct Activity {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The line to the chip, high when idle.
    pub rx: Signal<In, Bit>,
    /// The line from the chip, high when idle.
    pub tx: Signal<In, Bit>,
    /// A line was low within the last clocks.
    pub lit: Signal<Out, Bit>,
    low: Synchroniser,
    clocks_left: DFF<Bits<22>>,
    stretch: Constant<Bits<22>>,
}

impl Default for Activity {
    fn default() -> Self {
        Activity {
            clock: Default::default(),
            rx: Default::default(),
            tx: Default::default(),
            lit: Default::default(),
            low: Default::default(),
            clocks_left: Default::default(),
            stretch: Constant::new((STRETCH_CLOCKS as u64).into()),
        }
    }
}

impl Logic for Activity {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, clocks_left);
        self.low.clock.next = self.clock.val();
        self.low.raw.next = !self.rx.val() | !self.tx.val();
        self.lit.next = self.clocks_left.q.val().any();
        if self.low.value.val() {
            self.clocks_left.d.next = self.stretch.val();
        } else if self.clocks_left.q.val().any() {
            self.clocks_left.d.next = self.clocks_left.q.val() - 1;
        }
    }
}
