//! The requests that wait: for each its header fields and the status of its frame.
//!
//! ```text
//!                   ┌──────────────────┐
//!  write ──────────▶│                  ├───▶ waiting
//!  write_head ──29─▶│ descriptor_queue ├─29▶ head
//!  write_length 12─▶│   512 entries    ├─12▶ length
//!  full ◀───────────┤                  │◀─── pop
//!                   └──────────────────┘
//! ```
//!
//! Handshake: `write` only while not `full`; `pop` only while `waiting`. While `waiting`, `head` and `length` are those
//! of the oldest entry.
//! Latency: three clocks from `write` to `waiting`. Throughput: an entry a clock in, one in three clocks out.
//! Cost: 2 block RAMs, and a register behind them, since they are slow. Model: `model/link`.
//! Absent: a bypass of an empty queue.
//!
//! `head`: bits 0–7 opcode, 8–23 sequence number, 24–27 status of the frame, 28 count and length make a batch.

use rust_hdl::prelude::*;

#[derive(LogicBlock, Default)]
pub struct DescriptorQueue {
    pub clock: Signal<In, Clock>,
    pub write: Signal<In, Bit>,
    pub write_head: Signal<In, Bits<29>>,
    pub write_length: Signal<In, Bits<12>>,
    pub full: Signal<Out, Bit>,
    pub waiting: Signal<Out, Bit>,
    pub head: Signal<Out, Bits<29>>,
    pub length: Signal<Out, Bits<12>>,
    pub pop: Signal<In, Bit>,
    heads: RAM<Bits<29>, 9>,
    lengths: RAM<Bits<12>, 9>,
    written: DFF<Bits<10>>,
    popped: DFF<Bits<10>>,
    /// The RAMs show the oldest entry.
    fetched: DFF<Bit>,
    /// So do the registers behind them.
    offered: DFF<Bit>,
    offered_head: DFF<Bits<29>>,
    offered_length: DFF<Bits<12>>,
    entries: Signal<Local, Bits<10>>,
}

impl Logic for DescriptorQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, written, popped, fetched, offered, offered_head, offered_length);
        self.heads.write_clock.next = self.clock.val();
        self.heads.read_clock.next = self.clock.val();
        self.lengths.write_clock.next = self.clock.val();
        self.lengths.read_clock.next = self.clock.val();
        self.heads.write_address.next = bit_cast::<9, 10>(self.written.q.val());
        self.lengths.write_address.next = bit_cast::<9, 10>(self.written.q.val());
        self.heads.read_address.next = bit_cast::<9, 10>(self.popped.q.val());
        self.lengths.read_address.next = bit_cast::<9, 10>(self.popped.q.val());
        self.heads.write_data.next = self.write_head.val();
        self.lengths.write_data.next = self.write_length.val();
        self.heads.write_enable.next = self.write.val();
        self.lengths.write_enable.next = self.write.val();
        self.offered_head.d.next = self.heads.read_data.val();
        self.offered_length.d.next = self.lengths.read_data.val();
        self.head.next = self.offered_head.q.val();
        self.length.next = self.offered_length.q.val();
        self.entries.next = self.written.q.val() - self.popped.q.val();
        self.full.next = self.entries.val().get_bit(9);
        self.fetched.d.next = self.written.q.val() != self.popped.q.val();
        self.offered.d.next = self.fetched.q.val();
        self.waiting.next = self.offered.q.val();
        if self.write.val() {
            self.written.d.next = self.written.q.val() + 1;
        }
        if self.pop.val() {
            self.popped.d.next = self.popped.q.val() + 1;
            self.fetched.d.next = false;
            self.offered.d.next = false;
        }
    }
}
