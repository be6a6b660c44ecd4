//! Keeps the records of a position's moves until they are taken.
//!
//! ```text
//!                  +--------------+
//!   clock         ->              =>   records: `ports::WordSource`
//!   clear         -> RecordBuffer |
//!   write         ->              |
//!   write_data 32 =>              |
//!   records       =>              |
//!                  +--------------+
//! ```
//!
//! Handshake: `write` adds a record; `clear` forgets all, and comes with no `write`. Records come out in the order in which
//! they were written.
//! Latency: two clocks from `write` to `valid`; a clock without `valid` follows each record that is taken.
//! Throughput: one record a clock in, one in two clocks out.
//! Cost: 2 block RAMs, 21 flip-flops. Proof: `hdl/formal/record_buffer`. Model: none (the records stay the same).
//! Absent: a guard against more records than the buffer has places, which no position has.

use crate::optional::Optional;
use crate::ports::WordSource;
use hayasashi_spec::moves::MAX_MOVES;
use rust_hdl::prelude::*;

const ADDRESS_BITS: usize = 10;
const _: () = assert!(MAX_MOVES < 1 << ADDRESS_BITS);

/// Keeps the records of moves.
#[derive(LogicBlock, Default)]
pub struct RecordBuffer {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all records.
    pub clear: Signal<In, Bit>,
    /// A record is added in this clock.
    pub write: Signal<In, Bit>,
    /// The record.
    pub write_data: Signal<In, Bits<32>>,
    /// The records in their order.
    pub records: WordSource,
    memory: Optional<RAM<Bits<32>, ADDRESS_BITS>>,
    write_at: DFF<Bits<ADDRESS_BITS>>,
    read_at: DFF<Bits<ADDRESS_BITS>>,
    /// The memory's output is the record at `read_at`: it is read a clock ahead.
    fetched: DFF<Bit>,
}

impl RecordBuffer {
    /// Without memory in a unit that gives no moves one by one.
    pub fn new(present: bool) -> Self {
        RecordBuffer { memory: Optional::new(Default::default(), present), ..Default::default() }
    }
}

impl Logic for RecordBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, write_at, read_at, fetched);
        self.memory.read_clock.next = self.clock.val();
        self.memory.write_clock.next = self.clock.val();
        self.memory.write_address.next = self.write_at.q.val();
        self.memory.write_data.next = self.write_data.val();
        self.memory.write_enable.next = self.write.val();
        self.memory.read_address.next = self.read_at.q.val();
        self.records.data.next = self.memory.read_data.val();
        self.records.valid.next = self.fetched.q.val();
        self.fetched.d.next = self.read_at.q.val() != self.write_at.q.val();
        if self.write.val() {
            self.write_at.d.next = self.write_at.q.val() + 1;
        }
        if self.fetched.q.val() & self.records.take.val() {
            self.fetched.d.next = false;
            self.read_at.d.next = self.read_at.q.val() + 1;
        }
        if self.clear.val() {
            self.write_at.d.next = 0.into();
            self.read_at.d.next = 0.into();
            self.fetched.d.next = false;
        }
    }
}
