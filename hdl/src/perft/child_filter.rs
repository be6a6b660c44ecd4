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
//! Absent: the positions themselves.

use super::walker::CHUNK;
use rust_hdl::prelude::*;

// Bits of `place`.
const _: () = assert!(CHUNK == 1 << 6);

/// Chooses the children that are kept.
#[derive(LogicBlock)]
pub struct ChildFilter {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The first unit is the next to keep a shared child.
    pub clear: Signal<In, Bit>,
    /// The move pipeline does not stall in this clock.
    pub step: Signal<In, Bit>,
    /// A move leaves the serialiser.
    pub valid: Signal<In, Bit>,
    /// It is the first of its parent.
    pub first: Signal<In, Bit>,
    /// With `first`: the parent's children are kept, not counted.
    pub parent_inner: Signal<In, Bit>,
    /// The chunk of children that is kept.
    pub chunk: Signal<In, Bits<4>>,
    /// The units share out these children.
    pub shared: Signal<In, Bit>,
    /// At make move: the move is of a parent whose children are kept.
    pub inner: Signal<Out, Bit>,
    /// At make move: its child is to be kept.
    pub keep: Signal<Out, Bit>,
    /// The last move's parent has children that are kept.
    last_inner: DFF<Bit>,
    /// The chunk of its next child, and the place there.
    next_chunk: DFF<Bits<4>>,
    place: DFF<Bits<6>>,
    /// The unit that keeps the next shared child.
    turn: DFF<Bits<3>>,
    /// `inner` of the moves under way: at departure, trace, origin and make move.
    inner_1: DFF<Bit>,
    inner_2: DFF<Bit>,
    inner_3: DFF<Bit>,
    inner_4: DFF<Bit>,
    /// `keep` of these moves.
    keep_1: DFF<Bit>,
    keep_2: DFF<Bit>,
    keep_3: DFF<Bit>,
    keep_4: DFF<Bit>,
    this_inner: Signal<Local, Bit>,
    this_chunk: Signal<Local, Bits<4>>,
    this_place: Signal<Local, Bits<6>>,
    in_chunk: Signal<Local, Bit>,
    this_keep: Signal<Local, Bit>,
    unit: Constant<Bits<3>>,
    last_unit: Constant<Bits<3>>,
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
            next_chunk: Default::default(),
            place: Default::default(),
            turn: Default::default(),
            inner_1: Default::default(),
            inner_2: Default::default(),
            inner_3: Default::default(),
            inner_4: Default::default(),
            keep_1: Default::default(),
            keep_2: Default::default(),
            keep_3: Default::default(),
            keep_4: Default::default(),
            this_inner: Default::default(),
            this_chunk: Default::default(),
            this_place: Default::default(),
            in_chunk: Default::default(),
            this_keep: Default::default(),
            unit: Constant::new(unit.to_bits()),
            last_unit: Constant::new((units - 1).to_bits()),
        }
    }
}

impl Logic for ChildFilter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, last_inner, next_chunk, place, turn);
        dff_setup!(self, clock, inner_1, inner_2, inner_3, inner_4, keep_1, keep_2, keep_3, keep_4);
        self.this_inner.next = self.last_inner.q.val();
        self.this_chunk.next = self.next_chunk.q.val();
        self.this_place.next = self.place.q.val();
        if self.first.val() {
            self.this_inner.next = self.parent_inner.val();
            self.this_chunk.next = 0.into();
            self.this_place.next = 0.into();
        }
        self.in_chunk.next = self.this_inner.val() & (self.this_chunk.val() == self.chunk.val());
        self.this_keep.next = self.in_chunk.val() & (!self.shared.val() | (self.turn.q.val() == self.unit.val()));
        if self.valid.val() {
            self.last_inner.d.next = self.this_inner.val();
            self.place.d.next = self.this_place.val() + 1;
            self.next_chunk.d.next = self.this_chunk.val();
            if self.this_place.val().all() {
                self.next_chunk.d.next = self.this_chunk.val() + 1;
            }
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
            self.inner_1.d.next = self.valid.val() & self.this_inner.val();
            self.inner_2.d.next = self.inner_1.q.val();
            self.inner_3.d.next = self.inner_2.q.val();
            self.inner_4.d.next = self.inner_3.q.val();
            self.keep_1.d.next = self.valid.val() & self.this_keep.val();
            self.keep_2.d.next = self.keep_1.q.val();
            self.keep_3.d.next = self.keep_2.q.val();
            self.keep_4.d.next = self.keep_3.q.val();
        }
        self.inner.next = self.inner_4.q.val();
        self.keep.next = self.keep_4.q.val();
    }
}
