//! Controls a request of the dispatcher: when its position, the null move and its moves enter the pipeline, and what is
//! answered.
//!
//! ```text
//!                      +----------------+
//!   clock             ->                =>                    requests: `ports::MoveServer`
//!   start             ->                -> started            a request begins
//!   requests          =>                -> offer_root         offer the position to the pipeline
//!   root_found        ->                -> make_null_move     offer the position turned
//!   turned_found      -> RequestControl -> planes_ready       the serialiser may take the planes
//!   turned_in_check   ->                |
//!   root_counted      ->                |
//!   count 10          =>                |
//!   in_check          ->                |
//!   uchifuzume        ->                |
//!   faults 4          =>                |   of `position::faults`
//!   planes_taken      ->                |
//!   record_taken      ->                |
//!                      +----------------+
//! ```
//!
//! Handshake: `root_found`, `turned_found` and `root_counted` are pulses: the position has left the target stage, the
//! position after the null move has, the position is counted. `turned_in_check` comes with the second (the mover could
//! take the king), `count`, `in_check` and `uchifuzume` with the third; `faults` stand from then on.
//! With `want_records` and no fault, `planes_ready` is high until `planes_taken`, and the unit is not ready again until
//! `count` times `record_taken`.
//! Latency: one clock to `offer_root`, two from the last pulse to `done`. Cost: 42 flip-flops.
//! Throughput: one request at a time.
//! Model: `host/model/src/movegen`. Absent: walks, which need no such control.

use crate::ports::MoveServer;
use hayasashi_spec::opcode::{RESULT_CHECK, RESULT_UCHIFUZUME};
use hayasashi_spec::position::Fault;
use rust_hdl::prelude::*;

/// What a request waits for.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum RequestState {
    /// No request.
    Idle,
    /// The position is being offered.
    Root,
    /// Wait for position and null move.
    Wait,
    /// Answer.
    Decide,
    /// Give the moves one by one.
    Serialise,
}

crate::constants! {
    Values {
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
    /// For one clock: a request begins.
    pub start: Signal<In, Bit>,
    /// The dispatcher's side.
    pub requests: MoveServer,
    /// For one clock: the position leaves the target stage.
    pub root_found: Signal<In, Bit>,
    /// For one clock: the position turned does.
    pub turned_found: Signal<In, Bit>,
    /// With `turned_found`: the mover could take the king.
    pub turned_in_check: Signal<In, Bit>,
    /// For one clock: the position is counted.
    pub root_counted: Signal<In, Bit>,
    /// With `root_counted`: legal moves.
    pub count: Signal<In, Bits<10>>,
    /// With `root_counted`: the mover is in check.
    pub in_check: Signal<In, Bit>,
    /// With `root_counted`: a pawn drop would be mate.
    pub uchifuzume: Signal<In, Bit>,
    /// Faults of the position that `position::faults` finds.
    pub faults: Signal<In, Bits<4>>,
    /// The serialiser takes the planes in this clock.
    pub planes_taken: Signal<In, Bit>,
    /// A record is taken in this clock.
    pub record_taken: Signal<In, Bit>,
    /// The request is accepted in this clock.
    pub started: Signal<Out, Bit>,
    /// The position is offered to the pipeline in this clock.
    pub offer_root: Signal<Out, Bit>,
    /// The null move is made in this clock.
    pub make_null_move: Signal<Out, Bit>,
    /// The serialiser may take the planes.
    pub planes_ready: Signal<Out, Bit>,
    state: DFF<RequestState>,
    generating: DFF<Bit>,
    /// The position is offered in this clock.
    offering: DFF<Bit>,
    /// The null move is made in this clock; its result has come.
    turning: DFF<Bit>,
    turned: DFF<Bit>,
    /// The position is counted.
    counted: DFF<Bit>,
    /// The serialiser may take the planes.
    ready_planes: DFF<Bit>,
    capturable: DFF<Bit>,
    done_pulse: DFF<Bit>,
    /// There was a fault a clock ago.
    faulty: DFF<Bit>,
    fault_bits: DFF<Bits<5>>,
    count_kept: DFF<Bits<10>>,
    check_kept: DFF<Bit>,
    uchifuzume_kept: DFF<Bit>,
    /// Records that were not taken.
    moves_left: DFF<Bits<10>>,
    all_faults: Signal<Local, Bits<5>>,
    check_bit: Signal<Local, Bits<16>>,
    uchifuzume_bit: Signal<Local, Bits<16>>,
    value: Values,
}

impl Logic for RequestControl {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, generating, offering, turning, turned, counted, ready_planes, capturable);
        dff_setup!(self, clock, done_pulse, faulty, fault_bits, count_kept, check_kept, uchifuzume_kept, moves_left);
        self.all_faults.next = bit_cast::<5, 4>(self.faults.val());
        if self.capturable.q.val() {
            self.all_faults.next = bit_cast::<5, 4>(self.faults.val()) | self.value.fault_capturable.val();
        }
        self.faulty.d.next = self.all_faults.val().any();
        self.started.next = false;
        self.offering.d.next = false;
        self.turning.d.next = false;
        self.done_pulse.d.next = false;
        if self.planes_taken.val() {
            self.ready_planes.d.next = false;
        }
        match self.state.q.val() {
            RequestState::Idle => {
                if self.start.val() {
                    self.started.next = true;
                    self.generating.d.next = self.requests.want_records.val();
                    self.turned.d.next = false;
                    self.counted.d.next = false;
                    self.capturable.d.next = false;
                    self.moves_left.d.next = 0.into();
                    self.offering.d.next = true;
                    self.state.d.next = RequestState::Root;
                }
            }
            RequestState::Root => self.state.d.next = RequestState::Wait,
            RequestState::Wait => {
                self.turning.d.next = self.root_found.val();
                if self.root_counted.val() {
                    self.count_kept.d.next = self.count.val();
                    self.check_kept.d.next = self.in_check.val();
                    self.uchifuzume_kept.d.next = self.uchifuzume.val();
                    self.counted.d.next = true;
                }
                if self.counted.q.val() & self.turned.q.val() {
                    self.state.d.next = RequestState::Decide;
                }
            }
            RequestState::Decide => {
                self.fault_bits.d.next = self.all_faults.val();
                self.done_pulse.d.next = true;
                self.state.d.next = RequestState::Idle;
                if self.generating.q.val() & !self.faulty.q.val() {
                    self.moves_left.d.next = self.count_kept.q.val();
                    self.ready_planes.d.next = self.count_kept.q.val().any();
                    self.state.d.next = RequestState::Serialise;
                }
            }
            RequestState::Serialise => {
                if !self.moves_left.q.val().any() {
                    self.state.d.next = RequestState::Idle;
                }
            }
        }
        if self.turned_found.val() {
            self.turned.d.next = true;
            self.capturable.d.next = self.turned_in_check.val();
        }
        if self.record_taken.val() {
            self.moves_left.d.next = self.moves_left.q.val() - 1;
        }
        self.offer_root.next = self.offering.q.val();
        self.make_null_move.next = self.turning.q.val();
        self.planes_ready.next = self.ready_planes.q.val();

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
