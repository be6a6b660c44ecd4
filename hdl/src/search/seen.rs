//! How many positions of a path have the same low bits of their key.
//!
//! ```text
//!             +------+
//!   clock    ->      -> is_new    in the clock behind `adds`: no other has them
//!   adds     -> Seen -> ready     all counts are zero
//!   takes    ->      |
//!   low 10   =>      |
//!   clear    ->      |
//!   reset    ->      |
//!             +------+
//! ```
//!
//! Handshake: `adds` counts a position, `takes` one less; `low` stays for two clocks. `clear` before the first one.
//! Latency: one clock; `clear` 1,024. Throughput: one position in two clocks. Cost: 13 flip-flops, 1,024 rows of 9 wires in block RAM.
//! Model: `host/model/src/search/path.rs` (`seen`). Absent: which positions they are (`path`).

use super::path::COUNT_BITS;
use rust_hdl::prelude::*;

/// Low bits of a key by which positions are counted.
pub const SEEN_BITS: usize = 10;

/// Counts positions.
#[derive(LogicBlock, Default)]
pub struct Seen {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// For one clock: a position is added.
    pub adds: Signal<In, Bit>,
    /// For one clock: a position is removed.
    pub takes: Signal<In, Bit>,
    /// Low bits of its key.
    pub low: Signal<In, Bits<SEEN_BITS>>,
    /// For one clock: all counts become zero.
    pub clear: Signal<In, Bit>,
    /// Forgets what is under way.
    pub reset: Signal<In, Bit>,
    /// The position that was added in the clock before is the only one with these bits.
    pub is_new: Signal<Out, Bit>,
    /// All counts are zero, or those of the positions since.
    pub ready: Signal<Out, Bit>,
    apart_counts: RAM<Bits<COUNT_BITS>, SEEN_BITS>,
    adding: DFF<Bit>,
    taking: DFF<Bit>,
    clearing: DFF<Bit>,
    at: DFF<Bits<SEEN_BITS>>,
    next_at: Signal<Local, Bits<SEEN_BITS>>,
}

impl Logic for Seen {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, adding, taking, clearing, at);
        self.apart_counts.read_clock.next = self.clock.val();
        self.apart_counts.write_clock.next = self.clock.val();
        self.next_at.next = self.at.q.val() + 1;
        self.adding.d.next = self.adds.val();
        self.taking.d.next = self.takes.val();
        self.apart_counts.read_address.next = self.low.val();
        self.apart_counts.write_address.next = self.low.val();
        self.apart_counts.write_data.next = self.apart_counts.read_data.val() + 1;
        if self.taking.q.val() {
            self.apart_counts.write_data.next = self.apart_counts.read_data.val() - 1;
        }
        self.apart_counts.write_enable.next = self.adding.q.val() | self.taking.q.val();
        if self.clearing.q.val() {
            self.apart_counts.write_address.next = self.at.q.val();
            self.apart_counts.write_data.next = 0.into();
            self.apart_counts.write_enable.next = true;
            self.at.d.next = self.next_at.val();
            self.clearing.d.next = self.next_at.val().any();
        }
        if self.clear.val() {
            self.clearing.d.next = true;
            self.at.d.next = 0.into();
        }
        if self.reset.val() {
            self.adding.d.next = false;
            self.taking.d.next = false;
            self.clearing.d.next = false;
        }
        self.is_new.next = !self.apart_counts.read_data.val().any();
        self.ready.next = !self.clearing.q.val();
    }
}
