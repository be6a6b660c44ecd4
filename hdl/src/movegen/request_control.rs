//! Controls a request of the dispatcher: when its position, the null move and its moves are made, and what is answered.
//!
//! ```text
//!                      +----------------+
//!   clock             ->                =>                    requests: `ports::MoveServer`
//!   start             ->                -> started            a request begins; the position enters as a node
//!   requests          =>                -> turn               make the null move in the position
//!   turned_found      ->                -> gives              make all its moves
//!   in_check          -> RequestControl |
//!   counted           ->                |
//!   count 10          =>                |
//!   counted_check     ->                |
//!   may_mate          ->                |
//!   tested            ->                |
//!   stored            ->                -> scoring            the evaluator gets the positions
//!   faults 4          =>                |                     of `position::faults`
//!   word_taken        ->                -> from_scores        the words are scores
//!                      +----------------+
//! ```
//!
//! Handshake: `turned_found`, `counted`, `tested` and `stored` are pulses: the position after the null move has left the target
//! stage, with `in_check` (the mover could take the king); the position is counted, with `count`, `counted_check` and
//! `may_mate` (a pawn drop that is not counted is being tested); it was tested, with a `count` of one if it is legal; the
//! moves are stored. `faults` stand from `counted` on.
//! With `want_records` and no fault, the unit is not ready again until `count` times `word_taken`, and with `want_scores` half as
//! many again.
//! Latency: `turn` [`TURN_CLOCKS`] after `started`; two from the last pulse to `done`. Cost: 47 flip-flops.
//! Throughput: one request at a time.
//! Model: `host/model/src/movegen`. Absent: walks, which need no such control.

use crate::ports::MoveServer;
use hayasashi_spec::opcode::{RESULT_CHECK, RESULT_UCHIFUZUME};
use hayasashi_spec::position::Fault;
use rust_hdl::prelude::*;

/// Clocks from `started` to `turn`: the position has been made and written to its row.
pub const TURN_CLOCKS: u64 = 6;

/// What a request waits for.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum RequestState {
    /// No request.
    Idle,
    /// Wait for position, null move and pawn drop.
    Wait,
    /// Answer.
    Decide,
    /// Wait until the moves are stored.
    Store,
    /// Give the moves one by one.
    Give,
    /// Give the scores of the positions after them.
    Scores,
}

crate::constants! {
    Values {
        turn_in: Bits<3> = TURN_CLOCKS - 1;
        fault_capturable: Bits<5> = Fault::Capturable;
        result_check: Bits<16> = RESULT_CHECK;
        result_uchifuzume: Bits<16> = RESULT_UCHIFUZUME;
    }
}

/// Controls a request.
#[derive(LogicBlock, Default)]
pub struct RequestControl {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// For one clock: a request begins.
    pub start: Signal<In, Bit>,
    /// The dispatcher's side.
    pub requests: MoveServer,
    /// For one clock: the position turned leaves the target stage.
    pub turned_found: Signal<In, Bit>,
    /// With `turned_found`: the mover could take the king.
    pub in_check: Signal<In, Bit>,
    /// For one clock: the position is counted.
    pub counted: Signal<In, Bit>,
    /// With `counted`: legal moves; with `tested`: one if the pawn drop is legal.
    pub count: Signal<In, Bits<10>>,
    /// With `counted`: the mover is in check.
    pub counted_check: Signal<In, Bit>,
    /// With `counted`: a pawn drop is not counted, and is being tested.
    pub may_mate: Signal<In, Bit>,
    /// For one clock: the pawn drop is tested.
    pub tested: Signal<In, Bit>,
    /// For one clock: the moves are stored.
    pub stored: Signal<In, Bit>,
    /// Faults of the position that `position::faults` finds.
    pub faults: Signal<In, Bits<4>>,
    /// A word is taken in this clock.
    pub word_taken: Signal<In, Bit>,
    /// The request is accepted in this clock.
    pub started: Signal<Out, Bit>,
    /// The null move is made.
    pub turn: Signal<Out, Bit>,
    /// All moves are made.
    pub gives: Signal<Out, Bit>,
    /// The evaluator gets the positions.
    pub scoring: Signal<Out, Bit>,
    /// The words are scores.
    pub from_scores: Signal<Out, Bit>,
    state: DFF<RequestState>,
    generating: DFF<Bit>,
    scores_wanted: DFF<Bit>,
    /// Clocks to the null move.
    turn_in: DFF<Bits<3>>,
    turning: DFF<Bit>,
    turned: DFF<Bit>,
    /// All is counted.
    all_counted: DFF<Bit>,
    all_stored: DFF<Bit>,
    giving: DFF<Bit>,
    capturable: DFF<Bit>,
    done_pulse: DFF<Bit>,
    /// There was a fault a clock ago.
    faulty: DFF<Bit>,
    fault_bits: DFF<Bits<5>>,
    count_kept: DFF<Bits<10>>,
    check_kept: DFF<Bit>,
    uchifuzume_kept: DFF<Bit>,
    /// Words that were not taken.
    words_left: DFF<Bits<10>>,
    all_faults: Signal<Local, Bits<5>>,
    check_bit: Signal<Local, Bits<16>>,
    uchifuzume_bit: Signal<Local, Bits<16>>,
    value: Values,
}

