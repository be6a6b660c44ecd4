//! Queue of the requests that wait: for each its header fields and the status of its frame.
//!
//! ```text
//!                     +-----------------+
//!   clock            ->                 -> waiting
//!   write            ->                 => head 29     `request_head`
//!   write_head 29    => DescriptorQueue => length 12   bytes of the payload
//!   write_length 12  =>                 -> full
//!   pop              ->                 |
//!                     +-----------------+
//! ```
//!
//! Handshake: `write` only while not `full`; `pop` only while `waiting`. While `waiting`, `head` and `length` are those
//! of the oldest of up to 512 entries.
//! Latency: three clocks from `write` to `waiting`. Throughput: an entry a clock in, one in three clocks out.
//! Cost: 2 block RAMs, and a register behind them, since they are slow. Model: `model/link`.
//! Absent: a bypass of an empty queue.

use super::request_head::RequestHead;
use rust_hdl::prelude::*;

/// Entries of the queue.
pub const CAPACITY: u32 = 1 << ADDRESS_BITS;
const ADDRESS_BITS: usize = 9;

crate::constants! {
    Values {
        capacity: Bits<10> = CAPACITY;
    }
}

/// Queue of requests.
#[derive(LogicBlock, Default)]
pub struct DescriptorQueue {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all entries.
    pub reset: Signal<In, Bit>,
    /// An entry is added in this clock; only while not `full`.
    pub write: Signal<In, Bit>,
    /// Its header fields.
    pub write_head: Signal<In, RequestHead>,
    /// Bytes of its payload.
    pub write_length: Signal<In, Bits<12>>,
    /// There are as many as fit.
    pub full: Signal<Out, Bit>,
    /// `head` and `length` are those of the oldest entry.
    pub waiting: Signal<Out, Bit>,
    /// Header fields of the oldest entry.
    pub head: Signal<Out, RequestHead>,
    /// Bytes of its payload.
    pub length: Signal<Out, Bits<12>>,
    /// The oldest entry ends; only while `waiting`.
    pub pop: Signal<In, Bit>,
    heads: RAM<RequestHead, ADDRESS_BITS>,
    lengths: RAM<Bits<12>, ADDRESS_BITS>,
    written: DFF<Bits<10>>,
    popped: DFF<Bits<10>>,
    /// The RAMs' outputs are the oldest entry.
    fetched: DFF<Bit>,
    /// So are the registers behind them.
    valid: DFF<Bit>,
    oldest_head: DFF<RequestHead>,
    oldest_length: DFF<Bits<12>>,
    entries: Signal<Local, Bits<10>>,
    value: Values,
}

impl Logic for DescriptorQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, written, popped, fetched, valid, oldest_head, oldest_length);
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
        self.oldest_head.d.next = self.heads.read_data.val();
        self.oldest_length.d.next = self.lengths.read_data.val();
        self.head.next = self.oldest_head.q.val();
        self.length.next = self.oldest_length.q.val();
        self.entries.next = self.written.q.val() - self.popped.q.val();
        self.full.next = self.entries.val() == self.value.capacity.val();
        self.fetched.d.next = self.written.q.val() != self.popped.q.val();
        self.valid.d.next = self.fetched.q.val();
        self.waiting.next = self.valid.q.val();
        if self.write.val() {
            self.written.d.next = self.written.q.val() + 1;
        }
        if self.pop.val() {
            self.popped.d.next = self.popped.q.val() + 1;
            self.fetched.d.next = false;
            self.valid.d.next = false;
        }
        if self.reset.val() {
            self.written.d.next = 0.into();
            self.popped.d.next = 0.into();
            self.fetched.d.next = false;
            self.valid.d.next = false;
        }
    }
}
