//! Works on the requests one after the other: which block reads the payload, and what is answered.
//!
//! ```text
//!                     +------------+
//!   clock, reset     ->            -> advance, retire    to the receiver
//!   waiting          ->            =>                    answer: `ports::AnswerOrder`
//!   head 29          => Dispatcher =>                    position: `ports::PositionSource`
//!   length 12        =>            -> want_records, want_scores    of the position that is started
//!   request_word 64  =>            -> unit_retire        the unit's answer is not sent: a walk or a search follows
//!   unit_ready, unit_answered, unit_faults 5             =>    table, long: `ports::TableClient`, `LongClient`
//!                     +------------+
//! ```
//!
//! Handshake: `head` and `length` are those of the request while `waiting`; `request_word` is the payload's word under the
//! cursor, `advance` takes it; `retire` ends the request. The positions of a batch are started one after the other, and those of the
//! next request behind them, while the unit works. Behind a search, others begin. Any other request waits until all before it are answered.
//! Latency: 2 clocks from `waiting` to the first word of a position, 3 to an answer without positions.
//! Throughput: a position in nine clocks, and four more for each request. Cost: 160 flip-flops with its blocks. Model: `model/link`.
//! Absent: requests out of order; what is asked ([`RequestDecoder`]); reading ([`TableWriter`], [`PositionLoader`], [`LongStarter`]).

