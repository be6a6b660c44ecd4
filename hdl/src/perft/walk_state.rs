//! Whether a walk is under way, and what was ordered.
//!
//! ```text
//!                 +-----------+
//!   clock        ->           =>            orders: `ports::WalkUnit`
//!   orders       => WalkState -> stopping   no further parent is taken
//!   under_way    ->           => plies 4    of the request
//!   none_left    ->           => split 4    plies left at the children that the units share out
//!                 +-----------+
//! ```
//!
//! Handshake: the walk ends, and `busy` falls, when nothing is `under_way` and, unless stopped, `none_left`. Of a tree of two
//! plies only the first unit walks: there is nothing to share.
//! Latency: one clock. Cost: 10 flip-flops. Model: `model/perft`. Absent: the orders of more than one walk.
//! Throughput: one walk at a time.

use crate::ports::WalkUnit;
use rust_hdl::prelude::*;

/// From this depth on the tree is split below the second ply, else below the first.
pub const SPLIT_BELOW_SECOND: u64 = 5;

crate::constants! {
    Values {
        split_below_second: Bits<4> = SPLIT_BELOW_SECOND;
    }
}

/// Whether a walk is under way.
#[derive(LogicBlock)]
pub struct WalkState {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Orders of a walk.
    pub orders: WalkUnit,
    /// A move or a parent is still to come.
    pub under_way: Signal<In, Bit>,
    /// No position is left to become a parent.
    pub none_left: Signal<In, Bit>,
    /// No further parent is taken.
    pub stopping: Signal<Out, Bit>,
    /// Plies of the walk.
    pub plies: Signal<Out, Bits<4>>,
    /// Plies left at the children that the units share out.
    pub split: Signal<Out, Bits<4>>,
    walking: DFF<Bit>,
    stop_ordered: DFF<Bit>,
    plies_ordered: DFF<Bits<4>>,
    split_depth: DFF<Bits<4>>,
    first_unit: Constant<Bit>,
    value: Values,
}

impl WalkState {
    /// Of the first unit, or of another.
    pub fn new(first_unit: bool) -> Self {
        WalkState {
            clock: Default::default(),
            orders: Default::default(),
            under_way: Default::default(),
            none_left: Default::default(),
            stopping: Default::default(),
            plies: Default::default(),
            split: Default::default(),
            walking: Default::default(),
            stop_ordered: Default::default(),
            plies_ordered: Default::default(),
            split_depth: Default::default(),
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
        dff_setup!(self, clock, walking, stop_ordered, plies_ordered, split_depth);
        if self.orders.stop.val() {
            self.stop_ordered.d.next = true;
        }
        if !self.under_way.val() & (self.none_left.val() | self.stop_ordered.q.val()) {
            self.walking.d.next = false;
        }
        if self.orders.start.val() {
            self.walking.d.next = (self.orders.depth.val() != 2) | self.first_unit.val();
            self.stop_ordered.d.next = self.orders.stop.val();
            self.plies_ordered.d.next = self.orders.depth.val();
            self.split_depth.d.next = self.orders.depth.val() - 1;
            if self.orders.depth.val() >= self.value.split_below_second.val() {
                self.split_depth.d.next = self.orders.depth.val() - 2;
            }
        }
        self.orders.busy.next = self.walking.q.val();
        self.stopping.next = self.stop_ordered.q.val();
        self.plies.next = self.plies_ordered.q.val();
        self.split.next = self.split_depth.q.val();
    }
}
