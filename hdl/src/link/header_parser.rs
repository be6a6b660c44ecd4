//! Takes the header's fields out of a frame's bytes.
//!
//! ```text
//!             +--------------+
//!   clock    ->              => opcode 8
//!   clear    -> HeaderParser => seq 16        sequence number
//!   valid    ->              => count 16      positions that the header claims
//!   index 12 =>              => length 16     bytes of payload that the header claims
//!   data 8   =>              |
//!             +--------------+
//! ```
//!
//! Handshake: in a clock with `valid`, `data` is the byte `index` of the frame. `clear` makes all fields zero, unless a
//! byte comes in the same clock: that one is kept.
//! Latency: one clock. Throughput: one byte a clock. Cost: 56 flip-flops. Model: `model/link`.
//! Absent: the status byte, which a request does not use.

use hayasashi_spec::frame::HEADER_BYTES;
use rust_hdl::prelude::*;

crate::constants! {
    Values {
        header_bytes: Bits<12> = HEADER_BYTES;
    }
}

/// Takes a header apart.
#[derive(LogicBlock, Default)]
pub struct HeaderParser {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// All fields become zero.
    pub clear: Signal<In, Bit>,
    /// A byte of the frame.
    pub valid: Signal<In, Bit>,
    /// Its place in the frame, from 0.
    pub index: Signal<In, Bits<12>>,
    /// Its value.
    pub data: Signal<In, Bits<8>>,
    /// The opcode.
    pub opcode: Signal<Out, Bits<8>>,
    /// The sequence number.
    pub seq: Signal<Out, Bits<16>>,
    /// Positions that the header claims.
    pub count: Signal<Out, Bits<16>>,
    /// Bytes of payload that the header claims.
    pub length: Signal<Out, Bits<16>>,
    opcode_field: DFF<Bits<8>>,
    seq_field: DFF<Bits<16>>,
    count_field: DFF<Bits<16>>,
    length_field: DFF<Bits<16>>,
    low: Signal<Local, Bits<16>>,
    high: Signal<Local, Bits<16>>,
    value: Values,
}

impl Logic for HeaderParser {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, opcode_field, seq_field, count_field, length_field);
        self.low.next = bit_cast::<16, 8>(self.data.val());
        self.high.next = 0.into();
        if self.clear.val() {
            self.opcode_field.d.next = 0.into();
            self.seq_field.d.next = 0.into();
            self.count_field.d.next = 0.into();
            self.length_field.d.next = 0.into();
        }
        if self.valid.val() & (self.index.val() < self.value.header_bytes.val()) {
            self.high.next = bit_cast::<16, 8>(self.data.val()) << 8;
            match self.index.val().index() {
                0 => self.opcode_field.d.next = self.data.val(),
                2 => self.seq_field.d.next = self.low.val(),
                3 => self.seq_field.d.next = self.seq_field.q.val() | self.high.val(),
                4 => self.count_field.d.next = self.low.val(),
                5 => self.count_field.d.next = self.count_field.q.val() | self.high.val(),
                6 => self.length_field.d.next = self.low.val(),
                7 => self.length_field.d.next = self.length_field.q.val() | self.high.val(),
                _ => {}
            }
        }
        self.opcode.next = self.opcode_field.q.val();
        self.seq.next = self.seq_field.q.val();
        self.count.next = self.count_field.q.val();
        self.length.next = self.length_field.q.val();
    }
}
