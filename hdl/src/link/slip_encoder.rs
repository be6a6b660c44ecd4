//! Adds SLIP stuffing to a stream of bytes and delimiters.
//!
//! ```text
//!                +-------------+
//!   clock       ->             -> ready
//!   valid       -> SlipEncoder -> tx_valid
//!   delimiter   ->             => tx_data 8
//!   data 8      =>             |
//!   tx_ready    ->             |
//!                +-------------+
//! ```
//!
//! Handshake: on both sides a byte passes in a clock with valid and ready. `delimiter` sends END whatever `data` is.
//! Latency: zero clocks (combinational both ways). Throughput: one sent byte a clock; a stuffed byte takes two.
//! Cost: 1 flip-flop. Model: `host/model/src/link/slip_encoder.rs`. Proof: `hdl/formal/slip`. Absent: buffering.

use hayasashi_spec::frame;
use rust_hdl::prelude::*;

/// Adds SLIP stuffing.
#[derive(LogicBlock)]
pub struct SlipEncoder {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// A byte, or the end of a frame.
    pub valid: Signal<In, Bit>,
    /// It is an end: END is sent, whatever `data` is.
    pub delimiter: Signal<In, Bit>,
    /// The byte's value.
    pub data: Signal<In, Bits<8>>,
    /// It is taken in this clock.
    pub ready: Signal<Out, Bit>,
    /// A byte for the line.
    pub tx_valid: Signal<Out, Bit>,
    /// Its value.
    pub tx_data: Signal<Out, Bits<8>>,
    /// It is taken in this clock.
    pub tx_ready: Signal<In, Bit>,
    /// The ESC of the present byte is sent.
    escaped: DFF<Bit>,
    special: Signal<Local, Bit>,
    byte_end: Constant<Bits<8>>,
    byte_esc: Constant<Bits<8>>,
    byte_esc_end: Constant<Bits<8>>,
    byte_esc_esc: Constant<Bits<8>>,
}

impl Default for SlipEncoder {
    fn default() -> Self {
        SlipEncoder {
            clock: Default::default(),
            valid: Default::default(),
            delimiter: Default::default(),
            data: Default::default(),
            ready: Default::default(),
            tx_valid: Default::default(),
            tx_data: Default::default(),
            tx_ready: Default::default(),
            escaped: Default::default(),
            special: Default::default(),
            byte_end: Constant::new((frame::END as u64).into()),
            byte_esc: Constant::new((frame::ESC as u64).into()),
            byte_esc_end: Constant::new((frame::ESC_END as u64).into()),
            byte_esc_esc: Constant::new((frame::ESC_ESC as u64).into()),
        }
    }
}

impl Logic for SlipEncoder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, escaped);
        self.special.next = !self.delimiter.val()
            & ((self.data.val() == self.byte_end.val()) | (self.data.val() == self.byte_esc.val()));
        self.tx_valid.next = self.valid.val();
        self.tx_data.next = self.data.val();
        self.ready.next = self.tx_ready.val();
        if self.delimiter.val() {
            self.tx_data.next = self.byte_end.val();
        } else if self.special.val() {
            if !self.escaped.q.val() {
                self.tx_data.next = self.byte_esc.val();
                self.ready.next = false;
            } else if self.data.val() == self.byte_end.val() {
                self.tx_data.next = self.byte_esc_end.val();
            } else {
                self.tx_data.next = self.byte_esc_esc.val();
            }
        }
        if self.valid.val() & self.tx_ready.val() {
            self.escaped.d.next = self.special.val() & !self.escaped.q.val();
        }
    }
}
