//! Shares the evaluator between the walkers.
//!
//! ```text
//!                   +------------+
//!   clock, reset   ->            => board 447    a position for the evaluator
//!   evaluates 4    => ScoreShare => change 24    the move that leads there
//!   boards 4 x 447 =>            => row 8        its ply, and above it its walker
//!   changes 4 x 24 =>            -> starts       there is one
//!   plies 4 x 6    =>            => scored 4     the score is for this walker
//!   takes          ->            |
//!   score_valid    ->            |
//!                   +------------+
//! ```
//!
//! Handshake: a walker's position, move and ply stay from its `evaluates` to its `scored`. Behind `starts` the next position starts in the
//! clock after `takes`, which may be the clock of `starts`. Scores come in the order of the positions. A walker asks again only when it has
//! its score.
//! Latency: a clock, and that of other walkers that asked before. Throughput: a position a clock.
//! Cost: 24 flip-flops. Model: none. Absent: the score itself, which is the same for all.

use super::keys::Change;
use super::seats::SEATS;
use crate::evaluate::correction::sum_rows::ROW_BITS;
use crate::movegen::positions::BOARD_WIDTH;
use crate::network::width;
use rust_hdl::prelude::*;

/// Wires of the walkers that wait for a score, the oldest lowest: one for each walker.
const QUEUE: usize = SEATS * SEATS;

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
    /// The moves that lead there.
    pub changes: [Signal<In, Bits<{ width::<Change>() }>>; SEATS],
    /// Their plies.
    pub plies: [Signal<In, Bits<6>>; SEATS],
    /// The position that is scored next.
    pub board: Signal<Out, Bits<BOARD_WIDTH>>,
    /// The move that leads there.
    pub change: Signal<Out, Bits<{ width::<Change>() }>>,
    /// Its ply, and above it its walker.
    pub row: Signal<Out, Bits<ROW_BITS>>,
    /// There is one.
    pub starts: Signal<Out, Bit>,
    /// Another one may start in the next clock.
    pub takes: Signal<In, Bit>,
    /// The evaluator has a score.
    pub score_valid: Signal<In, Bit>,
    /// It is this walker's.
    pub scored: Signal<Out, Bits<SEATS>>,
    asks: DFF<Bits<SEATS>>,
    waits: DFF<Bit>,
    queue: DFF<Bits<QUEUE>>,
    queued: DFF<Bits<3>>,
    /// The first one that asks.
    chosen: Signal<Local, Bits<SEATS>>,
    /// Its walker's number, and its ply.
    number: Signal<Local, Bits<2>>,
    ply: Signal<Local, Bits<6>>,
    /// The queue without the one that has its score.
    rest: Signal<Local, Bits<QUEUE>>,
    rest_count: Signal<Local, Bits<3>>,
    arrives: Signal<Local, Bits<QUEUE>>,
}

impl Logic for ScoreShare {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, asks, waits, queue, queued);
        self.chosen.next = 0.into();
        if !self.waits.q.val() {
            self.chosen.next = self.asks.q.val() & (!self.asks.q.val() + 1);
        }
        self.asks.d.next = (self.asks.q.val() & !self.chosen.val()) | self.evaluates.val();
        self.starts.next = self.chosen.val().any();
        self.waits.d.next = (self.waits.q.val() | self.chosen.val().any()) & !self.takes.val();
        self.board.next = self.boards[0].val();
        self.change.next = self.changes[0].val();
        self.ply.next = self.plies[0].val();
        for i in 1..4 {
            if self.chosen.val().get_bit(i) {
                self.board.next = self.boards[i].val();
                self.change.next = self.changes[i].val();
                self.ply.next = self.plies[i].val();
            }
        }
        self.number.next = self.chosen.val().get_bits::<2>(1);
        if self.chosen.val().get_bit(3) {
            self.number.next = 3.into();
        }
        self.row.next = (bit_cast::<ROW_BITS, 2>(self.number.val()) << 6) | bit_cast::<ROW_BITS, 6>(self.ply.val());
        self.scored.next = 0.into();
        self.rest.next = self.queue.q.val();
        self.rest_count.next = self.queued.q.val();
        if self.score_valid.val() {
            self.scored.next = bit_cast::<SEATS, QUEUE>(self.queue.q.val());
            self.rest.next = self.queue.q.val() >> 4;
            self.rest_count.next = self.queued.q.val() - 1;
        }
        self.queue.d.next = self.rest.val();
        self.queued.d.next = self.rest_count.val();
        self.arrives.next = bit_cast::<QUEUE, SEATS>(self.chosen.val());
        if self.chosen.val().any() {
            self.queued.d.next = self.rest_count.val() + 1;
            match self.rest_count.val().index() {
                0 => self.queue.d.next = self.rest.val() | self.arrives.val(),
                1 => self.queue.d.next = self.rest.val() | (self.arrives.val() << 4),
                2 => self.queue.d.next = self.rest.val() | (self.arrives.val() << 8),
                _ => self.queue.d.next = self.rest.val() | (self.arrives.val() << 12),
            }
        }
        if self.reset.val() {
            self.asks.d.next = 0.into();
            self.waits.d.next = false;
            self.queue.d.next = 0.into();
            self.queued.d.next = 0.into();
        }
    }
}
