//! Whether a walk is under way, and what was ordered.
//!
//! ```text
//!                +-----------+
//!   clock       ->           =>               orders: `ports::WalkUnit`
//!   orders      => WalkState -> stopping      no new job starts
//!   idle        ->           => last_ply 3    the ply whose nodes have leaves as children
//!   operation   ->           => shared_ply 3  the units share out the children of the nodes of this ply
//!                +-----------+
//! ```
//!
//! Handshake: the walk ends, and `busy` falls, when the schedule has been `idle` for [`DRAIN`] clocks without an `operation`. Of
//! a tree of two plies only the first unit walks: there is nothing to share.
//! Latency: one clock. Cost: 18 flip-flops. Model: `model/perft`. Absent: the orders of more than one walk.
//! Throughput: one walk at a time.

use crate::movegen::{operation::PLY_BITS, pipeline::RESULT_CLOCKS};
use crate::ports::WalkUnit;
use rust_hdl::prelude::*;

/// From this depth on the tree is split below the second ply, else below the first.
pub const SPLIT_BELOW_SECOND: u64 = 5;
/// Clocks without an operation after which nothing is under way: from a job to its first operation, or from an operation to
/// its result and the order of a test.
pub const DRAIN: u64 = 31;
const _: () = assert!(DRAIN > 4 + RESULT_CLOCKS + 4);

crate::constants! {
    Values {
        split_below_second: Bits<4> = SPLIT_BELOW_SECOND;
        drain: Bits<5> = DRAIN;
    }
}

/// Whether a walk is under way.
#[derive(LogicBlock)]
pub struct WalkState {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// Orders of a walk.
    pub orders: WalkUnit,
    /// The schedule has no node.
    pub idle: Signal<In, Bit>,
    /// A move is being made.
    pub operation: Signal<In, Bit>,
    /// The walk ends early: no new job starts.
    pub stopping: Signal<Out, Bit>,
    /// The ply whose nodes have leaves as children.
    pub last_ply: Signal<Out, Bits<PLY_BITS>>,
    /// The units share out the children of the nodes of this ply.
    pub shared_ply: Signal<Out, Bits<PLY_BITS>>,
    walking: DFF<Bit>,
    stop_ordered: DFF<Bit>,
    last: DFF<Bits<PLY_BITS>>,
    shared: DFF<Bits<PLY_BITS>>,
    clocks_left: DFF<Bits<5>>,
    first_unit: Constant<Bit>,
    value: Values,
}

impl WalkState {
    /// Of the first unit, or of another.
    pub fn new(first_unit: bool) -> Self {
        WalkState {
            clock: Default::default(),
            reset: Default::default(),
            orders: Default::default(),
            idle: Default::default(),
            operation: Default::default(),
            stopping: Default::default(),
            last_ply: Default::default(),
            shared_ply: Default::default(),
            walking: Default::default(),
            stop_ordered: Default::default(),
            last: Default::default(),
            shared: Default::default(),
            clocks_left: Default::default(),
            first_unit: Constant::new(first_unit),
            value: Default::default(),
        }
    }
}

impl Default for WalkState {
    fn default() -> Self {
        WalkState::new(true)
    }
}

impl Logic for WalkState {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, walking, stop_ordered, last, shared, clocks_left);
        if self.orders.stop.val() {
            self.stop_ordered.d.next = true;
        }
        if self.clocks_left.q.val().any() {
            self.clocks_left.d.next = self.clocks_left.q.val() - 1;
        } else {
            self.walking.d.next = false;
        }
        if self.operation.val() | !self.idle.val() {
            self.clocks_left.d.next = self.value.drain.val();
        }
        if self.orders.start.val() {
            self.walking.d.next = (self.orders.depth.val() != 2) | self.first_unit.val();
            self.clocks_left.d.next = self.value.drain.val();
            self.stop_ordered.d.next = self.orders.stop.val();
            self.last.d.next = bit_cast::<PLY_BITS, 4>(self.orders.depth.val() - 2);
            self.shared.d.next = 0.into();
            if self.orders.depth.val() >= self.value.split_below_second.val() {
                self.shared.d.next = 1.into();
            }
        }
        if self.reset.val() {
            self.walking.d.next = false;
        }
        self.orders.busy.next = self.walking.q.val();
        self.stopping.next = (self.stop_ordered.q.val() & self.walking.q.val()) | self.reset.val();
        self.last_ply.next = self.last.q.val();
        self.shared_ply.next = self.shared.q.val();
    }
}
