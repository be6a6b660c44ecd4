//! Lets requested positions in, each followed by its null move, and gives them slots.
//!
//! ```text
//!                  +--------------+
//!   clock, reset  ->              -> ready
//!   start         ->              => start_slot 2   the slot of a position that starts
//!   want_records  ->              -> root_node      a position enters, as a node: its moves are kept
//!   blocked       -> RequestEntry -> root_leaf      a position enters, to be counted only
//!   node_free     ->              -> turn           the null move is made
//!   job_given     ->              => slot 2         with these three: the slot
//!   retire        ->              -> faults_found   the faults of a position are known,
//!                  |              => fault_slot 2   which has this slot
//!                  |              => oldest 2       the slot of the present answer, if there is one: `waits`
//!                  +--------------+
//! ```
//!
//! Handshake: `start` two clocks behind `ready` or later. Nothing enters in a clock in which it would be `blocked`. `node_free`: there
//! is no node whose moves are still to be made; a `job_given` makes them. `retire` ends the oldest position.
//! Latency: a position enters one clock after `start`, its null move [`TURN_CLOCKS`] later. Throughput: a position in
//! nine clocks, because of `position::faults`.
//! Cost: 40 flip-flops. Model: none. Absent: what is found out (`request_slots`), the moves (`request_jobs`).

use super::pipeline::RESULT_CLOCKS;
use super::request_slots::{SLOTS, SLOT_BITS};
use crate::evaluate::unit::LATENCY_CLOCKS;
use crate::position::faults::{FAULTS_CLOCKS, FAULTS_PERIOD};
use rust_hdl::prelude::*;

/// Clocks from a position's entry to its null move: it has been written to its row.
pub const TURN_CLOCKS: u64 = 6;
/// One clock less than `ready` is low after a start.
const START_PAUSE: u64 = FAULTS_PERIOD - 4;
/// The same after a job: the bank still writes groups of its node, but fewer than would disturb the next.
const JOB_PAUSE: u64 = 8;

// The score is that of the position counted last; the delay line is as long as `position::faults` takes.
const _: () = assert!(FAULTS_CLOCKS == 11 && RESULT_CLOCKS < LATENCY_CLOCKS as u64);

crate::constants! {
    Values {
        slots: Bits<3> = SLOTS;
        turn_in: Bits<3> = TURN_CLOCKS - 1;
        start_pause: Bits<4> = START_PAUSE;
        job_pause: Bits<4> = JOB_PAUSE;
    }
}

/// Lets positions in.
#[derive(LogicBlock, Default)]
pub struct RequestEntry {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all positions.
    pub reset: Signal<In, Bit>,
    /// For one clock: a request.
    pub start: Signal<In, Bit>,
    /// With `start`: the moves are wanted one by one.
    pub want_records: Signal<In, Bit>,
    /// Something else enters in this clock.
    pub blocked: Signal<In, Bit>,
    /// All nodes' moves have been made or are being made.
    pub node_free: Signal<In, Bit>,
    /// The moves of a node are to be made.
    pub job_given: Signal<In, Bit>,
    /// For one clock: the oldest answer is done with.
    pub retire: Signal<In, Bit>,
    /// A position may be started.
    pub ready: Signal<Out, Bit>,
    /// The slot of the position that starts.
    pub start_slot: Signal<Out, Bits<SLOT_BITS>>,
    /// The position enters as a node.
    pub root_node: Signal<Out, Bit>,
    /// The position enters, to be counted only.
    pub root_leaf: Signal<Out, Bit>,
    /// The null move is made.
    pub turn: Signal<Out, Bit>,
    /// With these three: the slot.
    pub slot: Signal<Out, Bits<SLOT_BITS>>,
    /// The faults of a position are known.
    pub faults_found: Signal<Out, Bit>,
    /// Its slot.
    pub fault_slot: Signal<Out, Bits<SLOT_BITS>>,
    /// The slot of the present answer.
    pub oldest: Signal<Out, Bits<SLOT_BITS>>,
    /// A position is under way.
    pub waits: Signal<Out, Bit>,
    next_slot: DFF<Bits<SLOT_BITS>>,
    entering_slot: DFF<Bits<SLOT_BITS>>,
    faulted_slot: DFF<Bits<SLOT_BITS>>,
    oldest_slot: DFF<Bits<SLOT_BITS>>,
    under_way: DFF<Bits<3>>,
    more: Signal<Local, Bits<3>>,
    less: Signal<Local, Bits<3>>,
    /// Clocks to `ready`.
    pause: DFF<Bits<4>>,
    may_start: DFF<Bit>,
    root_waits: DFF<Bit>,
    root_keeps: DFF<Bit>,
    turn_in: DFF<Bits<3>>,
    turn_waits: DFF<Bit>,
    /// Starts of the last clocks.
    starts: DFF<Bits<11>>,
    enters: Signal<Local, Bit>,
    value: Values,
}

