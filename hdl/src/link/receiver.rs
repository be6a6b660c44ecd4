//! Takes frames from the byte stream, decides what becomes of each, and keeps requests until they are worked on.
//!
//! ```text
//!               ┌──────────┐
//!  rx_valid ───▶│          ├───▶ waiting   a request (or a bad frame to answer)
//!  rx_data ──8─▶│          ├─29▶ head      as in descriptor_queue
//!  frame_taken◀─┤ receiver ├─12▶ length    bytes of payload
//!  frame_bad ◀──┤          ├─8─▶ data      byte of the payload under the cursor
//!               │          │◀─── advance   next byte
//!               └──────────┘◀─── retire    done with this request
//! ```
//!
//! Handshake: a byte may come in every clock; the receiver never stalls. `frame_taken` and `frame_bad` are pulses.
//! `head`, `length` and `data` are valid from the clock after `waiting`; `retire` frees the request's room.
//! Latency: `waiting` one clock after END. Throughput: one byte a clock.
//! A frame without room is answered BUSY, and not at all where not even a descriptor is free.
//! Model: `model/link`. Absent: any knowledge of opcodes (see `dispatcher`).

use super::{
    crc32::Crc32, descriptor_queue::DescriptorQueue, payload_buffer::PayloadBuffer, slip_decoder::SlipDecoder,
};
use hayasashi_spec::{frame::*, opcode::Status};
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Receiver {
    pub clock: Signal<In, Clock>,
    pub rx_valid: Signal<In, Bit>,
    pub rx_data: Signal<In, Bits<8>>,
    pub waiting: Signal<Out, Bit>,
    pub head: Signal<Out, Bits<29>>,
    pub length: Signal<Out, Bits<12>>,
    pub data: Signal<Out, Bits<8>>,
    pub advance: Signal<In, Bit>,
    pub retire: Signal<In, Bit>,
    pub frame_taken: Signal<Out, Bit>,
    pub frame_bad: Signal<Out, Bit>,
    slip: SlipDecoder,
    crc: Crc32,
    buffer: PayloadBuffer,
    queue: DescriptorQueue,
    /// Bytes of the present frame so far, header and checksum included; stops one above the longest.
    count: DFF<Bits<12>>,
    opcode: DFF<Bits<8>>,
    seq: DFF<Bits<16>>,
    batch: DFF<Bits<16>>,
    claimed: DFF<Bits<16>>,
    /// Room ran out in the present frame.
    lost: DFF<Bit>,
    /// Bytes of the request buffer in use, entries included.
    used: DFF<Bits<14>>,
    filled: Signal<Local, Bits<14>>,
    grown: Signal<Local, Bits<14>>,
    freed: Signal<Local, Bits<14>>,
    payload: Signal<Local, Bits<12>>,
    status: Signal<Local, Bits<4>>,
    taken: Signal<Local, Bit>,
    whole: Signal<Local, Bit>,
    header_bytes: Constant<Bits<12>>,
    frame_min: Constant<Bits<12>>,
    frame_max: Constant<Bits<12>>,
    /// From here on `filled` leaves no room for the byte, the frame.
    byte_limit: Constant<Bits<14>>,
    frame_limit: Constant<Bits<14>>,
    /// What a request of a frame of `count` bytes, of `length` payload bytes, occupies besides.
    frame_extra: Constant<Bits<14>>,
    entry_bytes: Constant<Bits<14>>,
    sound: Constant<Bits<32>>,
    status_ok: Constant<Bits<4>>,
    status_crc: Constant<Bits<4>>,
    status_length: Constant<Bits<4>>,
    status_busy: Constant<Bits<4>>,
}

const FRAME_MIN: usize = HEADER_BYTES + CRC_BYTES;

impl Default for Receiver {
    fn default() -> Self {
        Receiver {
            clock: Default::default(),
            rx_valid: Default::default(),
            rx_data: Default::default(),
            waiting: Default::default(),
            head: Default::default(),
            length: Default::default(),
            data: Default::default(),
            advance: Default::default(),
            retire: Default::default(),
            frame_taken: Default::default(),
            frame_bad: Default::default(),
            slip: Default::default(),
            crc: Default::default(),
            buffer: Default::default(),
            queue: Default::default(),
            count: Default::default(),
            opcode: Default::default(),
            seq: Default::default(),
            batch: Default::default(),
            claimed: Default::default(),
            lost: Default::default(),
            used: Default::default(),
            filled: Default::default(),
            grown: Default::default(),
            freed: Default::default(),
            payload: Default::default(),
            status: Default::default(),
            taken: Default::default(),
            whole: Default::default(),
            header_bytes: Constant::new(HEADER_BYTES.to_bits()),
            frame_min: Constant::new(FRAME_MIN.to_bits()),
            frame_max: Constant::new((FRAME_MIN + MAX_REQUEST_PAYLOAD).to_bits()),
            byte_limit: Constant::new((BUFFER_BYTES + HEADER_BYTES).to_bits()),
            frame_limit: Constant::new((BUFFER_BYTES + FRAME_MIN - ENTRY_BYTES).to_bits()),
            frame_extra: Constant::new((ENTRY_BYTES - FRAME_MIN).to_bits()),
            entry_bytes: Constant::new(ENTRY_BYTES.to_bits()),
            sound: Constant::new(((CRC_RESIDUE ^ CRC_INVERT) as u64).into()),
            status_ok: Constant::new((Status::Ok as u64).into()),
            status_crc: Constant::new((Status::BadCrc as u64).into()),
            status_length: Constant::new((Status::BadLength as u64).into()),
            status_busy: Constant::new((Status::Busy as u64).into()),
        }
    }
}

