//! Walks the tree of legal moves below one position: says which position's moves come next, and keeps the others.
//!
//! ```text
//!                  +--------+
//!   clock         ->        =>            orders: `ports::WalkUnit`
//!   orders        =>        => pause 1    no move leaves the serialiser in this clock
//!   hold 1        =>        -> pause_next nor in the next one
//!   move_valid 1  =>        => offer 1    the serialiser may take the bank's planes
//!   move_first 1  => Walker => root 1     a parent enters the pipeline: the request's position,
//!   move_taken 1  =>        => pop 1      or one from the stack
//!   child 447     =>        => popped 447 that position; zero without `pop`
//!   parent        ->        => leaf 1     the position after a move (at make move) is to be counted
//!   count 10      =>        |             `parent`: a parent is counted, its moves are `count`
//!   counted       ->        |             a leaf is counted
//!                  +--------+
//! ```
//!
//! Handshake: `start` while not `busy`; the request's position is stable until `busy` falls. `stop` ends the work early, after
//! what the serialiser still has. Moves stand still while `hold`.
//! Latency from `pause` to `offer`: 15 clocks, hidden where the present parent has as many moves. Throughput: a leaf a clock.
//! Cost: 13 block RAMs, see `constraints/AREA.md`. Model: `model/perft`. Absent: the sums; transpositions. Order of the
//! walk: see [`crate::perft`].

use super::{
    child_filter::ChildFilter, chunk_table::ChunkTable, due_counter::DueCounter, parent_entry::ParentEntry,
    walk_stack::WalkStack, walk_state::WalkState,
};
use crate::ports::WalkUnit;
use crate::position::Board;
use crate::{lazy::Lazy, network::width};
use hayasashi_spec::perft::MAX_UNITS;
use rust_hdl::prelude::*;

/// Children of one parent that are on the stack at a time.
pub const CHUNK: usize = 64;
/// Wires of a position on the stack.
pub const CHILD_WIDTH: usize = width::<Board>();

crate::constants! {
    Values {
        chunk_shift: Bits<3> = CHUNK.ilog2();
    }
}

/// By default the only unit's.
#[derive(LogicBlock, Default)]
pub struct Walker {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Orders of a walk.
    pub orders: WalkUnit,
    /// Moves stand still in this clock.
    pub hold: Signal<In, Bits<1>>,
    /// The serialiser has a move.
    pub move_valid: Signal<In, Bits<1>>,
    /// It is the first of the parent in the bank.
    pub move_first: Signal<In, Bits<1>>,
    /// The serialiser takes the bank's planes.
    pub move_taken: Signal<In, Bits<1>>,
    /// No move leaves the serialiser in this clock.
    pub pause: Signal<Out, Bits<1>>,
    /// Nor in the next one.
    pub pause_next: Signal<Out, Bit>,
    /// The serialiser may take the bank's planes.
    pub offer: Signal<Out, Bits<1>>,
    /// The request's position enters the pipeline as a parent.
    pub root: Signal<Out, Bits<1>>,
    /// `popped` does.
    pub pop: Signal<Out, Bits<1>>,
    /// A position from the stack; zero without `pop`.
    pub popped: Signal<Out, Bits<CHILD_WIDTH>>,
    /// At make move: the position after the move is to be counted.
    pub leaf: Signal<Out, Bits<1>>,
    /// At make move: that position.
    pub child: Signal<In, Bits<CHILD_WIDTH>>,
    /// A parent is counted.
    pub parent: Signal<In, Bit>,
    /// With `parent`: its moves.
    pub count: Signal<In, Bits<10>>,
    /// A leaf is counted.
    pub counted: Signal<In, Bit>,
    state: WalkState,
    stack: Lazy<WalkStack>,
    entry: ParentEntry,
    filter: ChildFilter,
    chunks: Lazy<ChunkTable>,
    /// Moves that are still to come: of inner parents, to be counted.
    due_inner: DueCounter,
    due_leaves: DueCounter,
    /// The request's position has moves that were not kept yet.
    root_left: DFF<Bit>,
    /// A parent is on its way to the bank, or in it, or taken and waits for its first move.
    bank_busy: DFF<Bit>,
    /// Plies left at this parent.
    bank_depth: DFF<Bits<4>>,
    planes_ready: DFF<Bit>,
    /// A parent was counted a clock ago, and found to have so many moves: the bank needs the time to take out a pawn drop.
    found: DFF<Bit>,
    some_found: DFF<Bit>,
    moves_found: DFF<Bits<10>>,
    last_move: DFF<Bits<10>>,
    /// A clock ago there was a position that may become a parent; a parent was counted, so that this may have changed.
    candidate: DFF<Bit>,
    recounted: DFF<Bit>,
    /// The stack was empty a clock ago.
    was_empty: DFF<Bit>,
    /// Of the last inner parent: the chunk that is kept, plies left at its children, row of the topmost position without them.
    chunk: DFF<Bits<4>>,
    keep_depth: DFF<Bits<4>>,
    floor: DFF<Bits<9>>,
    step: Signal<Local, Bit>,
    none_left: Signal<Local, Bit>,
    move_leaves: Signal<Local, Bit>,
    level: Signal<Local, Bits<4>>,
    last_chunk: Signal<Local, Bit>,
    value: Values,
}

impl Walker {
    /// Walks the `unit`th part of trees that `units` share.
    ///
    /// # Panics
    /// If there is no such unit, or more than [`MAX_UNITS`].
    pub fn new(unit: u32, units: u32) -> Self {
        assert!(unit < units && units <= MAX_UNITS, "unit {unit} of {units}");
        Walker { state: WalkState::new(unit == 0), filter: ChildFilter::new(unit, units), ..Default::default() }
    }
}

