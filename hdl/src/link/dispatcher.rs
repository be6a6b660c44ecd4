//! Works on the requests one after the other: which block reads the payload, and what is answered.
//!
//! ```text
//!                     +------------+
//!   clock, reset     ->            -> advance, retire    to the receiver
//!   waiting          ->            => status 4, index 6  the answer's header
//!   head 29          =>            =>                    answer: `ports::AnswerOrder`
//!   length 12        => Dispatcher -> position_ok        a position is answered OK
//!   request_byte 8   =>            -> position_valid     the payload byte is one of a position
//!   moves, scores    =>            -> unit_start         the units start on the position
//!   table            =>            =>                    `ports::MoveClient`, `ScoreClient`, `TableClient`
//!   walk             =>            =>                    `ports::WalkClient`
//!                     +------------+
//! ```
//!
//! Handshake: `head` and `length` are those of the request while `waiting`; `request_byte` is the payload byte under the
//! cursor, `advance` takes it; `retire` ends the request. `status` and `index` are stable while the answer is sent.
//! Latency: 2 clocks from `waiting` to the start of an answer without positions; with positions 64 to read each, then the
//! unit's latency and 4 more. Throughput: one byte a clock both ways; positions one after the other. Cost: 81 flip-flops with its
//! blocks. Model: `model/link`. Absent: requests out of order.
//!
//! [`RequestDecoder`] tells what is asked, [`TableWriter`] and [`PositionRunner`] read the payload, `answer_sender` answers.

use super::{
    dispatcher_state::DispatcherState, position_runner::PositionRunner, request_decoder::RequestDecoder,
    request_head::RequestHead, table_writer::TableWriter,
};
use crate::config::ChipConfig;
use crate::ports::{AnswerOrder, MoveClient, ScoreClient, TableClient, WalkClient};
use hayasashi_spec::{frame, opcode::*, perft::*};
use rust_hdl::prelude::*;

crate::constants! {
    Values {
        bad_position: Bits<4> = Status::Position;
        progress: Bits<4> = Status::Progress;
        range: Bits<4> = Status::Range;
        word_bytes: Bits<12> = 4;
        sums_bytes: Bits<12> = SUMS_BYTES;
        /// Shift by which a payload's length gives its positions.
        image_shift: Bits<3> = hayasashi_spec::position::IMAGE_BYTES.ilog2();
    }
}

// Widths of `length` and `index`; the prefix is a word.
const _: () = assert!(frame::MAX_ANSWER_PAYLOAD < 1 << 12 && frame::MAX_BATCH < 1 << 6 && PERFT_HEAD_BYTES == 4);

/// Works on one request after the other.
#[derive(LogicBlock, Default)]
pub struct Dispatcher {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// A request waits.
    pub waiting: Signal<In, Bit>,
    /// Its header fields, while `waiting`.
    pub head: Signal<In, RequestHead>,
    /// Bytes of its payload, while `waiting`.
    pub length: Signal<In, Bits<12>>,
    /// Its payload's byte under the cursor.
    pub request_byte: Signal<In, Bits<8>>,
    /// The cursor moves to the next byte.
    pub advance: Signal<Out, Bit>,
    /// For one clock: the request ends.
    pub retire: Signal<Out, Bit>,
    /// Status of the answer (`hayasashi_spec::opcode::Status`).
    pub status: Signal<Out, Bits<4>>,
    /// Position of the request that the answer is for.
    pub index: Signal<Out, Bits<6>>,
    /// Orders to what sends answers.
    pub answer: AnswerOrder,
    /// For one clock: a position is answered OK.
    pub position_ok: Signal<Out, Bit>,
    /// The payload byte is one of a position.
    pub position_valid: Signal<Out, Bit>,
    /// For one clock: the units start.
    pub unit_start: Signal<Out, Bit>,
    /// The move generation unit.
    pub moves: MoveClient,
    /// The evaluation unit's scores.
    pub scores: ScoreClient,
    /// The evaluation unit's table.
    pub table: TableClient,
    /// The walk controller.
    pub walk: WalkClient,
    decoder: RequestDecoder,
    writer: TableWriter,
    runner: PositionRunner,
    state: DFF<DispatcherState>,
    answer_status: DFF<Bits<4>>,
    /// The payload's first word: offset of a part of a table, or the parameters of a walk. The last byte comes in highest.
    prefix: DFF<Bits<32>>,
    prefix_byte: DFF<Bits<2>>,
    position_index: DFF<Bits<6>>,
    /// The request is a batch of positions.
    batch: DFF<Bit>,
    next_index: Signal<Local, Bits<6>>,
    value: Values,
}

impl Dispatcher {
    /// What a unit would have to answer that the chip lacks is answered `BAD_OPCODE`.
    pub fn new(chip: &ChipConfig) -> Self {
        Dispatcher { decoder: RequestDecoder::new(chip), ..Default::default() }
    }
}

