//! Lets a parent into the pipeline: it takes the place of a move of the serialiser.
//!
//! ```text
//!                     +-------------+
//!   clock            ->             -> pause       no move leaves the serialiser in this clock
//!   step             ->             -> pause_next  nor in the next one
//!   wanted           -> ParentEntry -> taken       a parent takes the place
//!   stopping         ->             -> read        read the stack: it enters in the next clock
//!   children_to_come ->             -> enters      it enters the pipeline
//!                     +-------------+
//! ```
//!
//! Handshake: moves stand still in a clock without `step`. `wanted`: a parent is wanted, were none on its way.
//! While children are being made (`children_to_come`) two places are left free, so that the stack can be read in a clock
//! in which it is not written.
//! Latency: `taken` a clock after `wanted`, two with children to come; `enters` four steps later. Cost: 6 flip-flops.
//! Throughput: one parent at a time.
//! Model: none. Absent: which parent it is (see `walk_stack`).

use rust_hdl::prelude::*;

/// Lets a parent into the pipeline.
#[derive(LogicBlock, Default)]
pub struct ParentEntry {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The move pipeline does not stall in this clock.
    pub step: Signal<In, Bit>,
    /// A parent is wanted.
    pub wanted: Signal<In, Bit>,
    /// No further parent is taken.
    pub stopping: Signal<In, Bit>,
    /// Children are still being made.
    pub children_to_come: Signal<In, Bit>,
    /// No move leaves the serialiser in this clock.
    pub pause: Signal<Out, Bit>,
    /// Nor in the next one.
    pub pause_next: Signal<Out, Bit>,
    /// A parent takes the place of a move.
    pub taken: Signal<Out, Bit>,
    /// The stack is to be read: the parent enters in the next clock.
    pub read: Signal<Out, Bit>,
    /// The parent enters the pipeline.
    pub enters: Signal<Out, Bit>,
    pausing: DFF<Bit>,
    /// Nor did a move leave the serialiser in the step before.
    paused: DFF<Bit>,
    /// A parent is under way in the place of a move: at departure, trace, origin and make move.
    parent_1: DFF<Bit>,
    parent_2: DFF<Bit>,
    parent_3: DFF<Bit>,
    parent_4: DFF<Bit>,
    takes: Signal<Local, Bit>,
    pauses: Signal<Local, Bit>,
}

impl Logic for ParentEntry {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, pausing, paused, parent_1, parent_2, parent_3, parent_4);
        self.takes.next =
            self.pausing.q.val() & !self.stopping.val() & (self.paused.q.val() | !self.children_to_come.val());
        self.pauses.next = self.pausing.q.val();
        self.read.next = self.parent_4.q.val();
        if self.step.val() {
            self.pauses.next = self.wanted.val() & !self.takes.val();
            self.read.next = self.parent_3.q.val();
            self.parent_1.d.next = self.takes.val();
            self.parent_2.d.next = self.parent_1.q.val();
            self.parent_3.d.next = self.parent_2.q.val();
            self.parent_4.d.next = self.parent_3.q.val();
            self.paused.d.next = self.pausing.q.val() & !self.takes.val();
        }
        self.pausing.d.next = self.pauses.val();
        self.pause.next = self.pausing.q.val();
        self.pause_next.next = self.pauses.val();
        self.taken.next = self.takes.val() & self.step.val();
        self.enters.next = self.parent_4.q.val();
    }
}
