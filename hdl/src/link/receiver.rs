//! Receives frames, decides what becomes of each, and keeps requests until they are worked on.
//!
//! ```text
//!              +----------+
//!   clock     ->          -> waiting       a request, or a refused frame to answer
//!   rx_valid  ->          => head 29       `request_head`
//!   rx_data 8 => Receiver => length 12     bytes of the payload
//!   advance   ->          => data 64       word of the payload under the cursor
//!   retire    ->          -> frame_taken, frame_bad
//!             |           -> cancelled
//!              +----------+
//! ```
//!
//! Handshake: a byte may come in every clock; the receiver never stalls. `frame_taken` and `frame_bad` are pulses.
//! `head` and `length` are valid while `waiting`, `data` is the payload's first word then; `advance` moves the cursor to the
//! next word, `retire` ends the request and frees its room. `cancelled` is high while a CANCEL is among the requests: it
//! concerns those before it, so it cannot wait for its turn.
//! A frame without room is answered BUSY, and not at all where not even a descriptor is free. `reset` forgets all frames.
//! Latency: `waiting` five clocks after END; room is free two clocks after `retire`. Throughput: one byte a clock.
//! Cost: 10 block RAMs, 284 flip-flops. Model: `model/link`. Absent: any other knowledge of opcodes (see `dispatcher`).
//!
//! ```text
//! clock  0            1                2                     3
//! byte   raw, slip    counted, crc     stored, if room
//! END    raw, slip    frame checked    status, descriptor    payload kept, room taken up
//! ```
//!
//! The next frame needs nothing of it: its first eight bytes are a header, and room matters from its ninth byte on.

use super::{
    buffer_usage::BufferUsage, crc32::Crc32, descriptor_queue::DescriptorQueue, header_parser::HeaderParser,
    payload_buffer::PayloadBuffer, request_head::RequestHead, slip_decoder::SlipDecoder,
};
use hayasashi_spec::{frame::*, opcode::Status, position::IMAGE_BYTES};
use rust_hdl::prelude::*;

crate::constants! {
    Values {
        header_bytes: Bits<12> = HEADER_BYTES;
        frame_min: Bits<12> = HEADER_BYTES + CRC_BYTES;
        frame_max: Bits<12> = HEADER_BYTES + CRC_BYTES + MAX_REQUEST_PAYLOAD;
        end: Bits<8> = END;
        /// Shift by which positions make bytes.
        image_shift: Bits<3> = IMAGE_BYTES.ilog2();
        sound: Bits<32> = CRC_RESIDUE ^ CRC_INVERT;
        ok: Bits<4> = Status::Ok;
        bad_crc: Bits<4> = Status::BadCrc;
        bad_length: Bits<4> = Status::BadLength;
        busy: Bits<4> = Status::Busy;
    }
}