impl Logic for RequestControl {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, generating, turn_in, turning, turned, all_counted, all_stored, giving);
        dff_setup!(self, clock, scores_wanted, capturable, done_pulse, faulty, fault_bits);
        dff_setup!(self, clock, count_kept, check_kept, uchifuzume_kept, words_left);
        self.all_faults.next = bit_cast::<5, 4>(self.faults.val());
        if self.capturable.q.val() {
            self.all_faults.next = bit_cast::<5, 4>(self.faults.val()) | self.value.fault_capturable.val();
        }
        self.faulty.d.next = self.all_faults.val().any();
        self.started.next = false;
        self.giving.d.next = false;
        self.done_pulse.d.next = false;
        self.turning.d.next = self.turn_in.q.val() == 1;
        if self.turn_in.q.val().any() {
            self.turn_in.d.next = self.turn_in.q.val() - 1;
        }
        if self.stored.val() {
            self.all_stored.d.next = true;
        }
        match self.state.q.val() {
            RequestState::Idle => {
                if self.start.val() {
                    self.started.next = true;
                    self.generating.d.next = self.requests.want_records.val();
                    self.scores_wanted.d.next = self.requests.want_scores.val();
                    self.turn_in.d.next = self.value.turn_in.val();
                    self.turned.d.next = false;
                    self.all_counted.d.next = false;
                    self.all_stored.d.next = false;
                    self.capturable.d.next = false;
                    self.uchifuzume_kept.d.next = false;
                    self.words_left.d.next = 0.into();
                    self.state.d.next = RequestState::Wait;
                }
            }
            RequestState::Wait => {
                if self.counted.val() {
                    self.count_kept.d.next = self.count.val();
                    self.check_kept.d.next = self.counted_check.val();
                    self.all_counted.d.next = !self.may_mate.val();
                }
                if self.tested.val() {
                    self.count_kept.d.next = self.count_kept.q.val() + self.count.val();
                    self.uchifuzume_kept.d.next = !self.count.val().any();
                    self.all_counted.d.next = true;
                }
                if self.all_counted.q.val() & self.turned.q.val() {
                    self.state.d.next = RequestState::Decide;
                }
            }
            RequestState::Decide => {
                self.fault_bits.d.next = self.all_faults.val();
                self.done_pulse.d.next = true;
                self.state.d.next = RequestState::Idle;
                if self.generating.q.val() & !self.faulty.q.val() & self.count_kept.q.val().any() {
                    self.words_left.d.next = self.count_kept.q.val();
                    self.state.d.next = RequestState::Store;
                }
            }
            RequestState::Store => {
                if self.all_stored.q.val() {
                    self.giving.d.next = true;
                    self.state.d.next = RequestState::Give;
                }
            }
            RequestState::Give => {
                if !self.words_left.q.val().any() {
                    self.state.d.next = RequestState::Idle;
                    if self.scores_wanted.q.val() {
                        self.words_left.d.next = (self.count_kept.q.val() + 1) >> 1;
                        self.state.d.next = RequestState::Scores;
                    }
                }
            }
            RequestState::Scores => {
                if !self.words_left.q.val().any() {
                    self.state.d.next = RequestState::Idle;
                }
            }
        }
        if self.turned_found.val() {
            self.turned.d.next = true;
            self.capturable.d.next = self.in_check.val();
        }
        if self.word_taken.val() {
            self.words_left.d.next = self.words_left.q.val() - 1;
        }
        self.scoring.next = self.scores_wanted.q.val();
        self.from_scores.next = self.state.q.val() == RequestState::Scores;
        if self.reset.val() {
            self.state.d.next = RequestState::Idle;
            self.turn_in.d.next = 0.into();
        }
        self.turn.next = self.turning.q.val();
        self.gives.next = self.giving.q.val();

        self.check_bit.next = 0.into();
        if self.check_kept.q.val() {
            self.check_bit.next = self.value.result_check.val();
        }
        self.uchifuzume_bit.next = 0.into();
        if self.uchifuzume_kept.q.val() {
            self.uchifuzume_bit.next = self.value.result_uchifuzume.val();
        }
        self.requests.ready.next = self.state.q.val() == RequestState::Idle;
        self.requests.done.next = self.done_pulse.q.val();
        self.requests.faults.next = self.fault_bits.q.val();
        self.requests.count.next = self.count_kept.q.val();
        self.requests.result.next = self.check_bit.val() | self.uchifuzume_bit.val();
    }
}
