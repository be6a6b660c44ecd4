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
//! Cost: 13 block RAMs, see `constraints/AREA.md`. Model: `model/perft`. Absent: the sums; transpositions.
//!
//! **Order.** The moves of a parent one ply above the leaves become leaves: they are counted as they are made, one in each
//! clock. Those of other parents, which are called inner, go onto the stack as whole positions with the plies that are left,
//! [`CHUNK`] of them at most: a parent with more moves stays below its children, comes back when they are finished, and then
//! the next so many are kept. So no level has more than [`CHUNK`] positions, and the stack never overflows.
//!
//! **Overlap.** A parent needs a clock of the serialiser (`pause`) to enter the pipeline, and waits in the bank until the
//! serialiser is finished with the one before it.
//!
//! **Several units.** All walk the same tree down to the plies between which it is split; there each keeps one child in
//! `units`.

use super::{child_filter::ChildFilter, chunk_table::ChunkTable, parent_entry::ParentEntry, walk_stack::WalkStack};
use crate::network::width;
use crate::ports::WalkUnit;
use crate::position::Board;
use hayasashi_spec::perft::MAX_UNITS;
use rust_hdl::prelude::*;

/// Children of one parent that are on the stack at a time.
pub const CHUNK: usize = 64;
/// From this depth on the tree is split below the second ply, else below the first.
pub const SPLIT_BELOW_SECOND: u64 = 5;
/// Wires of a position on the stack.
pub const CHILD_WIDTH: usize = width::<Board>();

crate::constants! {
    Values {
        split_below_second: Bits<4> = SPLIT_BELOW_SECOND;
        chunk_shift: Bits<3> = CHUNK.ilog2();
    }
}

#[derive(LogicBlock)]
pub struct Walker {
    pub clock: Signal<In, Clock>,
    pub orders: WalkUnit,
    pub hold: Signal<In, Bits<1>>,
    pub move_valid: Signal<In, Bits<1>>,
    pub move_first: Signal<In, Bits<1>>,
    pub move_taken: Signal<In, Bits<1>>,
    pub pause: Signal<Out, Bits<1>>,
    pub pause_next: Signal<Out, Bit>,
    pub offer: Signal<Out, Bits<1>>,
    pub root: Signal<Out, Bits<1>>,
    pub pop: Signal<Out, Bits<1>>,
    pub popped: Signal<Out, Bits<CHILD_WIDTH>>,
    pub leaf: Signal<Out, Bits<1>>,
    pub child: Signal<In, Bits<CHILD_WIDTH>>,
    pub parent: Signal<In, Bit>,
    pub count: Signal<In, Bits<10>>,
    pub counted: Signal<In, Bit>,
    stack: WalkStack,
    entry: ParentEntry,
    filter: ChildFilter,
    chunks: ChunkTable,
    walking: DFF<Bit>,
    stopping: DFF<Bit>,
    /// Plies of the request, and those left behind the children that the units share out.
    plies: DFF<Bits<4>>,
    split: DFF<Bits<4>>,
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
    /// Moves that are still to come: of inner parents, to be counted.
    due_inner: DFF<Bits<11>>,
    due_leaves: DFF<Bits<11>>,

    step: Signal<Local, Bit>,
    none_left: Signal<Local, Bit>,
    move_leaves: Signal<Local, Bit>,
    level: Signal<Local, Bits<4>>,
    last_chunk: Signal<Local, Bit>,
    more_inner: Signal<Local, Bits<11>>,
    more_leaves: Signal<Local, Bits<11>>,
    fewer_inner: Signal<Local, Bits<11>>,
    fewer_leaves: Signal<Local, Bits<11>>,
    first_unit: Constant<Bit>,
    value: Values,
}

impl Default for Walker {
    /// Of the only unit.
    fn default() -> Self {
        Walker::new(0, 1)
    }
}

impl Walker {
    /// Walks the `unit`th part of trees that `units` share.
    ///
    /// # Panics
    /// If there is no such unit, or more than [`MAX_UNITS`].
    pub fn new(unit: u32, units: u32) -> Self {
        assert!(unit < units && units <= MAX_UNITS, "unit {unit} of {units}");
        Walker {
            clock: Default::default(),
            orders: Default::default(),
            hold: Default::default(),
            move_valid: Default::default(),
            move_first: Default::default(),
            move_taken: Default::default(),
            pause: Default::default(),
            pause_next: Default::default(),
            offer: Default::default(),
            root: Default::default(),
            pop: Default::default(),
            popped: Default::default(),
            leaf: Default::default(),
            child: Default::default(),
            parent: Default::default(),
            count: Default::default(),
            counted: Default::default(),
            stack: Default::default(),
            entry: Default::default(),
            filter: ChildFilter::new(unit, units),
            chunks: Default::default(),
            walking: Default::default(),
            stopping: Default::default(),
            plies: Default::default(),
            split: Default::default(),
            root_left: Default::default(),
            bank_busy: Default::default(),
            bank_depth: Default::default(),
            planes_ready: Default::default(),
            found: Default::default(),
            some_found: Default::default(),
            moves_found: Default::default(),
            last_move: Default::default(),
            candidate: Default::default(),
            recounted: Default::default(),
            was_empty: Default::default(),
            chunk: Default::default(),
            keep_depth: Default::default(),
            floor: Default::default(),
            due_inner: Default::default(),
            due_leaves: Default::default(),
            step: Default::default(),
            move_leaves: Default::default(),
            none_left: Default::default(),
            level: Default::default(),
            last_chunk: Default::default(),
            more_inner: Default::default(),
            more_leaves: Default::default(),
            fewer_inner: Default::default(),
            fewer_leaves: Default::default(),
            first_unit: Constant::new(unit == 0),
            value: Default::default(),
        }
    }
}

