//! Joins the chip's byte port with AXI-Stream: tells the ends of frames, and lets nothing pass in a reset.
//!
//! ```text
//!                +------+
//!   clock       ->      -> clear        for the skid buffer
//!   aresetn     ->      -> in_ready
//!   resetting   ->      -> out_valid
//!   in_valid    ->      => out_data 8
//!   in_data 8   => Port -> out_last
//!   out_ready   ->      =>              chip: `ports::ByteHost`
//!   chip        =>      |
//!                +------+
//! ```
//!
//! Handshake: on all four sides a byte passes in a clock with valid and ready. `out_last` goes with the END that closes
//! a frame, not with the one that opens it. `clear` is high, and nothing passes, from the clock with `aresetn` low until
//! the chip's reset is over: the chip is then ready for bytes again.
//! Latency: zero clocks. Throughput: one byte a clock each way. Cost: 1 flip-flop. Model: none (above the byte stream).
//! Absent: the length of the reset (`top::reset_hold`).

use crate::ports::ByteHost;
use hayasashi_spec::frame;
use rust_hdl::prelude::*;

crate::constants! {
    Values {
        end: Bits<8> = frame::END;
    }
}

/// Frame ends for the byte port, and silence in a reset.
#[derive(LogicBlock, Default)]
pub struct Port {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Reset, active low; the chip has it too.
    pub aresetn: Signal<In, Bit>,
    /// The chip's reset goes on.
    pub resetting: Signal<In, Bit>,
    /// The skid buffer drops what it has; high to the end of the chip's reset.
    pub clear: Signal<Out, Bit>,
    /// A byte for the chip.
    pub in_valid: Signal<In, Bit>,
    /// Its value.
    pub in_data: Signal<In, Bits<8>>,
    /// It is taken in this clock; low while `clear`.
    pub in_ready: Signal<Out, Bit>,
    /// A byte from the chip; low while `clear`.
    pub out_valid: Signal<Out, Bit>,
    /// Its value.
    pub out_data: Signal<Out, Bits<8>>,
    /// It closes a frame.
    pub out_last: Signal<Out, Bit>,
    /// It is taken in this clock.
    pub out_ready: Signal<In, Bit>,
    /// The chip's byte port.
    pub chip: ByteHost,
    /// Bytes have come since the last END.
    in_frame: DFF<Bit>,
    is_end: Signal<Local, Bit>,
    silent: Signal<Local, Bit>,
    value: Values,
}

impl Logic for Port {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, in_frame);
        self.silent.next = !self.aresetn.val() | self.resetting.val();
        self.clear.next = self.silent.val();
        self.is_end.next = self.chip.tx_data.val() == self.value.end.val();
        self.out_data.next = self.chip.tx_data.val();
        self.out_last.next = self.is_end.val() & self.in_frame.q.val();
        if self.chip.tx_valid.val() & self.out_ready.val() {
            self.in_frame.d.next = !self.is_end.val();
        }
        self.chip.rx_valid.next = self.in_valid.val() & !self.silent.val();
        self.chip.rx_data.next = self.in_data.val();
        self.in_ready.next = self.chip.rx_ready.val() & !self.silent.val();
        self.out_valid.next = self.chip.tx_valid.val() & !self.silent.val();
        self.chip.tx_ready.next = self.out_ready.val();
        if self.silent.val() {
            self.in_frame.d.next = false;
        }
    }
}
