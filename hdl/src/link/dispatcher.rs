//! Works on the requests one after the other: reads payloads, drives the units, hands answers to the transmitter.
//!
//! ```text
//!            ┌────────────┐                       ┌────────────┐
//!  receiver ─┤ waiting    │              registers│ info_index ├─ 4, info 32
//!            │ head    29 │            transmitter│ start, status, index,
//!            │ length  12 │ dispatcher            │ answer_length, payload…
//!            │ data     8 │                units │ position_valid, position_byte 8, unit_start 2
//!            │ advance    │                units │ move_…, score_…, load_…
//!            │            │            conductor │ walk_…
//!            └─ retire ───┘                       └────────────┘
//! ```
//!
//! Handshake: `head` and `length` are those of the request while `waiting`. `data` is the payload byte under the
//! cursor, `advance` takes it; `retire` ends the request. The payload of an answer passes with `payload_valid` and
//! `payload_ready`. A position's bytes are handed on as they are read; `unit_start` (bit 0 the move generator, bit 1 the
//! evaluator) comes behind the last one, and the next position's not before the answer has been handed over.
//! Latency: 2 clocks from `waiting` to `start` of an answer without positions; with positions 64 to read each, then the
//! unit's latency and 4 more (5 for the evaluator). Throughput: one byte a clock both ways; positions one after the other.
//! Model: `model/link`. Absent: overlap of one position's reading with the work on the one before (the link is slower
//! than both), requests out of order.

use super::opcodes::Opcodes;
use crate::top::config::ChipConfig;
use hayasashi_spec::{frame, opcode::*, perft, registers::REGISTERS};
use rust_hdl::prelude::*;

#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum DispatcherState {
    /// No request.
    Idle,
    /// The descriptor is here: choose.
    Fetch,
    /// Read the offset of a part of a table, or the head of a walk.
    Offset,
    /// Compare it.
    Part,
    /// Hand the part's bytes to the evaluate unit.
    Stream,
    /// Wait for the unit's verdict.
    Settle,
    /// Read a position.
    Load,
    /// Start the units.
    Begin,
    /// Wait for them.
    Compute,
    /// Wait for the walk, or for something to say of it.
    Walk,
    /// Start the answer.
    Answer,
    /// Fetch a word of the answer's payload.
    Refill,
    /// Send a word.
    Word,
    /// Send the request's payload.
    Copy,
    /// Another position, or done with the request?
    Advance,
}

