//! Tells of each move of a walk whether the position after it is to be kept, and delays that until it is made.
//!
//! ```text
//!                  +-------------+
//!   clock         ->             -> inner   at make move: the move is of a parent whose children are kept
//!   clear         ->             -> keep    at make move: its child is to be kept
//!   step          -> ChildFilter |   the move pipeline does not stall in this clock
//!   valid         ->             |   a move leaves the serialiser
//!   first         ->             |   it is the first of the parent in the bank
//!   parent_inner  ->             |   that parent's children are kept, not counted
//!   chunk 4       =>             |   of the children, the chunk that is kept
//!   shared        ->             |   the units share out these children
//!                  +-------------+
//! ```
//!
//! Handshake: `valid` only with `step`. Children of a chunk that is shared go to the units in turn; `clear` begins with the
//! first unit. Latency: four steps. Throughput: a move a clock. Cost: 22 flip-flops. Model: none.

use super::walker::CHUNK;
use rust_hdl::prelude::*;

/// Steps from the serialiser to make move: departure, trace, origin, make move.
const STEPS: usize = 4;

crate::constants! {
    Values {
        chunk_shift: Bits<3> = CHUNK.ilog2();
        entering: Bits<STEPS> = 1;
        leaving: Bits<STEPS> = 1 << (STEPS - 1);
    }
}

#[derive(LogicBlock)]
pub struct ChildFilter {
    pub clock: Signal<In, Clock>,
    pub clear: Signal<In, Bit>,
    pub step: Signal<In, Bit>,
    pub valid: Signal<In, Bit>,
    pub first: Signal<In, Bit>,
    pub parent_inner: Signal<In, Bit>,
    pub chunk: Signal<In, Bits<4>>,
    pub shared: Signal<In, Bit>,
    pub inner: Signal<Out, Bit>,
    pub keep: Signal<Out, Bit>,
    /// The last move's parent has children that are kept; number of its next move.
    last_inner: DFF<Bit>,
    index: DFF<Bits<10>>,
    /// The unit that keeps the next shared child.
    turn: DFF<Bits<3>>,
    /// `inner` and `keep` of the moves under way, the newest lowest.
    inner_steps: DFF<Bits<STEPS>>,
    keep_steps: DFF<Bits<STEPS>>,
    this_inner: Signal<Local, Bit>,
    this_index: Signal<Local, Bits<10>>,
    in_chunk: Signal<Local, Bit>,
    this_keep: Signal<Local, Bit>,
    unit: Constant<Bits<3>>,
    last_unit: Constant<Bits<3>>,
    value: Values,
}

impl Default for ChildFilter {
    /// Of the only unit.
    fn default() -> Self {
        ChildFilter::new(0, 1)
    }
}

impl ChildFilter {
    /// Of the `unit`th of `units` units.
    pub fn new(unit: u32, units: u32) -> Self {
        ChildFilter {
            clock: Default::default(),
            clear: Default::default(),
            step: Default::default(),
            valid: Default::default(),
            first: Default::default(),
            parent_inner: Default::default(),
            chunk: Default::default(),
            shared: Default::default(),
            inner: Default::default(),
            keep: Default::default(),
            last_inner: Default::default(),
            index: Default::default(),
            turn: Default::default(),
            inner_steps: Default::default(),
            keep_steps: Default::default(),
            this_inner: Default::default(),
            this_index: Default::default(),
            in_chunk: Default::default(),
            this_keep: Default::default(),
            unit: Constant::new(unit.to_bits()),
            last_unit: Constant::new((units - 1).to_bits()),
            value: Default::default(),
        }
    }
}

impl Logic for ChildFilter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, last_inner, index, turn, inner_steps, keep_steps);
        self.this_inner.next = self.last_inner.q.val();
        self.this_index.next = self.index.q.val();
        if self.first.val() {
            self.this_inner.next = self.parent_inner.val();
            self.this_index.next = 0.into();
        }
        self.in_chunk.next = self.this_inner.val()
            & (bit_cast::<4, 10>(self.this_index.val() >> self.value.chunk_shift.val()) == self.chunk.val());
        self.this_keep.next = self.in_chunk.val() & (!self.shared.val() | (self.turn.q.val() == self.unit.val()));
        if self.valid.val() {
            self.index.d.next = self.this_index.val() + 1;
            self.last_inner.d.next = self.this_inner.val();
            if self.in_chunk.val() & self.shared.val() {
                self.turn.d.next = self.turn.q.val() + 1;
                if self.turn.q.val() == self.last_unit.val() {
                    self.turn.d.next = 0.into();
                }
            }
        }
        if self.clear.val() {
            self.turn.d.next = 0.into();
        }
        if self.step.val() {
            self.inner_steps.d.next = self.inner_steps.q.val() << 1;
            self.keep_steps.d.next = self.keep_steps.q.val() << 1;
            if self.valid.val() & self.this_inner.val() {
                self.inner_steps.d.next = (self.inner_steps.q.val() << 1) | self.value.entering.val();
            }
            if self.valid.val() & self.this_keep.val() {
                self.keep_steps.d.next = (self.keep_steps.q.val() << 1) | self.value.entering.val();
            }
        }
        self.inner.next = (self.inner_steps.q.val() & self.value.leaving.val()).any();
        self.keep.next = (self.keep_steps.q.val() & self.value.leaving.val()).any();
    }
}
