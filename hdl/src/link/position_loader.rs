//! Reads the positions of a request and starts the units on each.
//!
//! ```text
//!                 +----------------+
//!   clock, reset ->                -> advance    next word of the payload
//!   run          ->                =>            position: `ports::PositionSource`
//!   single, skewed ->              -> started    for one clock: the units start
//!   data 64      => PositionLoader -> want_records, want_scores   of the position that is started, until the next one
//!   lists        ->                |
//!   scores       ->                |
//!   ready        ->                |
//!                 +----------------+
//! ```
//!
//! Handshake: while `run`, positions are read one after the other; each is started where the unit is `ready`. `data` is the payload's
//! word under the cursor. `single`: only one is. `skewed`: the first word is the parameters of a walk and the first half word of the position.
//! `lists` and `scores` are what the request wants, stable while `run`.
//! Latency: eight clocks to read, nine where `skewed`, one to start. Throughput: a position in nine clocks.
//! Cost: 40 flip-flops. Model: `model/link`. Absent: the number of positions (`dispatcher`).

use crate::ports::PositionSource;
use hayasashi_spec::{perft::PERFT_HEAD_BYTES, position::IMAGE_BYTES};
use rust_hdl::prelude::*;

// `words` counts the words of a position modulo their number; the parameters of a walk are half a word.
const _: () = assert!(IMAGE_BYTES == 8 * 8 && PERFT_HEAD_BYTES == 4);

/// Reads positions.
#[derive(LogicBlock, Default)]
pub struct PositionLoader {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// The cursor is at a position.
    pub run: Signal<In, Bit>,
    /// There is only one position.
    pub single: Signal<In, Bit>,
    /// The position begins in the middle of a word.
    pub skewed: Signal<In, Bit>,
    /// The payload's word under the cursor.
    pub data: Signal<In, Bits<64>>,
    /// The request lists moves.
    pub lists: Signal<In, Bit>,
    /// The request wants scores.
    pub scores: Signal<In, Bit>,
    /// A position may be started.
    pub ready: Signal<In, Bit>,
    /// The cursor moves to the next word.
    pub advance: Signal<Out, Bit>,
    /// The position.
    pub position: PositionSource,
    /// For one clock: the units start.
    pub started: Signal<Out, Bit>,
    /// The moves of the position that was started are wanted.
    pub want_records: Signal<Out, Bit>,
    /// Its score, or those of the positions after its moves.
    pub want_scores: Signal<Out, Bit>,
    words: DFF<Bits<3>>,
    loaded: DFF<Bit>,
    /// The only position is started.
    done: DFF<Bit>,
    /// High half of the last word, where positions are skewed.
    held: DFF<Bits<32>>,
    holds: DFF<Bit>,
    records_wanted: DFF<Bit>,
    scores_wanted: DFF<Bit>,
}

impl Logic for PositionLoader {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, words, loaded, done, held, holds, records_wanted, scores_wanted);
        self.want_records.next = self.records_wanted.q.val();
        self.want_scores.next = self.scores_wanted.q.val();
        self.advance.next = false;
        self.started.next = false;
        self.position.start.next = false;
        self.position.valid.next = false;
        self.position.data.next = self.data.val();
        if self.skewed.val() {
            self.position.data.next = bit_cast::<64, 32>(self.held.q.val()) | (self.data.val() << 32);
        }
        if !self.run.val() {
            self.done.d.next = false;
        } else if !self.done.q.val() {
            if self.loaded.q.val() {
                if self.ready.val() {
                    self.position.start.next = true;
                    self.started.next = true;
                    self.loaded.d.next = false;
                    self.done.d.next = self.single.val();
                    self.holds.d.next = false;
                    self.records_wanted.d.next = self.lists.val();
                    self.scores_wanted.d.next = self.scores.val();
                }
            } else {
                self.advance.next = true;
                self.held.d.next = self.data.val().get_bits::<32>(32);
                self.holds.d.next = true;
                if self.holds.q.val() | !self.skewed.val() {
                    self.position.valid.next = true;
                    self.words.d.next = self.words.q.val() + 1;
                    self.loaded.d.next = self.words.q.val().all();
                }
            }
        }
        if self.reset.val() {
            self.words.d.next = 0.into();
            self.loaded.d.next = false;
            self.holds.d.next = false;
        }
    }
}
