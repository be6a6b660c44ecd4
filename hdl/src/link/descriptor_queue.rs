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
//! Handshake: `write` only while not `full`; `pop` only while `waiting`. `head` and `length` belong to the oldest
//! entry from the clock after the first one with `waiting` (or after the one that follows `pop`).
//! Latency: two clocks from `write` to `head`. Throughput: one entry a clock.
//! Cost: 2 block RAMs. Model: `model/link`. Absent: a bypass of an empty queue.
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
    entries: Signal<Local, Bits<10>>,
}

impl Logic for DescriptorQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, written, popped);
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
        self.head.next = self.heads.read_data.val();
        self.length.next = self.lengths.read_data.val();
        self.entries.next = self.written.q.val() - self.popped.q.val();
        self.full.next = self.entries.val().get_bit(9);
        self.waiting.next = self.written.q.val() != self.popped.q.val();
        if self.write.val() {
            self.written.d.next = self.written.q.val() + 1;
        }
        if self.pop.val() {
            self.popped.d.next = self.popped.q.val() + 1;
        }
    }
}