impl Logic for Walker {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, state, stack, entry, filter, chunks, due_inner, due_leaves);
        WalkUnit::link(&mut self.orders, &mut self.state.orders);
        dff_setup!(self, clock, root_left, bank_busy, bank_depth, planes_ready);
        dff_setup!(self, clock, found, some_found, moves_found, last_move, candidate, recounted, was_empty);
        dff_setup!(self, clock, chunk, keep_depth, floor);
        self.step.next = !self.hold.val().any();
        self.none_left.next = self.stack.empty.val() & !self.root_left.q.val();
        self.state.under_way.next = self.bank_busy.q.val() | self.due_inner.any.val() | self.due_leaves.any.val();
        self.state.none_left.next = self.none_left.val();
        self.stack.clear.next = self.orders.start.val();
        self.filter.clear.next = self.orders.start.val();
        self.chunks.clear.next = self.orders.start.val();

        // A parent is wanted in the bank. While children are being made, only one of them, and no parent of theirs.
        self.candidate.d.next = !self.none_left.val()
            & (!self.due_inner.any.val()
                | ((self.keep_depth.q.val() == 2) & (self.stack.top.val() != self.floor.q.val())));
        self.recounted.d.next = self.found.q.val();
        self.entry.step.next = self.step.val();
        self.entry.wanted.next = self.orders.busy.val()
            & !self.state.stopping.val()
            & !self.bank_busy.q.val()
            & self.candidate.q.val()
            & !self.recounted.q.val();
        self.entry.stopping.next = self.state.stopping.val();
        self.entry.children_to_come.next = self.due_inner.any.val();
        self.pause.next = self.entry.pause.val().into();
        self.pause_next.next = self.entry.pause_next.val();
        if self.entry.taken.val() {
            self.bank_busy.d.next = true;
        }
        self.stack.read.next = self.entry.read.val();
        self.was_empty.d.next = self.stack.empty.val();
        self.popped.next = self.stack.popped.val();
        self.root.next = (self.entry.enters.val() & self.was_empty.q.val()).into();
        self.pop.next = (self.entry.enters.val() & !self.was_empty.q.val()).into();
        self.stack.remove.next = false;
        if self.entry.enters.val() {
            if self.was_empty.q.val() {
                self.bank_depth.d.next = self.state.plies.val();
                if self.step.val() & (self.state.plies.val() == 2) {
                    self.root_left.d.next = false;
                }
            } else {
                self.bank_depth.d.next = self.stack.depth.val();
                self.stack.remove.next = self.step.val() & (self.stack.depth.val() == 2);
            }
        }

        // A move leaves the serialiser; its child is made four steps later.
        self.filter.step.next = self.step.val();
        self.move_leaves.next =
            self.orders.busy.val() & self.move_valid.val().any() & self.step.val() & !self.entry.pause.val();
        self.filter.valid.next = self.move_leaves.val();
        self.filter.first.next = self.move_first.val().any();
        self.filter.parent_inner.next = self.bank_depth.q.val() != 2;
        self.filter.chunk.next = self.chunk.q.val();
        self.filter.shared.next = self.keep_depth.q.val() == self.state.split.val();
        if self.move_leaves.val() & self.move_first.val().any() {
            self.bank_busy.d.next = false;
        }
        if self.step.val() & self.move_taken.val().any() {
            self.planes_ready.d.next = false;
        }
        self.offer.next = self.planes_ready.q.val().into();
        self.leaf.next = (self.orders.busy.val() & !self.filter.inner.val()).into();
        self.stack.push.next = self.filter.keep.val() & self.step.val();
        self.stack.child.next = self.child.val();
        self.stack.child_depth.next = self.keep_depth.q.val();

        // A parent is counted.
        self.level.next = self.bank_depth.q.val() - 1;
        self.chunks.level.next = self.level.val();
        self.chunks.advance.next = false;
        self.chunks.restart.next = false;
        self.stack.remove_parent.next = false;
        self.found.d.next = self.parent.val() & self.orders.busy.val();
        self.moves_found.d.next = self.count.val();
        self.some_found.d.next = self.count.val().any();
        self.last_move.d.next = self.count.val() - 1;
        self.last_chunk.next = !self.some_found.q.val();
        self.due_inner.add.next = 0.into();
        self.due_inner.take.next = self.filter.inner.val() & self.step.val();
        self.due_leaves.add.next = 0.into();
        self.due_leaves.take.next = self.counted.val();
        if self.found.q.val() {
            if self.last_move.q.val().get_bits::<4>(self.value.chunk_shift.val().index()) == self.chunks.chunk.val() {
                self.last_chunk.next = true;
            }
            self.planes_ready.d.next = self.some_found.q.val();
            if !self.some_found.q.val() {
                self.bank_busy.d.next = false;
            }
            if self.bank_depth.q.val() == 2 {
                self.due_leaves.add.next = self.moves_found.q.val();
            } else {
                self.due_inner.add.next = self.moves_found.q.val();
                self.keep_depth.d.next = self.level.val();
                self.chunk.d.next = self.chunks.chunk.val();
                self.floor.d.next = self.stack.top.val();
                self.chunks.advance.next = !self.last_chunk.val();
                if self.last_chunk.val() {
                    // It does not come back.
                    self.chunks.restart.next = true;
                    if self.stack.empty.val() {
                        self.root_left.d.next = false;
                    } else {
                        self.stack.remove_parent.next = true;
                        self.floor.d.next = self.stack.top.val() - 1;
                    }
                }
            }
        }
        if self.orders.start.val() {
            self.root_left.d.next = true;
        }
    }
}
