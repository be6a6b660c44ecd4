//! Receives frames of words, decides what becomes of each, and keeps requests until they are worked on.
//!
//! ```text
//!               +--------------+
//!   clock      ->              -> rx_ready
//!   reset      ->              -> waiting       a request, or a refused frame to answer
//!   rx_valid   ->              => head 29       `request_head`
//!   rx_data 64 => WordReceiver => length 12     bytes of the payload
//!   advance    ->              => data 64       word of the payload under the cursor
//!   retire     ->              -> frame_taken, frame_bad
//!               |              -> cancelled
//!               +--------------+
//! ```
//!
//! Handshake: a word passes in a clock with valid and ready. The rest is as of `receiver`. `rx_ready` falls for three clocks after each
//! header, and until there is room for its frame: nothing is refused for want of room.
//! Behind a frame that is too long, or whose checksum or mark is wrong, words are skipped up to a filler.
//! Latency: `waiting` four clocks after the trailer. Throughput: a word a clock but for those three.
//! Cost: 10 block RAMs, 300 flip-flops. Model: `model/link`. Absent: any other knowledge of opcodes (see `dispatcher`).

use super::{
    buffer_usage::BufferUsage, descriptor_queue::DescriptorQueue, payload_buffer::PayloadBuffer,
    request_head::RequestHead, word_crc32::WordCrc32,
};
use hayasashi_spec::{frame::*, opcode::Status, position::IMAGE_BYTES, word_frame::*};
use rust_hdl::prelude::*;

/// Which word comes next.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum WordReceiverState {
    /// A header, or a filler.
    Header,
    /// None: it is seen whether there is room.
    Look,
    /// None, until there is room, or only for its refusal if it is too long.
    Room,
    /// A word of the payload.
    Payload,
    /// The trailer.
    Trailer,
    /// Any, up to a filler.
    Skip,
}

crate::constants! {
    Values {
        filler: Bits<64> = FILLER;
        mark: Bits<32> = TRAILER_MARK;
        max_payload: Bits<16> = MAX_REQUEST_PAYLOAD;
        frame_bytes: Bits<12> = HEADER_BYTES + CRC_BYTES;
        /// Shift by which positions make bytes.
        image_shift: Bits<3> = IMAGE_BYTES.ilog2();
        round_up: Bits<12> = 7u64;
        ok: Bits<4> = Status::Ok;
        bad_crc: Bits<4> = Status::BadCrc;
        bad_length: Bits<4> = Status::BadLength;
    }
}

/// Receives frames of words.
#[derive(LogicBlock, Default)]
pub struct WordReceiver {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// A word from the host.
    pub rx_valid: Signal<In, Bit>,
    /// Its value, the first byte lowest.
    pub rx_data: Signal<In, Bits<64>>,
    /// It is taken in this clock.
    pub rx_ready: Signal<Out, Bit>,
    /// A request, or a refused frame to answer.
    pub waiting: Signal<Out, Bit>,
    /// Its header fields, while `waiting`.
    pub head: Signal<Out, RequestHead>,
    /// Bytes of its payload, while `waiting`.
    pub length: Signal<Out, Bits<12>>,
    /// The payload's word under the cursor.
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
    crc: WordCrc32,
    buffer: PayloadBuffer,
    queue: DescriptorQueue,
    usage: BufferUsage,
    state: DFF<WordReceiverState>,
    header: DFF<Bits<64>>,
    /// Words of the payload that did not come.
    words_left: DFF<Bits<9>>,
    /// For one clock: a frame is over, with this status.
    close: DFF<Bit>,
    /// The room is that behind the frame before.
    looked: DFF<Bit>,
    status: DFF<Bits<4>>,
    opcode: Signal<Local, Bits<8>>,
    claimed: Signal<Local, Bits<16>>,
    payload: Signal<Local, Bits<12>>,
    payload_up: Signal<Local, Bits<12>>,
    payload_of_count: Signal<Local, Bits<22>>,
    good: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    is_filler: Signal<Local, Bit>,
    value: Values,
}

