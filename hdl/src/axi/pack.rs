//! Bytes into words of eight, the lowest first. The last byte of a frame ends its word, full or not.
//!
//! ```text
//!            ┌──────┐
//!  valid ───▶│      ├────▶ tvalid
//!  data ──8─▶│      ├─64─▶ tdata
//!  last ────▶│ pack ├─8──▶ tkeep
//!  ready ◀───┤      ├────▶ tlast
//!  clear ───▶│      │◀──── tready
//!            └──────┘
//! ```
//!
//! Handshake: on both sides something passes in a clock with valid and ready. What is offered stays until it is taken or
//! `clear` is high, which empties all. `tkeep` is ones from the lowest bit up; bytes beyond it are zero. `ready` comes
//! from a register.
//! Latency: one clock from a word's last byte. Throughput: one byte a clock; a taker may wait until the next word is full.
//! Model: none (the bytes stay the same).

use rust_hdl::prelude::*;

#[derive(LogicBlock, Default)]
pub struct Pack {
    pub clock: Signal<In, Clock>,
    pub clear: Signal<In, Bit>,
    pub valid: Signal<In, Bit>,
    pub data: Signal<In, Bits<8>>,
    pub last: Signal<In, Bit>,
    pub ready: Signal<Out, Bit>,
    pub tvalid: Signal<Out, Bit>,
    pub tdata: Signal<Out, Bits<64>>,
    pub tkeep: Signal<Out, Bits<8>>,
    pub tlast: Signal<Out, Bit>,
    pub tready: Signal<In, Bit>,
    /// The word in the making, and which of its bytes are there.
    word: DFF<Bits<64>>,
    keep: DFF<Bits<8>>,
    word_last: DFF<Bit>,
    /// The word is made and waits for the one that is offered.
    made: DFF<Bit>,
    offered: DFF<Bit>,
    offered_word: DFF<Bits<64>>,
    offered_keep: DFF<Bits<8>>,
    offered_last: DFF<Bit>,
    placed: Signal<Local, Bits<64>>,
    new_word: Signal<Local, Bits<64>>,
    new_keep: Signal<Local, Bits<8>>,
    new_last: Signal<Local, Bit>,
    new_made: Signal<Local, Bit>,
}

impl Logic for Pack {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, word, keep, word_last, made, offered, offered_word, offered_keep, offered_last);
        self.ready.next = !self.made.q.val();
        self.tvalid.next = self.offered.q.val();
        self.tdata.next = self.offered_word.q.val();
        self.tkeep.next = self.offered_keep.q.val();
        self.tlast.next = self.offered_last.q.val();
        match self.keep.q.val().index() {
            0 => self.placed.next = bit_cast::<64, 8>(self.data.val()),
            1 => self.placed.next = bit_cast::<64, 8>(self.data.val()) << 8,
            3 => self.placed.next = bit_cast::<64, 8>(self.data.val()) << 16,
            7 => self.placed.next = bit_cast::<64, 8>(self.data.val()) << 24,
            15 => self.placed.next = bit_cast::<64, 8>(self.data.val()) << 32,
            31 => self.placed.next = bit_cast::<64, 8>(self.data.val()) << 40,
            63 => self.placed.next = bit_cast::<64, 8>(self.data.val()) << 48,
            _ => self.placed.next = bit_cast::<64, 8>(self.data.val()) << 56,
        }
        self.new_word.next = self.word.q.val();
        self.new_keep.next = self.keep.q.val();
        self.new_last.next = self.word_last.q.val();
        self.new_made.next = self.made.q.val();
        if self.valid.val() & !self.made.q.val() {
            self.new_word.next = self.word.q.val() | self.placed.val();
            self.new_keep.next = (self.keep.q.val() << 1) | 1;
            self.new_last.next = self.last.val();
            self.new_made.next = self.last.val() | self.keep.q.val().get_bit(6);
        }
        self.word.d.next = self.new_word.val();
        self.keep.d.next = self.new_keep.val();
        self.word_last.d.next = self.new_last.val();
        self.made.d.next = self.new_made.val();
        if !self.offered.q.val() | self.tready.val() {
            self.offered.d.next = self.new_made.val();
            self.offered_word.d.next = self.new_word.val();
            self.offered_keep.d.next = self.new_keep.val();
            self.offered_last.d.next = self.new_last.val();
            if self.new_made.val() {
                self.word.d.next = 0.into();
                self.keep.d.next = 0.into();
                self.word_last.d.next = false;
                self.made.d.next = false;
            }
        }
        if self.clear.val() {
            self.word.d.next = 0.into();
            self.keep.d.next = 0.into();
            self.word_last.d.next = false;
            self.made.d.next = false;
            self.offered.d.next = false;
        }
    }
}