impl Logic for Dispatcher {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, decoder, writer, runner);
        dff_setup!(self, clock, state, answer_status, prefix, prefix_byte, position_index, batch);
        MoveClient::link(&mut self.moves, &mut self.runner.moves);
        ScoreClient::link(&mut self.scores, &mut self.runner.scores);
        TableClient::link(&mut self.table, &mut self.writer.table);
        self.writer.reset.next = self.reset.val();
        self.runner.reset.next = self.reset.val();
        self.decoder.head.next = self.head.val();
        self.decoder.length.next = self.length.val();
        self.writer.run.next = self.state.q.val() == DispatcherState::Table;
        self.writer.offset.next = self.prefix.q.val();
        self.writer.length.next = self.length.val();
        self.runner.run.next = self.state.q.val() == DispatcherState::Position;
        self.runner.is_evaluate.next = self.decoder.is_evaluate.val();
        self.runner.is_generate.next = self.decoder.is_generate.val();
        self.runner.is_expand.next = self.decoder.is_expand.val();
        self.runner.is_perft.next = self.decoder.is_perft.val();
        self.runner.table_loaded.next = self.table.loaded.val();
        self.answer.run.next = self.state.q.val() == DispatcherState::Answer;
        self.answer.clear.next = self.state.q.val() == DispatcherState::Idle;
        self.answer.from_info.next = self.decoder.is_info.val();
        self.answer.from_words.next =
            self.decoder.is_perft.val() & (self.answer_status.q.val() != self.value.bad_position.val());
        self.answer.from_request.next = self.decoder.is_echo.val();
        self.answer.prefetch.next = self.decoder.is_generate.val() | self.decoder.is_expand.val();
        self.answer.set_length.next = false;
        self.answer.length.next = self.runner.length.val();
        self.answer.set_word.next = false;
        self.answer.word.next = self.runner.word.val();

        self.advance.next =
            (self.state.q.val() == DispatcherState::Prefix) | self.writer.advance.val() | self.runner.advance.val();
        self.retire.next = false;
        self.status.next = self.answer_status.q.val();
        self.index.next = self.position_index.q.val();
        self.position_ok.next = self.answer.started.val() & self.batch.q.val() & !self.answer_status.q.val().any();
        self.position_valid.next = self.runner.position_valid.val();
        self.unit_start.next = self.runner.unit_start.val();
        self.walk.head.next = self.prefix.q.val();
        self.walk.take.next = self.state.q.val() == DispatcherState::WalkHead;
        self.walk.start.next = self.runner.walk.val();
        self.walk.show.next = false;
        self.next_index.next = self.position_index.q.val() + 1;

        match self.state.q.val() {
            DispatcherState::Idle => {
                self.position_index.d.next = 0.into();
                self.batch.d.next = false;
                if self.waiting.val() {
                    self.state.d.next = DispatcherState::Decode;
                }
            }
            DispatcherState::Decode => {
                self.answer_status.d.next = self.decoder.status.val();
                self.answer.set_length.next = self.decoder.is_info.val() | self.decoder.is_echo.val();
                self.answer.length.next = self.decoder.answer_length.val();
                self.state.d.next = DispatcherState::Answer;
                if self.decoder.status.val().any() {
                    self.answer.set_length.next = false;
                } else if self.decoder.is_load_table.val() | self.decoder.is_perft.val() {
                    self.state.d.next = DispatcherState::Prefix;
                } else if self.decoder.is_batch.val() {
                    self.batch.d.next = true;
                    self.state.d.next = DispatcherState::Position;
                }
            }
            DispatcherState::Prefix => {
                self.prefix.d.next = (self.prefix.q.val() >> 8) | (bit_cast::<32, 8>(self.request_byte.val()) << 24);
                self.prefix_byte.d.next = self.prefix_byte.q.val() + 1;
                if self.prefix_byte.q.val().all() {
                    self.state.d.next = DispatcherState::Table;
                    if self.decoder.is_perft.val() {
                        self.state.d.next = DispatcherState::WalkHead;
                    }
                }
            }
            DispatcherState::Table => {
                if self.writer.finished.val() {
                    self.answer_status.d.next = self.writer.status.val();
                    self.answer.set_length.next = self.writer.has_offset.val();
                    self.answer.length.next = self.value.word_bytes.val();
                    self.answer.set_word.next = self.writer.has_offset.val();
                    self.answer.word.next = self.table.offset.val();
                    self.state.d.next = DispatcherState::Answer;
                }
            }
            DispatcherState::WalkHead => {
                self.state.d.next = DispatcherState::Position;
                if !self.walk.possible.val() {
                    self.answer_status.d.next = self.value.range.val();
                    self.state.d.next = DispatcherState::Answer;
                }
            }
            DispatcherState::Position => {
                if self.runner.finished.val() {
                    self.answer_status.d.next = self.runner.status.val();
                    self.answer.set_length.next = true;
                    self.answer.set_word.next = self.runner.set_word.val();
                    self.state.d.next = DispatcherState::Answer;
                    if self.runner.walk.val() {
                        self.state.d.next = DispatcherState::Walk;
                    }
                }
            }
            DispatcherState::Walk => {
                if self.walk.report.val() {
                    self.walk.show.next = true;
                    self.answer_status.d.next = self.walk.status.val();
                    self.answer.set_length.next = true;
                    self.answer.length.next = self.value.sums_bytes.val();
                    self.state.d.next = DispatcherState::Answer;
                }
            }
            DispatcherState::Answer => {
                if self.answer.finished.val() {
                    self.state.d.next = DispatcherState::Advance;
                }
            }
            DispatcherState::Advance => {
                self.position_index.d.next = self.next_index.val();
                if self.batch.q.val()
                    & (self.next_index.val() != self.length.val().get_bits::<6>(self.value.image_shift.val().index()))
                {
                    self.state.d.next = DispatcherState::Position;
                } else if self.answer_status.q.val() == self.value.progress.val() {
                    self.position_index.d.next = 0.into();
                    self.state.d.next = DispatcherState::Walk;
                } else {
                    self.retire.next = true;
                    self.state.d.next = DispatcherState::Idle;
                }
            }
        }
        if self.reset.val() {
            self.state.d.next = DispatcherState::Idle;
            self.prefix_byte.d.next = 0.into();
        }
    }
}
