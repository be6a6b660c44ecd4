//! Collects what is found out about one requested position.
//!
//! ```text
//!                  +-------------+
//!   clock         ->             -> decided     all below is known and stays until the next `start`
//!   reset         ->             => faults 5    why the position cannot occur
//!   start         ->             => count 10    its legal moves
//!   want_records  ->             => moves 10    those that the answer lists
//!   want_scores   ->             -> scoring     with their scores
//!   faults_found  ->             => word 32     the first half of a word of the answer
//!   found 4       =>             => length 12   bytes of the answer
//!   turned        ->             -> root_scores the position itself is to be scored
//!   capturable    -> RequestSlot |
//!   counted       ->             |
//!   legal 10      =>             |
//!   in_check      ->             |
//!   may_mate      ->             |
//!   tested        ->             |
//!   scored        ->             |
//!   score 16      =>             |
//!                  +-------------+
//! ```
//!
//! Handshake: `start` with the wants begins a request. The other inputs are pulses with what they found: the faults of
//! `position::faults`; the check of the turned position (the mover could take the king); the position's moves, without a
//! pawn drop that `may_mate`; `tested` follows that, and `legal` is one if the drop is legal; the score of the position. They may come in any
//! order, but `tested` after `counted`.
//! Latency: two clocks from the last pulse to `decided`. Cost: 125 flip-flops. Model: `host/model/src/request.rs`.
//! Throughput: one request at a time. Absent: the moves.

use hayasashi_spec::opcode::{RESULT_BYTES, RESULT_CHECK, RESULT_UCHIFUZUME};
use hayasashi_spec::position::Fault;
use rust_hdl::prelude::*;

crate::constants! {
    Values {
        capturable: Bits<5> = Fault::Capturable;
        check: Bits<32> = (RESULT_CHECK as u32) << 16;
        uchifuzume: Bits<32> = (RESULT_UCHIFUZUME as u32) << 16;
        word_bytes: Bits<12> = RESULT_BYTES;
    }
}

/// What is known of one position.
#[derive(LogicBlock, Default)]
pub struct RequestSlot {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// No request.
    pub reset: Signal<In, Bit>,
    /// For one clock: a request begins.
    pub start: Signal<In, Bit>,
    /// With `start`: the moves are wanted one by one.
    pub want_records: Signal<In, Bit>,
    /// With `start`: scores are wanted.
    pub want_scores: Signal<In, Bit>,
    /// The faults are known.
    pub faults_found: Signal<In, Bit>,
    /// They, but for the fifth.
    pub found: Signal<In, Bits<4>>,
    /// The turned position is looked at.
    pub turned: Signal<In, Bit>,
    /// With `turned`: it is in check.
    pub capturable: Signal<In, Bit>,
    /// The position is counted.
    pub counted: Signal<In, Bit>,
    /// With `counted` or `tested`: legal moves.
    pub legal: Signal<In, Bits<10>>,
    /// With `counted`: the mover is in check.
    pub in_check: Signal<In, Bit>,
    /// With `counted`: a pawn drop is being tested.
    pub may_mate: Signal<In, Bit>,
    /// The pawn drop is tested.
    pub tested: Signal<In, Bit>,
    /// The position is scored.
    pub scored: Signal<In, Bit>,
    /// Its score.
    pub score: Signal<In, Bits<16>>,
    /// All is known.
    pub decided: Signal<Out, Bit>,
    /// Why the position cannot occur; zero if it can.
    pub faults: Signal<Out, Bits<5>>,
    /// Legal moves.
    pub count: Signal<Out, Bits<10>>,
    /// Moves that the answer lists.
    pub moves: Signal<Out, Bits<10>>,
    /// The answer has the scores of the positions after them.
    pub scoring: Signal<Out, Bit>,
    /// The score of the position itself is waited for.
    pub root_scores: Signal<Out, Bit>,
    /// Result header, score or faults.
    pub word: Signal<Out, Bits<32>>,
    /// Bytes of the answer.
    pub length: Signal<Out, Bits<12>>,
    records_wanted: DFF<Bit>,
    scores_wanted: DFF<Bit>,
    waits_faults: DFF<Bit>,
    waits_turned: DFF<Bit>,
    waits_count: DFF<Bit>,
    waits_score: DFF<Bit>,
    active: DFF<Bit>,
    ready: DFF<Bit>,
    fault_bits: DFF<Bits<4>>,
    king_hangs: DFF<Bit>,
    count_kept: DFF<Bits<10>>,
    check_kept: DFF<Bit>,
    uchifuzume_kept: DFF<Bit>,
    score_kept: DFF<Bits<16>>,
    all_faults: DFF<Bits<5>>,
    listed: DFF<Bits<10>>,
    first_word: DFF<Bits<32>>,
    bytes: DFF<Bits<12>>,
    every_fault: Signal<Local, Bits<5>>,
    listed_now: Signal<Local, Bits<10>>,
    header: Signal<Local, Bits<32>>,
    value: Values,
}