impl Logic for WordReceiver {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, crc, buffer, queue, usage);
        dff_setup!(self, clock, state, header, words_left, close, looked, status);
        self.buffer.reset.next = self.reset.val();
        self.queue.reset.next = self.reset.val();
        self.usage.reset.next = self.reset.val();
        self.opcode.next = bit_cast::<8, 64>(self.header.q.val());
        self.claimed.next = self.header.q.val().get_bits::<16>(48);
        self.payload.next = self.header.q.val().get_bits::<12>(48);
        self.payload_up.next = self.payload.val() + self.value.round_up.val();
        self.payload_of_count.next =
            bit_cast::<22, 16>(self.header.q.val().get_bits::<16>(32)) << self.value.image_shift.val();

        self.rx_ready.next = !self.reset.val()
            & (self.state.q.val() != WordReceiverState::Look)
            & (self.state.q.val() != WordReceiverState::Room);
        self.takes.next = self.rx_valid.val() & self.rx_ready.val();
        self.is_filler.next = self.rx_data.val() == self.value.filler.val();
        self.crc.valid.next = self.takes.val().into();
        self.crc.data.next = self.rx_data.val();
        self.crc.checksum_in.next = self.crc.checksum.val();
        self.crc.clear.next = self.reset.val().into();
        self.buffer.write.next = false;
        self.buffer.write_data.next = 0.into();
        self.buffer.write_word.next = false;
        self.buffer.write_word_data.next = self.rx_data.val();
        self.close.d.next = false;
        self.looked.d.next = self.state.q.val() == WordReceiverState::Room;
        match self.state.q.val() {
            WordReceiverState::Header => {
                self.header.d.next = self.rx_data.val();
                if self.is_filler.val() | !self.rx_valid.val() {
                    self.crc.clear.next = true.into();
                } else {
                    self.state.d.next = WordReceiverState::Look;
                }
            }
            WordReceiverState::Look => {
                self.words_left.d.next = self.payload_up.val().get_bits::<9>(3);
                self.state.d.next = WordReceiverState::Room;
            }
            WordReceiverState::Room => {
                if self.looked.q.val() & !self.queue.full.val() {
                    if self.claimed.val() > self.value.max_payload.val() {
                        self.close.d.next = true;
                        self.status.d.next = self.value.bad_length.val();
                        self.state.d.next = WordReceiverState::Skip;
                    } else if !self.usage.no_room_for_frame.val() {
                        self.state.d.next = WordReceiverState::Payload;
                        if !self.words_left.q.val().any() {
                            self.state.d.next = WordReceiverState::Trailer;
                        }
                    }
                }
            }
            WordReceiverState::Payload => {
                self.buffer.write_word.next = self.takes.val();
                if self.takes.val() {
                    self.words_left.d.next = self.words_left.q.val() - 1;
                    if self.words_left.q.val() == 1 {
                        self.state.d.next = WordReceiverState::Trailer;
                    }
                }
            }
            WordReceiverState::Trailer => {
                if self.takes.val() {
                    self.crc.clear.next = true.into();
                    self.close.d.next = true;
                    self.status.d.next = self.value.ok.val();
                    self.state.d.next = WordReceiverState::Header;
                    if (bit_cast::<32, 64>(self.rx_data.val()) != self.crc.checksum.val())
                        | (self.rx_data.val().get_bits::<32>(32) != self.value.mark.val())
                    {
                        self.status.d.next = self.value.bad_crc.val();
                        self.state.d.next = WordReceiverState::Skip;
                    }
                }
            }
            WordReceiverState::Skip => {
                self.crc.clear.next = true.into();
                if self.takes.val() & self.is_filler.val() {
                    self.state.d.next = WordReceiverState::Header;
                }
            }
        }

        // A frame is over.
        self.good.next = self.close.q.val() & !self.status.q.val().any() & !self.reset.val();
        self.queue.write.next = self.close.q.val();
        self.queue.write_head.next.opcode = self.opcode.val();
        self.queue.write_head.next.sequence = self.header.q.val().get_bits::<16>(16);
        self.queue.write_head.next.frame_status = self.status.q.val();
        self.queue.write_head.next.is_batch = self.header.q.val().get_bits::<16>(32).any()
            & (self.payload_of_count.val() == bit_cast::<22, 16>(self.claimed.val()));
        self.queue.write_length.next = 0.into();
        self.buffer.frame_end.next = self.close.q.val();
        self.buffer.keep.next = 0.into();
        if self.good.val() {
            self.queue.write_length.next = self.payload.val();
            self.buffer.keep.next = self.payload.val();
        }
        self.frame_taken.next = self.good.val();
        self.frame_bad.next = self.close.q.val() & !self.good.val();
        self.usage.frame_bytes.next = self.payload.val() + self.value.frame_bytes.val();
        self.usage.add.next = self.good.val();
        self.usage.add_opcode.next = self.opcode.val();
        self.usage.add_length.next = self.payload.val();
        self.usage.retire.next = self.retire.val();
        self.usage.head.next = self.queue.head.val();
        self.usage.length.next = self.queue.length.val();
        self.cancelled.next = self.usage.cancelled.val();

        self.waiting.next = self.queue.waiting.val();
        self.head.next = self.queue.head.val();
        self.length.next = self.queue.length.val();
        self.data.next = self.buffer.read_data.val();
        self.buffer.advance.next = self.advance.val();
        self.buffer.retire.next = self.retire.val();
        self.buffer.retire_length.next = self.queue.length.val();
        self.queue.pop.next = self.retire.val();
        if self.reset.val() {
            self.state.d.next = WordReceiverState::Header;
            self.close.d.next = false;
        }
    }
}
