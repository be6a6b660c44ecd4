//! Controls a walk: starts and stops the units, adds up what they count, and reports.
//!
//! ```text
//!                  +----------------+
//!   clock         ->                =>                requests: `ports::LongServer`
//!   requests      =>                =>                units: `ports::WalkLeader`, `busy` of any unit
//!   units         =>                =>                words: `ports::WordSource`, the sums of an answer
//!   counts        => WalkController |                 `ports::WalkCounts`
//!   move_count 10 =>                |                 legal moves of the position
//!   cancelled     ->                |
//!   words         =>                |
//!                  +----------------+
//! ```
//!
//! Handshake: `load` copies the parameters of a request (`hayasashi_spec::perft`), stable since the clock before; it is
//! `possible` or refused. `start` begins the walk below a position with `move_count` moves, stable to the next clock. `report` asks
//! for an answer with this status; `show`, while `report`, copies the sums, whose first word is in `words` from two clocks later on.
//! Latency: the units start two clocks after `start`; a walk ends [`SETTLE`] + 1 clocks after the last unit.
//! Throughput: one walk at a time.
//! Cost: 443 flip-flops. Model: `model/perft`. Absent: a guard against overflow, which is years away.

use crate::link::report_timer::ReportTimer;
use crate::ports::{LongServer, WalkCounts, WalkLeader, WordSource};
use hayasashi_spec::{opcode::*, perft::*};
use rust_hdl::prelude::*;
use std::mem::offset_of;

/// Clocks after the last unit has ended until all is added.
pub const SETTLE: u64 = 3;

crate::constants! {
    Values {
        /// Lowest bits of the fields in a request's first word.
        interval_bit: Bits<5> = 8 * offset_of!(PerftHead, interval);
        reserved_bit: Bits<5> = 8 * offset_of!(PerftHead, reserved);
        max_depth: Bits<8> = MAX_DEPTH;
        min_interval: Bits<8> = MIN_INTERVAL;
        max_interval: Bits<8> = MAX_INTERVAL;
        settle_clocks: Bits<2> = SETTLE;
        sums_words: Bits<2> = SUMS_BYTES / 8;
        sums_bytes: Bits<12> = SUMS_BYTES;
        ok: Bits<4> = Status::Ok;
        progress: Bits<4> = Status::Progress;
        cancelled: Bits<4> = Status::Cancelled;
        opcode: Bits<8> = Opcode::Perft;
    }
}

/// Controls a walk.
#[derive(LogicBlock, Default)]
pub struct WalkController {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// The dispatcher's requests.
    pub requests: LongServer,
    /// Orders to the units; `busy` of any of them.
    pub units: WalkLeader,
    /// What the units count.
    pub counts: WalkCounts,
    /// The sums of an answer.
    pub words: WordSource,
    /// Legal moves of the position.
    pub move_count: Signal<In, Bits<10>>,
    /// End the walk: a CANCEL waits.
    pub cancelled: Signal<In, Bit>,
    timer: ReportTimer,
    depth: DFF<Bits<4>>,
    interval: DFF<Bits<6>>,
    /// The dispatcher's orders of the last clock, and whether the report that is shown is the last one.
    begins: DFF<Bit>,
    shows: DFF<Bit>,
    shows_end: DFF<Bit>,
    possible: DFF<Bit>,
    sequence: DFF<Bits<16>>,
    /// The units start in this clock.
    starting: DFF<Bit>,
    /// The walk goes on; it is to end early; it has ended, and this is not reported yet.
    active: DFF<Bit>,
    stopped: DFF<Bit>,
    ended: DFF<Bit>,
    settle: DFF<Bits<2>>,
    /// Counted in the last clock.
    new_leaves: DFF<Bits<12>>,
    new_expansions: DFF<Bits<3>>,
    node_sum: DFF<Bits<64>>,
    expansion_sum: DFF<Bits<64>>,
    /// A report of progress is due.
    due: DFF<Bit>,
    /// The sums of an answer, as words that were not taken, the next one lowest; and how many there are.
    sums_left: DFF<Bits<192>>,
    words_left: DFF<Bits<2>>,
    head_depth: Signal<Local, Bits<8>>,
    head_interval: Signal<Local, Bits<8>>,
    head_reserved: Signal<Local, Bits<16>>,
    value: Values,
}

