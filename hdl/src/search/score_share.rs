//! Shares the evaluator between the walkers.
//!
//! ```text
//!                   +------------+
//!   clock, reset   ->            => board 447    a position for the evaluator
//!   evaluates 4    => ScoreShare -> starts       there is one
//!   boards 4 x 447 =>            => scored 4     the score is for this walker
//!   score_valid    ->            |
//!                   +------------+
//! ```
//!
//! Handshake: a walker's position stays from its `evaluates` to its `scored`. `score_valid` comes
//! [`LATENCY_CLOCKS`] behind `starts`. A walker asks again only when it has its score, or long after.
//! Latency: a clock, and one more for each other walker that asks at the same time. Throughput: a position a clock.
//! Cost: 48 flip-flops. Model: none. Absent: the score itself, which is the same for all.

use super::seats::SEATS;
use crate::evaluate::unit::LATENCY_CLOCKS;
use crate::movegen::positions::BOARD_WIDTH;
use rust_hdl::prelude::*;

/// Wires of the walkers that wait for a score: one each, for each clock.
const OWNERS: usize = SEATS * LATENCY_CLOCKS;

crate::constants! {
    Values {
        oldest: Bits<8> = OWNERS - SEATS;
    }
}

/// Shares the evaluator.
#[derive(LogicBlock, Default)]
pub struct ScoreShare {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// These walkers ask.
    pub evaluates: Signal<In, Bits<SEATS>>,
    /// Their positions.
    pub boards: [Signal<In, Bits<BOARD_WIDTH>>; SEATS],
    /// The position that is scored next.
    pub board: Signal<Out, Bits<BOARD_WIDTH>>,
    /// There is one.
    pub starts: Signal<Out, Bit>,
    /// The evaluator has a score.
    pub score_valid: Signal<In, Bit>,
    /// It is this walker's.
    pub scored: Signal<Out, Bits<SEATS>>,
    asks: DFF<Bits<SEATS>>,
    owners: DFF<Bits<OWNERS>>,
    /// The first one that asks.
    chosen: Signal<Local, Bits<SEATS>>,
    value: Values,
}

impl Logic for ScoreShare {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, asks, owners);
        self.chosen.next = self.asks.q.val() & (!self.asks.q.val() + 1);
        self.asks.d.next = (self.asks.q.val() & !self.chosen.val()) | self.evaluates.val();
        self.starts.next = self.asks.q.val().any();
        self.board.next = self.boards[0].val();
        for i in 1..4 {
            if self.chosen.val().get_bit(i) {
                self.board.next = self.boards[i].val();
            }
        }
        self.owners.d.next = (self.owners.q.val() << 4) | bit_cast::<OWNERS, SEATS>(self.chosen.val());
        self.scored.next = 0.into();
        if self.score_valid.val() {
            self.scored.next = self.owners.q.val().get_bits::<SEATS>(self.value.oldest.val().index());
        }
        if self.reset.val() {
            self.asks.d.next = 0.into();
            self.owners.d.next = 0.into();
        }
    }
}
