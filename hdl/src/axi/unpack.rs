//! Words of eight bytes into bytes, the lowest first, without those that `tkeep` leaves out.
//!
//! ```text
//!             ┌────────┐
//!  tvalid ───▶│        ├───▶ valid
//!  tdata ─64─▶│ unpack ├─8─▶ data
//!  tkeep ──8─▶│        │◀─── ready
//!  tready ◀───┤        │◀─── clear
//!             └────────┘
//! ```
//!
//! Handshake: on both sides something passes in a clock with valid and ready. Any `tkeep` will do; a word that keeps
//! nothing passes in a clock. `clear` drops the present word and lets none in.
//! Latency: one clock. Throughput: one byte a clock, without a gap between words. Model: none (the bytes stay the same).

use rust_hdl::prelude::*;

#[derive(LogicBlock, Default)]
pub struct Unpack {
    pub clock: Signal<In, Clock>,
    pub clear: Signal<In, Bit>,
    pub tvalid: Signal<In, Bit>,
    pub tdata: Signal<In, Bits<64>>,
    pub tkeep: Signal<In, Bits<8>>,
    pub tready: Signal<Out, Bit>,
    pub valid: Signal<Out, Bit>,
    pub data: Signal<Out, Bits<8>>,
    pub ready: Signal<In, Bit>,
    word: DFF<Bits<64>>,
    /// Which bytes of the word are left.
    left: DFF<Bits<8>>,
    less_one: Signal<Local, Bits<8>>,
    /// Which are left after the lowest.
    rest: Signal<Local, Bits<8>>,
    empties: Signal<Local, Bit>,
}

impl Logic for Unpack {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, word, left);
        self.valid.next = self.left.q.val().any();
        self.less_one.next = self.left.q.val() - 1;
        self.rest.next = self.left.q.val() & self.less_one.val();
        self.data.next = self.word.q.val().get_bits::<8>(56);
        if self.left.q.val().get_bit(0) {
            self.data.next = self.word.q.val().get_bits::<8>(0);
        } else if self.left.q.val().get_bit(1) {
            self.data.next = self.word.q.val().get_bits::<8>(8);
        } else if self.left.q.val().get_bit(2) {
            self.data.next = self.word.q.val().get_bits::<8>(16);
        } else if self.left.q.val().get_bit(3) {
            self.data.next = self.word.q.val().get_bits::<8>(24);
        } else if self.left.q.val().get_bit(4) {
            self.data.next = self.word.q.val().get_bits::<8>(32);
        } else if self.left.q.val().get_bit(5) {
            self.data.next = self.word.q.val().get_bits::<8>(40);
        } else if self.left.q.val().get_bit(6) {
            self.data.next = self.word.q.val().get_bits::<8>(48);
        }
        if self.ready.val() {
            self.left.d.next = self.rest.val();
        }
        self.empties.next = !self.left.q.val().any() | (!self.rest.val().any() & self.ready.val());
        self.tready.next = self.empties.val() & !self.clear.val();
        if self.empties.val() & self.tvalid.val() {
            self.word.d.next = self.tdata.val();
            self.left.d.next = self.tkeep.val();
        }
        if self.clear.val() {
            self.left.d.next = 0.into();
        }
    }
}