impl Logic for RequestSlot {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, records_wanted, scores_wanted, waits_faults, waits_turned, waits_count, waits_score);
        dff_setup!(self, clock, active, ready, fault_bits, king_hangs, count_kept, check_kept, uchifuzume_kept);
        dff_setup!(self, clock, score_kept, all_faults, listed, first_word, bytes);
        if self.faults_found.val() {
            self.waits_faults.d.next = false;
            self.fault_bits.d.next = self.found.val();
        }
        if self.turned.val() {
            self.waits_turned.d.next = false;
            self.king_hangs.d.next = self.capturable.val();
        }
        if self.counted.val() {
            self.waits_count.d.next = self.may_mate.val();
            self.count_kept.d.next = self.legal.val();
            self.check_kept.d.next = self.in_check.val();
        }
        if self.tested.val() {
            self.waits_count.d.next = false;
            self.count_kept.d.next = self.count_kept.q.val() + self.legal.val();
            self.uchifuzume_kept.d.next = !self.legal.val().any();
        }
        if self.scored.val() {
            self.waits_score.d.next = false;
            self.score_kept.d.next = self.score.val();
        }

        // What follows from it, a clock later.
        self.every_fault.next = bit_cast::<5, 4>(self.fault_bits.q.val());
        if self.king_hangs.q.val() {
            self.every_fault.next = bit_cast::<5, 4>(self.fault_bits.q.val()) | self.value.capturable.val();
        }
        self.all_faults.d.next = self.every_fault.val();
        self.header.next = bit_cast::<32, 10>(self.count_kept.q.val());
        if self.check_kept.q.val() {
            self.header.next = self.header.val() | self.value.check.val();
        }
        if self.uchifuzume_kept.q.val() {
            self.header.next = self.header.val() | self.value.uchifuzume.val();
        }
        self.listed_now.next = 0.into();
        self.first_word.d.next = self.header.val();
        if self.every_fault.val().any() {
            self.first_word.d.next = bit_cast::<32, 5>(self.every_fault.val());
        } else if self.records_wanted.q.val() {
            self.listed_now.next = self.count_kept.q.val();
        } else if self.scores_wanted.q.val() {
            self.first_word.d.next = bit_cast::<32, 16>(self.score_kept.q.val());
        }
        self.listed.d.next = self.listed_now.val();
        self.bytes.d.next = (bit_cast::<12, 10>(self.listed_now.val()) << 2) + self.value.word_bytes.val();
        if self.scores_wanted.q.val() {
            self.bytes.d.next = (bit_cast::<12, 10>(self.listed_now.val()) << 2)
                + (bit_cast::<12, 10>(self.listed_now.val()) << 1)
                + self.value.word_bytes.val();
        }
        self.ready.d.next = self.active.q.val()
            & !(self.waits_faults.q.val()
                | self.waits_turned.q.val()
                | self.waits_count.q.val()
                | self.waits_score.q.val());
        if self.start.val() {
            self.records_wanted.d.next = self.want_records.val();
            self.scores_wanted.d.next = self.want_scores.val();
            self.waits_faults.d.next = true;
            self.waits_turned.d.next = true;
            self.waits_count.d.next = true;
            self.waits_score.d.next = self.want_scores.val() & !self.want_records.val();
            self.uchifuzume_kept.d.next = false;
            self.active.d.next = true;
            self.ready.d.next = false;
        }
        if self.reset.val() {
            self.active.d.next = false;
            self.ready.d.next = false;
            self.waits_score.d.next = false;
        }
        self.decided.next = self.ready.q.val();
        self.faults.next = self.all_faults.q.val();
        self.count.next = self.count_kept.q.val();
        self.moves.next = self.listed.q.val();
        self.scoring.next = self.scores_wanted.q.val() & self.records_wanted.q.val();
        self.root_scores.next = self.waits_score.q.val();
        self.word.next = self.first_word.q.val();
        self.length.next = self.bytes.q.val();
    }
}
