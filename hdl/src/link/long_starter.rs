//! Starts the requests that take long: checks the head, has the position looked at, and waits until nothing more is read.
//!
//! ```text
//!                 +-------------+
//!   clock, reset ->             =>               long: `ports::LongClient`
//!   run          ->             -> positions     the position is to be loaded
//!   parameters 32=>             -> finished, started
//!   request 29   =>             => refused 4     why the request was not started
//!   is_search    -> LongStarter -> reports       the present answer is that of a long request
//!   show, shown  ->             => opcode 8      of the request that the present answer is for
//!   answers      ->             => of 16         its sequence number
//!   answered     ->             -> unit_retire   the unit's answer is not sent
//!   faults 5     =>             |
//!   long         =>             |
//!                 +-------------+
//! ```
//!
//! Handshake: `run` to the clock of `finished`, while the cursor is at the request's payload; what is known of the request stays. It is
//! `started` in that clock, or `refused` from the next one to `answers`. `show` for one clock while `long.report`; then `reports` to
//! `shown`.
//! Latency: that of the controllers, and of a position. Throughput: one request at a time. Cost: 32 flip-flops. Model: `model/link`.
//! Absent: loading the position (`position_loader`).

use super::request_head::RequestHead;
use crate::ports::LongClient;
use hayasashi_spec::opcode::Status;
use rust_hdl::prelude::*;

crate::constants! {
    Values {
        range: Bits<4> = Status::Range;
        bad_position: Bits<4> = Status::Position;
    }
}

/// What the starter does.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum LongStarterState {
    /// Nothing, or the head is checked.
    Head,
    /// The unit looks at the position.
    Position,
    /// The controller reads the rest.
    Rest,
}

/// Starts long requests.
#[derive(LogicBlock, Default)]
pub struct LongStarter {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// Start the request.
    pub run: Signal<In, Bit>,
    /// The first four bytes of its payload.
    pub parameters: Signal<In, Bits<32>>,
    /// Header fields of the present request.
    pub request: Signal<In, RequestHead>,
    /// It is a SEARCH.
    pub is_search: Signal<In, Bit>,
    /// For one clock: an answer of a long request is to be sent.
    pub show: Signal<In, Bit>,
    /// For one clock: it is sent.
    pub shown: Signal<In, Bit>,
    /// For one clock: the refusal is answered.
    pub answers: Signal<In, Bit>,
    /// The unit has looked at the position.
    pub answered: Signal<In, Bit>,
    /// Why it cannot occur.
    pub faults: Signal<In, Bits<5>>,
    /// The controllers.
    pub long: LongClient,
    /// Load the position.
    pub positions: Signal<Out, Bit>,
    /// For one clock: the request is started or refused.
    pub finished: Signal<Out, Bit>,
    /// With it: it is started, and needed no more.
    pub started: Signal<Out, Bit>,
    /// Why it was refused, from the next clock on; zero if it was not.
    pub refused: Signal<Out, Bits<4>>,
    /// The present answer is that of a long request.
    pub reports: Signal<Out, Bit>,
    /// Opcode of the request that the present answer is for.
    pub opcode: Signal<Out, Bits<8>>,
    /// Its sequence number.
    pub of: Signal<Out, Bits<16>>,
    /// For one clock: the unit's answer is done with.
    pub unit_retire: Signal<Out, Bit>,
    state: DFF<LongStarterState>,
    why: DFF<Bits<4>>,
    shows: DFF<Bit>,
    shown_opcode: DFF<Bits<8>>,
    shown_of: DFF<Bits<16>>,
    retires: DFF<Bit>,
    value: Values,
}

impl Logic for LongStarter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, why, shows, shown_opcode, shown_of, retires);
        self.positions.next = self.state.q.val() == LongStarterState::Position;
        self.finished.next = false;
        self.refused.next = self.why.q.val();
        self.started.next = false;
        self.reports.next = self.shows.q.val();
        self.opcode.next = self.request.val().opcode;
        self.of.next = self.request.val().sequence;
        if self.shows.q.val() {
            self.opcode.next = self.shown_opcode.q.val();
            self.of.next = self.shown_of.q.val();
        }
        self.long.is_search.next = self.is_search.val();
        self.unit_retire.next = self.retires.q.val();
        self.long.load.next = self.run.val() & (self.state.q.val() == LongStarterState::Head);
        self.long.head.next = self.parameters.val();
        self.long.sequence.next = self.request.val().sequence;
        self.long.start.next = false;
        self.long.show.next = self.show.val();
        if self.shown.val() {
            self.shows.d.next = false;
        }
        if self.show.val() {
            self.shows.d.next = true;
            self.shown_opcode.d.next = self.long.opcode.val();
            self.shown_of.d.next = self.long.reported.val();
        }
        if self.answers.val() {
            self.why.d.next = 0.into();
        }
        match self.state.q.val() {
            LongStarterState::Head => {
                if self.run.val() & self.long.loaded.val() {
                    self.state.d.next = LongStarterState::Position;
                    if !self.long.possible.val() {
                        self.why.d.next = self.value.range.val();
                        self.finished.next = true;
                        self.state.d.next = LongStarterState::Head;
                    }
                }
            }
            LongStarterState::Position => {
                if self.answered.val() {
                    if self.faults.val().any() {
                        self.why.d.next = self.value.bad_position.val();
                        self.finished.next = true;
                        self.state.d.next = LongStarterState::Head;
                    } else {
                        self.long.start.next = true;
                        self.state.d.next = LongStarterState::Rest;
                    }
                }
            }
            LongStarterState::Rest => {
                if self.long.begun.val() {
                    self.started.next = true;
                    self.finished.next = true;
                    self.state.d.next = LongStarterState::Head;
                }
            }
        }
        self.retires.d.next = self.long.start.val();
        if self.reset.val() {
            self.state.d.next = LongStarterState::Head;
            self.why.d.next = 0.into();
            self.shows.d.next = false;
            self.retires.d.next = false;
        }
    }
}
