//! A position that arrives word by word for one unit; the words go on to the next unit.
//!
//! ```text
//!              +-----------+
//!   valid     ->           -> valid_out
//!   data 64   =>  Arrival  => data_out 64
//!   clock     ->           => position 512
//!              +-----------+
//! ```
//!
//! Handshake: a word of eight bytes is taken in each clock with `valid`, the first one first. `position` is complete two clocks after the
//! last word was taken, and stays until the next one is.
//! Latency: one clock to `valid_out` and `data_out`. Throughput: one word per clock.
//! Absent: a count of the words (`link::position_loader`).
//! Cost: 577 flip-flops. Between two units there are 65 wires instead of 512. No two of these registers in a row
//! hold the same at the same time, so that synthesis does not merge them.
//! Model: none; the bytes do not change.

use rust_hdl::prelude::*;

/// Collects the words of a position.
#[derive(LogicBlock, Default)]
pub struct Arrival {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// A word of a position.
    pub valid: Signal<In, Bit>,
    /// Its value, the first byte lowest.
    pub data: Signal<In, Bits<64>>,
    /// `valid`, a clock later.
    pub valid_out: Signal<Out, Bit>,
    /// `data`, a clock later.
    pub data_out: Signal<Out, Bits<64>>,
    /// The last eight words, the first one lowest.
    pub position: Signal<Out, Bits<512>>,
    fresh: DFF<Bit>,
    fresh_data: DFF<Bits<64>>,
    image: DFF<Bits<512>>,
}

impl Logic for Arrival {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, fresh, fresh_data, image);
        self.fresh.d.next = self.valid.val();
        self.fresh_data.d.next = self.data.val();
        if self.fresh.q.val() {
            self.image.d.next = (self.image.q.val() >> 64) | (bit_cast::<512, 64>(self.fresh_data.q.val()) << 448);
        }
        self.valid_out.next = self.fresh.q.val();
        self.data_out.next = self.fresh_data.q.val();
        self.position.next = self.image.q.val();
    }
}

crate::inputs!(Arrival: clock, valid, data);