#[derive(LogicBlock)]
pub struct Dispatcher {
    pub clock: Signal<In, Clock>,
    pub waiting: Signal<In, Bit>,
    pub head: Signal<In, Bits<29>>,
    pub length: Signal<In, Bits<12>>,
    pub data: Signal<In, Bits<8>>,
    pub advance: Signal<Out, Bit>,
    pub retire: Signal<Out, Bit>,
    pub start: Signal<Out, Bit>,
    pub status: Signal<Out, Bits<4>>,
    pub index: Signal<Out, Bits<6>>,
    pub answer_length: Signal<Out, Bits<12>>,
    pub ready: Signal<In, Bit>,
    pub payload: Signal<Out, Bits<8>>,
    pub payload_valid: Signal<Out, Bit>,
    pub payload_ready: Signal<In, Bit>,
    pub info_index: Signal<Out, Bits<4>>,
    pub info: Signal<In, Bits<32>>,
    pub position_ok: Signal<Out, Bit>,
    pub position_valid: Signal<Out, Bit>,
    pub position_byte: Signal<Out, Bits<8>>,
    pub unit_start: Signal<Out, Bits<2>>,
    pub move_records: Signal<Out, Bit>,
    pub move_ready: Signal<In, Bit>,
    pub move_done: Signal<In, Bit>,
    pub move_faults: Signal<In, Bits<5>>,
    pub move_count: Signal<In, Bits<10>>,
    pub move_result: Signal<In, Bits<16>>,
    pub record: Signal<In, Bits<32>>,
    pub record_valid: Signal<In, Bit>,
    pub record_next: Signal<Out, Bit>,
    pub score_ready: Signal<In, Bit>,
    pub score_done: Signal<In, Bit>,
    pub score: Signal<In, Bits<16>>,
    pub load_start: Signal<Out, Bit>,
    pub load_valid: Signal<Out, Bit>,
    pub load_byte: Signal<Out, Bits<8>>,
    pub load_offset: Signal<In, Bits<32>>,
    pub load_error: Signal<In, Bit>,
    pub loaded: Signal<In, Bit>,
    pub walk_take: Signal<Out, Bit>,
    pub walk_head: Signal<Out, Bits<32>>,
    pub walk_possible: Signal<In, Bit>,
    pub walk_start: Signal<Out, Bit>,
    pub walk_report: Signal<In, Bit>,
    pub walk_status: Signal<In, Bits<4>>,
    pub walk_show: Signal<Out, Bit>,
    state: DFF<DispatcherState>,
    answer_status: DFF<Bits<4>>,
    /// Payload bytes of the answer that are not sent yet; before `Answer`, all of them.
    left: DFF<Bits<12>>,
    /// Bytes to read from the payload in this state, or clocks to wait.
    todo: DFF<Bits<12>>,
    position_index: DFF<Bits<6>>,
    /// The request has positions, and its payload suits it.
    batch: DFF<Bit>,
    word: DFF<Bits<32>>,
    word_byte: DFF<Bits<2>>,
    info_word: DFF<Bits<4>>,
    /// The offset of a part of a table, the last byte highest.
    offset: DFF<Bits<32>>,
    moved: DFF<Bit>,
    scored: DFF<Bit>,
    is: Opcodes,
    index_next: Signal<Local, Bits<6>>,
    ok: Constant<Bits<4>>,
    bad_length: Constant<Bits<4>>,
    bad_opcode: Constant<Bits<4>>,
    bad_position: Constant<Bits<4>>,
    no_table: Constant<Bits<4>>,
    table_sequence: Constant<Bits<4>>,
    table_content: Constant<Bits<4>>,
    info_bytes: Constant<Bits<12>>,
    image_bytes: Constant<Bits<12>>,
    word_bytes: Constant<Bits<12>>,
    settle_clocks: Constant<Bits<12>>,
    progress: Constant<Bits<4>>,
    out_of_range: Constant<Bits<4>>,
    perft_bytes: Constant<Bits<12>>,
    sums_bytes: Constant<Bits<12>>,
}

