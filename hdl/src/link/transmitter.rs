//! Sends an answer: END, header, payload, checksum, END, stuffed.
//!
//! ```text
//!                    +-------------+
//!   clock           ->             -> ready
//!   start           ->             -> payload_ready
//!   opcode 8        =>             -> tx_valid
//!   status 4        =>             => tx_data 8
//!   seq 16          => Transmitter |
//!   index 6         =>             |
//!   length 12       =>             |
//!   payload_valid   ->             |
//!   payload 8       =>             |
//!   tx_ready        ->             |
//!                    +-------------+
//! ```
//!
//! Handshake: `start` is a pulse while `ready`; the header's fields are copied then. After it `length` bytes pass,
//! one in each clock with `payload_valid` and `payload_ready`. `ready` comes back when the last END is handed on.
//! `tx_valid` and `tx_data` depend on `tx_ready` only through registers.
//! Latency: the first END two clocks after `start`, payload one clock.
//! Throughput: one sent byte a clock; a frame of n payload bytes takes n + 15 clocks and one for each stuffed byte.
//! Cost: 135 flip-flops. Model: `model/link`. Absent: a payload buffer.
//!
//! A skid buffer between the choice of a byte and its stuffing keeps the paths of both apart.

use super::{crc32::Crc32, skid_buffer::SkidBuffer, slip_encoder::SlipEncoder};
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
    /// For one clock while `ready`: send a frame.
    pub start: Signal<In, Bit>,
    /// With `start`: opcode of the request.
    pub opcode: Signal<In, Bits<8>>,
    /// With `start`: status of the answer.
    pub status: Signal<In, Bits<4>>,
    /// With `start`: sequence number of the request.
    pub seq: Signal<In, Bits<16>>,
    /// With `start`: position of the request.
    pub index: Signal<In, Bits<6>>,
    /// With `start`: bytes of the payload.
    pub length: Signal<In, Bits<12>>,
    /// No frame is being sent.
    pub ready: Signal<Out, Bit>,
    /// A byte of the payload.
    pub payload: Signal<In, Bits<8>>,
    /// There is one.
    pub payload_valid: Signal<In, Bit>,
    /// It is taken in this clock.
    pub payload_ready: Signal<Out, Bit>,
    /// A byte for the line.
    pub tx_valid: Signal<Out, Bit>,
    /// Its value.
    pub tx_data: Signal<Out, Bits<8>>,
    /// It is taken in this clock.
    pub tx_ready: Signal<In, Bit>,
    skid: SkidBuffer,
    encoder: SlipEncoder,
    crc: Crc32,
    state: DFF<TransmitterState>,
    /// Bytes of the header that are not sent, the next one lowest: see `frame::Header`.
    header: DFF<Bits<64>>,
    /// Payload bytes that are not sent.
    bytes_left: DFF<Bits<12>>,
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
        dff_setup!(self, clock, state, header, bytes_left, sent);
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
        self.header_byte.next = bit_cast::<8, 64>(self.header.q.val());
        self.data.next = self.header_byte.val();
        self.crc.valid.next = false;
        self.crc.data.next = self.header_byte.val();
        self.crc.clear.next = false;
        self.ready.next = false;
        self.payload_ready.next = false;
        match self.state.q.val() {
            TransmitterState::Idle => {
                self.skid.valid.next = false;
                self.ready.next = true;
                self.crc.clear.next = true;
                self.sent.d.next = 0.into();
                if self.start.val() {
                    self.header.d.next = bit_cast::<64, 8>(self.opcode.val() | self.value.answer.val())
                        | (bit_cast::<64, 4>(self.status.val()) << 8)
                        | (bit_cast::<64, 16>(self.seq.val()) << 16)
                        | (bit_cast::<64, 6>(self.index.val()) << 32)
                        | (bit_cast::<64, 12>(self.length.val()) << 48);
                    self.bytes_left.d.next = self.length.val();
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
                    self.header.d.next = self.header.q.val() >> 8;
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
                self.skid.valid.next = self.payload_valid.val();
                self.data.next = self.payload.val();
                self.crc.data.next = self.payload.val();
                self.payload_ready.next = self.skid.ready.val();
                if self.payload_valid.val() & self.skid.ready.val() {
                    self.crc.valid.next = true;
                    self.bytes_left.d.next = self.bytes_left.q.val() - 1;
                    if self.bytes_left.q.val() == 1 {
                        self.state.d.next = TransmitterState::Checksum;
                    }
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
