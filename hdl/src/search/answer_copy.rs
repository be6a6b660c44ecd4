//! Copies the walker's answer, and gives it word by word.
//!
//! ```text
//!                 +------------+
//!   clock        ->            => line_at 4
//!   run          ->            -> finished
//!   score 16     =>            -> free      a copy may be made
//!   depth 6      =>            =>           words: `ports::WordSource`, the bytes of a `Found`
//!   length 5     => AnswerCopy |
//!   nodes 64     =>            |
//!   steps 64     =>            |
//!   clocks 64    =>            |
//!   line_move 16 =>            |
//!   show, reset  ->            |
//!                 +------------+
//! ```
//!
//! Handshake: `run`, while `free`, is high to the clock of `finished`; the answer stays as it is. `line_move` is the move at `line_at`,
//! one clock later. `show` gives the words of the last copy, the first one in the next clock; until all are taken nothing is `free`.
//! Latency: [`COPY_CLOCKS`]. Throughput: one copy at a time. Cost: 76 flip-flops, 8 rows of 64 wires.
//! Model: `Found` of `hayasashi_spec::search`. Absent: when an answer is copied (`controller`).

use crate::ports::WordSource;
use hayasashi_spec::search::*;
use rust_hdl::prelude::*;
use std::mem::offset_of;

/// Clocks of a copy.
pub const COPY_CLOCKS: u64 = 18;

crate::constants! {
    Values {
        depth_bit: Bits<6> = 8 * offset_of!(Found, depth);
        length_bit: Bits<6> = 8 * offset_of!(Found, length);
        /// The words of the line follow two clocks behind their last move: row 4 in clocks 2 to 5, and so on.
        line_ahead: Bits<6> = 4 * offset_of!(Found, line) / 8 - 2;
        last_clock: Bits<5> = COPY_CLOCKS - 1;
        found_words: Bits<4> = FOUND_BYTES / 8;
    }
}

/// Copies the walker's answer.
#[derive(LogicBlock, Default)]
pub struct AnswerCopy {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// Copy the answer; high to the clock of `finished`.
    pub run: Signal<In, Bit>,
    /// Score, two's complement.
    pub score: Signal<In, Bits<16>>,
    /// Plies of the last completed iteration.
    pub depth: Signal<In, Bits<6>>,
    /// Moves of the line.
    pub length: Signal<In, Bits<5>>,
    /// Nodes.
    pub nodes: Signal<In, Bits<64>>,
    /// Steps.
    pub steps: Signal<In, Bits<64>>,
    /// Clocks.
    pub clocks: Signal<In, Bits<64>>,
    /// Which move of the line.
    pub line_at: Signal<Out, Bits<4>>,
    /// That move, one clock later.
    pub line_move: Signal<In, Bits<16>>,
    /// For one clock: the copy is whole.
    pub finished: Signal<Out, Bit>,
    /// For one clock: give the words.
    pub show: Signal<In, Bit>,
    /// All words of the last copy that was shown are taken.
    pub free: Signal<Out, Bit>,
    /// The words.
    pub words: WordSource,
    apart_rows: RAM<Bits<64>, 3>,
    /// Clocks of the copy.
    step: DFF<Bits<5>>,
    /// The last four moves of the line that were read, the first one lowest.
    moves: DFF<Bits<64>>,
    at: DFF<Bits<3>>,
    words_left: DFF<Bits<4>>,
    next_at: Signal<Local, Bits<3>>,
    takes: Signal<Local, Bit>,
    line_row: Signal<Local, Bits<6>>,
    value: Values,
}

impl Logic for AnswerCopy {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, step, moves, at, words_left);
        self.apart_rows.read_clock.next = self.clock.val();
        self.apart_rows.write_clock.next = self.clock.val();
        self.apart_rows.write_enable.next = self.run.val();
        self.line_at.next = bit_cast::<4, 5>(self.step.q.val());
        self.line_row.next = bit_cast::<6, 5>(self.step.q.val()) + self.value.line_ahead.val();
        match self.step.q.val().index() {
            0 => {
                self.apart_rows.write_address.next = 0.into();
                self.apart_rows.write_data.next = bit_cast::<64, 16>(self.score.val())
                    | (bit_cast::<64, 6>(self.depth.val()) << self.value.depth_bit.val())
                    | (bit_cast::<64, 5>(self.length.val()) << self.value.length_bit.val());
            }
            1 => {
                self.apart_rows.write_address.next = 1.into();
                self.apart_rows.write_data.next = self.nodes.val();
            }
            2 => {
                self.apart_rows.write_address.next = 2.into();
                self.apart_rows.write_data.next = self.steps.val();
            }
            3 => {
                self.apart_rows.write_address.next = 3.into();
                self.apart_rows.write_data.next = self.clocks.val();
            }
            _ => {
                self.apart_rows.write_address.next = self.line_row.val().get_bits::<3>(2);
                self.apart_rows.write_data.next = self.moves.q.val();
            }
        }
        self.finished.next = self.run.val() & (self.step.q.val() == self.value.last_clock.val());
        if self.run.val() {
            self.step.d.next = self.step.q.val() + 1;
            self.moves.d.next = (self.moves.q.val() >> 16) | (bit_cast::<64, 16>(self.line_move.val()) << 48);
        }
        if self.finished.val() | self.reset.val() {
            self.step.d.next = 0.into();
        }

        self.free.next = !self.words_left.q.val().any();
        self.words.valid.next = self.words_left.q.val().any();
        self.words.data.next = 0.into();
        if self.words_left.q.val().any() {
            self.words.data.next = self.apart_rows.read_data.val();
        }
        self.takes.next = self.words.take.val() & self.words_left.q.val().any();
        self.next_at.next = self.at.q.val();
        if self.takes.val() {
            self.next_at.next = self.at.q.val() + 1;
            self.words_left.d.next = self.words_left.q.val() - 1;
        }
        self.apart_rows.read_address.next = self.next_at.val();
        self.at.d.next = self.next_at.val();
        if self.show.val() {
            self.words_left.d.next = self.value.found_words.val();
        }
        if self.reset.val() {
            self.at.d.next = 0.into();
            self.words_left.d.next = 0.into();
        }
    }
}
