//! Sends answers: those of the unit in the order of the positions, or one that the dispatcher orders.
//!
//! ```text
//!                   +--------------+
//!   clock, reset   ->              =>               header: `ports::HeaderSource`, of the answer to send
//!   order          =>              =>               words: `ports::WordSource`, its payload
//!   request_word   =>              => info_index 3  `info` is this pair of registers
//!   info 64        => AnswerSender -> advance       next word of the request's payload
//!   long_word 64   =>              -> retire        the unit's answer is done with
//!   unit_word 64   =>              -> long_take     the word of the long request's answer is taken
//!   unit_valid     ->              -> unit_take     the word of the unit's answer is taken
//!   answered       ->              -> position_ok   a position is answered OK
//!   faults 5       =>              |
//!   unit_length 12 =>              |
//!                   +--------------+
//! ```
//!
//! Handshake: `order.push` tells of a position that was started; its answer comes from the unit, when `answered`. `order.run` orders an
//! answer of another kind, while `order.idle`; its fields stay to the clock of `finished`. `long_word` and `request_word` are always there.
//! Latency: the header in the first clock with `ready`. Throughput: a word a clock. Cost: 272 flip-flops. Model: `model/link`.
//! Absent: bytes and checksums (`transmitter`, `word_transmitter`).

use super::{answer_queue::AnswerQueue, word_buffer::WordBuffer};
use crate::ports::{AnswerTask, HeaderSource, WordSource};
use hayasashi_spec::opcode::Status;
use rust_hdl::prelude::*;

crate::constants! {
    Values {
        ok: Bits<4> = Status::Ok;
        bad_position: Bits<4> = Status::Position;
        round_up: Bits<12> = 7u64;
    }
}

/// Sends answers.
#[derive(LogicBlock, Default)]
pub struct AnswerSender {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// The dispatcher's orders.
    pub order: AnswerTask,
    /// The word of the request's payload under the cursor.
    pub request_word: Signal<In, Bits<64>>,
    /// It is taken in this clock.
    pub advance: Signal<Out, Bit>,
    /// The pair of information registers to read.
    pub info_index: Signal<Out, Bits<3>>,
    /// Their values.
    pub info: Signal<In, Bits<64>>,
    /// A word of a long request's answer.
    pub long_word: Signal<In, Bits<64>>,
    /// It is taken in this clock.
    pub long_take: Signal<Out, Bit>,
    /// The unit's oldest answer stands.
    pub answered: Signal<In, Bit>,
    /// Why its position cannot occur; zero if it can.
    pub faults: Signal<In, Bits<5>>,
    /// Bytes of its payload.
    pub unit_length: Signal<In, Bits<12>>,
    /// A word of it.
    pub unit_word: Signal<In, Bits<64>>,
    /// There is one.
    pub unit_valid: Signal<In, Bit>,
    /// It is taken in this clock, if there is one.
    pub unit_take: Signal<Out, Bit>,
    /// For one clock: the answer is done with.
    pub retire: Signal<Out, Bit>,
    /// For one clock: a position is answered OK.
    pub position_ok: Signal<Out, Bit>,
    /// The header to send.
    pub header: HeaderSource,
    /// The payload's words.
    pub words: WordSource,
    queue: AnswerQueue,
    buffer: WordBuffer,
    /// A payload is being sent.
    sending: DFF<Bit>,
    /// It is the unit's.
    of_unit: DFF<Bit>,
    of_queue: DFF<Bit>,
    words_left: DFF<Bits<9>>,
    info_pair: DFF<Bits<3>>,
    retires: DFF<Bit>,
    sent_ok: DFF<Bit>,
    length: Signal<Local, Bits<12>>,
    words_of: Signal<Local, Bits<12>>,
    begins: Signal<Local, Bit>,
    from_queue: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    /// A word is taken, if there is one; one is taken.
    reads: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    value: Values,
}

