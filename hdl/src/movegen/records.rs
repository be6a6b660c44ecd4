//! The records of moves on their way, while the pipeline finds whether each move checks.
//!
//! ```text
//!                +---------+
//!   clock       ->         => late 32
//!   record 32   => Records |
//!   in_check    ->         |
//!                +---------+
//! ```
//!
//! Handshake: none. `late` is the record that came with the position that is now in the target stage, with the flag of check if
//! `in_check`.
//! Latency: [`TARGETS_CLOCKS`]. Throughput: one record a clock. Cost: 160 flip-flops. Model: none.
//! Absent: which records are kept (`record_buffer`).

use super::pipeline::TARGETS_CLOCKS;
use hayasashi_spec::moves::FLAG_CHECK;
use rust_hdl::prelude::*;

const _: () = assert!(TARGETS_CLOCKS == 5);

crate::constants! {
    Values {
        flag_check: Bits<32> = (FLAG_CHECK as u32) << 16;
    }
}

/// Delays the records of moves.
#[derive(LogicBlock, Default)]
pub struct Records {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The record of the move whose position enters the pipeline.
    pub record: Signal<In, Bits<32>>,
    /// The position in the target stage is in check.
    pub in_check: Signal<In, Bit>,
    /// The record of the move that led to it.
    pub late: Signal<Out, Bits<32>>,
    entry: DFF<Bits<32>>,
    rays: DFF<Bits<32>>,
    legality: DFF<Bits<32>>,
    arrivals: DFF<Bits<32>>,
    targets: DFF<Bits<32>>,
    value: Values,
}

impl Logic for Records {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, entry, rays, legality, arrivals, targets);
        self.entry.d.next = self.record.val();
        self.rays.d.next = self.entry.q.val();
        self.legality.d.next = self.rays.q.val();
        self.arrivals.d.next = self.legality.q.val();
        self.targets.d.next = self.arrivals.q.val();
        self.late.next = self.targets.q.val();
        if self.in_check.val() {
            self.late.next = self.targets.q.val() | self.value.flag_check.val();
        }
    }
}