impl Logic for RequestEntry {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, next_slot, entering_slot, faulted_slot, oldest_slot, under_way, pause, may_start);
        dff_setup!(self, clock, root_waits, root_keeps, turn_in, turn_waits, starts);
        self.start_slot.next = self.next_slot.q.val();
        self.fault_slot.next = self.faulted_slot.q.val();
        self.oldest.next = self.oldest_slot.q.val();
        self.waits.next = self.under_way.q.val().any();
        self.ready.next = self.may_start.q.val();
        self.may_start.d.next =
            !self.pause.q.val().any() & (self.under_way.q.val() != self.value.slots.val()) & self.node_free.val();
        if self.pause.q.val().any() {
            self.pause.d.next = self.pause.q.val() - 1;
        }
        if self.job_given.val() {
            self.pause.d.next = self.value.job_pause.val();
        }

        // A null move goes before the next position.
        self.slot.next = self.entering_slot.q.val();
        self.turn.next = self.turn_waits.q.val() & !self.blocked.val();
        self.enters.next = self.root_waits.q.val() & !self.turn_waits.q.val() & !self.blocked.val();
        self.root_node.next = self.enters.val() & self.root_keeps.q.val();
        self.root_leaf.next = self.enters.val() & !self.root_keeps.q.val();
        if !self.blocked.val() {
            self.turn_waits.d.next = false;
        }
        if self.turn_in.q.val().any() {
            self.turn_in.d.next = self.turn_in.q.val() - 1;
            self.turn_waits.d.next = self.turn_in.q.val() == 1;
        }
        if self.enters.val() {
            self.root_waits.d.next = false;
            self.turn_in.d.next = self.value.turn_in.val();
        }

        self.starts.d.next = self.starts.q.val() << 1;
        self.faults_found.next = self.starts.q.val().get_bit(10);
        if self.starts.q.val().get_bit(10) {
            self.faulted_slot.d.next = self.faulted_slot.q.val() + 1;
        }
        self.more.next = 0.into();
        self.less.next = 0.into();
        if self.start.val() {
            self.more.next = 1.into();
            self.next_slot.d.next = self.next_slot.q.val() + 1;
            self.entering_slot.d.next = self.next_slot.q.val();
            self.root_waits.d.next = true;
            self.root_keeps.d.next = self.want_records.val();
            self.starts.d.next = (self.starts.q.val() << 1) | 1;
            self.pause.d.next = self.value.start_pause.val();
            self.may_start.d.next = false;
        }
        if self.retire.val() {
            self.less.next = 1.into();
            self.oldest_slot.d.next = self.oldest_slot.q.val() + 1;
        }
        self.under_way.d.next = self.under_way.q.val() + self.more.val() - self.less.val();
        if self.reset.val() {
            self.next_slot.d.next = 0.into();
            self.faulted_slot.d.next = 0.into();
            self.oldest_slot.d.next = 0.into();
            self.under_way.d.next = 0.into();
            self.pause.d.next = 0.into();
            self.root_waits.d.next = false;
            self.turn_in.d.next = 0.into();
            self.turn_waits.d.next = false;
            self.starts.d.next = 0.into();
        }
    }
}
