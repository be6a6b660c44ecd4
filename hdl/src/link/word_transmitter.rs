//! Sends an answer as words: header, payload, trailer.
//!
//! ```text
//!                    +-----------------+
//!   clock, reset    ->                 -> tx_valid
//!   header          =>                 => tx_data 64
//!   words           => WordTransmitter -> tx_last
//!   tx_ready        ->                 |
//!                    +-----------------+
//! ```
//!
//! Handshake: `header` is `ports::HeaderSink`, whose fields are copied with `start`. The payload's words follow over `words`
//! (`ports::WordSink`); bytes behind its length are sent as zeros. `tx_last` is high with the trailer. A word passes in a clock with
//! valid and ready. `ready` comes back when the trailer has passed.
//! Latency: the header one clock after `start`. Throughput: a word a clock, but for the clock of `start`.
//! Cost: 110 flip-flops. Model: `model/link`. Absent: fillers, which only hosts send.

use super::word_crc32::WordCrc32;
use crate::ports::{HeaderSink, WordSink};
use hayasashi_spec::{opcode::ANSWER, word_frame::TRAILER_MARK};
use rust_hdl::prelude::*;

/// What is being sent.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum WordTransmitterState {
    /// No frame.
    Idle,
    /// The header.
    Header,
    /// The payload.
    Payload,
    /// The trailer.
    Trailer,
}

crate::constants! {
    Values {
        answer: Bits<8> = ANSWER;
        mark: Bits<64> = (TRAILER_MARK as u64) << 32;
        word_bytes: Bits<12> = 8;
        /// The last bytes of a word.
        all: Bits<64> = u64::MAX;
    }
}

/// Sends answers as words.
#[derive(LogicBlock, Default)]
pub struct WordTransmitter {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// The answer's header.
    pub header: HeaderSink,
    /// The words of its payload.
    pub words: WordSink,
    /// A word for the host.
    pub tx_valid: Signal<Out, Bit>,
    /// Its value, the first byte lowest.
    pub tx_data: Signal<Out, Bits<64>>,
    /// It is the last one of an answer.
    pub tx_last: Signal<Out, Bit>,
    /// It is taken in this clock.
    pub tx_ready: Signal<In, Bit>,
    crc: WordCrc32,
    state: DFF<WordTransmitterState>,
    header_word: DFF<Bits<64>>,
    /// Payload bytes that are not sent.
    bytes_left: DFF<Bits<12>>,
    mask: Signal<Local, Bits<64>>,
    passes: Signal<Local, Bit>,
    value: Values,
}

impl Logic for WordTransmitter {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, crc);
        dff_setup!(self, clock, state, header_word, bytes_left);
        self.mask.next = self.value.all.val();
        if self.bytes_left.q.val() < self.value.word_bytes.val() {
            match bit_cast::<3, 12>(self.bytes_left.q.val()).index() {
                1 => self.mask.next = self.value.all.val() >> 56,
                2 => self.mask.next = self.value.all.val() >> 48,
                3 => self.mask.next = self.value.all.val() >> 40,
                4 => self.mask.next = self.value.all.val() >> 32,
                5 => self.mask.next = self.value.all.val() >> 24,
                6 => self.mask.next = self.value.all.val() >> 16,
                _ => self.mask.next = self.value.all.val() >> 8,
            }
        }
        self.header.ready.next = false;
        self.words.take.next = false;
        self.tx_valid.next = true;
        self.tx_last.next = false;
        self.tx_data.next = self.header_word.q.val();
        self.crc.clear.next = false.into();
        match self.state.q.val() {
            WordTransmitterState::Idle => {
                self.tx_valid.next = false;
                self.header.ready.next = true;
                self.crc.clear.next = true.into();
                if self.header.start.val() {
                    self.header_word.d.next = bit_cast::<64, 8>(self.header.opcode.val() | self.value.answer.val())
                        | (bit_cast::<64, 4>(self.header.status.val()) << 8)
                        | (bit_cast::<64, 16>(self.header.sequence.val()) << 16)
                        | (bit_cast::<64, 6>(self.header.index.val()) << 32)
                        | (bit_cast::<64, 12>(self.header.length.val()) << 48);
                    self.bytes_left.d.next = self.header.length.val();
                    self.state.d.next = WordTransmitterState::Header;
                }
            }
            WordTransmitterState::Header => {
                if self.tx_ready.val() {
                    self.state.d.next = WordTransmitterState::Payload;
                    if !self.bytes_left.q.val().any() {
                        self.state.d.next = WordTransmitterState::Trailer;
                    }
                }
            }
            WordTransmitterState::Payload => {
                self.tx_valid.next = self.words.valid.val();
                self.tx_data.next = self.words.data.val() & self.mask.val();
                if self.words.valid.val() & self.tx_ready.val() {
                    self.words.take.next = true;
                    self.bytes_left.d.next = self.bytes_left.q.val() - self.value.word_bytes.val();
                    if self.bytes_left.q.val() <= self.value.word_bytes.val() {
                        self.state.d.next = WordTransmitterState::Trailer;
                    }
                }
            }
            WordTransmitterState::Trailer => {
                self.tx_last.next = true;
                self.tx_data.next = bit_cast::<64, 32>(self.crc.checksum.val()) | self.value.mark.val();
                if self.tx_ready.val() {
                    self.state.d.next = WordTransmitterState::Idle;
                }
            }
        }
        self.passes.next = self.tx_valid.val() & self.tx_ready.val();
        self.crc.valid.next = self.passes.val().into();
        self.crc.data.next = self.tx_data.val();
        self.crc.checksum_in.next = self.crc.checksum.val();
        if self.reset.val() {
            self.state.d.next = WordTransmitterState::Idle;
        }
    }
}
