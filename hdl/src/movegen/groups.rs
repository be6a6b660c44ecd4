//! Keeps the moves of the nodes, group by group.
//!
//! ```text
//!                    +--------+
//!   clock           ->        => group 99   at the last clock's `from`
//!   from 10         =>        |
//!   write           -> Groups |
//!   to 10           =>        |
//!   write_group 99  =>        |
//!                    +--------+
//! ```
//!
//! Handshake: none. An address is a group's number, then its node's. Nobody uses what a group gives that is read in the clock
//! in which it is written.
//! Latency: one clock. Throughput: one group written and one read a clock. Cost: 6 block RAMs of 18 wires.
//! Model: none. Absent: which groups there are (`perft::schedule`).

use super::operation::{Group, GROUP_BITS, NODE_BITS};
use crate::network::width;
use rust_hdl::prelude::*;

/// Bits of an address.
pub const ADDRESS_BITS: usize = GROUP_BITS + NODE_BITS;
/// Wires of a group.
pub const GROUP_WIDTH: usize = width::<Group>();

/// Keeps groups.
#[derive(LogicBlock, Default)]
pub struct Groups {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The group that is read.
    pub from: Signal<In, Bits<ADDRESS_BITS>>,
    /// A group is written in this clock.
    pub write: Signal<In, Bit>,
    /// Its address.
    pub to: Signal<In, Bits<ADDRESS_BITS>>,
    /// The group.
    pub write_group: Signal<In, Bits<GROUP_WIDTH>>,
    /// The group that was read.
    pub group: Signal<Out, Bits<GROUP_WIDTH>>,
    apart_rows: RAM<Bits<GROUP_WIDTH>, ADDRESS_BITS>,
}

impl Logic for Groups {
    #[hdl_gen]
    fn update(&mut self) {
        self.apart_rows.read_clock.next = self.clock.val();
        self.apart_rows.write_clock.next = self.clock.val();
        self.apart_rows.read_address.next = self.from.val();
        self.apart_rows.write_address.next = self.to.val();
        self.apart_rows.write_data.next = self.write_group.val();
        self.apart_rows.write_enable.next = self.write.val();
        self.group.next = self.apart_rows.read_data.val();
    }
}

crate::inputs!(Groups: clock, from, write, to, write_group);
