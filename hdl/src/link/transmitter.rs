//! Sends an answer: END, header, payload, checksum, END, stuffed.
//!
//! ```text
//!                    +-------------+
//!   clock, reset    ->             -> tx_valid
//!   header          =>             => tx_data 8
//!   words           => Transmitter |
//!   tx_ready        ->             |
//!                    +-------------+
//! ```
//!
//! Handshake: `header` is `ports::HeaderSink`, whose fields are copied with `start`. The payload's words follow over `words`
//! (`ports::WordSink`), as many as its length makes. `ready` comes back when the last END is handed on.
//! `tx_valid` and `tx_data` depend on `tx_ready` only through registers.
//! Latency: the first END two clocks after `start`. Throughput: one sent byte a clock; a frame of n payload bytes takes n + 15 clocks
//! and one for each stuffed byte. Cost: 204 flip-flops. Model: `model/link`. Absent: a payload buffer.
//!
//! A skid buffer between the choice of a byte and its stuffing keeps the paths of both apart.

use super::{crc32::Crc32, skid_buffer::SkidBuffer, slip_encoder::SlipEncoder};
use crate::ports::{HeaderSink, WordSink};
use hayasashi_spec::{frame, opcode::ANSWER};
use rust_hdl::prelude::*;

/// What is being sent.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum TransmitterState {
    /// No frame.
    Idle,
    /// The first END.
    Begin,
    /// The header.
    Header,
    /// The payload.
    Payload,
    /// The checksum.
    Checksum,
    /// The last END.
    Finish,
}

crate::constants! {
    Values {
        answer: Bits<8> = ANSWER;
        header_last: Bits<3> = frame::HEADER_BYTES - 1;
        checksum_last: Bits<3> = frame::CRC_BYTES - 1;
    }
}

/// Sends answers as frames.
#[derive(LogicBlock, Default)]
pub struct Transmitter {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// The answer's header.
    pub header: HeaderSink,
    /// The words of its payload.
    pub words: WordSink,
    /// A byte for the line.
    pub tx_valid: Signal<Out, Bit>,
    /// Its value.
    pub tx_data: Signal<Out, Bits<8>>,
    /// It is taken in this clock.
    pub tx_ready: Signal<In, Bit>,
    skid: SkidBuffer<8>,
    encoder: SlipEncoder,
    crc: Crc32,
    state: DFF<TransmitterState>,
    /// Bytes of the header that are not sent, the next one lowest: see `frame::Header`.
    header_left: DFF<Bits<64>>,
    /// Payload bytes that are not sent.
    bytes_left: DFF<Bits<12>>,
    /// It is one: known a clock before, since much depends on it.
    at_last: DFF<Bit>,
    /// Bytes of the present word that are not sent, the next one lowest; there are some.
    word: DFF<Bits<64>>,
    has_word: DFF<Bit>,
    /// Its bytes that are sent.
    lane: DFF<Bits<3>>,
    /// Bytes of the header, then of the checksum, that are sent.
    sent: DFF<Bits<3>>,
    header_byte: Signal<Local, Bits<8>>,
    data: Signal<Local, Bits<8>>,
    value: Values,
}

const _: () = assert!(frame::HEADER_BYTES == 8);