impl Logic for Receiver {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, slip, crc, buffer, queue);
        dff_setup!(self, clock, count, opcode, seq, batch, claimed, lost, used);
        self.slip.raw_valid.next = self.rx_valid.val();
        self.slip.raw_data.next = self.rx_data.val();
        self.crc.valid.next = self.slip.valid.val();
        self.crc.data.next = self.slip.data.val();
        self.crc.clear.next = self.slip.frame_end.val();
        self.buffer.write.next = false;
        self.buffer.write_data.next = self.slip.data.val();
        self.buffer.frame_end.next = self.slip.frame_end.val();
        self.buffer.keep.next = 0.into();
        self.buffer.advance.next = self.advance.val();
        self.buffer.retire.next = self.retire.val();
        self.buffer.retire_length.next = self.queue.length.val();
        self.data.next = self.buffer.read_data.val();
        self.queue.pop.next = self.retire.val();
        self.waiting.next = self.queue.waiting.val();
        self.head.next = self.queue.head.val();
        self.length.next = self.queue.length.val();

        self.filled.next = self.used.q.val() + bit_cast::<14, 12>(self.count.q.val());
        if self.slip.valid.val() {
            if self.count.q.val() <= self.frame_max.val() {
                self.count.d.next = self.count.q.val() + 1;
            }
            if self.count.q.val() < self.header_bytes.val() {
                match self.count.q.val().index() {
                    0 => self.opcode.d.next = self.slip.data.val(),
                    2 => self.seq.d.next = bit_cast::<16, 8>(self.slip.data.val()),
                    3 => self.seq.d.next = self.seq.q.val() | (bit_cast::<16, 8>(self.slip.data.val()) << 8),
                    4 => self.batch.d.next = bit_cast::<16, 8>(self.slip.data.val()),
                    5 => self.batch.d.next = self.batch.q.val() | (bit_cast::<16, 8>(self.slip.data.val()) << 8),
                    6 => self.claimed.d.next = bit_cast::<16, 8>(self.slip.data.val()),
                    7 => self.claimed.d.next = self.claimed.q.val() | (bit_cast::<16, 8>(self.slip.data.val()) << 8),
                    _ => {}
                }
            } else if self.filled.val() >= self.byte_limit.val() {
                self.lost.d.next = true;
            } else if self.count.q.val() < self.frame_max.val() {
                // The checksum comes along behind the payload; it is not kept.
                self.buffer.write.next = true;
            }
        }

        self.status.next = self.status_ok.val();
        self.taken.next = false;
        self.frame_taken.next = false;
        self.frame_bad.next = false;
        self.whole.next = false;
        self.queue.write.next = false;
        self.payload.next = 0.into();
        if self.slip.frame_end.val() {
            self.payload.next = self.count.q.val() - self.frame_min.val();
            self.whole.next = self.batch.q.val().any()
                & (self.batch.q.val() == bit_cast::<16, 10>(self.claimed.q.val().get_bits::<10>(6)))
                & !self.claimed.q.val().get_bits::<6>(0).any();
            if (self.count.q.val() < self.frame_min.val()) | (self.count.q.val() > self.frame_max.val()) {
                self.status.next = self.status_length.val();
            } else if (self.crc.checksum.val() != self.sound.val()) | self.slip.broken.val() {
                self.status.next = self.status_crc.val();
            } else if self.claimed.q.val() != bit_cast::<16, 12>(self.payload.val()) {
                self.status.next = self.status_length.val();
            } else if self.lost.q.val() | (self.filled.val() > self.frame_limit.val()) {
                self.status.next = self.status_busy.val();
            }
            if self.slip.present.val() {
                self.taken.next = (self.status.val() == self.status_ok.val()) & !self.queue.full.val();
                self.queue.write.next = !self.queue.full.val();
                self.frame_taken.next = self.taken.val();
                self.frame_bad.next = !self.taken.val();
            }
            self.count.d.next = 0.into();
            self.opcode.d.next = 0.into();
            self.seq.d.next = 0.into();
            self.batch.d.next = 0.into();
            self.claimed.d.next = 0.into();
            self.lost.d.next = false;
        }
        self.queue.write_head.next = bit_cast::<29, 8>(self.opcode.q.val())
            | (bit_cast::<29, 16>(self.seq.q.val()) << 8)
            | (bit_cast::<29, 4>(self.status.val()) << 24)
            | (bit_cast::<29, 1>(self.whole.val().into()) << 28);
        self.queue.write_length.next = 0.into();
        self.grown.next = self.used.q.val();
        if self.taken.val() {
            self.buffer.keep.next = self.payload.val();
            self.queue.write_length.next = self.payload.val();
            self.grown.next = self.filled.val() + self.frame_extra.val();
        }
        self.freed.next = 0.into();
        if self.retire.val() & !self.queue.head.val().get_bits::<4>(24).any() {
            self.freed.next = bit_cast::<14, 12>(self.queue.length.val()) + self.entry_bytes.val();
        }
        self.used.d.next = self.grown.val() - self.freed.val();
    }
}
