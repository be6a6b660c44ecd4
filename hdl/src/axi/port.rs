//! Gives the chip's byte port a reset, and tells the ends of frames.
//!
//! ```text
//!                +------+
//!   clock       ->      -> clear        for the converters
//!   aresetn     ->      -> in_ready
//!   in_valid    ->      -> out_valid
//!   in_data 8   => Port => out_data 8
//!   out_ready   ->      -> out_last
//!   chip        =>      =>              `ports::ByteHost`
//!                +------+
//! ```
//!
//! Handshake: on all four sides a byte passes in a clock with valid and ready. `out_last` goes with the END that closes
//! a frame, not with the one that opens it. `clear` is high, and nothing passes, from the clock with `aresetn` low until
//! nothing of what came before is left in the chip.
//! Latency: zero clocks. Throughput: one byte a clock each way. Cost: 14 flip-flops. Model: none (above the byte stream).
//! Absent: a reset of the chip. It has none: its table stays loaded and its registers count on.
//!
//! How a chip without reset is made to forget: the port closes a frame that has come in part by an END (ENDs without
//! anything between them mean nothing), takes all answers and throws them away, and opens when there was no byte in
//! [`QUIET_CLOCKS`] clocks.

use crate::ports::ByteHost;
use hayasashi_spec::frame;
use rust_hdl::prelude::*;

/// Clocks without a byte after which the chip has nothing left to say. The longest silence of a chip at work is that of
/// reading a request of 2,048 bytes, a byte a clock: 2,052 clocks in the released test bench, which prints it.
pub const QUIET_CLOCKS: u32 = (1 << QUIET_BITS) - 1;
const QUIET_BITS: usize = 12;
const _: () = assert!(QUIET_CLOCKS as usize > frame::MAX_REQUEST_PAYLOAD * 3 / 2);

crate::constants! {
    Values {
        end: Bits<8> = frame::END;
    }
}

/// Reset and frame ends for the byte port.
#[derive(LogicBlock, Default)]
pub struct Port {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Reset, active low.
    pub aresetn: Signal<In, Bit>,
    /// The converters drop what they have; high until the chip has nothing left to say.
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
    /// The chip may still be at work on what came before the reset.
    draining: DFF<Bit>,
    /// Clocks since the chip's last byte.
    quiet: DFF<Bits<QUIET_BITS>>,
    /// Bytes have come since the last END.
    in_frame: DFF<Bit>,
    is_end: Signal<Local, Bit>,
    value: Values,
}

impl Logic for Port {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, draining, quiet, in_frame);
        self.is_end.next = self.chip.tx_data.val() == self.value.end.val();
        self.out_data.next = self.chip.tx_data.val();
        self.out_last.next = self.is_end.val() & self.in_frame.q.val();
        if self.chip.tx_valid.val() & self.out_ready.val() {
            self.in_frame.d.next = !self.is_end.val();
        }
        self.chip.rx_valid.next = self.in_valid.val();
        self.chip.rx_data.next = self.in_data.val();
        self.in_ready.next = self.chip.rx_ready.val();
        self.out_valid.next = self.chip.tx_valid.val();
        self.chip.tx_ready.next = self.out_ready.val();
        self.clear.next = false;
        if self.draining.q.val() {
            self.quiet.d.next = self.quiet.q.val() + 1;
            if self.chip.tx_valid.val() {
                self.quiet.d.next = 0.into();
            } else if self.quiet.q.val().all() {
                self.draining.d.next = false;
            }
        }
        if !self.aresetn.val() {
            self.draining.d.next = true;
            self.quiet.d.next = 0.into();
        }
        if self.draining.q.val() | !self.aresetn.val() {
            self.clear.next = true;
            self.chip.rx_valid.next = true;
            self.chip.rx_data.next = self.value.end.val();
            self.in_ready.next = false;
            self.out_valid.next = false;
            self.chip.tx_ready.next = true;
            self.in_frame.d.next = false;
        }
    }
}
