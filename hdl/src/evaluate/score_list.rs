//! Keeps the scores of a position's children until they are taken.
//!
//! ```text
//!              +-----------+
//!   clock     ->           =>   scores: `ports::WordSource`
//!   clear     -> ScoreList |
//!   write     ->           |
//!   score 16  =>           |
//!   scores    =>           |
//!              +-----------+
//! ```
//!
//! Handshake: `write` adds a score; `clear` forgets all, and comes with no `write`. Two scores make a word, the first one low. Words
//! come out in order, from the second clock after `clear` on: the reader waits until all scores are written (the unit's
//! `request_control` shows them after the records of the moves, which take longer). Behind an odd last score the high half is
//! zero.
//! Throughput: one score a clock in, one word in two clocks out. Cost: 1 block RAM, 45 flip-flops.
//! Model: none (the scores stay the same). Absent: the number of scores.

use crate::ports::WordSource;
use hayasashi_spec::moves::MAX_MOVES;
use rust_hdl::prelude::*;

/// Bits of the number of scores.
const COUNT_BITS: usize = 10;
/// Bits of the number of words.
const ADDRESS_BITS: usize = COUNT_BITS - 1;
const _: () = assert!(MAX_MOVES < 1 << COUNT_BITS);

/// Keeps scores.
#[derive(LogicBlock, Default)]
pub struct ScoreList {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all scores.
    pub clear: Signal<In, Bit>,
    /// A score is added in this clock.
    pub write: Signal<In, Bit>,
    /// The score, two's complement.
    pub score: Signal<In, Bits<16>>,
    /// The scores in their order.
    pub scores: WordSource,
    memory: RAM<Bits<32>, ADDRESS_BITS>,
    written: DFF<Bits<COUNT_BITS>>,
    /// The first score of a word.
    first: DFF<Bits<16>>,
    read_at: DFF<Bits<ADDRESS_BITS>>,
    /// The memory's output is the word at `read_at`: it is read a clock ahead.
    fetched: DFF<Bit>,
}

impl Logic for ScoreList {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, written, first, read_at, fetched);
        self.memory.read_clock.next = self.clock.val();
        self.memory.write_clock.next = self.clock.val();
        self.memory.write_address.next = self.written.q.val().get_bits::<ADDRESS_BITS>(1);
        self.memory.write_enable.next = self.write.val();
        self.memory.write_data.next = bit_cast::<32, 16>(self.score.val());
        if self.written.q.val().get_bit(0) {
            self.memory.write_data.next =
                (bit_cast::<32, 16>(self.score.val()) << 16) | bit_cast::<32, 16>(self.first.q.val());
        }
        if self.write.val() {
            self.written.d.next = self.written.q.val() + 1;
            self.first.d.next = self.score.val();
        }
        self.memory.read_address.next = self.read_at.q.val();
        self.scores.data.next = self.memory.read_data.val();
        self.scores.valid.next = self.fetched.q.val();
        self.fetched.d.next = true;
        if self.scores.take.val() {
            self.fetched.d.next = false;
            self.read_at.d.next = self.read_at.q.val() + 1;
        }
        if self.clear.val() {
            self.written.d.next = 0.into();
            self.read_at.d.next = 0.into();
            self.fetched.d.next = false;
        }
    }
}
