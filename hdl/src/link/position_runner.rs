//! Reads a position of a request, starts the units on it and makes the first word of its answer.
//!
//! ```text
//!                 +----------------+
//!   clock        ->                -> advance          next byte of the payload
//!   run          ->                -> position_valid   the payload byte is one of a position's 64
//!   is_evaluate  ->                -> unit_start       for one clock: the units start
//!   is_generate  -> PositionRunner -> finished
//!   is_expand    ->                |
//!   is_perft     ->                -> walk             with `finished`: the position is possible, walk its tree
//!   table_loaded ->                => status 4, length 12, word 32     of the answer; -> set_word: it has a word
//!   moves        =>                =>                  `ports::MoveClient`
//!   scores       =>                |                   `ports::ScoreClient`
//!                 +----------------+
//! ```
//!
//! Handshake: `run` is high from the position's first byte to the clock of `finished`; `is_evaluate`, `is_generate`, `is_expand`
//! and `is_perft` (at most one of them; none counts) are stable meanwhile. `status`, `length` and `word` are valid with `finished`.
//! `length` is that of the whole answer: behind `word` come the records of a move list.
//! Latency: 64 clocks to read, one to start, the unit's, and two more. Throughput: one position at a time: the next one's
//! bytes are not read before the answer has been handed over. Cost: 10 flip-flops. Model: `model/link`.
//! Absent: overlap of reading with the work on the position before (the link is slower than both).

use crate::ports::{MoveClient, ScoreClient};
use hayasashi_spec::opcode::{Status, RESULT_BYTES};
use hayasashi_spec::position::IMAGE_BYTES;
use rust_hdl::prelude::*;

/// What the runner does.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum PositionRunnerState {
    /// Read the position.
    Read,
    /// Start the units when they are ready.
    Start,
    /// Wait for them.
    Compute,
}

// `byte_index` counts the bytes of a position modulo their number; a result header is a word.
const _: () = assert!(IMAGE_BYTES == 64 && RESULT_BYTES == 4);

crate::constants! {
    Values {
        ok: Bits<4> = Status::Ok;
        bad_position: Bits<4> = Status::Position;
        no_table: Bits<4> = Status::NoTable;
        word_bytes: Bits<12> = 4;
    }
}

/// Reads a position and runs the units on it.
#[derive(LogicBlock, Default)]
pub struct PositionRunner {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// High from the position's first byte to the clock of `finished`.
    pub run: Signal<In, Bit>,
    /// The request is EVALUATE; stable while `run`.
    pub is_evaluate: Signal<In, Bit>,
    /// The request is GENERATE; stable while `run`.
    pub is_generate: Signal<In, Bit>,
    /// The request is EXPAND; stable while `run`.
    pub is_expand: Signal<In, Bit>,
    /// The request is PERFT; stable while `run`.
    pub is_perft: Signal<In, Bit>,
    /// The evaluation unit has a table.
    pub table_loaded: Signal<In, Bit>,
    /// The payload's cursor moves to the next byte.
    pub advance: Signal<Out, Bit>,
    /// The payload byte is one of the position.
    pub position_valid: Signal<Out, Bit>,
    /// For one clock: the units start.
    pub unit_start: Signal<Out, Bit>,
    /// The move generation unit.
    pub moves: MoveClient,
    /// The evaluation unit's scores.
    pub scores: ScoreClient,
    /// For one clock: what is to be answered stands.
    pub finished: Signal<Out, Bit>,
    /// With `finished`: the position is possible, walk its tree.
    pub walk: Signal<Out, Bit>,
    /// With `finished`: status of the answer.
    pub status: Signal<Out, Bits<4>>,
    /// With `finished`: bytes of the answer's payload.
    pub length: Signal<Out, Bits<12>>,
    /// With `finished`: `word` is the answer's first word.
    pub set_word: Signal<Out, Bit>,
    /// Result header, score or faults.
    pub word: Signal<Out, Bits<32>>,
    state: DFF<PositionRunnerState>,
    /// Byte of the position under the cursor.
    byte_index: DFF<Bits<6>>,
    /// The move generation unit is finished; so is the evaluation unit, or it was not started.
    moves_done: DFF<Bit>,
    score_done: DFF<Bit>,
    /// Bytes of the result header and the records.
    records_length: Signal<Local, Bits<12>>,
    value: Values,
}

impl Logic for PositionRunner {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, byte_index, moves_done, score_done);
        self.moves.want_records.next = self.is_generate.val() | self.is_expand.val();
        self.moves.want_scores.next = self.is_evaluate.val() | self.is_expand.val();
        self.advance.next = false;
        self.position_valid.next = false;
        self.unit_start.next = false;
        self.finished.next = false;
        self.walk.next = false;
        self.status.next = self.value.ok.val();
        self.length.next = self.value.word_bytes.val();
        self.set_word.next = false;
        self.word.next = 0.into();
        if self.moves.done.val() {
            self.moves_done.d.next = true;
        }
        if self.scores.done.val() {
            self.score_done.d.next = true;
        }
        self.records_length.next = (bit_cast::<12, 10>(self.moves.count.val()) << 2) + self.value.word_bytes.val();
        match self.state.q.val() {
            PositionRunnerState::Read => {
                if self.run.val() {
                    self.advance.next = true;
                    self.position_valid.next = true;
                    self.byte_index.d.next = self.byte_index.q.val() + 1;
                    if self.byte_index.q.val().all() {
                        self.state.d.next = PositionRunnerState::Start;
                    }
                }
            }
            PositionRunnerState::Start => {
                self.moves_done.d.next = false;
                self.score_done.d.next = !self.is_evaluate.val();
                if (self.is_evaluate.val() | self.is_expand.val()) & !self.table_loaded.val() {
                    self.status.next = self.value.no_table.val();
                    self.length.next = 0.into();
                    self.finished.next = true;
                    self.state.d.next = PositionRunnerState::Read;
                } else if self.moves.ready.val() {
                    self.unit_start.next = true;
                    self.state.d.next = PositionRunnerState::Compute;
                }
            }
            PositionRunnerState::Compute => {
                if self.moves_done.q.val() & self.score_done.q.val() {
                    self.finished.next = true;
                    self.set_word.next = true;
                    self.word.next = bit_cast::<32, 10>(self.moves.count.val())
                        | (bit_cast::<32, 16>(self.moves.result.val()) << 16);
                    self.state.d.next = PositionRunnerState::Read;
                    if self.moves.faults.val().any() {
                        self.status.next = self.value.bad_position.val();
                        self.word.next = bit_cast::<32, 5>(self.moves.faults.val());
                    } else if self.is_perft.val() {
                        self.walk.next = true;
                        self.set_word.next = false;
                    } else if self.is_evaluate.val() {
                        self.word.next = bit_cast::<32, 16>(self.scores.score.val());
                    } else if self.is_generate.val() {
                        self.length.next = self.records_length.val();
                    } else if self.is_expand.val() {
                        self.length.next =
                            self.records_length.val() + (bit_cast::<12, 10>(self.moves.count.val()) << 1);
                    }
                }
            }
        }
        if self.reset.val() {
            self.state.d.next = PositionRunnerState::Read;
            self.byte_index.d.next = 0.into();
        }
    }
}
