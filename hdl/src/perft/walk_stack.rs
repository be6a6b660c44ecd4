//! Stack of the positions of a walk whose moves are not all counted.
//!
//! ```text
//!                   +-----------+
//!   clock          ->           => popped 447   the topmost position of the last clock with `read`; else zero
//!   clear          ->           => depth 4      plies left at it
//!   read           -> WalkStack => top 9        row of the topmost position, 0 for none
//!   push           ->           -> empty
//!   child 447      =>           |
//!   child_depth 4  =>           |
//!   remove         ->           |   a position that left for good
//!   remove_parent  ->           |   a position below its children that does not come back; wins over `push`
//!                   +-----------+
//! ```
//!
//! Handshake: none; `remove` and `remove_parent` only while not `empty`.
//! Latency: `popped` and `depth` one clock after `read`. Throughput: a push or a removal a clock.
//! Cost: 13 block RAMs of 36 wires, 9 flip-flops. Model: none. Absent: a guard against overflow (see `walker`).

use super::walker::{CHILD_WIDTH, CHUNK};
use hayasashi_spec::perft::MAX_DEPTH;
use rust_hdl::prelude::*;
use std::collections::BTreeMap;

const ROWS_BITS: usize = 9;
// Six levels keep positions: of a tree of eight plies those with seven to two plies left. Row 0 is never written.
const _: () = assert!(6 * CHUNK < 1 << ROWS_BITS && CHILD_WIDTH == 447 && MAX_DEPTH == 8);

/// A row: a position and the plies left at it.
const ROW_WIDTH: usize = CHILD_WIDTH + 3;

crate::constants! {
    Values {
        /// Lowest bit of the plies left in a row.
        depth_shift: Bits<9> = CHILD_WIDTH;
    }
}

/// Stack of positions.
#[derive(LogicBlock)]
pub struct WalkStack {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Empties the stack.
    pub clear: Signal<In, Bit>,
    /// The topmost position is wanted.
    pub read: Signal<In, Bit>,
    /// A position is added in this clock.
    pub push: Signal<In, Bit>,
    /// That position.
    pub child: Signal<In, Bits<CHILD_WIDTH>>,
    /// Plies left at it.
    pub child_depth: Signal<In, Bits<4>>,
    /// The topmost position leaves for good.
    pub remove: Signal<In, Bit>,
    /// So does a parent below its children; wins over `push`.
    pub remove_parent: Signal<In, Bit>,
    /// The topmost position of the last clock with `read`; else zero.
    pub popped: Signal<Out, Bits<CHILD_WIDTH>>,
    /// Plies left at it.
    pub depth: Signal<Out, Bits<4>>,
    /// Row of the topmost position, 0 for none.
    pub top: Signal<Out, Bits<ROWS_BITS>>,
    /// There is none.
    pub empty: Signal<Out, Bit>,
    rows: RAM<Bits<ROW_WIDTH>, ROWS_BITS>,
    topmost: DFF<Bits<ROWS_BITS>>,
    above: Signal<Local, Bits<ROWS_BITS>>,
    below: Signal<Local, Bits<ROWS_BITS>>,
    value: Values,
}

impl Default for WalkStack {
    fn default() -> Self {
        WalkStack {
            clock: Default::default(),
            clear: Default::default(),
            read: Default::default(),
            push: Default::default(),
            child: Default::default(),
            child_depth: Default::default(),
            remove: Default::default(),
            remove_parent: Default::default(),
            popped: Default::default(),
            depth: Default::default(),
            top: Default::default(),
            empty: Default::default(),
            // Row 0 reads as no position.
            rows: RAM::new(BTreeMap::from([(0u32.to_bits(), Default::default())])),
            topmost: Default::default(),
            above: Default::default(),
            below: Default::default(),
            value: Default::default(),
        }
    }
}

impl Logic for WalkStack {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, topmost);
        self.rows.read_clock.next = self.clock.val();
        self.rows.write_clock.next = self.clock.val();
        self.above.next = self.topmost.q.val() + 1;
        self.below.next = self.topmost.q.val() - 1;
        self.rows.read_address.next = 0.into();
        if self.read.val() {
            self.rows.read_address.next = self.topmost.q.val();
        }
        self.rows.write_address.next = self.above.val();
        self.rows.write_data.next = bit_cast::<ROW_WIDTH, CHILD_WIDTH>(self.child.val())
            | (bit_cast::<ROW_WIDTH, 3>(bit_cast::<3, 4>(self.child_depth.val())) << self.value.depth_shift.val());
        self.rows.write_enable.next = self.push.val();
        if self.remove.val() {
            self.topmost.d.next = self.below.val();
        }
        if self.push.val() {
            self.topmost.d.next = self.above.val();
        }
        if self.remove_parent.val() {
            self.topmost.d.next = self.below.val();
        }
        if self.clear.val() {
            self.topmost.d.next = 0.into();
        }
        self.popped.next = bit_cast::<CHILD_WIDTH, ROW_WIDTH>(self.rows.read_data.val());
        self.depth.next =
            bit_cast::<4, 3>(self.rows.read_data.val().get_bits::<3>(self.value.depth_shift.val().index()));
        self.top.next = self.topmost.q.val();
        self.empty.next = !self.topmost.q.val().any();
    }
}

crate::inputs!(WalkStack: clock, clear, read, push, child, child_depth, remove, remove_parent);
