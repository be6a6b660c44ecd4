//! The records of moves in a ring, two read at a time from any place.
//!
//! ```text
//!                  +--------------+
//!   clock, reset  ->              => pair 64   two records, the first one low
//!   write         ->              |
//!   record 32     =>              |
//!   counted       -> RecordMemory |
//!   flags 2       =>              |
//!   begins        ->              |
//!   from 11       =>              |
//!   moves_on      ->              |
//!                  +--------------+
//! ```
//!
//! Handshake: `write` adds a record; `counted` adds the flags (check, mate) of the first record that has none. `begins`: the record
//! before place `from` and that at `from` are read; `moves_on`: the next two.
//! Latency: `pair` follows `moves_on` in one clock, `begins` in two. Throughput: one record a clock in, two out.
//! Cost: 4 block RAMs, 41 flip-flops. Model: none. Absent: a guard against overflow (`request_control`).

use super::answer_memory::MOVE_BITS;
use super::record_bank::{RecordBank, RECORD_BITS};
use rust_hdl::prelude::*;

/// The records of moves.
#[derive(LogicBlock, Default)]
pub struct RecordMemory {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all.
    pub reset: Signal<In, Bit>,
    /// A record comes.
    pub write: Signal<In, Bit>,
    /// The record, without the flags of check and mate.
    pub record: Signal<In, Bits<32>>,
    /// Flags come.
    pub counted: Signal<In, Bit>,
    /// With `counted`: check, mate.
    pub flags: Signal<In, Bits<2>>,
    /// Reading begins.
    pub begins: Signal<In, Bit>,
    /// The place of the second record that is read.
    pub from: Signal<In, Bits<MOVE_BITS>>,
    /// The next two are read.
    pub moves_on: Signal<In, Bit>,
    /// Two records.
    pub pair: Signal<Out, Bits<64>>,
    even: RecordBank,
    odd: RecordBank,
    written: DFF<Bits<MOVE_BITS>>,
    flagged: DFF<Bits<MOVE_BITS>>,
    /// The first record that is read has an odd place.
    swapped: DFF<Bit>,
    half: Signal<Local, Bits<RECORD_BITS>>,
}

impl RecordMemory {
    /// With memory, or without.
    pub fn new(present: bool) -> Self {
        RecordMemory { even: RecordBank::new(present), odd: RecordBank::new(present), ..Default::default() }
    }
}

impl Logic for RecordMemory {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, even, odd);
        dff_setup!(self, clock, written, flagged, swapped);
        self.even.write.next = self.write.val() & !self.written.q.val().get_bit(0);
        self.odd.write.next = self.write.val() & self.written.q.val().get_bit(0);
        self.even.write_at.next = self.written.q.val().get_bits::<RECORD_BITS>(1);
        self.odd.write_at.next = self.written.q.val().get_bits::<RECORD_BITS>(1);
        self.even.record.next = self.record.val();
        self.odd.record.next = self.record.val();
        if self.write.val() {
            self.written.d.next = self.written.q.val() + 1;
        }
        self.even.flag.next = self.counted.val() & !self.flagged.q.val().get_bit(0);
        self.odd.flag.next = self.counted.val() & self.flagged.q.val().get_bit(0);
        self.even.flag_at.next = self.flagged.q.val().get_bits::<RECORD_BITS>(1);
        self.odd.flag_at.next = self.flagged.q.val().get_bits::<RECORD_BITS>(1);
        self.even.flags.next = self.flags.val();
        self.odd.flags.next = self.flags.val();
        if self.counted.val() {
            self.flagged.d.next = self.flagged.q.val() + 1;
        }

        self.even.begins.next = self.begins.val();
        self.odd.begins.next = self.begins.val();
        self.even.moves_on.next = self.moves_on.val();
        self.odd.moves_on.next = self.moves_on.val();
        self.half.next = self.from.val().get_bits::<RECORD_BITS>(1);
        self.even.first.next = self.half.val();
        self.odd.first.next = self.half.val();
        if !self.from.val().get_bit(0) {
            self.odd.first.next = self.half.val() - 1;
        }
        if self.begins.val() {
            self.swapped.d.next = !self.from.val().get_bit(0);
        }
        self.pair.next = bit_cast::<64, 32>(self.even.data.val()) | (bit_cast::<64, 32>(self.odd.data.val()) << 32);
        if self.swapped.q.val() {
            self.pair.next = bit_cast::<64, 32>(self.odd.data.val()) | (bit_cast::<64, 32>(self.even.data.val()) << 32);
        }
        if self.reset.val() {
            self.written.d.next = 0.into();
            self.flagged.d.next = 0.into();
        }
    }
}