/// Receives frames.
#[derive(LogicBlock, Default)]
pub struct Receiver {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// A byte from the host.
    pub rx_valid: Signal<In, Bit>,
    /// Its value.
    pub rx_data: Signal<In, Bits<8>>,
    /// A request or refused frame.
    pub waiting: Signal<Out, Bit>,
    /// Its header fields, while `waiting`.
    pub head: Signal<Out, RequestHead>,
    /// Bytes of its payload, while `waiting`.
    pub length: Signal<Out, Bits<12>>,
    /// The payload's word under the cursor, the first byte lowest.
    pub data: Signal<Out, Bits<64>>,
    /// The cursor moves to the next word.
    pub advance: Signal<In, Bit>,
    /// For one clock: the request ends, its room is free.
    pub retire: Signal<In, Bit>,
    /// For one clock: a frame became a request.
    pub frame_taken: Signal<Out, Bit>,
    /// For one clock: a frame was refused.
    pub frame_bad: Signal<Out, Bit>,
    /// A CANCEL is among the requests.
    pub cancelled: Signal<Out, Bit>,
    slip: SlipDecoder,
    crc: Crc32,
    buffer: PayloadBuffer,
    queue: DescriptorQueue,
    header: HeaderParser,
    usage: BufferUsage,
    /// What the decoder gave in the last clock.
    byte_valid: DFF<Bit>,
    byte_data: DFF<Bits<8>>,
    ended: DFF<Bit>,
    ended_broken: DFF<Bit>,
    ended_present: DFF<Bit>,
    /// Bytes of the present frame so far, header and checksum included; stops one above the longest.
    count: DFF<Bits<12>>,
    /// Room ran out in the present frame.
    lost: DFF<Bit>,
    store: DFF<Bit>, // a byte behind the header, not stored yet
    store_byte: DFF<Bits<8>>,
    /// It is no longer than a checksum too much.
    store_fits: DFF<Bit>,
    /// What is known of a frame in the clock after its end.
    decide: DFF<Bit>,
    present: DFF<Bit>,
    bad_size: DFF<Bit>,
    bad_sum: DFF<Bit>,
    bad_claim: DFF<Bit>,
    /// Count and length of the header make a batch.
    is_batch: DFF<Bit>,
    payload: DFF<Bits<12>>,
    /// And one clock later: a pulse for each frame, and what it takes up.
    close: DFF<Bit>,
    taken: DFF<Bit>,
    bad: DFF<Bit>,
    keep: DFF<Bits<12>>,
    length_here: Signal<Local, Bits<12>>,
    /// Bytes of as many positions as the header says.
    payload_of_count: Signal<Local, Bits<22>>,
    status: Signal<Local, Bits<4>>,
    good: Signal<Local, Bit>,
    value: Values,
}