impl Logic for AnswerSender {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, queue, buffer);
        dff_setup!(self, clock, sending, of_unit, of_queue, words_left, info_pair, retires, sent_ok);
        WordSource::link(&mut self.words, &mut self.buffer.words);
        self.queue.reset.next = self.reset.val();
        self.queue.push.next = self.order.push.val();
        self.queue.push_opcode.next = self.order.opcode.val();
        self.queue.push_seq.next = self.order.sequence.val();
        self.queue.push_index.next = self.order.index.val();
        self.order.idle.next = !self.queue.waits.val() & !self.sending.q.val();

        // The header.
        self.from_queue.next = self.queue.waits.val();
        self.begins.next = !self.sending.q.val()
            & self.header.ready.val()
            & ((self.queue.waits.val() & self.answered.val()) | (!self.queue.waits.val() & self.order.run.val()));
        self.header.start.next = self.begins.val();
        self.header.opcode.next = self.order.opcode.val();
        self.header.sequence.next = self.order.sequence.val();
        self.header.index.next = self.order.index.val();
        self.header.status.next = self.order.status.val();
        self.length.next = self.order.length.val();
        if self.queue.waits.val() {
            self.header.opcode.next = self.queue.opcode.val();
            self.header.sequence.next = self.queue.seq.val();
            self.header.index.next = self.queue.index.val();
            self.header.status.next = self.value.ok.val();
            if self.faults.val().any() {
                self.header.status.next = self.value.bad_position.val();
            }
            self.length.next = self.unit_length.val();
        }
        self.header.length.next = self.length.val();

        // The payload.
        self.words_of.next = (self.length.val() + self.value.round_up.val()) >> 3;
        self.buffer.clear.next = self.reset.val();
        self.reads.next = self.sending.q.val() & self.buffer.ready.val();
        self.buffer.valid.next = self.sending.q.val() & (!self.of_unit.q.val() | self.unit_valid.val());
        self.takes.next = self.reads.val() & (!self.of_unit.q.val() | self.unit_valid.val());
        self.buffer.data.next = bit_cast::<64, 32>(self.order.word.val());
        self.info_index.next = self.info_pair.q.val();
        self.advance.next = false;
        self.long_take.next = false;
        self.unit_take.next = false;
        if self.of_unit.q.val() {
            self.buffer.data.next = self.unit_word.val();
            self.unit_take.next = self.reads.val();
        } else if self.order.from_info.val() {
            self.buffer.data.next = self.info.val();
            if self.reads.val() {
                self.info_pair.d.next = self.info_pair.q.val() + 1;
            }
        } else if self.order.from_long.val() {
            self.buffer.data.next = self.long_word.val();
            self.long_take.next = self.reads.val();
        } else if self.order.from_request.val() {
            self.buffer.data.next = self.request_word.val();
            self.advance.next = self.reads.val();
        }
        self.ends.next = self.takes.val() & (self.words_left.q.val() == 1);
        if self.takes.val() {
            self.words_left.d.next = self.words_left.q.val() - 1;
        }
        if self.ends.val() {
            self.sending.d.next = false;
        }
        self.order.finished.next = self.ends.val() & !self.of_queue.q.val();
        // Before the next answer begins, the last word leaves.
        self.retires.d.next = self.ends.val() & self.of_unit.q.val();
        self.retire.next = self.retires.q.val();
        self.queue.pop.next = self.ends.val() & self.of_queue.q.val();
        self.sent_ok.d.next = self.ends.val() & self.of_queue.q.val() & !self.faults.val().any();
        self.position_ok.next = self.sent_ok.q.val();
        if self.begins.val() {
            self.sending.d.next = self.length.val().any();
            self.words_left.d.next = bit_cast::<9, 12>(self.words_of.val());
            self.of_queue.d.next = self.from_queue.val();
            self.of_unit.d.next = self.from_queue.val() | self.order.from_unit.val();
            self.info_pair.d.next = 0.into();
            if !self.length.val().any() {
                self.order.finished.next = true;
            }
        }
        if self.reset.val() {
            self.sending.d.next = false;
            self.retires.d.next = false;
        }
    }
}
