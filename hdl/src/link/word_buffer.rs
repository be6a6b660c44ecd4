//! A register stage for words, without a path from the reader back to the source.
//!
//! ```text
//!                +------------+
//!   clock       ->            =>            words: `ports::WordSource`
//!   clear       -> WordBuffer -> ready      a word is taken in this clock, if there is one
//!   valid       ->            |
//!   data 64     =>            |
//!                +------------+
//! ```
//!
//! Handshake: `ready` comes from a register. A word that comes with it is shown from the next clock on.
//! Latency: one clock. Throughput: a word a clock. Cost: 130 flip-flops. Model: none. Absent: ends of answers.

use crate::ports::WordSource;
use rust_hdl::prelude::*;

/// A register stage for words.
#[derive(LogicBlock, Default)]
pub struct WordBuffer {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Drops the words.
    pub clear: Signal<In, Bit>,
    /// A word comes.
    pub valid: Signal<In, Bit>,
    /// Its value.
    pub data: Signal<In, Bits<64>>,
    /// It is taken in this clock; from a register.
    pub ready: Signal<Out, Bit>,
    /// The words, a clock later.
    pub words: WordSource,
    shown: DFF<Bit>,
    word: DFF<Bits<64>>,
    /// The word behind it, which came in a clock in which the one shown was not taken.
    spare: DFF<Bit>,
    spare_word: DFF<Bits<64>>,
}

impl Logic for WordBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, shown, word, spare, spare_word);
        self.ready.next = !self.spare.q.val();
        self.words.valid.next = self.shown.q.val();
        self.words.data.next = self.word.q.val();
        // Nobody looks at a word that is not there.
        if !self.spare.q.val() {
            self.spare_word.d.next = self.data.val();
        }
        if !self.shown.q.val() | self.words.take.val() {
            self.shown.d.next = self.spare.q.val() | self.valid.val();
            self.spare.d.next = false;
            self.word.d.next = self.data.val();
            if self.spare.q.val() {
                self.word.d.next = self.spare_word.q.val();
            }
        } else if self.valid.val() {
            self.spare.d.next = true;
        }
        if self.clear.val() {
            self.shown.d.next = false;
            self.spare.d.next = false;
        }
    }
}
