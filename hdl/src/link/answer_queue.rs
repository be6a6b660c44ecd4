//! Whose answers the unit will give: for each position under way, what stands in its answer's header.
//!
//! ```text
//!                 +-------------+
//!   clock, reset ->             -> waits       a position is under way
//!   push         ->             => opcode 8    of the oldest one's request
//!   push_opcode 8=> AnswerQueue => seq 16
//!   push_seq 16  =>            => index 6     its place in the request
//!   push_index 6 =>             |
//!   pop          ->             |
//!                 +-------------+
//! ```
//!
//! Handshake: `push` and `pop` add and take an entry; there are four places, as many as the unit has slots, and the unit is ready only
//! while one is free. `pop` only while `waits`.
//! Latency: one clock. Throughput: an entry a clock. Cost: 127 flip-flops. Model: none. Absent: a guard against overflow.

use rust_hdl::prelude::*;

/// Headers of answers that the unit will give.
#[derive(LogicBlock, Default)]
pub struct AnswerQueue {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all entries.
    pub reset: Signal<In, Bit>,
    /// A position is started.
    pub push: Signal<In, Bit>,
    /// Opcode of its request.
    pub push_opcode: Signal<In, Bits<8>>,
    /// Sequence number of its request.
    pub push_seq: Signal<In, Bits<16>>,
    /// Its place in the request.
    pub push_index: Signal<In, Bits<6>>,
    /// The oldest entry is done with.
    pub pop: Signal<In, Bit>,
    /// There is an entry.
    pub waits: Signal<Out, Bit>,
    /// Opcode of the oldest entry.
    pub opcode: Signal<Out, Bits<8>>,
    /// Its sequence number.
    pub seq: Signal<Out, Bits<16>>,
    /// Its place in the request.
    pub index: Signal<Out, Bits<6>>,
    /// The entries, the oldest lowest.
    opcodes: DFF<Bits<32>>,
    sequences: DFF<Bits<64>>,
    indices: DFF<Bits<24>>,
    entries: DFF<Bits<3>>,
    place: Signal<Local, Bits<3>>,
    opcodes_left: Signal<Local, Bits<32>>,
    sequences_left: Signal<Local, Bits<64>>,
    indices_left: Signal<Local, Bits<24>>,
}

impl Logic for AnswerQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, opcodes, sequences, indices, entries);
        self.waits.next = self.entries.q.val().any();
        self.opcode.next = bit_cast::<8, 32>(self.opcodes.q.val());
        self.seq.next = bit_cast::<16, 64>(self.sequences.q.val());
        self.index.next = bit_cast::<6, 24>(self.indices.q.val());
        self.place.next = self.entries.q.val();
        self.opcodes_left.next = self.opcodes.q.val();
        self.sequences_left.next = self.sequences.q.val();
        self.indices_left.next = self.indices.q.val();
        if self.pop.val() {
            self.place.next = self.entries.q.val() - 1;
            self.opcodes_left.next = self.opcodes.q.val() >> 8;
            self.sequences_left.next = self.sequences.q.val() >> 16;
            self.indices_left.next = self.indices.q.val() >> 6;
        }
        self.entries.d.next = self.place.val();
        self.opcodes.d.next = self.opcodes_left.val();
        self.sequences.d.next = self.sequences_left.val();
        self.indices.d.next = self.indices_left.val();
        if self.push.val() {
            self.entries.d.next = self.place.val() + 1;
            // Places behind the entries are zero.
            match self.place.val().index() {
                0 => {
                    self.opcodes.d.next = bit_cast::<32, 8>(self.push_opcode.val());
                    self.sequences.d.next = bit_cast::<64, 16>(self.push_seq.val());
                    self.indices.d.next = bit_cast::<24, 6>(self.push_index.val());
                }
                1 => {
                    self.opcodes.d.next = self.opcodes_left.val() | (bit_cast::<32, 8>(self.push_opcode.val()) << 8);
                    self.sequences.d.next = self.sequences_left.val() | (bit_cast::<64, 16>(self.push_seq.val()) << 16);
                    self.indices.d.next = self.indices_left.val() | (bit_cast::<24, 6>(self.push_index.val()) << 6);
                }
                2 => {
                    self.opcodes.d.next = self.opcodes_left.val() | (bit_cast::<32, 8>(self.push_opcode.val()) << 16);
                    self.sequences.d.next = self.sequences_left.val() | (bit_cast::<64, 16>(self.push_seq.val()) << 32);
                    self.indices.d.next = self.indices_left.val() | (bit_cast::<24, 6>(self.push_index.val()) << 12);
                }
                _ => {
                    self.opcodes.d.next = self.opcodes_left.val() | (bit_cast::<32, 8>(self.push_opcode.val()) << 24);
                    self.sequences.d.next = self.sequences_left.val() | (bit_cast::<64, 16>(self.push_seq.val()) << 48);
                    self.indices.d.next = self.indices_left.val() | (bit_cast::<24, 6>(self.push_index.val()) << 18);
                }
            }
        }
        if self.reset.val() {
            self.entries.d.next = 0.into();
            self.opcodes.d.next = 0.into();
            self.sequences.d.next = 0.into();
            self.indices.d.next = 0.into();
        }
    }
}
