//! Walks the tree of legal moves below one position: says which position's moves come next, and keeps the others.
//!
//! ```text
//!                  ┌────────┐
//!  start, depth 4 ▶│        ├─▶ busy
//!  stop ──────────▶│        ├─▶ pause           no move leaves the serialiser in this clock (`pause_next`: in the next)
//!  hold ──────────▶│        ├─▶ offer           the serialiser may take the bank's planes
//!  move_valid ────▶│ walker ├─▶ root, pop       a parent enters the pipeline: the request's position, or
//!  move_first ────▶│        ├─447▶ popped       one from the stack; zero without `pop`
//!  move_taken ────▶│        ├─▶ leaf            the position after a move (at make move) is to be counted
//!  child ─────447─▶│        │
//!  parent, count10▶│        │                   a parent is counted
//!  counted ───────▶│        │                   a leaf is counted
//!                  └────────┘
//! ```
//!
//! Handshake: `start` while not `busy`; the request's position is stable until `busy` falls. `stop` ends the work early, after
//! what the serialiser still has.
//!
//! **Order.** The moves of a parent one ply above the leaves become leaves: they are counted as they are made, one in each
//! clock. Those of other parents go onto the stack as whole positions with the plies that are left, [`CHUNK`] of them
//! at most: a parent with more moves stays below its children, comes back when they are done, and then the next so many are
//! kept. So no level has more than [`CHUNK`] positions, and the stack never overflows. Row 0 is never written: it reads
//! as no position.
//!
//! **Overlap.** A parent needs a clock of the serialiser (`pause`) to enter the pipeline, and waits in the bank until the
//! serialiser is done with the one before it. Latency from `pause` to `offer`: 15 clocks, hidden where the present parent
//! has as many moves.
//!
//! **Several units.** All walk the same tree down to the plies between which it is split; there each keeps one child in
//! `units`. Model: `model/perft`. Absent: the sums; transpositions.

use crate::network::width;
use crate::position::Board;
use rust_hdl::prelude::*;
use std::collections::BTreeMap;

/// Children of one parent that are on the stack at a time.
pub const CHUNK: usize = 64;
/// Most units that share a request.
pub const MAX_UNITS: u32 = 8;
/// From this depth on the tree is split below the second ply, else below the first.
pub const SPLIT_BELOW_SECOND: u64 = 5;

const CHILD_WIDTH: usize = width::<Board>();
const STACK_ROWS_BITS: usize = 9;
// Six levels keep positions: of a tree of eight plies those with seven to two plies left.
const _: () = assert!(6 * CHUNK < 1 << STACK_ROWS_BITS && CHILD_WIDTH == 447 && hayasashi_spec::perft::MAX_DEPTH == 8);

#[derive(LogicBlock)]
pub struct Walker {
    pub clock: Signal<In, Clock>,
    pub start: Signal<In, Bit>,
    pub depth: Signal<In, Bits<4>>,
    pub stop: Signal<In, Bit>,
    pub busy: Signal<Out, Bit>,
    pub hold: Signal<In, Bits<1>>,
    pub move_valid: Signal<In, Bits<1>>,
    pub move_first: Signal<In, Bits<1>>,
    pub move_taken: Signal<In, Bits<1>>,
    pub pause: Signal<Out, Bits<1>>,
    pub pause_next: Signal<Out, Bit>,
    pub offer: Signal<Out, Bits<1>>,
    pub root: Signal<Out, Bits<1>>,
    pub pop: Signal<Out, Bits<1>>,
    pub popped: Signal<Out, Bits<447>>,
    pub leaf: Signal<Out, Bits<1>>,
    pub child: Signal<In, Bits<447>>,
    pub parent: Signal<In, Bit>,
    pub count: Signal<In, Bits<10>>,
    pub counted: Signal<In, Bit>,
    stack: RAM<Bits<450>, STACK_ROWS_BITS>,
    walking: DFF<Bit>,
    stopping: DFF<Bit>,
    /// Plies of the request, and those left behind the children that the units share out.
    plies: DFF<Bits<4>>,
    split: DFF<Bits<4>>,
    /// Whose turn the next of these children is.
    turn: DFF<Bits<3>>,
    /// Row of the topmost position; none is 0.
    top: DFF<Bits<9>>,
    /// The request's position has moves that were not kept yet.
    root_left: DFF<Bit>,
    /// A parent is on its way to the bank, or in it, or taken and waits for its first move.
    bank_busy: DFF<Bit>,
    /// Plies left at this parent.
    bank_depth: DFF<Bits<4>>,
    offering: DFF<Bit>,
    /// A parent was counted a clock ago, and found to have so many moves: the bank needs the time to take out a pawn drop.
    found: DFF<Bit>,
    some_found: DFF<Bit>,
    moves_found: DFF<Bits<10>>,
    last_move: DFF<Bits<10>>,
    /// The moves that the serialiser gives are of a parent whose children are kept.
    serves_inner: DFF<Bit>,
    index: DFF<Bits<10>>,
    /// At departure, trace, origin and make move: the move is of such a parent; its child is to be kept.
    inner: DFF<Bits<4>>,
    keep: DFF<Bits<4>>,
    /// There: a parent takes the place of a move.
    pops: DFF<Bits<4>>,
    /// No move leaves the serialiser; where the stack is written, nor did one before, so that it can be read.
    pausing: DFF<Bit>,
    paused: DFF<Bit>,
    /// A clock ago there was a position that may be such a parent; a parent was counted, so that this may have changed.
    waiting: DFF<Bit>,
    recounted: DFF<Bit>,
    /// There was none on the stack.
    bare: DFF<Bit>,
    /// Which chunk of a parent is next, four bits for each number of plies left (one less).
    chunks: DFF<Bits<32>>,
    /// Of the last parent whose children are kept: its chunk, plies left at its children, row of the topmost position
    /// without them.
    chunk: DFF<Bits<4>>,
    /// The chunk that is next of the parent in the bank.
    its_chunk: DFF<Bits<4>>,
    keep_depth: DFF<Bits<4>>,
    floor: DFF<Bits<9>>,
    /// Moves that are still to come: to be kept or passed over, to be counted.
    due_inner: DFF<Bits<11>>,
    due_leaves: DFF<Bits<11>>,