use super::{
    dispatcher_state::{DispatcherState, Values},
    long_starter::LongStarter,
    position_loader::PositionLoader,
    request_decoder::RequestDecoder,
    request_head::RequestHead,
    table_writer::TableWriter,
};
use crate::{config::ChipConfig, ports::*};
use rust_hdl::prelude::*;

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
    /// Its payload's word under the cursor.
    pub request_word: Signal<In, Bits<64>>,
    /// The cursor moves to the next word.
    pub advance: Signal<Out, Bit>,
    /// For one clock: the request ends.
    pub retire: Signal<Out, Bit>,
    /// Orders to what sends answers.
    pub answer: AnswerOrder,
    /// A position for the units.
    pub position: PositionSource,
    /// Its moves are wanted one by one.
    pub want_records: Signal<Out, Bit>,
    /// Its score, or with `want_records` those of the positions after its moves.
    pub want_scores: Signal<Out, Bit>,
    /// The unit takes a position.
    pub unit_ready: Signal<In, Bit>,
    /// The unit's oldest answer stands.
    pub unit_answered: Signal<In, Bit>,
    /// Why its position cannot occur.
    pub unit_faults: Signal<In, Bits<5>>,
    /// For one clock: that answer is not sent.
    pub unit_retire: Signal<Out, Bit>,
    /// The evaluation unit's table.
    pub table: TableClient,
    /// The controllers of long requests.
    pub long: LongClient,
    decoder: RequestDecoder,
    writer: TableWriter,
    loader: PositionLoader,
    starter: LongStarter,
    state: DFF<DispatcherState>,
    answer_status: DFF<Bits<4>>,
    answer_length: DFF<Bits<12>>,
    answer_word: DFF<Bits<32>>,
    prefix: DFF<Bits<32>>, // offset of a part of a table, or the first parameters of a long request
    index: DFF<Bits<6>>,
    from_unit: DFF<Bit>,     // the answer is the unit's
    refuses_batch: DFF<Bit>, // the same answer for each position of a batch
    is_last: DFF<Bit>,       // `index` was the batch's last position in the clock before
    next_index: Signal<Local, Bits<6>>,
    joins: Signal<Local, Bit>, // the request is a search that begins while others go on
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
        clock!(self, clock, decoder, writer, loader, starter);
        dff_setup!(self, clock, state, answer_status, answer_length, answer_word, prefix, index, from_unit);
        dff_setup!(self, clock, refuses_batch, is_last);
        PositionSource::link(&mut self.position, &mut self.loader.position);
        TableClient::link(&mut self.table, &mut self.writer.table);
        LongClient::link(&mut self.long, &mut self.starter.long);
        self.decoder.head.next = self.head.val();
        self.decoder.length.next = self.length.val();
        self.writer.reset.next = self.reset.val();
        self.writer.run.next = self.state.q.val() == DispatcherState::Table;
        self.writer.offset.next = self.prefix.q.val();
        self.writer.length.next = self.length.val();
        self.writer.data.next = self.request_word.val();
        self.loader.reset.next = self.reset.val();
        self.loader.run.next = (self.state.q.val() == DispatcherState::Positions) | self.starter.positions.val();
        self.loader.single.next = self.decoder.is_long.val();
        self.loader.skewed.next = self.decoder.is_long.val() & !self.decoder.is_search.val();
        self.loader.data.next = self.request_word.val();
        self.loader.lists.next = self.decoder.is_generate.val() | self.decoder.is_expand.val();
        self.loader.scores.next = self.decoder.is_evaluate.val() | self.decoder.is_expand.val();
        self.loader.ready.next = self.unit_ready.val();
        self.want_records.next = self.loader.want_records.val();
        self.want_scores.next = self.loader.want_scores.val();
        self.advance.next = self.writer.advance.val() | self.loader.advance.val();
        self.retire.next = false;
        self.unit_retire.next = self.starter.unit_retire.val();
        self.answer.run.next = self.state.q.val() == DispatcherState::Answer;
        self.answer.status.next = self.answer_status.q.val();
        self.answer.index.next = self.index.q.val();
        self.answer.length.next = self.answer_length.q.val();
        self.answer.word.next = self.answer_word.q.val();
        self.answer.opcode.next = self.starter.opcode.val();
        self.answer.sequence.next = self.starter.of.val();
        self.answer.from_info.next = self.decoder.is_info.val() & !self.starter.reports.val();
        self.answer.from_request.next = self.decoder.is_echo.val() & !self.starter.reports.val();
        self.answer.from_unit.next = self.from_unit.q.val();
        self.answer.from_long.next = self.starter.reports.val();
        self.answer.push.next = (self.state.q.val() == DispatcherState::Positions) & self.loader.started.val();
        self.starter.is_search.next = self.decoder.is_search.val();
        self.starter.reset.next = self.reset.val();
        self.starter.run.next = self.state.q.val() == DispatcherState::Long;
        self.starter.parameters.next = self.prefix.q.val();
        self.starter.request.next = self.head.val();
        self.starter.show.next = false;
        self.starter.shown.next = false;
        self.starter.answers.next = false;
        self.starter.answered.next = self.unit_answered.val();
        self.starter.faults.next = self.unit_faults.val();
        self.joins.next = self.decoder.is_search.val() & self.long.free.val() & !self.decoder.status.val().any();
        self.next_index.next = self.index.q.val() + 1;
        self.is_last.d.next =
            self.next_index.val() == self.length.val().get_bits::<6>(self.value.image_shift.val().index());
        match self.state.q.val() {
            DispatcherState::Idle => {
                self.index.d.next = 0.into();
                self.answer_length.d.next = 0.into();
                self.from_unit.d.next = false;
                self.refuses_batch.d.next = false;
                self.answer_status.d.next = self.starter.refused.val();
                if self.long.report.val() {
                    self.starter.show.next = true;
                    self.answer_status.d.next = self.long.status.val();
                    self.answer_length.d.next = self.long.bytes.val();
                    self.state.d.next = DispatcherState::Answer;
                } else if self.starter.refused.val().any() {
                    if !self.long.waits.val() {
                        if self.starter.refused.val() == self.value.bad_position.val() {
                            self.answer_length.d.next = self.value.word_bytes.val();
                            self.from_unit.d.next = true;
                        }
                        self.starter.answers.next = true;
                        self.state.d.next = DispatcherState::Answer;
                    }
                } else if self.waiting.val() {
                    self.state.d.next = DispatcherState::Decode;
                }
            }
            DispatcherState::Decode => {
                self.prefix.d.next = bit_cast::<32, 64>(self.request_word.val());
                self.answer_status.d.next = self.decoder.status.val();
                self.state.d.next = DispatcherState::Drain;
                if self.long.waits.val() & !self.joins.val() {
                    self.state.d.next = DispatcherState::Idle;
                } else if !self.decoder.status.val().any() {
                    if self.decoder.needs_table.val() & !self.table.loaded.val() {
                        self.answer_status.d.next = self.value.no_table.val();
                        self.refuses_batch.d.next = self.decoder.is_batch.val();
                    } else if self.decoder.is_batch.val() {
                        self.state.d.next = DispatcherState::Positions;
                    }
                }
            }
            DispatcherState::Positions => {
                if self.loader.started.val() {
                    self.index.d.next = self.next_index.val();
                    if self.is_last.q.val() {
                        self.retire.next = true;
                        self.state.d.next = DispatcherState::Idle;
                    }
                }
            }
            DispatcherState::Drain => {
                if self.answer.idle.val() {
                    self.state.d.next = DispatcherState::Answer;
                    if !self.answer_status.q.val().any() {
                        self.answer_length.d.next = self.decoder.answer_length.val();
                        if self.decoder.is_load_table.val() {
                            self.state.d.next = DispatcherState::Table;
                        } else if self.decoder.is_long.val() {
                            self.state.d.next = DispatcherState::Long;
                        }
                    }
                }
            }
            DispatcherState::Table => {
                if self.writer.finished.val() {
                    self.answer_status.d.next = self.writer.status.val();
                    if self.writer.has_offset.val() {
                        self.answer_length.d.next = self.value.word_bytes.val();
                    }
                    self.answer_word.d.next = self.table.offset.val();
                    self.state.d.next = DispatcherState::Answer;
                }
            }
            DispatcherState::Long => {
                // A refusal is answered behind what was asked before.
                self.retire.next = self.starter.started.val();
                if self.starter.finished.val() {
                    self.state.d.next = DispatcherState::Idle;
                }
            }
            DispatcherState::Answer => {
                if self.answer.finished.val() {
                    self.state.d.next = DispatcherState::Advance;
                }
            }
            DispatcherState::Advance => {
                if self.refuses_batch.q.val() & !self.is_last.q.val() {
                    self.index.d.next = self.next_index.val();
                    self.state.d.next = DispatcherState::Answer;
                } else {
                    self.retire.next = !self.starter.reports.val();
                    self.starter.shown.next = true;
                    self.state.d.next = DispatcherState::Idle;
                }
            }
        }
        if self.reset.val() {
            self.state.d.next = DispatcherState::Idle;
        }
    }
}
