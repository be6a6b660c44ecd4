//! Scores in a ring, four read at a time from any place.
//!
//! ```text
//!               +-------------+
//!   clock      ->             => four 64   four scores, the first one lowest
//!   write      ->             |
//!   place 11   =>             |
//!   score 16   => ScoreMemory |
//!   begins     ->             |
//!   from 11    =>             |
//!   moves_on   ->             |
//!               +-------------+
//! ```
//!
//! Handshake: `write` writes a score to its `place`. `begins`: the scores from place `from` on are read; `moves_on`: the next four.
//! Latency: `four` follows `moves_on` in one clock, `begins` in two. Throughput: one score a clock in, four out.
//! Cost: 4 block RAMs, 34 flip-flops. Model: none. Absent: a guard against overflow (`request_control`).

use super::answer_memory::MOVE_BITS;
use super::score_bank::{ScoreBank, SCORE_BITS};
use rust_hdl::prelude::*;

/// Scores.
#[derive(LogicBlock, Default)]
pub struct ScoreMemory {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// A score comes.
    pub write: Signal<In, Bit>,
    /// Its place.
    pub place: Signal<In, Bits<MOVE_BITS>>,
    /// The score.
    pub score: Signal<In, Bits<16>>,
    /// Reading begins.
    pub begins: Signal<In, Bit>,
    /// The place of the first score that is read.
    pub from: Signal<In, Bits<MOVE_BITS>>,
    /// The next four are read.
    pub moves_on: Signal<In, Bit>,
    /// Four scores.
    pub four: Signal<Out, Bits<64>>,
    bank_0: ScoreBank,
    bank_1: ScoreBank,
    bank_2: ScoreBank,
    bank_3: ScoreBank,
    /// Place of the first score that is read, modulo four.
    turn: DFF<Bits<2>>,
    from_1: Signal<Local, Bits<MOVE_BITS>>,
    from_2: Signal<Local, Bits<MOVE_BITS>>,
    from_3: Signal<Local, Bits<MOVE_BITS>>,
    low: Signal<Local, Bits<64>>,
    high: Signal<Local, Bits<64>>,
    all: Signal<Local, Bits<64>>,
}

impl ScoreMemory {
    /// With memory, or without.
    pub fn new(present: bool) -> Self {
        ScoreMemory {
            bank_0: ScoreBank::new(present),
            bank_1: ScoreBank::new(present),
            bank_2: ScoreBank::new(present),
            bank_3: ScoreBank::new(present),
            ..Default::default()
        }
    }
}

impl Logic for ScoreMemory {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, bank_0, bank_1, bank_2, bank_3);
        dff_setup!(self, clock, turn);
        self.bank_0.write.next = self.write.val() & (bit_cast::<2, MOVE_BITS>(self.place.val()) == 0);
        self.bank_1.write.next = self.write.val() & (bit_cast::<2, MOVE_BITS>(self.place.val()) == 1);
        self.bank_2.write.next = self.write.val() & (bit_cast::<2, MOVE_BITS>(self.place.val()) == 2);
        self.bank_3.write.next = self.write.val() & (bit_cast::<2, MOVE_BITS>(self.place.val()) == 3);
        self.bank_0.write_at.next = self.place.val().get_bits::<SCORE_BITS>(2);
        self.bank_1.write_at.next = self.place.val().get_bits::<SCORE_BITS>(2);
        self.bank_2.write_at.next = self.place.val().get_bits::<SCORE_BITS>(2);
        self.bank_3.write_at.next = self.place.val().get_bits::<SCORE_BITS>(2);
        self.bank_0.score.next = self.score.val();
        self.bank_1.score.next = self.score.val();
        self.bank_2.score.next = self.score.val();
        self.bank_3.score.next = self.score.val();

        // A bank below the first one's begins a row later.
        self.from_1.next = self.from.val() + 1;
        self.from_2.next = self.from.val() + 2;
        self.from_3.next = self.from.val() + 3;
        self.bank_0.first.next = self.from_3.val().get_bits::<SCORE_BITS>(2);
        self.bank_1.first.next = self.from_2.val().get_bits::<SCORE_BITS>(2);
        self.bank_2.first.next = self.from_1.val().get_bits::<SCORE_BITS>(2);
        self.bank_3.first.next = self.from.val().get_bits::<SCORE_BITS>(2);
        self.bank_0.begins.next = self.begins.val();
        self.bank_1.begins.next = self.begins.val();
        self.bank_2.begins.next = self.begins.val();
        self.bank_3.begins.next = self.begins.val();
        self.bank_0.moves_on.next = self.moves_on.val();
        self.bank_1.moves_on.next = self.moves_on.val();
        self.bank_2.moves_on.next = self.moves_on.val();
        self.bank_3.moves_on.next = self.moves_on.val();
        if self.begins.val() {
            self.turn.d.next = bit_cast::<2, MOVE_BITS>(self.from.val());
        }
        self.low.next = bit_cast::<64, 16>(self.bank_0.data.val()) | (bit_cast::<64, 16>(self.bank_1.data.val()) << 16);
        self.high.next =
            bit_cast::<64, 16>(self.bank_2.data.val()) | (bit_cast::<64, 16>(self.bank_3.data.val()) << 16);
        self.all.next = self.low.val() | (self.high.val() << 32);
        match self.turn.q.val().index() {
            0 => self.four.next = self.all.val(),
            1 => self.four.next = (self.all.val() >> 16) | (self.all.val() << 48),
            2 => self.four.next = (self.all.val() >> 32) | (self.all.val() << 32),
            _ => self.four.next = (self.all.val() >> 48) | (self.all.val() << 16),
        }
    }
}