    moves: Signal<Local, Bit>,
    empty: Signal<Local, Bit>,
    wanted: Signal<Local, Bit>,
    popping: Signal<Local, Bit>,
    pauses: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    here_inner: Signal<Local, Bit>,
    here_index: Signal<Local, Bits<10>>,
    in_chunk: Signal<Local, Bit>,
    shared: Signal<Local, Bit>,
    here_keep: Signal<Local, Bit>,
    reads: Signal<Local, Bit>,
    stack_depth: Signal<Local, Bits<4>>,
    level: Signal<Local, Bits<4>>,
    shift: Signal<Local, Bits<5>>,
    shifted: Signal<Local, Bits<32>>,
    above: Signal<Local, Bits<9>>,
    below: Signal<Local, Bits<9>>,
    more_inner: Signal<Local, Bits<11>>,
    more_leaves: Signal<Local, Bits<11>>,
    fewer_inner: Signal<Local, Bits<11>>,
    fewer_leaves: Signal<Local, Bits<11>>,
    unit: Constant<Bits<3>>,
    last_unit: Constant<Bits<3>>,
    deep: Constant<Bits<4>>,
    first_chunk: Constant<Bits<32>>,
    no_chunk: Constant<Bits<32>>,
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
            start: Default::default(),
            depth: Default::default(),
            stop: Default::default(),
            busy: Default::default(),
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
            stack: RAM::new(BTreeMap::from([(0u32.to_bits(), Default::default())])),
            walking: Default::default(),
            stopping: Default::default(),
            plies: Default::default(),
            split: Default::default(),
            turn: Default::default(),
            top: Default::default(),
            root_left: Default::default(),
            bank_busy: Default::default(),
            bank_depth: Default::default(),
            offering: Default::default(),
            found: Default::default(),
            some_found: Default::default(),
            moves_found: Default::default(),
            serves_inner: Default::default(),
            index: Default::default(),
            inner: Default::default(),
            keep: Default::default(),
            pops: Default::default(),
            pausing: Default::default(),
            paused: Default::default(),
            waiting: Default::default(),
            recounted: Default::default(),
            bare: Default::default(),
            chunks: Default::default(),
            chunk: Default::default(),
            keep_depth: Default::default(),
            floor: Default::default(),
            due_inner: Default::default(),
            due_leaves: Default::default(),
            moves: Default::default(),
            empty: Default::default(),
            wanted: Default::default(),
            popping: Default::default(),
            pauses: Default::default(),
            goes: Default::default(),
            here_inner: Default::default(),
            here_index: Default::default(),
            in_chunk: Default::default(),
            shared: Default::default(),
            here_keep: Default::default(),
            reads: Default::default(),
            stack_depth: Default::default(),
            level: Default::default(),
            shift: Default::default(),
            shifted: Default::default(),
            its_chunk: Default::default(),
            last_move: Default::default(),
            above: Default::default(),
            below: Default::default(),
            more_inner: Default::default(),
            more_leaves: Default::default(),
            fewer_inner: Default::default(),
            fewer_leaves: Default::default(),
            unit: Constant::new(unit.to_bits()),
            last_unit: Constant::new((units - 1).to_bits()),
            deep: Constant::new(SPLIT_BELOW_SECOND.to_bits()),
            first_chunk: Constant::new(1u32.to_bits()),
            no_chunk: Constant::new(15u32.to_bits()),
        }
    }
}