impl Logic for Receiver {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, slip, crc, buffer, queue, header, usage);
        dff_setup!(self, clock, byte_valid, byte_data, ended, ended_broken, ended_present);
        dff_setup!(self, clock, count, lost, store, store_byte, store_fits);
        dff_setup!(self, clock, decide, present, bad_size, bad_sum, bad_claim, is_batch, payload);
        dff_setup!(self, clock, close, taken, bad, keep);
        self.slip.raw_valid.next = self.rx_valid.val();
        self.slip.raw_data.next = self.rx_data.val();
        self.buffer.reset.next = self.reset.val();
        self.queue.reset.next = self.reset.val();
        self.usage.reset.next = self.reset.val();
        if self.reset.val() {
            self.slip.raw_valid.next = true; // an END, which leaves nothing in the decoder
            self.slip.raw_data.next = self.value.end.val();
        }
        self.byte_valid.d.next = self.slip.valid.val();
        self.byte_data.d.next = self.slip.data.val();
        self.ended.d.next = self.slip.frame_end.val();
        self.ended_broken.d.next = self.slip.broken.val();
        self.ended_present.d.next = self.slip.present.val();

        self.crc.valid.next = self.byte_valid.q.val();
        self.crc.data.next = self.byte_data.q.val();
        self.crc.clear.next = self.ended.q.val() | self.reset.val();
        // A new frame's first byte may come in the clock in which the header of the last one is still looked at.
        self.header.clear.next = self.decide.q.val() | self.reset.val();
        self.header.valid.next = self.byte_valid.q.val() & !self.reset.val();
        self.header.index.next = self.count.q.val();
        self.header.data.next = self.byte_data.q.val();
        if self.decide.q.val() {
            self.lost.d.next = false;
        }
        self.usage.frame_bytes.next = self.count.q.val();
        self.store.d.next = false;
        self.store_byte.d.next = self.byte_data.q.val();
        // The checksum comes along behind the payload; it is not kept.
        self.store_fits.d.next = self.count.q.val() < self.value.frame_max.val();
        if self.byte_valid.q.val() {
            if self.count.q.val() <= self.value.frame_max.val() {
                self.count.d.next = self.count.q.val() + 1;
            }
            self.store.d.next = self.count.q.val() >= self.value.header_bytes.val();
        }
        if self.store.q.val() & self.usage.no_room_for_byte.val() {
            self.lost.d.next = true;
        }
        self.buffer.write.next = self.store.q.val() & self.store_fits.q.val() & !self.usage.no_room_for_byte.val();
        self.buffer.write_data.next = self.store_byte.q.val();
        self.buffer.write_word.next = false; // words come only from a word port
        self.buffer.write_word_data.next = 0.into();

        self.length_here.next = self.count.q.val() - self.value.frame_min.val();
        self.decide.d.next = self.ended.q.val();
        self.present.d.next = self.ended.q.val() & self.ended_present.q.val();
        self.payload.d.next = self.length_here.val();
        self.bad_size.d.next =
            (self.count.q.val() < self.value.frame_min.val()) | (self.count.q.val() > self.value.frame_max.val());
        self.bad_sum.d.next = (self.crc.checksum.val() != self.value.sound.val()) | self.ended_broken.q.val();
        self.bad_claim.d.next = self.header.length.val() != bit_cast::<16, 12>(self.length_here.val());
        self.payload_of_count.next = 0.into();
        if self.ended.q.val() {
            self.payload_of_count.next = bit_cast::<22, 16>(self.header.count.val()) << self.value.image_shift.val();
            self.is_batch.d.next = self.header.count.val().any()
                & (self.payload_of_count.val() == bit_cast::<22, 16>(self.header.length.val()));
            self.count.d.next = 0.into();
        }

        self.status.next = self.value.ok.val();
        if self.bad_size.q.val() {
            self.status.next = self.value.bad_length.val();
        } else if self.bad_sum.q.val() {
            self.status.next = self.value.bad_crc.val();
        } else if self.bad_claim.q.val() {
            self.status.next = self.value.bad_length.val();
        } else if self.lost.q.val() | self.usage.no_room_for_frame.val() {
            self.status.next = self.value.busy.val();
        }
        self.good.next = self.present.q.val() & (self.status.val() == self.value.ok.val()) & !self.queue.full.val();
        self.queue.write.next = self.present.q.val() & !self.queue.full.val();
        self.queue.write_head.next.opcode = self.header.opcode.val();
        self.queue.write_head.next.sequence = self.header.seq.val();
        self.queue.write_head.next.frame_status = self.status.val();
        self.queue.write_head.next.is_batch = self.is_batch.q.val();
        self.queue.write_length.next = 0.into();
        self.close.d.next = self.decide.q.val();
        self.taken.d.next = false;
        self.bad.d.next = self.present.q.val() & !self.good.val();
        self.keep.d.next = 0.into();
        if self.good.val() & !self.reset.val() {
            self.taken.d.next = true;
            self.queue.write_length.next = self.payload.q.val();
            self.keep.d.next = self.payload.q.val();
        }
        self.frame_taken.next = self.taken.q.val();
        self.frame_bad.next = self.bad.q.val();
        self.buffer.frame_end.next = self.close.q.val();
        self.buffer.keep.next = self.keep.q.val();

        self.waiting.next = self.queue.waiting.val();
        self.head.next = self.queue.head.val();
        self.length.next = self.queue.length.val();
        self.data.next = self.buffer.read_data.val();
        self.buffer.advance.next = self.advance.val();
        self.buffer.retire.next = self.retire.val();
        self.buffer.retire_length.next = self.queue.length.val();
        self.queue.pop.next = self.retire.val();
        self.usage.add.next = self.good.val();
        self.usage.add_opcode.next = self.header.opcode.val();
        self.usage.add_length.next = self.payload.q.val();
        self.usage.retire.next = self.retire.val();
        self.usage.head.next = self.queue.head.val();
        self.usage.length.next = self.queue.length.val();
        self.cancelled.next = self.usage.cancelled.val();
        if self.reset.val() {
            self.ended.d.next = false;
            self.count.d.next = 0.into();
            self.lost.d.next = false;
            self.store.d.next = false;
            self.decide.d.next = false;
            self.present.d.next = false;
            self.close.d.next = false;
            self.bad.d.next = false;
        }
    }
}
