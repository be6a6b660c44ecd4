//! The request buffer's payloads: a ring that keeps or forgets each frame's payload as a whole, and gives words of eight bytes.
//!
//! ```text
//!                      +---------------+
//!   clock, reset      ->               => read_data 64
//!   write             ->               |
//!   write_data 8      =>               |
//!   write_word        -> PayloadBuffer |
//!   write_word_data 64=>  8192 bytes   |
//!   frame_end         ->               |
//!   keep 12           =>               |
//!   advance           ->               |
//!   retire            ->               |
//!   retire_length 12  =>               |
//!                      +---------------+
//! ```
//!
//! Handshake: `write` adds a byte of the present frame, `write_word` eight bytes; a frame uses one of the two. `frame_end` keeps
//! its first `keep` bytes and forgets the rest. A payload begins with a word of its own.
//! `read_data` is the word under the cursor, the first byte lowest; `advance` moves on; `retire` moves to the payload behind the
//! present one, which is `retire_length` bytes long, wherever the cursor stands.
//! Latency: `read_data` follows `advance` in one clock, `retire` in two. Throughput: a byte or word a clock in, a word out.
//! Cost: 8 block RAMs of 1 KiB, 46 flip-flops. Model: `model/link`. Proof: `hdl/formal/payload_buffer`.
//! Absent: a guard against overflow (the `receiver` counts the room).

use rust_hdl::prelude::*;

crate::constants! {
    Values {
        /// The byte lanes of a word behind the first `keep` bytes do not count: payloads end at a word.
        round_up: Bits<13> = 7u64;
    }
}

/// Ring of payloads.
#[derive(LogicBlock, Default)]
pub struct PayloadBuffer {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all payloads.
    pub reset: Signal<In, Bit>,
    /// A byte of the present frame is stored in this clock.
    pub write: Signal<In, Bit>,
    /// Its value.
    pub write_data: Signal<In, Bits<8>>,
    /// A word of the present frame is stored in this clock.
    pub write_word: Signal<In, Bit>,
    /// Its value.
    pub write_word_data: Signal<In, Bits<64>>,
    /// For one clock: the frame is over.
    pub frame_end: Signal<In, Bit>,
    /// With `frame_end`: how many of its first bytes are kept.
    pub keep: Signal<In, Bits<12>>,
    /// The cursor moves to the next word.
    pub advance: Signal<In, Bit>,
    /// The cursor moves to the next payload.
    pub retire: Signal<In, Bit>,
    /// With `retire`: bytes of the present payload.
    pub retire_length: Signal<In, Bits<12>>,
    /// The word under the cursor.
    pub read_data: Signal<Out, Bits<64>>,
    lanes: [RAM<Bits<8>, 10>; 8],
    /// Behind the last word kept.
    kept: DFF<Bits<10>>,
    /// Where the next byte is written.
    tail: DFF<Bits<13>>,
    /// First word of the payload that is being read.
    base: DFF<Bits<10>>,
    cursor: DFF<Bits<10>>,
    kept_next: Signal<Local, Bits<10>>,
    base_next: Signal<Local, Bits<10>>,
    cursor_next: Signal<Local, Bits<10>>,
    lane: Signal<Local, Bits<8>>,
    keep_up: Signal<Local, Bits<13>>,
    retire_up: Signal<Local, Bits<13>>,
    value: Values,
}

impl Logic for PayloadBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, kept, tail, base, cursor);
        self.lane.next = bit_cast::<8, 1>(self.write.val().into()) << bit_cast::<3, 13>(self.tail.q.val());
        if self.write_word.val() {
            self.lane.next = 0xff.into();
        }
        self.keep_up.next = bit_cast::<13, 12>(self.keep.val()) + self.value.round_up.val();
        self.retire_up.next = bit_cast::<13, 12>(self.retire_length.val()) + self.value.round_up.val();
        self.kept_next.next = self.kept.q.val() + self.keep_up.val().get_bits::<10>(3);
        if self.write.val() {
            self.tail.d.next = self.tail.q.val() + 1;
        }
        if self.write_word.val() {
            self.tail.d.next = self.tail.q.val() + 8;
        }
        if self.frame_end.val() {
            self.kept.d.next = self.kept_next.val();
            self.tail.d.next = bit_cast::<13, 10>(self.kept_next.val()) << 3;
        }
        self.base_next.next = self.base.q.val() + self.retire_up.val().get_bits::<10>(3);
        self.cursor_next.next = self.cursor.q.val();
        if self.advance.val() {
            self.cursor_next.next = self.cursor.q.val() + 1;
        }
        self.cursor.d.next = self.cursor_next.val();
        if self.retire.val() {
            self.base.d.next = self.base_next.val();
            self.cursor.d.next = self.base_next.val();
        }
        for i in 0..8 {
            self.lanes[i].write_clock.next = self.clock.val();
            self.lanes[i].read_clock.next = self.clock.val();
            self.lanes[i].write_address.next = self.tail.q.val().get_bits::<10>(3);
            self.lanes[i].write_data.next = self.write_data.val();
            self.lanes[i].write_enable.next = self.lane.val().get_bit(i);
            self.lanes[i].read_address.next = self.cursor_next.val();
        }
        if self.write_word.val() {
            self.lanes[0].write_data.next = bit_cast::<8, 64>(self.write_word_data.val());
            self.lanes[1].write_data.next = self.write_word_data.val().get_bits::<8>(8);
            self.lanes[2].write_data.next = self.write_word_data.val().get_bits::<8>(16);
            self.lanes[3].write_data.next = self.write_word_data.val().get_bits::<8>(24);
            self.lanes[4].write_data.next = self.write_word_data.val().get_bits::<8>(32);
            self.lanes[5].write_data.next = self.write_word_data.val().get_bits::<8>(40);
            self.lanes[6].write_data.next = self.write_word_data.val().get_bits::<8>(48);
            self.lanes[7].write_data.next = self.write_word_data.val().get_bits::<8>(56);
        }
        self.read_data.next = bit_cast::<64, 8>(self.lanes[0].read_data.val())
            | (bit_cast::<64, 8>(self.lanes[1].read_data.val()) << 8)
            | (bit_cast::<64, 8>(self.lanes[2].read_data.val()) << 16)
            | (bit_cast::<64, 8>(self.lanes[3].read_data.val()) << 24)
            | (bit_cast::<64, 8>(self.lanes[4].read_data.val()) << 32)
            | (bit_cast::<64, 8>(self.lanes[5].read_data.val()) << 40)
            | (bit_cast::<64, 8>(self.lanes[6].read_data.val()) << 48)
            | (bit_cast::<64, 8>(self.lanes[7].read_data.val()) << 56);
        if self.reset.val() {
            self.kept.d.next = 0.into();
            self.tail.d.next = 0.into();
            self.base.d.next = 0.into();
            self.cursor.d.next = 0.into();
        }
    }
}
