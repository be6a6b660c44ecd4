//! Answers requests by the faults of their positions: all that a chip asks of a unit if it only searches.
//!
//! ```text
//!                 +-------------+
//!   clock, reset ->             =>    requests: `ports::MoveServer`
//!   position 512 => FaultServer =>    words: `ports::WordSource`, the faults
//!   start        ->             |
//!   requests     =>             |
//!   words        =>             |
//!                 +-------------+
//!
//!   position -> faults -----------+-> answer
//!           \-> rays -> capture --/
//! ```
//!
//! Handshake: that of `movegen::unit`, for one position at a time: `start` for one clock, two clocks behind `ready` or later, with
//! `position` stable until `answered`. The answer stands until `retire`; its only word is that of the faults.
//! Latency: `answered` 12 clocks after `start`. Throughput: one position in 14 clocks.
//! Cost: 10 flip-flops and those of the blocks inside.
//! Model: `host/model/src/position/faults.rs`. Absent: moves, scores, their number and the length of an answer with them (zeros).

use super::{
    capture::{Capture, CaptureRays},
    faults::{Faults, FAULTS_CLOCKS},
};
use crate::ports::{MoveServer, WordSource};
use hayasashi_spec::position::Fault;
use rust_hdl::prelude::*;

crate::constants! {
    Values {
        faults_clocks: Bits<4> = FAULTS_CLOCKS;
        capturable: Bits<5> = Fault::Capturable as u8;
    }
}

/// Finds the faults of positions.
#[derive(LogicBlock, Default)]
pub struct FaultServer {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets what is under way.
    pub reset: Signal<In, Bit>,
    /// The position image; stable from `start` until `answered`.
    pub position: Signal<In, Bits<512>>,
    /// For one clock: a request.
    pub start: Signal<In, Bit>,
    /// Requests of the dispatcher.
    pub requests: MoveServer,
    /// The word of the answer.
    pub words: WordSource,
    faults: Faults,
    rays: CaptureRays,
    capture: Capture,
    /// Clocks until the faults are known.
    clocks_left: DFF<Bits<4>>,
    found: DFF<Bits<5>>,
    answered: DFF<Bit>,
    value: Values,
}

impl Logic for FaultServer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, faults, rays, capture);
        dff_setup!(self, clock, clocks_left, found, answered);
        self.faults.start.next = self.start.val().into();
        self.faults.image.next = self.position.val();
        self.faults.state_in.next = self.faults.state.val();
        self.rays.image.next = self.position.val();
        self.capture.image.next = self.position.val();
        self.capture.king.next = self.rays.king.val();
        self.capture.empty.next = self.rays.empty.val();
        self.capture.near.next = self.rays.near.val();

        if self.clocks_left.q.val().any() {
            self.clocks_left.d.next = self.clocks_left.q.val() - 1;
        }
        if self.clocks_left.q.val() == 1 {
            self.answered.d.next = true;
            self.found.d.next = bit_cast::<5, 4>(self.faults.faults.val());
            if self.capture.attackers.val().any() {
                self.found.d.next = bit_cast::<5, 4>(self.faults.faults.val()) | self.value.capturable.val();
            }
        }
        if self.start.val() {
            self.clocks_left.d.next = self.value.faults_clocks.val();
        }
        if self.requests.retire.val() {
            self.answered.d.next = false;
        }
        if self.reset.val() {
            self.clocks_left.d.next = 0.into();
            self.answered.d.next = false;
        }
        self.requests.ready.next = !self.clocks_left.q.val().any() & !self.answered.q.val();
        self.requests.answered.next = self.answered.q.val();
        self.requests.faults.next = self.found.q.val();
        self.requests.count.next = 0.into();
        self.requests.length.next = 0.into();
        self.words.data.next = bit_cast::<64, 5>(self.found.q.val());
        self.words.valid.next = self.answered.q.val();
    }
}

crate::inputs!(
    FaultServer: clock, reset, position, start, requests.want_records, requests.want_scores, requests.retire, words.take
);
