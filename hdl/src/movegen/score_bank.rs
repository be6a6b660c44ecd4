//! Every fourth score of [`super::answer_memory`], read in order from any place.
//!
//! ```text
//!               +-----------+
//!   clock      ->           => data 16   the score under the cursor
//!   write      ->           |
//!   write_at 8 =>           |
//!   score 16   => ScoreBank |
//!   begins     ->           |
//!   first 8    =>           |
//!   moves_on   ->           |
//!               +-----------+
//! ```
//!
//! Handshake: `write` writes a score. `begins` sets the cursor to `first`, `moves_on` moves it to the next score.
//! Latency: `data` follows `moves_on` in one clock, `begins` in two. Throughput: one score a clock each way.
//! Cost: 1 block RAM, 8 flip-flops. Model: none. Absent: a look at what is written in the same clock.

use crate::optional::Optional;
use rust_hdl::prelude::*;

/// Bits of an address.
pub const SCORE_BITS: usize = 8;

/// Every fourth score.
#[derive(LogicBlock, Default)]
pub struct ScoreBank {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// A score is written in this clock.
    pub write: Signal<In, Bit>,
    /// Its place.
    pub write_at: Signal<In, Bits<SCORE_BITS>>,
    /// The score.
    pub score: Signal<In, Bits<16>>,
    /// The cursor goes to `first`.
    pub begins: Signal<In, Bit>,
    /// A place.
    pub first: Signal<In, Bits<SCORE_BITS>>,
    /// The cursor goes to the next place.
    pub moves_on: Signal<In, Bit>,
    /// The score under the cursor.
    pub data: Signal<Out, Bits<16>>,
    scores: Optional<RAM<Bits<16>, SCORE_BITS>>,
    cursor: DFF<Bits<SCORE_BITS>>,
    cursor_next: Signal<Local, Bits<SCORE_BITS>>,
}

impl ScoreBank {
    /// With memory, or without.
    pub fn new(present: bool) -> Self {
        ScoreBank { scores: Optional::new(Default::default(), present), ..Default::default() }
    }
}

impl Logic for ScoreBank {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, cursor);
        self.scores.read_clock.next = self.clock.val();
        self.scores.write_clock.next = self.clock.val();
        self.scores.write_address.next = self.write_at.val();
        self.scores.write_data.next = self.score.val();
        self.scores.write_enable.next = self.write.val();
        self.cursor_next.next = self.cursor.q.val();
        if self.moves_on.val() {
            self.cursor_next.next = self.cursor.q.val() + 1;
        }
        self.scores.read_address.next = self.cursor_next.val();
        self.cursor.d.next = self.cursor_next.val();
        if self.begins.val() {
            self.cursor.d.next = self.first.val();
        }
        self.data.next = self.scores.read_data.val();
    }
}
