//! The number of a search, by which the rows of a memory that it has written are told from older ones.
//!
//! ```text
//!            +--------------+
//!   clock   ->              => number 5     of the present search
//!   begins  -> SearchNumber -> emptying     the row `at` is to be emptied
//!   last 15 =>              => at 15
//!   reset   ->              |
//!            +--------------+
//! ```
//!
//! Handshake: `begins` for one clock; the next number is there in the clock behind it. A row of another number than the present one counts as
//! empty. Numbers return, so rows 0 to `last` are all emptied when they begin with zero again, and at the first search after a reset:
//! `emptying` is high from the clock behind `begins` on, one clock for each row, and nothing else may be asked of the memory.
//! Latency: one clock, and as many as there are rows each 32nd time. Throughput: one search a clock. Cost: 22 flip-flops.
//! Model: a new memory for each search. Absent: the memory.

use rust_hdl::prelude::*;

/// Wires of the number.
pub const SEARCH_BITS: usize = 5;
/// Wires of the address of a row.
pub const ROW_BITS: usize = 15;

/// Counts searches.
#[derive(LogicBlock, Default)]
pub struct SearchNumber {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// A search begins.
    pub begins: Signal<In, Bit>,
    /// The last row.
    pub last: Signal<In, Bits<ROW_BITS>>,
    /// What the rows have is not known.
    pub reset: Signal<In, Bit>,
    /// The number of the present search.
    pub number: Signal<Out, Bits<SEARCH_BITS>>,
    /// A row is to be emptied.
    pub emptying: Signal<Out, Bit>,
    /// This one.
    pub at: Signal<Out, Bits<ROW_BITS>>,
    present: DFF<Bits<SEARCH_BITS>>,
    is_known: DFF<Bit>,
    empties: DFF<Bit>,
    row: DFF<Bits<ROW_BITS>>,
    next: Signal<Local, Bits<SEARCH_BITS>>,
}

impl Logic for SearchNumber {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, present, is_known, empties, row);
        self.next.next = self.present.q.val() + 1;
        // The address changes only while rows are emptied: a change in each clock would slow down the simulation.
        if self.empties.q.val() {
            self.row.d.next = self.row.q.val() + 1;
            if self.row.q.val() == self.last.val() {
                self.empties.d.next = false;
            }
        }
        if self.begins.val() {
            self.present.d.next = self.next.val();
            self.is_known.d.next = true;
            if !self.is_known.q.val() | !self.next.val().any() {
                self.empties.d.next = true;
                self.row.d.next = 0.into();
            }
        }
        if self.reset.val() {
            self.is_known.d.next = false;
            self.empties.d.next = false;
        }
        self.number.next = self.present.q.val();
        self.emptying.next = self.empties.q.val();
        self.at.next = self.row.q.val();
    }
}
