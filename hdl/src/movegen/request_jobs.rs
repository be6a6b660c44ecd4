//! Has the moves of requested positions made, in the order of the positions.
//!
//! ```text
//!                  +-------------+
//!   clock, reset  ->             => job 24      all moves of a node, see `Job`
//!   start         ->             -> gives       there is a job
//!   want_records  ->             -> scoring     the positions after the moves are to be scored
//!   loads, stored ->             => given 2     the slot that is looked at next
//!   groups 6      => RequestJobs -> node_free   no node's moves are still to be made
//!   room          ->             |
//!   decided       ->             |    of the slot `given`:
//!   moves 10      =>             |
//!   with_scores   ->             |
//!   base 11       =>             |    of `answer_memory`
//!   complete 11   =>             |
//!                  +-------------+
//! ```
//!
//! Handshake: `start` with `want_records` begins a node, only while `node_free`; other starts are passed over when they are decided.
//! `loads`: the bank takes the node's planes; then `stored`: its `groups` may be read. The job comes when the position is `decided`,
//! the answer memory has places for its moves, and `room`. Moves with scores follow moves without only when these are complete.
//! Latency: five clocks from `decided` to the job, two from `stored`. Throughput: a position in five clocks.
//! Cost: 58 flip-flops. Model: none. Absent: what is found out (`request_slots`).

use super::answer_memory::{MOVE_BITS, PLACES};
use super::operation::{Aim, Job, GROUP_BITS};
use super::request_slots::SLOT_BITS;
use crate::network::width;
use rust_hdl::prelude::*;

/// Wires of a job.
pub const JOB_WIDTH: usize = width::<Job>();

/// What happens to the position whose moves are wanted.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum NodeState {
    /// There is none.
    Free,
    /// It is on its way to the bank.
    Enters,
    /// Its groups are being written.
    Writes,
    /// They may be read.
    Stored,
}

crate::constants! {
    Values {
        places: Bits<MOVE_BITS> = PLACES;
        last_group: Bits<5> = Job::lowest_wire("last");
        aim: Bits<JOB_WIDTH> = (1 << Aim::lowest_wire("leaf") | 1 << Aim::lowest_wire("child")) << Job::lowest_wire("aim");
    }
}

/// Gives jobs.
#[derive(LogicBlock, Default)]
pub struct RequestJobs {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all positions.
    pub reset: Signal<In, Bit>,
    /// For one clock: a request.
    pub start: Signal<In, Bit>,
    /// With `start`: the moves are wanted one by one.
    pub want_records: Signal<In, Bit>,
    /// The bank takes the planes of a node.
    pub loads: Signal<In, Bit>,
    /// The groups of the bank's node may be read.
    pub stored: Signal<In, Bit>,
    /// With `stored`: so many.
    pub groups: Signal<In, Bits<GROUP_BITS>>,
    /// A job may be given.
    pub room: Signal<In, Bit>,
    /// All is known of the position of the slot `given`.
    pub decided: Signal<In, Bit>,
    /// Moves that its answer lists.
    pub moves: Signal<In, Bits<10>>,
    /// With scores.
    pub with_scores: Signal<In, Bit>,
    /// Moves of all answers that are done with.
    pub base: Signal<In, Bits<MOVE_BITS>>,
    /// Moves that are complete.
    pub complete: Signal<In, Bits<MOVE_BITS>>,
    /// All moves of a node are to be made.
    pub job: Signal<Out, Bits<JOB_WIDTH>>,
    /// There is a job in this clock.
    pub gives: Signal<Out, Bit>,
    /// The positions after the moves are to be scored.
    pub scoring: Signal<Out, Bit>,
    /// The slot that is looked at next.
    pub given: Signal<Out, Bits<SLOT_BITS>>,
    /// No node's moves are still to be made.
    pub node_free: Signal<Out, Bit>,
    node: DFF<NodeState>,
    groups_kept: DFF<Bits<GROUP_BITS>>,
    given_slot: DFF<Bits<SLOT_BITS>>,
    /// Positions that were not looked at.
    waiting: DFF<Bits<3>>,
    more: Signal<Local, Bits<3>>,
    less: Signal<Local, Bits<3>>,
    /// Moves of all jobs; with the next one's.
    total: DFF<Bits<MOVE_BITS>>,
    total_next: DFF<Bits<MOVE_BITS>>,
    fits: DFF<Bit>,
    drained: DFF<Bit>,
    scores_now: DFF<Bit>,
    /// Clocks since the position was decided, up to three: then `fits` is about it.
    age: DFF<Bits<2>>,
    /// Its moves are to be made, and with scores.
    any_moves: DFF<Bit>,
    any_scores: DFF<Bit>,
    /// There is a job, as soon as there is room.
    pending: DFF<Bit>,
    looks: Signal<Local, Bit>,
    is_node: Signal<Local, Bit>,
    gives_now: Signal<Local, Bit>,
    passes: Signal<Local, Bit>,
    value: Values,
}

