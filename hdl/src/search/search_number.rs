//! The number of a search, by which the rows of a memory that it has written are told from older ones.
//!
//! ```text
//!            +--------------+
//!   clock   ->              => number 5   of the present search
//!   begins  -> SearchNumber -> empties    all rows are to be emptied
//!   reset   ->              |
//!            +--------------+
//! ```
//!
//! Handshake: `begins` for one clock; the next number is there in the clock behind it. A row of another number than the present one counts as
//! empty. Numbers return, so all rows have to be written when they begin with zero again, and at the first search after a reset:
//! `empties` says so in the clock of `begins`.
//! Latency: one clock. Throughput: one search a clock. Cost: 6 flip-flops.
//! Model: a new memory for each search. Absent: the memory.

use rust_hdl::prelude::*;

/// Wires of the number.
pub const SEARCH_BITS: usize = 5;

/// Counts searches.
#[derive(LogicBlock, Default)]
pub struct SearchNumber {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// A search begins.
    pub begins: Signal<In, Bit>,
    /// What the rows have is not known.
    pub reset: Signal<In, Bit>,
    /// The number of the present search.
    pub number: Signal<Out, Bits<SEARCH_BITS>>,
    /// All rows are to be emptied.
    pub empties: Signal<Out, Bit>,
    present: DFF<Bits<SEARCH_BITS>>,
    is_known: DFF<Bit>,
    next: Signal<Local, Bits<SEARCH_BITS>>,
}

impl Logic for SearchNumber {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, present, is_known);
        self.next.next = self.present.q.val() + 1;
        if self.begins.val() {
            self.present.d.next = self.next.val();
            self.is_known.d.next = true;
        }
        if self.reset.val() {
            self.is_known.d.next = false;
        }
        self.number.next = self.present.q.val();
        self.empties.next = self.begins.val() & (!self.is_known.q.val() | !self.next.val().any());
    }
}
