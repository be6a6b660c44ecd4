//! Keeps the moves of positions and the scores of the positions after them, and gives them as the words of answers.
//!
//! ```text
//!                  +--------------+
//!   clock, reset  ->              =>            words: `ports::WordSource`
//!   write         ->              -> answered   the answer stands
//!   record 32     =>              => base 11    moves of all answers before this one
//!   counted       -> AnswerMemory => complete 11    moves that are complete
//!   flags 2       =>              |
//!   scoring       ->              |
//!   scored        ->              |
//!   score 16      =>              |
//!   decided       ->              |
//!   first 32      =>              |
//!   moves 10      =>              |
//!   retire        ->              |
//!   words         =>              |
//!                  +--------------+
//! ```
//!
//! Handshake: `write` adds a move with its `record`. `counted` adds the flags (check, mate) of the first move that has none; with
//! `scoring`, `scored` adds the score of the first move that has none, not before its flags. `scoring` changes only while all moves
//! are complete. `decided`: the present answer is `first` and so many `moves`; all three stay until `retire`. From `answered` on,
//! `words` are `first`, the records, then the scores, without gaps; what follows is anything. The next answer's moves
//! may come before this one is read; not more than [`PLACES`] moves may be there.
//! Latency: three clocks from the last score, from `retire` or from `decided` to `answered`; two more to the first word.
//! Throughput: one move a clock in, one word a clock out.
//! Cost: 8 block RAMs, 250 flip-flops. Proof: `hdl/formal/answer_memory`. Model: none (records and scores stay the same).
//! Absent: the length of the answer (`request_slot`); the count of free places (`request_control`).
//!
//! Method: records and scores lie in rings, of which two records or four scores are read in one clock, wherever they begin
//! (`record_memory`, `score_memory`). The words go through a register, since block RAM is slow.

use super::record_bank::RECORD_BITS;
use super::record_memory::RecordMemory;
use super::score_bank::SCORE_BITS;
use super::score_memory::ScoreMemory;
use crate::ports::WordSource;
use hayasashi_spec::moves::MAX_MOVES;
use rust_hdl::prelude::*;

/// Moves that the memory holds.
pub const PLACES: u64 = 1 << (MOVE_BITS - 1);
/// Bits of a number of moves since the reset, modulo twice the places.
pub const MOVE_BITS: usize = 11;
const _: () = assert!((MAX_MOVES as u64) < PLACES && RECORD_BITS + 2 == MOVE_BITS && SCORE_BITS + 3 == MOVE_BITS);

/// Keeps the moves of positions.
#[derive(LogicBlock, Default)]
pub struct AnswerMemory {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all.
    pub reset: Signal<In, Bit>,
    /// A move comes.
    pub write: Signal<In, Bit>,
    /// Its record, without the flags of check and mate.
    pub record: Signal<In, Bits<32>>,
    /// The position after the next move is counted.
    pub counted: Signal<In, Bit>,
    /// With `counted`: check, mate.
    pub flags: Signal<In, Bits<2>>,
    /// The moves have scores.
    pub scoring: Signal<In, Bit>,
    /// The position after the next move is scored.
    pub scored: Signal<In, Bit>,
    /// With `scored`: its score.
    pub score: Signal<In, Bits<16>>,
    /// The present answer is known.
    pub decided: Signal<In, Bit>,
    /// Its first half of a word.
    pub first: Signal<In, Bits<32>>,
    /// Moves that follow.
    pub moves: Signal<In, Bits<10>>,
    /// For one clock: the next answer is the present one.
    pub retire: Signal<In, Bit>,
    /// The present answer stands.
    pub answered: Signal<Out, Bit>,
    /// Moves of all answers before the present one.
    pub base: Signal<Out, Bits<MOVE_BITS>>,
    /// Moves that are complete.
    pub complete: Signal<Out, Bits<MOVE_BITS>>,
    /// The words of the present answer.
    pub words: WordSource,
    records: RecordMemory,
    scores: ScoreMemory,
    completed: DFF<Bits<MOVE_BITS>>,
    base_now: DFF<Bits<MOVE_BITS>>,
    /// Complete moves of the present answer and those behind it; enough for it.
    here: DFF<Bits<MOVE_BITS>>,
    enough: DFF<Bit>,
    /// Clocks since the answer was known, up to three.
    age: DFF<Bits<2>>,
    stands: DFF<Bit>,
    /// The banks give the next word.
    fetched: DFF<Bit>,
    shown: DFF<Bit>,
    word: DFF<Bits<64>>,
    /// Of the next word: it is the first one; words before the first one with scores; it is behind that one.
    at_first: DFF<Bit>,
    words_left: DFF<Bits<10>>,
    past: DFF<Bit>,
    begins: Signal<Local, Bit>,
    moves_on: Signal<Local, Bit>,
    high_score: Signal<Local, Bit>,
    low_score: Signal<Local, Bit>,
    low: Signal<Local, Bits<32>>,
    high: Signal<Local, Bits<32>>,
}