impl Logic for Transmitter {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, skid, encoder, crc);
        dff_setup!(self, clock, state, header_left, bytes_left, at_last, word, has_word, lane, sent);
        self.skid.clear.next = self.reset.val();
        self.encoder.valid.next = self.skid.tvalid.val();
        self.encoder.data.next = self.skid.tdata.val();
        self.encoder.delimiter.next = self.skid.tlast.val();
        self.skid.tready.next = self.encoder.ready.val();
        self.tx_valid.next = self.encoder.tx_valid.val();
        self.tx_data.next = self.encoder.tx_data.val();
        self.encoder.tx_ready.next = self.tx_ready.val();
        self.skid.valid.next = true;
        self.skid.last.next = false;
        self.header_byte.next = bit_cast::<8, 64>(self.header_left.q.val());
        self.data.next = self.header_byte.val();
        self.crc.valid.next = false;
        self.crc.data.next = self.header_byte.val();
        self.crc.clear.next = false;
        self.header.ready.next = false;
        self.words.take.next = false;
        match self.state.q.val() {
            TransmitterState::Idle => {
                self.skid.valid.next = false;
                self.header.ready.next = true;
                self.crc.clear.next = true;
                self.sent.d.next = 0.into();
                self.has_word.d.next = false;
                if self.header.start.val() {
                    self.header_left.d.next = bit_cast::<64, 8>(self.header.opcode.val() | self.value.answer.val())
                        | (bit_cast::<64, 4>(self.header.status.val()) << 8)
                        | (bit_cast::<64, 16>(self.header.sequence.val()) << 16)
                        | (bit_cast::<64, 6>(self.header.index.val()) << 32)
                        | (bit_cast::<64, 12>(self.header.length.val()) << 48);
                    self.bytes_left.d.next = self.header.length.val();
                    self.at_last.d.next = self.header.length.val() == 1;
                    self.state.d.next = TransmitterState::Begin;
                }
            }
            TransmitterState::Begin => {
                self.skid.last.next = true;
                if self.skid.ready.val() {
                    self.state.d.next = TransmitterState::Header;
                }
            }
            TransmitterState::Header => {
                if self.skid.ready.val() {
                    self.crc.valid.next = true;
                    self.header_left.d.next = self.header_left.q.val() >> 8;
                    self.sent.d.next = self.sent.q.val() + 1;
                    if self.sent.q.val() == self.value.header_last.val() {
                        self.sent.d.next = 0.into();
                        if self.bytes_left.q.val().any() {
                            self.state.d.next = TransmitterState::Payload;
                        } else {
                            self.state.d.next = TransmitterState::Checksum;
                        }
                    }
                }
            }
            TransmitterState::Payload => {
                self.skid.valid.next = self.has_word.q.val();
                self.data.next = bit_cast::<8, 64>(self.word.q.val());
                self.crc.data.next = bit_cast::<8, 64>(self.word.q.val());
                if self.has_word.q.val() & self.skid.ready.val() {
                    self.crc.valid.next = true;
                    self.word.d.next = self.word.q.val() >> 8;
                    self.lane.d.next = self.lane.q.val() + 1;
                    self.bytes_left.d.next = self.bytes_left.q.val() - 1;
                    self.at_last.d.next = self.bytes_left.q.val() == 2;
                    if self.at_last.q.val() {
                        self.state.d.next = TransmitterState::Checksum;
                    }
                }
                if !self.has_word.q.val() | (self.lane.q.val().all() & self.skid.ready.val() & !self.at_last.q.val()) {
                    self.words.take.next = self.words.valid.val();
                    self.word.d.next = self.words.data.val();
                    self.has_word.d.next = self.words.valid.val();
                    self.lane.d.next = 0.into();
                }
            }
            TransmitterState::Checksum => {
                match self.sent.q.val().index() {
                    0 => self.data.next = bit_cast::<8, 32>(self.crc.checksum.val()),
                    1 => self.data.next = self.crc.checksum.val().get_bits::<8>(8),
                    2 => self.data.next = self.crc.checksum.val().get_bits::<8>(16),
                    _ => self.data.next = self.crc.checksum.val().get_bits::<8>(24),
                }
                if self.skid.ready.val() {
                    self.sent.d.next = self.sent.q.val() + 1;
                    if self.sent.q.val() == self.value.checksum_last.val() {
                        self.state.d.next = TransmitterState::Finish;
                    }
                }
            }
            TransmitterState::Finish => {
                self.skid.last.next = true;
                if self.skid.ready.val() {
                    self.state.d.next = TransmitterState::Idle;
                }
            }
        }
        self.skid.data.next = self.data.val();
        if self.reset.val() {
            self.state.d.next = TransmitterState::Idle;
        }
    }
}
