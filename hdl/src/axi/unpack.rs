//! Words of eight bytes into bytes, the lowest first, without those that `tkeep` leaves out.
//!
//! ```text
//!             +--------+
//!   clock    ->        -> tready
//!   clear    ->        -> valid
//!   tvalid   -> Unpack => data 8
//!   tdata 64 =>        |
//!   tkeep 8  =>        |
//!   ready    ->        |
//!             +--------+
//! ```
//!
//! Handshake: on both sides something passes in a clock with valid and ready. Any `tkeep` will do; a word that keeps
//! nothing passes in a clock. `clear` drops the present word and lets none in.
//! Latency: one clock. Throughput: one byte a clock, without a gap between words. Cost: 72 flip-flops.
//! Model: none (the bytes stay the same). Absent: ends of packets; frames end by their END byte.

use rust_hdl::prelude::*;

/// Words into bytes.
#[derive(LogicBlock, Default)]
pub struct Unpack {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Drops the bytes of the present word.
    pub clear: Signal<In, Bit>,
    /// A word.
    pub tvalid: Signal<In, Bit>,
    /// Its bytes, the first one lowest.
    pub tdata: Signal<In, Bits<64>>,
    /// Which bytes there are; null bytes may be anywhere.
    pub tkeep: Signal<In, Bits<8>>,
    /// The word is taken in this clock; from registers and `ready`.
    pub tready: Signal<Out, Bit>,
    /// A byte.
    pub valid: Signal<Out, Bit>,
    /// Its value.
    pub data: Signal<Out, Bits<8>>,
    /// It is taken in this clock.
    pub ready: Signal<In, Bit>,
    word: DFF<Bits<64>>,
    /// Which bytes of the word are left.
    bytes_left: DFF<Bits<8>>,
    less_one: Signal<Local, Bits<8>>,
    /// Which are left after the lowest.
    rest: Signal<Local, Bits<8>>,
    empties: Signal<Local, Bit>,
}

impl Logic for Unpack {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, word, bytes_left);
        self.valid.next = self.bytes_left.q.val().any();
        self.less_one.next = self.bytes_left.q.val() - 1;
        self.rest.next = self.bytes_left.q.val() & self.less_one.val();
        self.data.next = self.word.q.val().get_bits::<8>(56);
        if self.bytes_left.q.val().get_bit(0) {
            self.data.next = self.word.q.val().get_bits::<8>(0);
        } else if self.bytes_left.q.val().get_bit(1) {
            self.data.next = self.word.q.val().get_bits::<8>(8);
        } else if self.bytes_left.q.val().get_bit(2) {
            self.data.next = self.word.q.val().get_bits::<8>(16);
        } else if self.bytes_left.q.val().get_bit(3) {
            self.data.next = self.word.q.val().get_bits::<8>(24);
        } else if self.bytes_left.q.val().get_bit(4) {
            self.data.next = self.word.q.val().get_bits::<8>(32);
        } else if self.bytes_left.q.val().get_bit(5) {
            self.data.next = self.word.q.val().get_bits::<8>(40);
        } else if self.bytes_left.q.val().get_bit(6) {
            self.data.next = self.word.q.val().get_bits::<8>(48);
        }
        if self.ready.val() {
            self.bytes_left.d.next = self.rest.val();
        }
        self.empties.next = !self.bytes_left.q.val().any() | (!self.rest.val().any() & self.ready.val());
        self.tready.next = self.empties.val() & !self.clear.val();
        if self.empties.val() & self.tvalid.val() {
            self.word.d.next = self.tdata.val();
            self.bytes_left.d.next = self.tkeep.val();
        }
        if self.clear.val() {
            self.bytes_left.d.next = 0.into();
        }
    }
}