impl AnswerMemory {
    /// Without memory in a unit that gives no moves one by one, or no scores.
    pub fn new(generates: bool, scores: bool) -> Self {
        AnswerMemory { records: RecordMemory::new(generates), scores: ScoreMemory::new(scores), ..Default::default() }
    }
}

impl Logic for AnswerMemory {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, records, scores);
        dff_setup!(self, clock, completed, base_now, here, enough, age, stands, fetched, shown, word);
        dff_setup!(self, clock, at_first, words_left, past);

        // Moves come in.
        self.records.reset.next = self.reset.val();
        self.records.write.next = self.write.val();
        self.records.record.next = self.record.val();
        self.records.counted.next = self.counted.val();
        self.records.flags.next = self.flags.val();
        self.scores.write.next = self.scored.val();
        self.scores.place.next = self.completed.q.val();
        self.scores.score.next = self.score.val();
        if (self.scoring.val() & self.scored.val()) | (!self.scoring.val() & self.counted.val()) {
            self.completed.d.next = self.completed.q.val() + 1;
        }
        self.complete.next = self.completed.q.val();

        // The present answer stands when it is known and its moves are complete.
        self.base.next = self.base_now.q.val();
        self.here.d.next = self.completed.q.val() - self.base_now.q.val();
        self.enough.d.next = self.here.q.val() >= bit_cast::<MOVE_BITS, 10>(self.moves.val());
        self.age.d.next = 0.into();
        if self.decided.val() & !self.retire.val() {
            self.age.d.next = 3.into();
            if !self.age.q.val().get_bit(1) {
                self.age.d.next = self.age.q.val() + 1;
            }
        }
        self.begins.next = self.age.q.val().all() & self.enough.q.val() & !self.stands.q.val();
        if self.begins.val() {
            self.stands.d.next = true;
        }
        self.answered.next = self.stands.q.val();

        // Its words.
        self.moves_on.next = self.fetched.q.val() & (!self.shown.q.val() | self.words.take.val());
        self.high_score.next = !self.words_left.q.val().any();
        self.low_score.next = self.high_score.val() & (self.past.q.val() | self.moves.val().get_bit(0));
        self.low.next = bit_cast::<32, 64>(self.records.pair.val());
        self.high.next = self.records.pair.val().get_bits::<32>(32);
        if self.low_score.val() {
            self.low.next = bit_cast::<32, 64>(self.scores.four.val());
        }
        if self.high_score.val() {
            self.high.next = self.scores.four.val().get_bits::<32>(32);
        }
        if self.at_first.q.val() {
            self.low.next = self.first.val();
        }
        self.words.data.next = self.word.q.val();
        self.words.valid.next = self.shown.q.val();
        if self.words.take.val() {
            self.shown.d.next = false;
        }
        if self.moves_on.val() {
            self.shown.d.next = true;
            self.word.d.next = bit_cast::<64, 32>(self.low.val()) | (bit_cast::<64, 32>(self.high.val()) << 32);
            self.at_first.d.next = false;
            self.past.d.next = self.high_score.val();
            if !self.high_score.val() {
                self.words_left.d.next = self.words_left.q.val() - 1;
            }
        }

        // The low half of the first word is `first`, as if it were the record before the first one. An even number of records
        // ends in the middle of a word.
        self.records.begins.next = self.begins.val();
        self.records.from.next = self.base_now.q.val();
        self.records.moves_on.next = self.moves_on.val();
        self.scores.begins.next = self.begins.val();
        self.scores.from.next = self.base_now.q.val();
        if !self.moves.val().get_bit(0) {
            self.scores.from.next = self.base_now.q.val() - 2;
        }
        self.scores.moves_on.next = self.moves_on.val() & self.high_score.val();
        if !self.stands.q.val() {
            self.at_first.d.next = true;
            self.past.d.next = false;
            self.words_left.d.next = (self.moves.val() + 1) >> 1;
        }
        self.fetched.d.next = self.stands.q.val();
        if self.retire.val() {
            self.base_now.d.next = self.base_now.q.val() + bit_cast::<MOVE_BITS, 10>(self.moves.val());
            self.stands.d.next = false;
            self.fetched.d.next = false;
            self.shown.d.next = false;
        }
        if self.reset.val() {
            self.completed.d.next = 0.into();
            self.base_now.d.next = 0.into();
            self.age.d.next = 0.into();
            self.stands.d.next = false;
            self.fetched.d.next = false;
            self.shown.d.next = false;
        }
    }
}
