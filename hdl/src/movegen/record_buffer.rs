//! Keeps the records of a position's moves until they are taken, and completes their flags.
//!
//! ```text
//!                  +--------------+
//!   clock         ->              =>   records: `ports::WordSource`
//!   clear         ->              |
//!   write         -> RecordBuffer |
//!   write_data 32 =>              |
//!   counted       ->              |
//!   checks        ->              |
//!   mates         ->              |
//!   records       =>              |
//!                  +--------------+
//! ```
//!
//! Handshake: `write` adds a record; `counted` completes the first record that is not complete: its move `checks`, and `mates`.
//! `clear` forgets all, and comes with neither. Records come out in the order in which they were written, once they are complete.
//! Latency: two clocks from `counted` to `valid`; a clock without `valid` follows each record that is taken.
//! Throughput: one record a clock in, one in two clocks out.
//! Cost: 3 block RAMs, 31 flip-flops. Proof: `hdl/formal/record_buffer`. Model: none (the records stay the same).
//! Absent: a guard against more records than the buffer has places, which no position has.

use crate::optional::Optional;
use crate::ports::WordSource;
use hayasashi_spec::moves::{FLAG_CHECK, FLAG_MATE, MAX_MOVES};
use rust_hdl::prelude::*;

const ADDRESS_BITS: usize = 10;
const _: () = assert!(MAX_MOVES < 1 << ADDRESS_BITS);

crate::constants! {
    Values {
        flag_check: Bits<32> = (FLAG_CHECK as u32) << 16;
        flag_mate: Bits<32> = (FLAG_MATE as u32) << 16;
    }
}

/// Keeps the records of moves.
#[derive(LogicBlock, Default)]
pub struct RecordBuffer {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all records.
    pub clear: Signal<In, Bit>,
    /// A record is added in this clock.
    pub write: Signal<In, Bit>,
    /// The record, without the flags of check and mate.
    pub write_data: Signal<In, Bits<32>>,
    /// The next record is complete.
    pub counted: Signal<In, Bit>,
    /// With `counted`: its move gives check.
    pub checks: Signal<In, Bit>,
    /// With `counted`: its move mates.
    pub mates: Signal<In, Bit>,
    /// The records in their order.
    pub records: WordSource,
    memory: Optional<RAM<Bits<32>, ADDRESS_BITS>>,
    /// For each record: check, mate.
    flags: Optional<RAM<Bits<2>, ADDRESS_BITS>>,
    write_at: DFF<Bits<ADDRESS_BITS>>,
    /// The record that is completed next.
    count_at: DFF<Bits<ADDRESS_BITS>>,
    read_at: DFF<Bits<ADDRESS_BITS>>,
    /// The memories' output is the record at `read_at`: it is read a clock ahead.
    fetched: DFF<Bit>,
    check_bit: Signal<Local, Bits<32>>,
    mate_bit: Signal<Local, Bits<32>>,
    value: Values,
}

impl RecordBuffer {
    /// Without memory in a unit that gives no moves one by one.
    pub fn new(present: bool) -> Self {
        RecordBuffer {
            memory: Optional::new(Default::default(), present),
            flags: Optional::new(Default::default(), present),
            ..Default::default()
        }
    }
}

impl Logic for RecordBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, write_at, count_at, read_at, fetched);
        self.memory.read_clock.next = self.clock.val();
        self.memory.write_clock.next = self.clock.val();
        self.memory.write_address.next = self.write_at.q.val();
        self.memory.write_data.next = self.write_data.val();
        self.memory.write_enable.next = self.write.val();
        self.memory.read_address.next = self.read_at.q.val();
        self.flags.read_clock.next = self.clock.val();
        self.flags.write_clock.next = self.clock.val();
        self.flags.write_address.next = self.count_at.q.val();
        self.flags.write_data.next =
            bit_cast::<2, 1>(self.checks.val().into()) | (bit_cast::<2, 1>(self.mates.val().into()) << 1);
        self.flags.write_enable.next = self.counted.val();
        self.flags.read_address.next = self.read_at.q.val();
        self.check_bit.next = 0.into();
        if self.flags.read_data.val().get_bit(0) {
            self.check_bit.next = self.value.flag_check.val();
        }
        self.mate_bit.next = 0.into();
        if self.flags.read_data.val().get_bit(1) {
            self.mate_bit.next = self.value.flag_mate.val();
        }
        self.records.data.next = self.memory.read_data.val() | self.check_bit.val() | self.mate_bit.val();
        self.records.valid.next = self.fetched.q.val();
        self.fetched.d.next = self.read_at.q.val() != self.count_at.q.val();
        if self.write.val() {
            self.write_at.d.next = self.write_at.q.val() + 1;
        }
        if self.counted.val() {
            self.count_at.d.next = self.count_at.q.val() + 1;
        }
        if self.fetched.q.val() & self.records.take.val() {
            self.fetched.d.next = false;
            self.read_at.d.next = self.read_at.q.val() + 1;
        }
        if self.clear.val() {
            self.write_at.d.next = 0.into();
            self.count_at.d.next = 0.into();
            self.read_at.d.next = 0.into();
            self.fetched.d.next = false;
        }
    }
}
