//! Takes frames from the byte stream, decides what becomes of each, and keeps requests until they are worked on.
//!
//! ```text
//!               ┌──────────┐
//!  rx_valid ───▶│          ├───▶ waiting   a request (or a bad frame to answer)
//!  rx_data ──8─▶│          ├─29▶ head      as in descriptor_queue
//!  frame_taken◀─┤ receiver ├─12▶ length    bytes of payload
//!  frame_bad ◀──┤          ├─8─▶ data      byte of the payload under the cursor
//!               │          │◀─── advance   next byte
//!   cancelled ◀──┤          │◀─── retire    done with this request
//!               └──────────┘
//! ```
//!
//! Handshake: a byte may come in every clock; the receiver never stalls. `frame_taken` and `frame_bad` are pulses.
//! `head` and `length` are valid while `waiting`, `data` is the first byte then. `retire` frees the request's room.
//! Latency: `waiting` five clocks after END; room is free two clocks after `retire`. Throughput: one byte a clock.
//! A frame without room is answered BUSY, and not at all where not even a descriptor is free.
//!
//! ```text
//! clock  0            1                2                     3
//! byte   raw, slip    counted, crc     stored, if room
//! END    raw, slip    frame checked    status, descriptor    payload kept, room taken up
//! ```
//!
//! What the next frame may find unfinished is nothing that it needs: its first eight bytes are a header, and whether
//! there is room matters from its ninth byte on.
//! `cancelled` is high while a CANCEL waits among the requests: it concerns those before it, so it cannot wait for its
//! turn. Model: `model/link`. Absent: any other knowledge of opcodes (see `dispatcher`).

use super::{
    crc32::Crc32, descriptor_queue::DescriptorQueue, payload_buffer::PayloadBuffer, slip_decoder::SlipDecoder,
};
use hayasashi_spec::{
    frame::*,
    opcode::{Opcode, Status},
};
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
    pub cancelled: Signal<Out, Bit>,
    slip: SlipDecoder,
    crc: Crc32,
    buffer: PayloadBuffer,
    queue: DescriptorQueue,
    /// What the decoder gave in the last clock.
    byte_valid: DFF<Bit>,
    byte_data: DFF<Bits<8>>,
    ended: DFF<Bit>,
    ended_broken: DFF<Bit>,
    ended_present: DFF<Bit>,
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
    /// `used` and `count` together, one clock ago.
    filled: DFF<Bits<14>>,
    /// A byte behind the header, not stored yet.
    store: DFF<Bit>,
    store_byte: DFF<Bits<8>>,
    /// It is no longer than a checksum too much.
    store_fits: DFF<Bit>,
    /// What is known of a frame in the clock after its end.
    decide: DFF<Bit>,
    present: DFF<Bit>,
    bad_size: DFF<Bit>,
    bad_sum: DFF<Bit>,
    bad_claim: DFF<Bit>,
    whole: DFF<Bit>,
    payload: DFF<Bits<12>>,
    /// And one clock later: a pulse for each frame, and what it takes up.
    close: DFF<Bit>,
    taken: DFF<Bit>,
    bad: DFF<Bit>,
    keep: DFF<Bits<12>>,
    added: DFF<Bits<14>>,
    /// What a request that was retired in the last clock took up.
    freed: DFF<Bits<14>>,
    /// CANCELs that wait.
    cancels: DFF<Bits<10>>,
    cancel_comes: Signal<Local, Bits<10>>,
    cancel_goes: Signal<Local, Bits<10>>,
    length_here: Signal<Local, Bits<12>>,
    full: Signal<Local, Bit>,
    status: Signal<Local, Bits<4>>,
    good: Signal<Local, Bit>,
    header_bytes: Constant<Bits<12>>,
    frame_min: Constant<Bits<12>>,
    frame_max: Constant<Bits<12>>,
    /// From here on `filled` leaves no room for the byte, the frame.
    byte_limit: Constant<Bits<14>>,
    frame_limit: Constant<Bits<14>>,
    /// What a request occupies besides its payload.
    entry_bytes: Constant<Bits<14>>,
    sound: Constant<Bits<32>>,
    status_ok: Constant<Bits<4>>,
    status_crc: Constant<Bits<4>>,
    status_length: Constant<Bits<4>>,
    status_busy: Constant<Bits<4>>,
    op_cancel: Constant<Bits<8>>,
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
            cancelled: Default::default(),
            slip: Default::default(),
            crc: Default::default(),
            buffer: Default::default(),
            queue: Default::default(),
            byte_valid: Default::default(),
            byte_data: Default::default(),
            ended: Default::default(),
            ended_broken: Default::default(),
            ended_present: Default::default(),
            count: Default::default(),
            opcode: Default::default(),
            seq: Default::default(),
            batch: Default::default(),
            claimed: Default::default(),
            lost: Default::default(),
            used: Default::default(),
            filled: Default::default(),
            store: Default::default(),
            store_byte: Default::default(),
            store_fits: Default::default(),
            decide: Default::default(),
            present: Default::default(),
            bad_size: Default::default(),
            bad_sum: Default::default(),
            bad_claim: Default::default(),
            whole: Default::default(),
            payload: Default::default(),
            close: Default::default(),
            taken: Default::default(),
            bad: Default::default(),
            keep: Default::default(),
            added: Default::default(),
            freed: Default::default(),
            cancels: Default::default(),
            cancel_comes: Default::default(),
            cancel_goes: Default::default(),
            length_here: Default::default(),
            full: Default::default(),
            status: Default::default(),
            good: Default::default(),
            header_bytes: Constant::new(HEADER_BYTES.to_bits()),
            frame_min: Constant::new(FRAME_MIN.to_bits()),
            frame_max: Constant::new((FRAME_MIN + MAX_REQUEST_PAYLOAD).to_bits()),
            byte_limit: Constant::new((BUFFER_BYTES + HEADER_BYTES).to_bits()),
            frame_limit: Constant::new((BUFFER_BYTES + FRAME_MIN - ENTRY_BYTES).to_bits()),
            entry_bytes: Constant::new(ENTRY_BYTES.to_bits()),
            sound: Constant::new(((CRC_RESIDUE ^ CRC_INVERT) as u64).into()),
            status_ok: Constant::new((Status::Ok as u64).into()),
            status_crc: Constant::new((Status::BadCrc as u64).into()),
            status_length: Constant::new((Status::BadLength as u64).into()),
            status_busy: Constant::new((Status::Busy as u64).into()),
            op_cancel: Constant::new((Opcode::Cancel as u64).into()),
        }
    }
}

