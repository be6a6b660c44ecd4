//! Starts the transmitter on an answer and gives it the payload.
//!
//! ```text
//!                     +--------------+
//!   clock            ->              -> start, length 12     to the transmitter
//!   order            =>              =>                      `ports::AnswerTask`
//!   ready            ->              => payload 8
//!   payload_ready    -> AnswerSender -> payload_valid
//!   info 32          =>              => info_index 4         `info` is this register
//!   words            =>              =>                      `ports::WordSink`
//!   request_byte 8   =>              -> advance              next byte of the request's payload
//!                     +--------------+
//! ```
//!
//! Handshake: `clear`, `set_length` and `set_word` come while not `run`. The payload is the request's with
//! `from_request`; else it is made of words, lowest byte first: the one set before, then those of `words`, or with
//! `from_info` or `from_words` the registers or `words` alone. A payload byte passes with `payload_valid` and
//! `payload_ready`; `start` is for one clock while `ready`.
//! Latency: `start` in the first clock with `ready`, the first byte one clock later, two where a word is fetched first.
//! Throughput: a byte a clock; a word that is not prefetched costs one more. Cost: 52 flip-flops. Model: `model/link`.
//! Absent: the header's other fields (see `dispatcher`).

use crate::ports::{AnswerTask, WordSink};
use rust_hdl::prelude::*;

/// What the sender does.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum AnswerSenderState {
    /// Start the transmitter.
    Start,
    /// Fetch a word.
    Fetch,
    /// Send a word.
    Word,
    /// Send the request's payload.
    Copy,
}

/// Starts the transmitter and gives it the payload.
#[derive(LogicBlock, Default)]
pub struct AnswerSender {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// The dispatcher's orders.
    pub order: AnswerTask,
    /// The transmitter is idle.
    pub ready: Signal<In, Bit>,
    /// For one clock: the transmitter starts.
    pub start: Signal<Out, Bit>,
    /// With `start`: bytes of the payload.
    pub length: Signal<Out, Bits<12>>,
    /// A byte of the payload.
    pub payload: Signal<Out, Bits<8>>,
    /// There is one.
    pub payload_valid: Signal<Out, Bit>,
    /// It is taken in this clock.
    pub payload_ready: Signal<In, Bit>,
    /// The information register to read.
    pub info_index: Signal<Out, Bits<4>>,
    /// Its value.
    pub info: Signal<In, Bits<32>>,
    /// Words of the payload.
    pub words: WordSink,
    /// The byte of the request's payload under the cursor.
    pub request_byte: Signal<In, Bits<8>>,
    /// It is taken in this clock.
    pub advance: Signal<Out, Bit>,
    state: DFF<AnswerSenderState>,
    /// Payload bytes that are not sent; before `Start`, all of them.
    bytes_left: DFF<Bits<12>>,
    /// Bytes of the word that are not sent, the next one lowest.
    word: DFF<Bits<32>>,
    /// Bytes of the word that are sent.
    word_byte: DFF<Bits<2>>,
    /// The register that is next.
    info_next: DFF<Bits<4>>,
}

impl Logic for AnswerSender {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, bytes_left, word, word_byte, info_next);
        self.start.next = false;
        self.order.started.next = false;
        self.length.next = self.bytes_left.q.val();
        self.payload.next = bit_cast::<8, 32>(self.word.q.val());
        self.payload_valid.next = false;
        self.order.finished.next = false;
        self.info_index.next = self.info_next.q.val();
        self.words.take.next = false;
        self.advance.next = false;
        match self.state.q.val() {
            AnswerSenderState::Start => {
                if self.order.run.val() {
                    self.word_byte.d.next = 0.into();
                    if self.ready.val() {
                        self.start.next = true;
                        self.order.started.next = true;
                        if !self.bytes_left.q.val().any() {
                            self.order.finished.next = true;
                        } else if self.order.from_info.val() | self.order.from_words.val() {
                            self.state.d.next = AnswerSenderState::Fetch;
                        } else if self.order.from_request.val() {
                            self.state.d.next = AnswerSenderState::Copy;
                        } else {
                            self.state.d.next = AnswerSenderState::Word;
                        }
                    }
                }
            }
            AnswerSenderState::Fetch => {
                if self.order.from_info.val() {
                    self.word.d.next = self.info.val();
                    self.info_next.d.next = self.info_next.q.val() + 1;
                    self.state.d.next = AnswerSenderState::Word;
                } else if self.words.valid.val() {
                    self.word.d.next = self.words.data.val();
                    self.words.take.next = true;
                    self.state.d.next = AnswerSenderState::Word;
                }
            }
            AnswerSenderState::Word => {
                self.payload_valid.next = true;
                if self.payload_ready.val() {
                    self.word.d.next = self.word.q.val() >> 8;
                    self.word_byte.d.next = self.word_byte.q.val() + 1;
                    self.bytes_left.d.next = self.bytes_left.q.val() - 1;
                    if self.bytes_left.q.val() == 1 {
                        self.order.finished.next = true;
                        self.state.d.next = AnswerSenderState::Start;
                    } else if self.word_byte.q.val().all() {
                        if self.order.prefetch.val() & self.words.valid.val() {
                            self.word.d.next = self.words.data.val();
                            self.words.take.next = true;
                        } else {
                            self.state.d.next = AnswerSenderState::Fetch;
                        }
                    }
                }
            }
            AnswerSenderState::Copy => {
                self.payload.next = self.request_byte.val();
                self.payload_valid.next = true;
                if self.payload_ready.val() {
                    self.advance.next = true;
                    self.bytes_left.d.next = self.bytes_left.q.val() - 1;
                    if self.bytes_left.q.val() == 1 {
                        self.order.finished.next = true;
                        self.state.d.next = AnswerSenderState::Start;
                    }
                }
            }
        }
        if self.order.clear.val() {
            self.bytes_left.d.next = 0.into();
            self.info_next.d.next = 0.into();
        }
        if self.order.set_length.val() {
            self.bytes_left.d.next = self.order.length.val();
        }
        if self.order.set_word.val() {
            self.word.d.next = self.order.word.val();
        }
        if self.reset.val() {
            self.state.d.next = AnswerSenderState::Start;
        }
    }
}
