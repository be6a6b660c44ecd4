//! A position that arrives byte by byte, for one unit, and the next unit's on from here.
//!
//! ```text
//!            ┌─────────┐
//!  valid ───▶│         ├───▶ valid_out
//!  data ──8─▶│ arrival ├─8─▶ data_out
//!  start ─2─▶│         ├─2─▶ start_out
//!            │         ├512▶ position
//!            └─────────┘
//! ```
//!
//! Handshake: a byte is taken in each clock with `valid`, the position's first byte first; `position` is whole a clock after
//! the last one was taken, when `start_out` tells of a `start` in the clock behind it.
//! Latency: one clock to `valid_out`, `data_out`, `start_out`. Throughput: one byte a clock.
//! Cost: 523 flip-flops, and only eleven wires between the units instead of 512. In a row of them no two registers hold the
//! same at the same time, so that synthesis does not make one of them. Model: none (the bytes stay the same).

use rust_hdl::prelude::*;

#[derive(LogicBlock, Default)]
pub struct Arrival {
    pub clock: Signal<In, Clock>,
    pub valid: Signal<In, Bit>,
    pub data: Signal<In, Bits<8>>,
    pub start: Signal<In, Bits<2>>,
    pub valid_out: Signal<Out, Bit>,
    pub data_out: Signal<Out, Bits<8>>,
    pub start_out: Signal<Out, Bits<2>>,
    pub position: Signal<Out, Bits<512>>,
    fresh: DFF<Bit>,
    fresh_data: DFF<Bits<8>>,
    starting: DFF<Bits<2>>,
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