impl Logic for Receiver {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, slip, crc, buffer, queue);
        dff_setup!(self, clock, byte_valid, byte_data, ended, ended_broken, ended_present);
        dff_setup!(self, clock, count, opcode, seq, batch, claimed, lost, used, filled, store, store_byte, store_fits);
        dff_setup!(self, clock, decide, present, bad_size, bad_sum, bad_claim, whole, payload);
        dff_setup!(self, clock, close, taken, bad, keep, added, freed, cancels);
        self.slip.raw_valid.next = self.rx_valid.val();
        self.slip.raw_data.next = self.rx_data.val();
        self.byte_valid.d.next = self.slip.valid.val();
        self.byte_data.d.next = self.slip.data.val();
        self.ended.d.next = self.slip.frame_end.val();
        self.ended_broken.d.next = self.slip.broken.val();
        self.ended_present.d.next = self.slip.present.val();

        self.crc.valid.next = self.byte_valid.q.val();
        self.crc.data.next = self.byte_data.q.val();
        self.crc.clear.next = self.ended.q.val();
        // A new frame's first byte may come in the clock in which the header of the last one is still looked at.
        if self.decide.q.val() {
            self.opcode.d.next = 0.into();
            self.seq.d.next = 0.into();
            self.batch.d.next = 0.into();
            self.claimed.d.next = 0.into();
            self.lost.d.next = false;
        }
        self.filled.d.next = self.used.q.val() + bit_cast::<14, 12>(self.count.q.val());
        self.store.d.next = false;
        self.store_byte.d.next = self.byte_data.q.val();
        // The checksum comes along behind the payload; it is not kept.
        self.store_fits.d.next = self.count.q.val() < self.frame_max.val();
        if self.byte_valid.q.val() {
            if self.count.q.val() <= self.frame_max.val() {
                self.count.d.next = self.count.q.val() + 1;
            }
            self.store.d.next = self.count.q.val() >= self.header_bytes.val();
            if self.count.q.val() < self.header_bytes.val() {
                match self.count.q.val().index() {
                    0 => self.opcode.d.next = self.byte_data.q.val(),
                    2 => self.seq.d.next = bit_cast::<16, 8>(self.byte_data.q.val()),
                    3 => self.seq.d.next = self.seq.q.val() | (bit_cast::<16, 8>(self.byte_data.q.val()) << 8),
                    4 => self.batch.d.next = bit_cast::<16, 8>(self.byte_data.q.val()),
                    5 => self.batch.d.next = self.batch.q.val() | (bit_cast::<16, 8>(self.byte_data.q.val()) << 8),
                    6 => self.claimed.d.next = bit_cast::<16, 8>(self.byte_data.q.val()),
                    7 => self.claimed.d.next = self.claimed.q.val() | (bit_cast::<16, 8>(self.byte_data.q.val()) << 8),
                    _ => {}
                }
            }
        }
        self.full.next = self.filled.q.val() >= self.byte_limit.val();
        if self.store.q.val() & self.full.val() {
            self.lost.d.next = true;
        }
        self.buffer.write.next = self.store.q.val() & self.store_fits.q.val() & !self.full.val();
        self.buffer.write_data.next = self.store_byte.q.val();

        self.length_here.next = self.count.q.val() - self.frame_min.val();
        self.decide.d.next = self.ended.q.val();
        self.present.d.next = self.ended.q.val() & self.ended_present.q.val();
        self.payload.d.next = self.length_here.val();
        self.bad_size.d.next =
            (self.count.q.val() < self.frame_min.val()) | (self.count.q.val() > self.frame_max.val());
        self.bad_sum.d.next = (self.crc.checksum.val() != self.sound.val()) | self.ended_broken.q.val();
        self.bad_claim.d.next = self.claimed.q.val() != bit_cast::<16, 12>(self.length_here.val());
        self.whole.d.next = self.batch.q.val().any()
            & (self.batch.q.val() == bit_cast::<16, 10>(self.claimed.q.val().get_bits::<10>(6)))
            & !self.claimed.q.val().get_bits::<6>(0).any();
        if self.ended.q.val() {
            self.count.d.next = 0.into();
        }

        self.status.next = self.status_ok.val();
        if self.bad_size.q.val() {
            self.status.next = self.status_length.val();
        } else if self.bad_sum.q.val() {
            self.status.next = self.status_crc.val();
        } else if self.bad_claim.q.val() {
            self.status.next = self.status_length.val();
        } else if self.lost.q.val() | (self.filled.q.val() > self.frame_limit.val()) {
            self.status.next = self.status_busy.val();
        }
        self.good.next = self.present.q.val() & (self.status.val() == self.status_ok.val()) & !self.queue.full.val();
        self.queue.write.next = self.present.q.val() & !self.queue.full.val();
        self.queue.write_head.next = bit_cast::<29, 8>(self.opcode.q.val())
            | (bit_cast::<29, 16>(self.seq.q.val()) << 8)
            | (bit_cast::<29, 4>(self.status.val()) << 24)
            | (bit_cast::<29, 1>(self.whole.q.val().into()) << 28);
        self.queue.write_length.next = 0.into();
        self.close.d.next = self.decide.q.val();
        self.taken.d.next = self.good.val();
        self.bad.d.next = self.present.q.val() & !self.good.val();
        self.keep.d.next = 0.into();
        self.added.d.next = 0.into();
        if self.good.val() {
            self.queue.write_length.next = self.payload.q.val();
            self.keep.d.next = self.payload.q.val();
            self.added.d.next = bit_cast::<14, 12>(self.payload.q.val()) + self.entry_bytes.val();
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
        self.freed.d.next = 0.into();
        if self.retire.val() & !self.queue.head.val().get_bits::<4>(24).any() {
            self.freed.d.next = bit_cast::<14, 12>(self.queue.length.val()) + self.entry_bytes.val();
        }
        self.cancel_comes.next = 0.into();
        if self.good.val() & (self.opcode.q.val() == self.op_cancel.val()) {
            self.cancel_comes.next = 1.into();
        }
        self.cancel_goes.next = 0.into();
        if self.retire.val()
            & !self.queue.head.val().get_bits::<4>(24).any()
            & (self.queue.head.val().get_bits::<8>(0) == self.op_cancel.val())
        {
            self.cancel_goes.next = 1.into();
        }
        self.cancels.d.next = self.cancels.q.val() + self.cancel_comes.val() - self.cancel_goes.val();
        self.cancelled.next = self.cancels.q.val().any();
        self.used.d.next = self.used.q.val() + self.added.q.val() - self.freed.q.val();
    }
}