impl Dispatcher {
    /// What a unit would have to answer that the chip lacks is answered `BAD_OPCODE`.
    pub fn new(chip: &ChipConfig) -> Self {
        let status = |s: Status| Constant::new((s as u64).into());
        let bytes = |n: usize| Constant::new(n.to_bits());
        Dispatcher {
            clock: Default::default(),
            waiting: Default::default(),
            head: Default::default(),
            length: Default::default(),
            data: Default::default(),
            advance: Default::default(),
            retire: Default::default(),
            start: Default::default(),
            status: Default::default(),
            index: Default::default(),
            answer_length: Default::default(),
            ready: Default::default(),
            payload: Default::default(),
            payload_valid: Default::default(),
            payload_ready: Default::default(),
            info_index: Default::default(),
            info: Default::default(),
            position_ok: Default::default(),
            position_valid: Default::default(),
            position_byte: Default::default(),
            unit_start: Default::default(),
            move_records: Default::default(),
            move_ready: Default::default(),
            move_done: Default::default(),
            move_faults: Default::default(),
            move_count: Default::default(),
            move_result: Default::default(),
            record: Default::default(),
            record_valid: Default::default(),
            record_next: Default::default(),
            score_ready: Default::default(),
            score_done: Default::default(),
            score: Default::default(),
            load_start: Default::default(),
            load_valid: Default::default(),
            load_byte: Default::default(),
            load_offset: Default::default(),
            load_error: Default::default(),
            loaded: Default::default(),
            walk_take: Default::default(),
            walk_head: Default::default(),
            walk_possible: Default::default(),
            walk_start: Default::default(),
            walk_report: Default::default(),
            walk_status: Default::default(),
            walk_show: Default::default(),
            state: Default::default(),
            answer_status: Default::default(),
            left: Default::default(),
            todo: Default::default(),
            position_index: Default::default(),
            batch: Default::default(),
            word: Default::default(),
            word_byte: Default::default(),
            info_word: Default::default(),
            offset: Default::default(),
            moved: Default::default(),
            scored: Default::default(),
            is: Opcodes::new(chip),
            index_next: Default::default(),
            ok: status(Status::Ok),
            bad_length: status(Status::BadLength),
            bad_opcode: status(Status::BadOpcode),
            bad_position: status(Status::Position),
            no_table: status(Status::NoTable),
            table_sequence: status(Status::TableSequence),
            table_content: status(Status::TableContent),
            info_bytes: bytes(4 * REGISTERS),
            image_bytes: bytes(hayasashi_spec::position::IMAGE_BYTES),
            word_bytes: bytes(4),
            settle_clocks: bytes(4),
            progress: status(Status::Progress),
            out_of_range: status(Status::Range),
            perft_bytes: bytes(perft::PERFT_BYTES),
            sums_bytes: bytes(perft::SUMS_BYTES),
        }
    }
}

const _: () = assert!(frame::MAX_ANSWER_PAYLOAD < 1 << 12 && frame::MAX_BATCH < 1 << 6 && RESULT_BYTES == 4);