impl Logic for RequestJobs {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, node, groups_kept, given_slot, waiting, total, total_next, fits, drained);
        dff_setup!(self, clock, scores_now, age, any_moves, any_scores, pending);
        self.scoring.next = self.scores_now.q.val();
        self.given.next = self.given_slot.q.val();
        self.node_free.next = self.node.q.val() == NodeState::Free;
        match self.node.q.val() {
            NodeState::Free => {}
            NodeState::Enters => {
                if self.loads.val() {
                    self.node.d.next = NodeState::Writes;
                }
            }
            NodeState::Writes => {
                if self.stored.val() {
                    self.groups_kept.d.next = self.groups.val();
                    self.node.d.next = NodeState::Stored;
                }
            }
            NodeState::Stored => {}
        }
        self.total_next.d.next = self.total.q.val() + bit_cast::<MOVE_BITS, 10>(self.moves.val());
        self.fits.d.next = (self.total_next.q.val() - self.base.val()) <= self.value.places.val();
        self.drained.d.next = self.complete.val() == self.total.q.val();
        self.age.d.next = 0.into();
        if self.waiting.q.val().any() & self.decided.val() {
            self.age.d.next = 3.into();
            if !self.age.q.val().get_bit(1) {
                self.age.d.next = self.age.q.val() + 1;
            }
        }
        self.looks.next = self.age.q.val().all();
        self.any_moves.d.next = self.moves.val().any();
        self.any_scores.d.next = self.with_scores.val();
        self.passes.next = self.looks.val() & !self.any_moves.q.val();
        self.gives_now.next = self.pending.q.val() & self.room.val();
        self.pending.d.next = self.looks.val()
            & self.any_moves.q.val()
            & (self.node.q.val() == NodeState::Stored)
            & self.fits.q.val()
            & (self.drained.q.val() | (self.scores_now.q.val() == self.any_scores.q.val()))
            & !self.gives_now.val();
        self.job.next = bit_cast::<JOB_WIDTH, SLOT_BITS>(self.given_slot.q.val())
            | (bit_cast::<JOB_WIDTH, GROUP_BITS>(self.groups_kept.q.val() - 1) << self.value.last_group.val())
            | self.value.aim.val();
        self.gives.next = self.gives_now.val();
        self.more.next = 0.into();
        self.less.next = 0.into();
        // The node is the position that started last.
        self.is_node.next = (self.node.q.val() != NodeState::Free) & (self.waiting.q.val() == 1);
        if self.gives_now.val() {
            self.total.d.next = self.total_next.q.val();
            self.scores_now.d.next = self.any_scores.q.val();
        }
        if self.gives_now.val() | self.passes.val() {
            self.less.next = 1.into();
            self.age.d.next = 0.into();
            self.given_slot.d.next = self.given_slot.q.val() + 1;
            if self.is_node.val() {
                self.node.d.next = NodeState::Free;
            }
        }
        if self.start.val() {
            self.more.next = 1.into();
            if self.want_records.val() {
                self.node.d.next = NodeState::Enters;
            }
        }
        self.waiting.d.next = self.waiting.q.val() + self.more.val() - self.less.val();
        if self.reset.val() {
            self.node.d.next = NodeState::Free;
            self.given_slot.d.next = 0.into();
            self.waiting.d.next = 0.into();
            self.total.d.next = 0.into();
            self.age.d.next = 0.into();
            self.pending.d.next = false;
        }
    }
}