impl Logic for Walker {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, stack, entry, filter, chunks);
        dff_setup!(self, clock, walking, stopping, plies, split, root_left, bank_busy, bank_depth, planes_ready);
        dff_setup!(self, clock, found, some_found, moves_found, last_move, candidate, recounted, was_empty);
        dff_setup!(self, clock, chunk, keep_depth, floor, due_inner, due_leaves);
        self.step.next = !self.hold.val().any();
        self.none_left.next = self.stack.empty.val() & !self.root_left.q.val();
        self.orders.busy.next = self.walking.q.val();
        self.stack.clear.next = self.orders.start.val();
        self.filter.clear.next = self.orders.start.val();
        self.chunks.clear.next = self.orders.start.val();

        // A parent is wanted in the bank. While children are being made, only one of them, and no parent of theirs.
        self.candidate.d.next = !self.none_left.val()
            & (!self.due_inner.q.val().any()
                | ((self.keep_depth.q.val() == 2) & (self.stack.top.val() != self.floor.q.val())));
        self.recounted.d.next = self.found.q.val();
        self.entry.step.next = self.step.val();
        self.entry.wanted.next = self.walking.q.val()
            & !self.stopping.q.val()
            & !self.bank_busy.q.val()
            & self.candidate.q.val()
            & !self.recounted.q.val();
        self.entry.stopping.next = self.stopping.q.val();
        self.entry.children_to_come.next = self.due_inner.q.val().any();
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
                self.bank_depth.d.next = self.plies.q.val();
                if self.step.val() & (self.plies.q.val() == 2) {
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
            self.walking.q.val() & self.move_valid.val().any() & self.step.val() & !self.entry.pause.val();
        self.filter.valid.next = self.move_leaves.val();
        self.filter.first.next = self.move_first.val().any();
        self.filter.parent_inner.next = self.bank_depth.q.val() != 2;
        self.filter.chunk.next = self.chunk.q.val();
        self.filter.shared.next = self.keep_depth.q.val() == self.split.q.val();
        if self.move_leaves.val() & self.move_first.val().any() {
            self.bank_busy.d.next = false;
        }
        if self.step.val() & self.move_taken.val().any() {
            self.planes_ready.d.next = false;
        }
        self.offer.next = self.planes_ready.q.val().into();
        self.leaf.next = (self.walking.q.val() & !self.filter.inner.val()).into();
        self.stack.push.next = self.filter.keep.val() & self.step.val();
        self.stack.child.next = self.child.val();
        self.stack.child_depth.next = self.keep_depth.q.val();

        // A parent is counted.
        self.level.next = self.bank_depth.q.val() - 1;
        self.chunks.level.next = self.level.val();
        self.chunks.advance.next = false;
        self.chunks.restart.next = false;
        self.stack.remove_parent.next = false;
        self.found.d.next = self.parent.val() & self.walking.q.val();
        self.moves_found.d.next = self.count.val();
        self.some_found.d.next = self.count.val().any();
        self.last_move.d.next = self.count.val() - 1;
        self.last_chunk.next = !self.some_found.q.val()
            | (bit_cast::<4, 10>(self.last_move.q.val() >> self.value.chunk_shift.val()) == self.chunks.chunk.val());
        self.more_inner.next = 0.into();
        self.more_leaves.next = 0.into();
        if self.found.q.val() {
            self.planes_ready.d.next = self.some_found.q.val();
            if !self.some_found.q.val() {
                self.bank_busy.d.next = false;
            }
            if self.bank_depth.q.val() == 2 {
                self.more_leaves.next = bit_cast::<11, 10>(self.moves_found.q.val());
            } else {
                self.more_inner.next = bit_cast::<11, 10>(self.moves_found.q.val());
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
        self.fewer_inner.next = 0.into();
        if self.filter.inner.val() & self.step.val() {
            self.fewer_inner.next = 1.into();
        }
        self.fewer_leaves.next = 0.into();
        if self.counted.val() {
            self.fewer_leaves.next = 1.into();
        }
        self.due_inner.d.next = self.due_inner.q.val() + self.more_inner.val() - self.fewer_inner.val();
        self.due_leaves.d.next = self.due_leaves.q.val() + self.more_leaves.val() - self.fewer_leaves.val();

        // The walk.
        if self.orders.stop.val() {
            self.stopping.d.next = true;
        }
        if !self.bank_busy.q.val()
            & !self.due_inner.q.val().any()
            & !self.due_leaves.q.val().any()
            & (self.none_left.val() | self.stopping.q.val())
        {
            self.walking.d.next = false;
        }
        if self.orders.start.val() {
            self.walking.d.next = (self.orders.depth.val() != 2) | self.first_unit.val();
            self.stopping.d.next = self.orders.stop.val();
            self.plies.d.next = self.orders.depth.val();
            self.split.d.next = self.orders.depth.val() - 1;
            if self.orders.depth.val() >= self.value.split_below_second.val() {
                self.split.d.next = self.orders.depth.val() - 2;
            }
            self.root_left.d.next = true;
        }
    }
}