impl Logic for Dispatcher {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, answer_status, left, todo, position_index, batch, word, word_byte);
        dff_setup!(self, clock, info_word, offset, moved, scored);
        self.is.clock.next = self.clock.val();
        self.is.opcode.next = bit_cast::<8, 29>(self.head.val());
        self.advance.next = false;
        self.retire.next = false;
        self.start.next = false;
        self.status.next = self.answer_status.q.val();
        self.index.next = self.position_index.q.val();
        self.answer_length.next = self.left.q.val();
        self.payload.next = bit_cast::<8, 32>(self.word.q.val());
        self.payload_valid.next = false;
        self.info_index.next = self.info_word.q.val();
        self.position_ok.next = false;
        self.position_valid.next = false;
        self.position_byte.next = self.data.val();
        self.unit_start.next = 0.into();
        self.move_records.next = self.is.generating.val();
        self.record_next.next = false;
        self.load_start.next = false;
        self.load_valid.next = false;
        self.load_byte.next = self.data.val();
        self.walk_head.next = self.offset.q.val();
        self.walk_take.next = false;
        self.walk_start.next = false;
        self.walk_show.next = false;
        self.index_next.next = self.position_index.q.val() + 1;
        if self.move_done.val() {
            self.moved.d.next = true;
        }
        if self.score_done.val() {
            self.scored.d.next = true;
        }
        match self.state.q.val() {
            DispatcherState::Idle => {
                self.position_index.d.next = 0.into();
                self.batch.d.next = false;
                self.left.d.next = 0.into();
                self.info_word.d.next = 0.into();
                if self.waiting.val() {
                    self.state.d.next = DispatcherState::Fetch;
                }
            }
            DispatcherState::Fetch => {
                self.answer_status.d.next = self.head.val().get_bits::<4>(24);
                self.state.d.next = DispatcherState::Answer;
                if !self.head.val().get_bits::<4>(24).any() {
                    if ((self.is.informing.val() | self.is.cancelling.val()) & self.length.val().any())
                        | (self.is.loading.val() & (self.length.val() < self.word_bytes.val()))
                        | (self.is.walking.val() & (self.length.val() != self.perft_bytes.val()))
                        | (self.is.batch.val() & !self.head.val().get_bit(28))
                    {
                        self.answer_status.d.next = self.bad_length.val();
                    } else if self.is.informing.val() {
                        self.left.d.next = self.info_bytes.val();
                    } else if self.is.echoing.val() {
                        self.left.d.next = self.length.val();
                    } else if self.is.loading.val() | self.is.walking.val() {
                        self.todo.d.next = self.word_bytes.val();
                        self.state.d.next = DispatcherState::Offset;
                    } else if self.is.batch.val() {
                        self.batch.d.next = true;
                        self.todo.d.next = self.image_bytes.val();
                        self.state.d.next = DispatcherState::Load;
                    } else if !self.is.cancelling.val() {
                        self.answer_status.d.next = self.bad_opcode.val();
                    }
                }
            }
            DispatcherState::Offset => {
                self.advance.next = true;
                self.offset.d.next = (self.offset.q.val() >> 8) | (bit_cast::<32, 8>(self.data.val()) << 24);
                self.todo.d.next = self.todo.q.val() - 1;
                if self.todo.q.val() == 1 {
                    self.state.d.next = DispatcherState::Part;
                }
            }
            DispatcherState::Part => {
                self.todo.d.next = self.length.val() - self.word_bytes.val();
                self.state.d.next = DispatcherState::Stream;
                if self.is.walking.val() {
                    self.walk_take.next = true;
                    self.todo.d.next = self.image_bytes.val();
                    self.state.d.next = DispatcherState::Load;
                    if !self.walk_possible.val() {
                        self.answer_status.d.next = self.out_of_range.val();
                        self.state.d.next = DispatcherState::Answer;
                    }
                } else if !self.offset.q.val().any() {
                    self.load_start.next = true;
                } else if self.offset.q.val() != self.load_offset.val() {
                    self.answer_status.d.next = self.table_sequence.val();
                    self.left.d.next = self.word_bytes.val();
                    self.word.d.next = self.load_offset.val();
                    self.state.d.next = DispatcherState::Answer;
                }
            }
            DispatcherState::Stream => {
                if self.todo.q.val().any() {
                    self.load_valid.next = true;
                    self.advance.next = true;
                    self.todo.d.next = self.todo.q.val() - 1;
                } else {
                    self.todo.d.next = self.settle_clocks.val();
                    self.state.d.next = DispatcherState::Settle;
                }
            }
            DispatcherState::Settle => {
                self.todo.d.next = self.todo.q.val() - 1;
                if self.todo.q.val() == 1 {
                    self.state.d.next = DispatcherState::Answer;
                    if self.load_error.val() {
                        self.answer_status.d.next = self.table_content.val();
                    } else {
                        self.left.d.next = self.word_bytes.val();
                        self.word.d.next = self.load_offset.val();
                    }
                }
            }
            DispatcherState::Load => {
                self.advance.next = true;
                self.position_valid.next = true;
                self.todo.d.next = self.todo.q.val() - 1;
                self.answer_status.d.next = self.ok.val();
                self.left.d.next = self.word_bytes.val();
                if self.todo.q.val() == 1 {
                    self.state.d.next = DispatcherState::Begin;
                }
            }
            DispatcherState::Begin => {
                self.moved.d.next = false;
                self.scored.d.next = !self.is.evaluating.val();
                if self.is.evaluating.val() & !self.loaded.val() {
                    self.answer_status.d.next = self.no_table.val();
                    self.left.d.next = 0.into();
                    self.state.d.next = DispatcherState::Answer;
                } else if self.move_ready.val() & (self.score_ready.val() | !self.is.evaluating.val()) {
                    self.unit_start.next = 1.into();
                    if self.is.evaluating.val() {
                        self.unit_start.next = 3.into();
                    }
                    self.state.d.next = DispatcherState::Compute;
                }
            }
            DispatcherState::Compute => {
                if self.moved.q.val() & self.scored.q.val() {
                    self.state.d.next = DispatcherState::Answer;
                    if self.move_faults.val().any() {
                        self.answer_status.d.next = self.bad_position.val();
                        self.word.d.next = bit_cast::<32, 5>(self.move_faults.val());
                    } else if self.is.walking.val() {
                        self.walk_start.next = true;
                        self.state.d.next = DispatcherState::Walk;
                    } else if self.is.evaluating.val() {
                        self.word.d.next = bit_cast::<32, 16>(self.score.val());
                    } else {
                        self.word.d.next = bit_cast::<32, 10>(self.move_count.val())
                            | (bit_cast::<32, 16>(self.move_result.val()) << 16);
                        if self.is.generating.val() {
                            self.left.d.next = (bit_cast::<12, 10>(self.move_count.val()) << 2) + self.word_bytes.val();
                        }
                    }
                }
            }
            DispatcherState::Walk => {
                if self.walk_report.val() {
                    self.walk_show.next = true;
                    self.answer_status.d.next = self.walk_status.val();
                    self.left.d.next = self.sums_bytes.val();
                    self.state.d.next = DispatcherState::Answer;
                }
            }
            DispatcherState::Answer => {
                self.word_byte.d.next = 0.into();
                if self.ready.val() {
                    self.start.next = true;
                    self.position_ok.next = self.batch.q.val() & !self.answer_status.q.val().any();
                    if !self.left.q.val().any() {
                        self.state.d.next = DispatcherState::Advance;
                    } else if self.is.informing.val()
                        | (self.is.walking.val() & (self.answer_status.q.val() != self.bad_position.val()))
                    {
                        self.state.d.next = DispatcherState::Refill;
                    } else if self.is.echoing.val() {
                        self.state.d.next = DispatcherState::Copy;
                    } else {
                        self.state.d.next = DispatcherState::Word;
                    }
                }
            }
            DispatcherState::Refill => {
                if self.is.informing.val() {
                    self.word.d.next = self.info.val();
                    self.info_word.d.next = self.info_word.q.val() + 1;
                    self.state.d.next = DispatcherState::Word;
                } else if self.record_valid.val() {
                    self.word.d.next = self.record.val();
                    self.record_next.next = true;
                    self.state.d.next = DispatcherState::Word;
                }
            }
            DispatcherState::Word => {
                self.payload_valid.next = true;
                if self.payload_ready.val() {
                    self.word.d.next = self.word.q.val() >> 8;
                    self.word_byte.d.next = self.word_byte.q.val() + 1;
                    self.left.d.next = self.left.q.val() - 1;
                    if self.left.q.val() == 1 {
                        self.state.d.next = DispatcherState::Advance;
                    } else if self.word_byte.q.val().all() {
                        if self.is.generating.val() & self.record_valid.val() {
                            self.word.d.next = self.record.val();
                            self.record_next.next = true;
                        } else {
                            self.state.d.next = DispatcherState::Refill;
                        }
                    }
                }
            }
            DispatcherState::Copy => {
                self.payload.next = self.data.val();
                self.payload_valid.next = true;
                if self.payload_ready.val() {
                    self.advance.next = true;
                    self.left.d.next = self.left.q.val() - 1;
                    if self.left.q.val() == 1 {
                        self.state.d.next = DispatcherState::Advance;
                    }
                }
            }
            DispatcherState::Advance => {
                self.position_index.d.next = self.index_next.val();
                self.todo.d.next = self.image_bytes.val();
                if self.batch.q.val() & (self.index_next.val() != self.length.val().get_bits::<6>(6)) {
                    self.state.d.next = DispatcherState::Load;
                } else if self.answer_status.q.val() == self.progress.val() {
                    self.position_index.d.next = 0.into();
                    self.state.d.next = DispatcherState::Walk;
                } else {
                    self.retire.next = true;
                    self.state.d.next = DispatcherState::Idle;
                }
            }
        }
    }
}
