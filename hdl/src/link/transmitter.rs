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
//! one in each clock with `payload_valid` and `payload_ready`. `ready` comes back when the last END is handed on.
//! `tx_valid` and `tx_data` look at `tx_ready` only through registers.
//! Latency: the first END two clocks after `start`, payload one clock.
//! Throughput: one sent byte a clock; a frame of n payload bytes takes n + 15 clocks and one for each stuffed byte.
//! Model: `model/link`. Absent: a payload buffer.
//!
//! A register slice between the choice of a byte and its stuffing keeps the paths of both apart.

use super::{crc32::Crc32, slice::Slice, slip_encoder::SlipEncoder};
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
    slice: Slice,
    encoder: SlipEncoder,
    crc: Crc32,
    state: DFF<TransmitterState>,
    /// What is left of the header, first byte lowest.
    header: DFF<Bits<64>>,
    /// Payload bytes that are not sent yet.
    left: DFF<Bits<12>>,
    /// Bytes of the header, then of the checksum, that are sent.
    sent: DFF<Bits<3>>,
    header_byte: Signal<Local, Bits<8>>,
    data: Signal<Local, Bits<8>>,
    answer: Constant<Bits<8>>,
    header_last: Constant<Bits<3>>,
    checksum_last: Constant<Bits<3>>,
}

const _: () = assert!(frame::HEADER_BYTES == 8);

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
            slice: Default::default(),
            encoder: Default::default(),
            crc: Default::default(),
            state: Default::default(),
            header: Default::default(),
            left: Default::default(),
            sent: Default::default(),
            header_byte: Default::default(),
            data: Default::default(),
            answer: Constant::new((ANSWER as u64).into()),
            header_last: Constant::new((frame::HEADER_BYTES - 1).to_bits()),
            checksum_last: Constant::new((frame::CRC_BYTES - 1).to_bits()),
        }
    }
}

impl Logic for Transmitter {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, slice, encoder, crc);
        dff_setup!(self, clock, state, header, left, sent);
        self.slice.clear.next = false;
        self.encoder.valid.next = self.slice.tvalid.val();
        self.encoder.data.next = self.slice.tdata.val();
        self.encoder.delimiter.next = self.slice.tlast.val();
        self.slice.tready.next = self.encoder.ready.val();
        self.tx_valid.next = self.encoder.tx_valid.val();
        self.tx_data.next = self.encoder.tx_data.val();
        self.encoder.tx_ready.next = self.tx_ready.val();
        self.slice.valid.next = true;
        self.slice.last.next = false;
        self.header_byte.next = bit_cast::<8, 64>(self.header.q.val());
        self.data.next = self.header_byte.val();
        self.crc.valid.next = false;
        self.crc.data.next = self.header_byte.val();
        self.crc.clear.next = false;
        self.ready.next = false;
        self.payload_ready.next = false;
        match self.state.q.val() {
            TransmitterState::Idle => {
                self.slice.valid.next = false;
                self.ready.next = true;
                self.crc.clear.next = true;
                self.sent.d.next = 0.into();
                if self.start.val() {
                    self.header.d.next = bit_cast::<64, 8>(self.opcode.val() | self.answer.val())
                        | (bit_cast::<64, 4>(self.status.val()) << 8)
                        | (bit_cast::<64, 16>(self.seq.val()) << 16)
                        | (bit_cast::<64, 6>(self.index.val()) << 32)
                        | (bit_cast::<64, 12>(self.length.val()) << 48);
                    self.left.d.next = self.length.val();
                    self.state.d.next = TransmitterState::Begin;
                }
            }
            TransmitterState::Begin => {
                self.slice.last.next = true;
                if self.slice.ready.val() {
                    self.state.d.next = TransmitterState::Header;
                }
            }
            TransmitterState::Header => {
                if self.slice.ready.val() {
                    self.crc.valid.next = true;
                    self.header.d.next = self.header.q.val() >> 8;
                    self.sent.d.next = self.sent.q.val() + 1;
                    if self.sent.q.val() == self.header_last.val() {
                        self.sent.d.next = 0.into();
                        if self.left.q.val().any() {
                            self.state.d.next = TransmitterState::Payload;
                        } else {
                            self.state.d.next = TransmitterState::Checksum;
                        }
                    }
                }
            }
            TransmitterState::Payload => {
                self.slice.valid.next = self.payload_valid.val();
                self.data.next = self.payload.val();
                self.crc.data.next = self.payload.val();
                self.payload_ready.next = self.slice.ready.val();
                if self.payload_valid.val() & self.slice.ready.val() {
                    self.crc.valid.next = true;
                    self.left.d.next = self.left.q.val() - 1;
                    if self.left.q.val() == 1 {
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
                if self.slice.ready.val() {
                    self.sent.d.next = self.sent.q.val() + 1;
                    if self.sent.q.val() == self.checksum_last.val() {
                        self.state.d.next = TransmitterState::Finish;
                    }
                }
            }
            TransmitterState::Finish => {
                self.slice.last.next = true;
                if self.slice.ready.val() {
                    self.state.d.next = TransmitterState::Idle;
                }
            }
        }
        self.slice.data.next = self.data.val();
    }
}
