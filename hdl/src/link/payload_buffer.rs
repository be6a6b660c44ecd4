//! The request buffer's bytes: a ring that keeps or forgets each frame's payload as a whole.
//!
//! ```text
//!                      +---------------+
//!   clock             ->               => read_data 8
//!   write             ->               |
//!   write_data 8      =>               |
//!   frame_end         -> PayloadBuffer |
//!   keep 12           =>  8192 bytes   |
//!   advance           ->               |
//!   retire            ->               |
//!   retire_length 12  =>               |
//!                      +---------------+
//! ```
//!
//! Handshake: `write` adds a byte of the present frame. `frame_end` keeps its first `keep` bytes and forgets the rest.
//! `read_data` is the byte under the cursor; `advance` moves on; `retire` moves to the payload behind the present one,
//! which is `retire_length` bytes long, wherever the cursor stands.
//! Latency: `read_data` follows `advance` in one clock, `retire` in two. Throughput: one byte a clock each way.
//! Cost: 4 block RAMs of 2 KiB, 52 flip-flops. Model: `model/link`. Proof: `hdl/formal/payload_buffer`.
//! Absent: a guard against overflow (the `receiver` counts the room).

use rust_hdl::prelude::*;

/// Ring of payload bytes.
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
    /// For one clock: the frame is over.
    pub frame_end: Signal<In, Bit>,
    /// With `frame_end`: how many of its first bytes are kept.
    pub keep: Signal<In, Bits<12>>,
    /// The cursor moves to the next byte.
    pub advance: Signal<In, Bit>,
    /// The cursor moves to the next payload.
    pub retire: Signal<In, Bit>,
    /// With `retire`: bytes of the present payload.
    pub retire_length: Signal<In, Bits<12>>,
    /// The byte under the cursor.
    pub read_data: Signal<Out, Bits<8>>,
    ram: RAM<Bits<8>, 13>,
    /// Behind the last byte kept.
    kept: DFF<Bits<13>>,
    /// Where the next byte is written.
    tail: DFF<Bits<13>>,
    /// First byte of the payload that is being read.
    base: DFF<Bits<13>>,
    cursor: DFF<Bits<13>>,
    kept_next: Signal<Local, Bits<13>>,
    base_next: Signal<Local, Bits<13>>,
    cursor_next: Signal<Local, Bits<13>>,
}

impl Logic for PayloadBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, kept, tail, base, cursor);
        self.ram.write_clock.next = self.clock.val();
        self.ram.read_clock.next = self.clock.val();
        self.ram.write_address.next = self.tail.q.val();
        self.ram.write_data.next = self.write_data.val();
        self.ram.write_enable.next = self.write.val();
        self.kept_next.next = self.kept.q.val() + bit_cast::<13, 12>(self.keep.val());
        if self.write.val() {
            self.tail.d.next = self.tail.q.val() + 1;
        }
        if self.frame_end.val() {
            self.kept.d.next = self.kept_next.val();
            self.tail.d.next = self.kept_next.val();
        }
        self.base_next.next = self.base.q.val() + bit_cast::<13, 12>(self.retire_length.val());
        self.cursor_next.next = self.cursor.q.val();
        if self.advance.val() {
            self.cursor_next.next = self.cursor.q.val() + 1;
        }
        self.ram.read_address.next = self.cursor_next.val();
        self.cursor.d.next = self.cursor_next.val();
        if self.retire.val() {
            self.base.d.next = self.base_next.val();
            self.cursor.d.next = self.base_next.val();
        }
        self.read_data.next = self.ram.read_data.val();
        if self.reset.val() {
            self.kept.d.next = 0.into();
            self.tail.d.next = 0.into();
            self.base.d.next = 0.into();
            self.cursor.d.next = 0.into();
        }
    }
}
