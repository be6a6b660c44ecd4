//! Sends an answer: END, header, payload, checksum, END, stuffed.
//!
//! ```text
//!                     ┌─────────────┐
//!  start, opcode 8, ─▶│             │
//!  status 4, seq 16, ▶│             ├───▶ tx_valid
//!  index 6, length 12▶│ transmitter ├─8─▶ tx_data
//!  ready ◀────────────┤             │◀─── tx_ready
//!  payload_valid ────▶│             │
//!  payload ────────8─▶│             │
//!  payload_ready ◀────┤             │
//!                     └─────────────┘
//! ```
//!
//! Handshake: `start` is a pulse while `ready`; the header's fields are copied then. After it `length` bytes pass,
//! one in each clock with `payload_valid` and `payload_ready`. `ready` comes back after the last END.
//! Latency: the first END in the clock after `start`; payload combinational.
//! Throughput: one sent byte a clock; a frame of n payload bytes takes n + 15 clocks and one for each stuffed byte.
//! Model: `model/link`. Absent: a payload buffer.

use super::{crc32::Crc32, slip_encoder::SlipEncoder};
use hayasashi_spec::{frame, opcode::ANSWER};
use rust_hdl::prelude::*;

#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum TransmitterState {
    Idle,
    Begin,
    Header,
    Payload,
    Checksum,
    Finish,
}

#[derive(LogicBlock)]
pub struct Transmitter {
    pub clock: Signal<In, Clock>,
    pub start: Signal<In, Bit>,
    pub opcode: Signal<In, Bits<8>>,
    pub status: Signal<In, Bits<4>>,
    pub seq: Signal<In, Bits<16>>,
    pub index: Signal<In, Bits<6>>,
    pub length: Signal<In, Bits<12>>,
    pub ready: Signal<Out, Bit>,
    pub payload: Signal<In, Bits<8>>,
    pub payload_valid: Signal<In, Bit>,
    pub payload_ready: Signal<Out, Bit>,
    pub tx_valid: Signal<Out, Bit>,
    pub tx_data: Signal<Out, Bits<8>>,
    pub tx_ready: Signal<In, Bit>,
    encoder: SlipEncoder,
    crc: Crc32,
    state: DFF<TransmitterState>,
    h_opcode: DFF<Bits<8>>,
    h_status: DFF<Bits<4>>,
    h_seq: DFF<Bits<16>>,
    h_index: DFF<Bits<6>>,
    h_length: DFF<Bits<12>>,
    /// Bytes of the present section that are sent.
    sent: DFF<Bits<12>>,
    sent_next: Signal<Local, Bits<12>>,
    data: Signal<Local, Bits<8>>,
    answer: Constant<Bits<8>>,
    header_bytes: Constant<Bits<12>>,
    crc_bytes: Constant<Bits<12>>,
}

impl Default for Transmitter {
    fn default() -> Self {
        Transmitter {
            clock: Default::default(),
            start: Default::default(),
            opcode: Default::default(),
            status: Default::default(),
            seq: Default::default(),
            index: Default::default(),
            length: Default::default(),
            ready: Default::default(),
            payload: Default::default(),
            payload_valid: Default::default(),
            payload_ready: Default::default(),
            tx_valid: Default::default(),
            tx_data: Default::default(),
            tx_ready: Default::default(),
            encoder: Default::default(),
            crc: Default::default(),
            state: Default::default(),
            h_opcode: Default::default(),
            h_status: Default::default(),
            h_seq: Default::default(),
            h_index: Default::default(),
            h_length: Default::default(),
            sent: Default::default(),
            sent_next: Default::default(),
            data: Default::default(),
            answer: Constant::new((ANSWER as u64).into()),
            header_bytes: Constant::new(frame::HEADER_BYTES.to_bits()),
            crc_bytes: Constant::new(frame::CRC_BYTES.to_bits()),
        }
    }
}

