//! A position that arrives byte by byte for one unit; the bytes go on to the next unit.
//!
//! ```text
//!              +-----------+
//!   valid     ->           -> valid_out
//!   data 8    =>  Arrival  => data_out 8
//!   start     ->           -> start_out
//!   clock     ->           => position 512
//!              +-----------+
//! ```
//!
//! Handshake: a byte is taken in each clock with `valid`, the first byte of the position first. `position` is complete
//! one clock after the last byte was taken; `start_out` is `start` of the clock before.
//! Latency: one clock to `valid_out`, `data_out` and `start_out`. Throughput: one byte per clock.
//! Absent: a count of the bytes (`link::position_runner`).
//! Cost: 522 flip-flops. Between two units there are eleven wires instead of 512. No two of these registers in a row
//! hold the same at the same time, so that synthesis does not merge them.
//! Model: none; the bytes do not change.

use rust_hdl::prelude::*;

/// Collects the bytes of a position.
#[derive(LogicBlock, Default)]
pub struct Arrival {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// A byte of a position.
    pub valid: Signal<In, Bit>,
    /// Its value.
    pub data: Signal<In, Bits<8>>,
    /// The units start, see `link::position_runner`.
    pub start: Signal<In, Bit>,
    /// `valid`, a clock later.
    pub valid_out: Signal<Out, Bit>,
    /// `data`, a clock later.
    pub data_out: Signal<Out, Bits<8>>,
    /// `start`, a clock later.
    pub start_out: Signal<Out, Bit>,
    /// The last 64 bytes, the first one lowest.
    pub position: Signal<Out, Bits<512>>,
    fresh: DFF<Bit>,
    fresh_data: DFF<Bits<8>>,
    starting: DFF<Bit>,
    image: DFF<Bits<512>>,
}

impl Logic for Arrival {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, fresh, fresh_data, starting, image);
        self.fresh.d.next = self.valid.val();
        self.fresh_data.d.next = self.data.val();
        self.starting.d.next = self.start.val();
        if self.fresh.q.val() {
            self.image.d.next = (self.image.q.val() >> 8) | (bit_cast::<512, 8>(self.fresh_data.q.val()) << 504);
        }
        self.valid_out.next = self.fresh.q.val();
        self.data_out.next = self.fresh_data.q.val();
        self.start_out.next = self.starting.q.val();
        self.position.next = self.image.q.val();
    }
}

crate::inputs!(Arrival: clock, valid, data, start);
