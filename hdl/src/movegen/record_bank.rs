//! Every second record of [`super::answer_memory`], read in order from any place.
//!
//! ```text
//!               +------------+
//!   clock      ->            => data 32   the record under the cursor, with its flags
//!   write      ->            |
//!   write_at 9 =>            |
//!   record 32  =>            |
//!   flag       -> RecordBank |
//!   flag_at 9  =>            |
//!   flags 2    =>            |
//!   begins     ->            |
//!   first 9    =>            |
//!   moves_on   ->            |
//!               +------------+
//! ```
//!
//! Handshake: `write` and `flag` write a record and the flags of one (check, mate). `begins` sets the cursor to `first`, `moves_on`
//! moves it to the next record.
//! Latency: `data` follows `moves_on` in one clock, `begins` in two. Throughput: one record a clock each way.
//! Cost: 2 block RAMs, 9 flip-flops. Model: none. Absent: a look at what is written in the same clock.

use crate::optional::Optional;
use hayasashi_spec::moves::{FLAG_CHECK, FLAG_MATE};
use rust_hdl::prelude::*;

/// Bits of an address.
pub const RECORD_BITS: usize = 9;

crate::constants! {
    Values {
        flag_check: Bits<32> = (FLAG_CHECK as u32) << 16;
        flag_mate: Bits<32> = (FLAG_MATE as u32) << 16;
    }
}

/// Every second record.
#[derive(LogicBlock, Default)]
pub struct RecordBank {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// A record is written in this clock.
    pub write: Signal<In, Bit>,
    /// Its place.
    pub write_at: Signal<In, Bits<RECORD_BITS>>,
    /// The record, without flags.
    pub record: Signal<In, Bits<32>>,
    /// Flags are written in this clock.
    pub flag: Signal<In, Bit>,
    /// The place of their record.
    pub flag_at: Signal<In, Bits<RECORD_BITS>>,
    /// Check, mate.
    pub flags: Signal<In, Bits<2>>,
    /// The cursor goes to `first`.
    pub begins: Signal<In, Bit>,
    /// A place.
    pub first: Signal<In, Bits<RECORD_BITS>>,
    /// The cursor goes to the next place.
    pub moves_on: Signal<In, Bit>,
    /// The record under the cursor.
    pub data: Signal<Out, Bits<32>>,
    records: Optional<RAM<Bits<32>, RECORD_BITS>>,
    flag_pairs: Optional<RAM<Bits<2>, RECORD_BITS>>,
    cursor: DFF<Bits<RECORD_BITS>>,
    cursor_next: Signal<Local, Bits<RECORD_BITS>>,
    check: Signal<Local, Bits<32>>,
    mate: Signal<Local, Bits<32>>,
    value: Values,
}

impl RecordBank {
    /// With memory, or without.
    pub fn new(present: bool) -> Self {
        RecordBank {
            records: Optional::new(Default::default(), present),
            flag_pairs: Optional::new(Default::default(), present),
            ..Default::default()
        }
    }
}

impl Logic for RecordBank {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, cursor);
        self.records.read_clock.next = self.clock.val();
        self.records.write_clock.next = self.clock.val();
        self.records.write_address.next = self.write_at.val();
        self.records.write_data.next = self.record.val();
        self.records.write_enable.next = self.write.val();
        self.flag_pairs.read_clock.next = self.clock.val();
        self.flag_pairs.write_clock.next = self.clock.val();
        self.flag_pairs.write_address.next = self.flag_at.val();
        self.flag_pairs.write_data.next = self.flags.val();
        self.flag_pairs.write_enable.next = self.flag.val();
        self.cursor_next.next = self.cursor.q.val();
        if self.moves_on.val() {
            self.cursor_next.next = self.cursor.q.val() + 1;
        }
        self.records.read_address.next = self.cursor_next.val();
        self.flag_pairs.read_address.next = self.cursor_next.val();
        self.cursor.d.next = self.cursor_next.val();
        if self.begins.val() {
            self.cursor.d.next = self.first.val();
        }
        self.check.next = 0.into();
        if self.flag_pairs.read_data.val().get_bit(0) {
            self.check.next = self.value.flag_check.val();
        }
        self.mate.next = 0.into();
        if self.flag_pairs.read_data.val().get_bit(1) {
            self.mate.next = self.value.flag_mate.val();
        }
        self.data.next = self.records.read_data.val() | self.check.val() | self.mate.val();
    }
}