impl Logic for Transmitter {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, encoder, crc);
        dff_setup!(self, clock, state, h_opcode, h_status, h_seq, h_index, h_length, sent);
        self.tx_valid.next = self.encoder.tx_valid.val();
        self.tx_data.next = self.encoder.tx_data.val();
        self.encoder.tx_ready.next = self.tx_ready.val();
        self.encoder.valid.next = false;
        self.encoder.delimiter.next = false;
        self.crc.valid.next = false;
        self.data.next = 0.into();
        self.crc.clear.next = false;
        self.ready.next = false;
        self.payload_ready.next = false;
        self.sent_next.next = self.sent.q.val() + 1;
        match self.state.q.val() {
            TransmitterState::Idle => {
                self.ready.next = true;
                self.crc.clear.next = true;
                if self.start.val() {
                    self.h_opcode.d.next = self.opcode.val() | self.answer.val();
                    self.h_status.d.next = self.status.val();
                    self.h_seq.d.next = self.seq.val();
                    self.h_index.d.next = self.index.val();
                    self.h_length.d.next = self.length.val();
                    self.state.d.next = TransmitterState::Begin;
                }
            }
            TransmitterState::Begin => {
                self.encoder.valid.next = true;
                self.encoder.delimiter.next = true;
                self.sent.d.next = 0.into();
                if self.encoder.ready.val() {
                    self.state.d.next = TransmitterState::Header;
                }
            }
            TransmitterState::Header => {
                self.encoder.valid.next = true;
                match self.sent.q.val().index() {
                    0 => self.data.next = self.h_opcode.q.val(),
                    1 => self.data.next = bit_cast::<8, 4>(self.h_status.q.val()),
                    2 => self.data.next = bit_cast::<8, 16>(self.h_seq.q.val()),
                    3 => self.data.next = self.h_seq.q.val().get_bits::<8>(8),
                    4 => self.data.next = bit_cast::<8, 6>(self.h_index.q.val()),
                    6 => self.data.next = bit_cast::<8, 12>(self.h_length.q.val()),
                    7 => self.data.next = bit_cast::<8, 4>(self.h_length.q.val().get_bits::<4>(8)),
                    _ => self.data.next = 0.into(),
                }
                if self.encoder.ready.val() {
                    self.crc.valid.next = true;
                    self.sent.d.next = self.sent_next.val();
                    if self.sent_next.val() == self.header_bytes.val() {
                        self.sent.d.next = 0.into();
                        if self.h_length.q.val().any() {
                            self.state.d.next = TransmitterState::Payload;
                        } else {
                            self.state.d.next = TransmitterState::Checksum;
                        }
                    }
                }
            }
            TransmitterState::Payload => {
                self.encoder.valid.next = self.payload_valid.val();
                self.data.next = self.payload.val();
                self.payload_ready.next = self.encoder.ready.val();
                if self.payload_valid.val() & self.encoder.ready.val() {
                    self.crc.valid.next = true;
                    self.sent.d.next = self.sent_next.val();
                    if self.sent_next.val() == self.h_length.q.val() {
                        self.sent.d.next = 0.into();
                        self.state.d.next = TransmitterState::Checksum;
                    }
                }
            }
            TransmitterState::Checksum => {
                self.encoder.valid.next = true;
                match self.sent.q.val().index() {
                    0 => self.data.next = bit_cast::<8, 32>(self.crc.checksum.val()),
                    1 => self.data.next = self.crc.checksum.val().get_bits::<8>(8),
                    2 => self.data.next = self.crc.checksum.val().get_bits::<8>(16),
                    _ => self.data.next = self.crc.checksum.val().get_bits::<8>(24),
                }
                if self.encoder.ready.val() {
                    self.sent.d.next = self.sent_next.val();
                    if self.sent_next.val() == self.crc_bytes.val() {
                        self.state.d.next = TransmitterState::Finish;
                    }
                }
            }
            TransmitterState::Finish => {
                self.encoder.valid.next = true;
                self.encoder.delimiter.next = true;
                if self.encoder.ready.val() {
                    self.state.d.next = TransmitterState::Idle;
                }
            }
        }
        self.encoder.data.next = self.data.val();
        self.crc.data.next = self.data.val();
    }
}
