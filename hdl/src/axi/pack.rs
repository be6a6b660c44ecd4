//! Bytes into words of eight, the lowest first. The last byte of a frame ends its word, full or not.
//!
//! ```text
//!            +------+
//!   clock   ->      -> ready
//!   clear   ->      -> tvalid
//!   valid   -> Pack => tdata 64
//!   data 8  =>      => tkeep 8
//!   last    ->      -> tlast
//!   tready  ->      |
//!            +------+
//! ```
//!
//! Handshake: on both sides something passes in a clock with valid and ready. What is at the output stays until it is
//! taken or `clear` is high, which empties all. `tkeep` is ones from the lowest bit up; bytes beyond it are zero. `ready`
//! comes from a register.
//! Latency: one clock from a word's last byte. Throughput: one byte a clock, also where a word waits until the next is full.
//! Cost: 148 flip-flops. Model: none (the bytes stay the same). Absent: other widths.

use rust_hdl::prelude::*;

/// Bytes into words.
#[derive(LogicBlock, Default)]
pub struct Pack {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Drops the word in the making and the one at the output.
    pub clear: Signal<In, Bit>,
    /// A byte.
    pub valid: Signal<In, Bit>,
    /// Its value.
    pub data: Signal<In, Bits<8>>,
    /// It is the last one of a frame.
    pub last: Signal<In, Bit>,
    /// The byte is taken in this clock; from a register.
    pub ready: Signal<Out, Bit>,
    /// A word.
    pub tvalid: Signal<Out, Bit>,
    /// Its bytes, the first one lowest.
    pub tdata: Signal<Out, Bits<64>>,
    /// Which bytes there are: ones from the lowest bit up.
    pub tkeep: Signal<Out, Bits<8>>,
    /// It is the last one of a frame.
    pub tlast: Signal<Out, Bit>,
    /// The word is taken in this clock.
    pub tready: Signal<In, Bit>,
    /// The word in the making, and which of its bytes are there.
    word: DFF<Bits<64>>,
    keep: DFF<Bits<8>>,
    word_last: DFF<Bit>,
    /// The word is made and waits for the one that is offered.
    made: DFF<Bit>,
    out_valid: DFF<Bit>,
    out_word: DFF<Bits<64>>,
    out_keep: DFF<Bits<8>>,
    out_last: DFF<Bit>,
    placed: Signal<Local, Bits<64>>,
    new_word: Signal<Local, Bits<64>>,
    new_keep: Signal<Local, Bits<8>>,
    new_last: Signal<Local, Bit>,
    new_made: Signal<Local, Bit>,
}

impl Logic for Pack {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, word, keep, word_last, made, out_valid, out_word, out_keep, out_last);
        self.ready.next = !self.made.q.val();
        self.tvalid.next = self.out_valid.q.val();
        self.tdata.next = self.out_word.q.val();
        self.tkeep.next = self.out_keep.q.val();
        self.tlast.next = self.out_last.q.val();
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
        if !self.out_valid.q.val() | self.tready.val() {
            self.out_valid.d.next = self.new_made.val();
            self.out_word.d.next = self.new_word.val();
            self.out_keep.d.next = self.new_keep.val();
            self.out_last.d.next = self.new_last.val();
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
            self.out_valid.d.next = false;
        }
    }
}