impl Logic for Walker {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, walking, stopping, plies, split, turn, top, root_left, bank_busy, bank_depth);
        dff_setup!(self, clock, offering, serves_inner, index, inner, keep, pops, pausing, paused, chunks, chunk);
        dff_setup!(self, clock, keep_depth, floor, due_inner, due_leaves, waiting, recounted, bare, its_chunk);
        dff_setup!(self, clock, found, some_found, moves_found, last_move);
        self.stack.read_clock.next = self.clock.val();
        self.stack.write_clock.next = self.clock.val();

        // All that goes with the moves stands still while they do.
        self.moves.next = !self.hold.val().any();

        // A parent is wanted in the bank. While children are being made, only one of them, and no parent of theirs.
        self.empty.next = !self.top.q.val().any() & !self.root_left.q.val();
        self.popping.next =
            self.pausing.q.val() & !self.stopping.q.val() & (self.paused.q.val() | !self.due_inner.q.val().any());
        self.wanted.next = self.walking.q.val()
            & !self.stopping.q.val()
            & !self.bank_busy.q.val()
            & !self.popping.val()
            & self.waiting.q.val()
            & !self.recounted.q.val();
        self.waiting.d.next = !self.empty.val()
            & (!self.due_inner.q.val().any()
                | ((self.keep_depth.q.val() == 2) & (self.top.q.val() != self.floor.q.val())));
        self.recounted.d.next = self.found.q.val();
        self.pause.next = self.pausing.q.val().into();
        self.pauses.next = self.pausing.q.val();
        if self.moves.val() {
            self.pauses.next = self.wanted.val();
        }
        self.pausing.d.next = self.pauses.val();
        self.pause_next.next = self.pauses.val();
        if self.moves.val() {
            self.pops.d.next = self.pops.q.val() << 1;
            self.paused.d.next = false;
            if self.popping.val() {
                self.pops.d.next = (self.pops.q.val() << 1) | 1;
                self.bank_busy.d.next = true;
            } else if self.pausing.q.val() {
                self.paused.d.next = true;
            }
        }
        self.reads.next = self.pops.q.val().get_bit(3);
        if self.moves.val() {
            self.reads.next = self.pops.q.val().get_bit(2);
        }
        self.stack.read_address.next = 0.into();
        if self.reads.val() {
            self.stack.read_address.next = self.top.q.val();
        }
        self.popped.next = bit_cast::<447, 450>(self.stack.read_data.val());
        self.stack_depth.next = bit_cast::<4, 3>(self.stack.read_data.val().get_bits::<3>(447));
        self.bare.d.next = !self.top.q.val().any();
        self.root.next = 0.into();
        self.pop.next = 0.into();
        self.above.next = self.top.q.val() + 1;
        self.below.next = self.top.q.val() - 1;
        if self.pops.q.val().get_bit(3) {
            self.bank_depth.d.next = self.stack_depth.val();
            if self.bare.q.val() {
                self.root.next = 1.into();
                self.bank_depth.d.next = self.plies.q.val();
                if self.moves.val() & (self.plies.q.val() == 2) {
                    self.root_left.d.next = false;
                }
            } else {
                self.pop.next = 1.into();
                if self.moves.val() & (self.stack_depth.val() == 2) {
                    self.top.d.next = self.below.val();
                }
            }
        }

        // A move leaves the serialiser.
        self.goes.next = self.walking.q.val() & self.move_valid.val().any() & self.moves.val() & !self.pausing.q.val();
        self.here_inner.next = self.serves_inner.q.val();
        self.here_index.next = self.index.q.val();
        if self.move_first.val().any() {
            self.here_inner.next = self.bank_depth.q.val() != 2;
            self.here_index.next = 0.into();
        }
        self.in_chunk.next = self.here_inner.val() & (self.here_index.val().get_bits::<4>(6) == self.chunk.q.val());
        self.shared.next = self.keep_depth.q.val() == self.split.q.val();
        self.here_keep.next = self.in_chunk.val() & (!self.shared.val() | (self.turn.q.val() == self.unit.val()));
        if self.goes.val() {
            self.index.d.next = self.here_index.val() + 1;
            self.serves_inner.d.next = self.here_inner.val();
            if self.move_first.val().any() {
                self.bank_busy.d.next = false;
            }
            if self.in_chunk.val() & self.shared.val() {
                self.turn.d.next = self.turn.q.val() + 1;
                if self.turn.q.val() == self.last_unit.val() {
                    self.turn.d.next = 0.into();
                }
            }
        }
        if self.moves.val() {
            self.inner.d.next = self.inner.q.val() << 1;
            self.keep.d.next = self.keep.q.val() << 1;
            if self.goes.val() & self.here_inner.val() {
                self.inner.d.next = (self.inner.q.val() << 1) | 1;
            }
            if self.goes.val() & self.here_keep.val() {
                self.keep.d.next = (self.keep.q.val() << 1) | 1;
            }
            if self.move_taken.val().any() {
                self.offering.d.next = false;
            }
        }

        // Its child is made.
        self.leaf.next = (self.walking.q.val() & !self.inner.q.val().get_bit(3)).into();
        self.stack.write_address.next = self.above.val();
        self.stack.write_data.next = bit_cast::<450, 447>(self.child.val())
            | (bit_cast::<450, 3>(bit_cast::<3, 4>(self.keep_depth.q.val())) << 447);
        self.stack.write_enable.next = self.keep.q.val().get_bit(3) & self.moves.val();
        if self.keep.q.val().get_bit(3) & self.moves.val() {
            self.top.d.next = self.above.val();
        }

        // A parent is counted.
        self.level.next = self.bank_depth.q.val() - 1;
        self.shift.next = bit_cast::<5, 4>(self.level.val()) << 2;
        self.shifted.next = self.chunks.q.val() >> self.shift.val();
        self.its_chunk.d.next = bit_cast::<4, 32>(self.shifted.val());
        self.found.d.next = self.parent.val() & self.walking.q.val();
        self.moves_found.d.next = self.count.val();
        self.some_found.d.next = self.count.val().any();
        self.last_move.d.next = self.count.val() - 1;
        self.more_inner.next = 0.into();
        self.more_leaves.next = 0.into();
        if self.found.q.val() {
            self.offering.d.next = self.some_found.q.val();
            if !self.some_found.q.val() {
                self.bank_busy.d.next = false;
            }
            if self.bank_depth.q.val() == 2 {
                self.more_leaves.next = bit_cast::<11, 10>(self.moves_found.q.val());
            } else {
                self.more_inner.next = bit_cast::<11, 10>(self.moves_found.q.val());
                self.keep_depth.d.next = self.level.val();
                self.chunk.d.next = self.its_chunk.q.val();
                if !self.some_found.q.val() | (self.last_move.q.val().get_bits::<4>(6) == self.its_chunk.q.val()) {
                    // It does not come back.
                    self.chunks.d.next = self.chunks.q.val() & !(self.no_chunk.val() << self.shift.val());
                    if !self.top.q.val().any() {
                        self.root_left.d.next = false;
                        self.floor.d.next = 0.into();
                    } else {
                        self.top.d.next = self.below.val();
                        self.floor.d.next = self.below.val();
                    }
                } else {
                    self.chunks.d.next = self.chunks.q.val() + (self.first_chunk.val() << self.shift.val());
                    self.floor.d.next = self.top.q.val();
                }
            }
        }
        self.fewer_inner.next = 0.into();
        if self.inner.q.val().get_bit(3) & self.moves.val() {
            self.fewer_inner.next = 1.into();
        }
        self.fewer_leaves.next = 0.into();
        if self.counted.val() {
            self.fewer_leaves.next = 1.into();
        }
        self.due_inner.d.next = self.due_inner.q.val() + self.more_inner.val() - self.fewer_inner.val();
        self.due_leaves.d.next = self.due_leaves.q.val() + self.more_leaves.val() - self.fewer_leaves.val();
        self.offer.next = self.offering.q.val().into();

        if self.stop.val() {
            self.stopping.d.next = true;
        }
        if !self.bank_busy.q.val()
            & !self.due_inner.q.val().any()
            & !self.due_leaves.q.val().any()
            & (self.empty.val() | self.stopping.q.val())
        {
            self.walking.d.next = false;
        }
        if self.start.val() {
            self.walking.d.next = (self.depth.val() != 2) | (self.unit.val() == 0);
            self.stopping.d.next = self.stop.val();
            self.plies.d.next = self.depth.val();
            self.split.d.next = self.depth.val() - 1;
            if self.depth.val() >= self.deep.val() {
                self.split.d.next = self.depth.val() - 2;
            }
            self.turn.d.next = 0.into();
            self.top.d.next = 0.into();
            self.root_left.d.next = true;
            self.chunks.d.next = 0.into();
        }
        self.busy.next = self.walking.q.val();
    }
}

crate::inputs!(Walker: clock, start, depth, stop, hold, move_valid, move_first, move_taken, child, parent, count, counted);