impl Logic for WalkController {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, depth, interval, starting, active, stopped, ended, settle, new_leaves, new_expansions);
        dff_setup!(self, clock, node_sum, expansion_sum, due, sums_left, words_left);
        dff_setup!(self, clock, begins, shows, shows_end, possible, sequence);
        clock!(self, clock, timer);
        self.requests.loaded.next = self.requests.load.val();
        self.requests.bytes.next = self.value.sums_bytes.val();
        self.requests.begun.next = true;
        self.requests.waits.next = self.begins.q.val() | self.active.q.val() | self.ended.q.val();
        self.requests.free.next = !self.begins.q.val() & !self.active.q.val() & !self.ended.q.val();
        self.requests.opcode.next = self.value.opcode.val();
        self.requests.reported.next = self.sequence.q.val();
        if self.requests.start.val() {
            self.sequence.d.next = self.requests.sequence.val();
        }
        self.head_depth.next = bit_cast::<8, 32>(self.requests.head.val());
        self.head_interval.next = self.requests.head.val().get_bits::<8>(self.value.interval_bit.val().index());
        self.head_reserved.next = self.requests.head.val().get_bits::<16>(self.value.reserved_bit.val().index());
        self.begins.d.next = self.requests.start.val();
        self.shows.d.next = self.requests.show.val();
        self.shows_end.d.next = self.ended.q.val();
        self.requests.possible.next = self.possible.q.val();
        self.possible.d.next = self.head_depth.val().any()
            & (self.head_depth.val() <= self.value.max_depth.val())
            & !self.head_reserved.val().any()
            & (!self.head_interval.val().any()
                | ((self.head_interval.val() >= self.value.min_interval.val())
                    & (self.head_interval.val() <= self.value.max_interval.val())));
        if self.requests.load.val() {
            self.depth.d.next = bit_cast::<4, 8>(self.head_depth.val());
            self.interval.d.next = bit_cast::<6, 8>(self.head_interval.val());
        }

        self.new_leaves.d.next = self.counts.leaves.val();
        self.new_expansions.d.next = self.counts.expansions.val();
        self.node_sum.d.next = self.node_sum.q.val() + bit_cast::<64, 12>(self.new_leaves.q.val());
        self.expansion_sum.d.next = self.expansion_sum.q.val() + bit_cast::<64, 3>(self.new_expansions.q.val());

        self.units.start.next = self.starting.q.val();
        self.starting.d.next = false;
        self.units.depth.next = self.depth.q.val();
        self.units.stop.next = false;
        self.settle.d.next = self.value.settle_clocks.val();
        if self.active.q.val() {
            if self.cancelled.val() {
                self.units.stop.next = true;
                self.stopped.d.next = true;
            }
            if !self.units.busy.val() {
                self.settle.d.next = self.settle.q.val() - 1;
                if !self.settle.q.val().any() {
                    self.active.d.next = false;
                    self.ended.d.next = true;
                }
            }
        }

        // Reports.
        self.timer.start.next = self.begins.q.val() | self.reset.val();
        self.timer.run.next = self.active.q.val();
        self.timer.interval.next = self.interval.q.val();
        if self.timer.due.val() {
            self.due.d.next = true;
        }
        self.requests.report.next = self.due.q.val() | self.ended.q.val();
        self.requests.status.next = self.value.progress.val();
        if self.ended.q.val() {
            self.requests.status.next = self.value.ok.val();
            if self.stopped.q.val() {
                self.requests.status.next = self.value.cancelled.val();
            }
        }
        self.words.data.next = bit_cast::<64, 192>(self.sums_left.q.val());
        self.words.valid.next = self.words_left.q.val().any();
        if self.words.take.val() & self.words_left.q.val().any() {
            self.words_left.d.next = self.words_left.q.val() - 1;
            self.sums_left.d.next = self.sums_left.q.val() >> 64;
        }
        if self.shows.q.val() {
            self.sums_left.d.next = bit_cast::<192, 64>(self.node_sum.q.val())
                | (bit_cast::<192, 64>(self.expansion_sum.q.val()) << 64)
                | (bit_cast::<192, 64>(self.timer.clocks.val()) << 128);
            self.words_left.d.next = self.value.sums_words.val();
            self.due.d.next = false;
            if self.shows_end.q.val() {
                self.ended.d.next = false;
            }
        }

        if self.begins.q.val() {
            self.active.d.next = true;
            self.stopped.d.next = false;
            self.due.d.next = false;
            self.node_sum.d.next = 0.into();
            self.expansion_sum.d.next = 0.into();
            if self.depth.q.val() == 1 {
                // The moves of the position itself are its leaves.
                self.new_leaves.d.next = bit_cast::<12, 10>(self.move_count.val());
                self.new_expansions.d.next = 1.into();
            } else {
                self.starting.d.next = true;
            }
        }
        if self.reset.val() {
            self.begins.d.next = false;
            self.shows.d.next = false;
            self.starting.d.next = false;
            self.active.d.next = false;
            self.ended.d.next = false;
            self.due.d.next = false;
            self.words_left.d.next = 0.into();
        }
    }
}

crate::inputs!(
    WalkController: clock, reset, requests.is_search, requests.load, requests.head, requests.sequence, requests.start, requests.show, units.busy, counts.leaves, counts.expansions, words.take, move_count, cancelled
);
