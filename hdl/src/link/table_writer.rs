//! Hands a part of a table to the evaluation unit and tells the result.
//!
//! ```text
//!               +-------------+
//!   clock      ->             -> advance       next word of the payload
//!   run        ->             -> finished
//!   offset 32  => TableWriter => status 4
//!   length 12  =>             -> has_offset    the answer is the offset that the unit expects
//!   data 64    =>             |
//!   table      =>             =>               `ports::TableClient`
//!               +-------------+
//! ```
//!
//! Handshake: `run` is high, with `offset` and `length` of the request stable, until the clock of `finished`. `data` is the payload's
//! word under the cursor, at first the one that begins with the offset. `status`
//! and `has_offset` are valid in that clock. A part with offset 0 begins a table; any other must follow the one before.
//! Latency: a clock if the offset is wrong, else one clock a byte and [`SETTLE_CLOCKS`] + 2.
//! Throughput: one byte a clock. Cost: 17 flip-flops. Model: `model/link`. Absent: the table itself (`evaluate::loader`).

use crate::ports::TableClient;
use hayasashi_spec::opcode::Status;
use rust_hdl::prelude::*;

/// Clocks after the last byte until the unit's verdict stands.
pub const SETTLE_CLOCKS: u64 = 4;

/// What the writer does.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum TableWriterState {
    /// Compare the offset.
    Check,
    /// Hand on the bytes.
    Stream,
    /// Wait for the unit's verdict.
    Settle,
}

crate::constants! {
    Values {
        ok: Bits<4> = Status::Ok;
        table_sequence: Bits<4> = Status::TableSequence;
        table_content: Bits<4> = Status::TableContent;
        offset_bytes: Bits<12> = 4;
        settle_clocks: Bits<12> = SETTLE_CLOCKS;
    }
}

/// Hands a part of a table on.
#[derive(LogicBlock, Default)]
pub struct TableWriter {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// High to the clock of `finished`.
    pub run: Signal<In, Bit>,
    /// The part's offset in the table file; stable while `run`.
    pub offset: Signal<In, Bits<32>>,
    /// Bytes of the request's payload, the offset included.
    pub length: Signal<In, Bits<12>>,
    /// The evaluation unit's table.
    pub table: TableClient,
    /// The payload's word under the cursor.
    pub data: Signal<In, Bits<64>>,
    /// The cursor moves to the next word.
    pub advance: Signal<Out, Bit>,
    /// For one clock: the part is handed on, or refused.
    pub finished: Signal<Out, Bit>,
    /// With `finished`: status of the answer.
    pub status: Signal<Out, Bits<4>>,
    /// With `finished`: the answer is the offset expected next.
    pub has_offset: Signal<Out, Bit>,
    state: DFF<TableWriterState>,
    /// Bytes to hand on; in `Settle`, clocks to wait.
    remaining: DFF<Bits<12>>,
    /// Byte of the word.
    lane: DFF<Bits<3>>,
    value: Values,
}

impl Logic for TableWriter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, remaining, lane);
        match self.lane.q.val().index() {
            0 => self.table.byte.next = bit_cast::<8, 64>(self.data.val()),
            1 => self.table.byte.next = self.data.val().get_bits::<8>(8),
            2 => self.table.byte.next = self.data.val().get_bits::<8>(16),
            3 => self.table.byte.next = self.data.val().get_bits::<8>(24),
            4 => self.table.byte.next = self.data.val().get_bits::<8>(32),
            5 => self.table.byte.next = self.data.val().get_bits::<8>(40),
            6 => self.table.byte.next = self.data.val().get_bits::<8>(48),
            _ => self.table.byte.next = self.data.val().get_bits::<8>(56),
        }
        self.table.start.next = false;
        self.table.valid.next = false;
        self.advance.next = false;
        self.finished.next = false;
        self.status.next = self.value.ok.val();
        self.has_offset.next = true;
        match self.state.q.val() {
            TableWriterState::Check => {
                if self.run.val() {
                    self.lane.d.next = 4.into();
                    self.remaining.d.next = self.length.val() - self.value.offset_bytes.val();
                    self.state.d.next = TableWriterState::Stream;
                    if !self.offset.val().any() {
                        self.table.start.next = true;
                    } else if self.offset.val() != self.table.offset.val() {
                        self.status.next = self.value.table_sequence.val();
                        self.finished.next = true;
                        self.state.d.next = TableWriterState::Check;
                    }
                }
            }
            TableWriterState::Stream => {
                if self.remaining.q.val().any() {
                    self.table.valid.next = true;
                    self.advance.next = self.lane.q.val().all();
                    self.lane.d.next = self.lane.q.val() + 1;
                    self.remaining.d.next = self.remaining.q.val() - 1;
                } else {
                    self.remaining.d.next = self.value.settle_clocks.val();
                    self.state.d.next = TableWriterState::Settle;
                }
            }
            TableWriterState::Settle => {
                self.remaining.d.next = self.remaining.q.val() - 1;
                if self.remaining.q.val() == 1 {
                    if self.table.error.val() {
                        self.status.next = self.value.table_content.val();
                        self.has_offset.next = false;
                    }
                    self.finished.next = true;
                    self.state.d.next = TableWriterState::Check;
                }
            }
        }
        if self.reset.val() {
            self.state.d.next = TableWriterState::Check;
        }
    }
}
