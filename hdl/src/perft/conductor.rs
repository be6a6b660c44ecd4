//! Leads the units of a walk, adds up what they count, and says how far they are.
//!
//! ```text
//!  take, head 32 ──▶┌───────────┐
//!  possible ◀───────┤           ├─▶ unit_start, unit_depth 4, unit_stop
//!  start, count 10 ▶│ conductor │◀── busy           a unit works
//!  report, status 4◀┤           │◀── leaves 12      counted by all units in this clock,
//!  show ───────────▶│           │◀── expansions 3   at so many positions
//!  word 32, valid ◀─┤           │◀── cancelled
//!  word_next ──────▶└───────────┘
//! ```
//!
//! Handshake: `take` copies the head of a request (`hayasashi_spec::perft`), which is `possible` in that clock or refused.
//! `start` begins the walk below a position with `count` moves. `report` asks for an answer with this status; `show`, while
//! `report`, copies the sums, of which the first word is `word`; `word_next` goes to the next.
//! Model: `model/perft`. Absent: a guard against overflow, which is years away.

use hayasashi_spec::{opcode::Status, perft::*};
use rust_hdl::prelude::*;

/// Clocks after the last unit has ended until all is added.
const SETTLE: u64 = 3;

#[derive(LogicBlock)]
pub struct Conductor {
    pub clock: Signal<In, Clock>,
    pub take: Signal<In, Bit>,
    pub head: Signal<In, Bits<32>>,
    pub possible: Signal<Out, Bit>,
    pub start: Signal<In, Bit>,
    pub count: Signal<In, Bits<10>>,
    pub cancelled: Signal<In, Bit>,
    pub report: Signal<Out, Bit>,
    pub status: Signal<Out, Bits<4>>,
    pub show: Signal<In, Bit>,
    pub word: Signal<Out, Bits<32>>,
    pub word_valid: Signal<Out, Bit>,
    pub word_next: Signal<In, Bit>,
    pub unit_start: Signal<Out, Bit>,
    pub unit_depth: Signal<Out, Bits<4>>,
    pub unit_stop: Signal<Out, Bit>,
    pub busy: Signal<In, Bit>,
    pub leaves: Signal<In, Bits<12>>,
    pub expansions: Signal<In, Bits<3>>,
    depth: DFF<Bits<4>>,
    interval: DFF<Bits<6>>,
    /// The units start in this clock.
    starting: DFF<Bit>,
    /// The walk goes on; it is to end early; it has ended.
    active: DFF<Bit>,
    stopped: DFF<Bit>,
    ended: DFF<Bit>,
    settle: DFF<Bits<2>>,
    /// Counted in the last clock.
    new_leaves: DFF<Bits<12>>,
    new_expansions: DFF<Bits<3>>,
    node_sum: DFF<Bits<64>>,
    expansion_sum: DFF<Bits<64>>,
    clock_sum: DFF<Bits<64>>,
    /// The bit of the clocks that changes when a report is due, and as it was a clock ago.
    period: DFF<Bit>,
    period_before: DFF<Bit>,
    due: DFF<Bit>,
    /// The sums, and words of them that were not taken.
    shown: DFF<Bits<192>>,
    words: DFF<Bits<3>>,
    periods: Signal<Local, Bits<64>>,
    head_depth: Signal<Local, Bits<8>>,
    head_interval: Signal<Local, Bits<8>>,
    max_depth: Constant<Bits<8>>,
    min_interval: Constant<Bits<8>>,
    max_interval: Constant<Bits<8>>,
    settle_clocks: Constant<Bits<2>>,
    shown_words: Constant<Bits<3>>,
    ok: Constant<Bits<4>>,
    progress: Constant<Bits<4>>,
    ended_early: Constant<Bits<4>>,
}

impl Default for Conductor {
    fn default() -> Self {
        let status = |s: Status| Constant::new((s as u64).into());
        Conductor {
            clock: Default::default(),
            take: Default::default(),
            head: Default::default(),
            possible: Default::default(),
            start: Default::default(),
            count: Default::default(),
            cancelled: Default::default(),
            report: Default::default(),
            status: Default::default(),
            show: Default::default(),
            word: Default::default(),
            word_valid: Default::default(),
            word_next: Default::default(),
            unit_start: Default::default(),
            unit_depth: Default::default(),
            unit_stop: Default::default(),
            busy: Default::default(),
            leaves: Default::default(),
            expansions: Default::default(),
            depth: Default::default(),
            interval: Default::default(),
            starting: Default::default(),
            active: Default::default(),
            stopped: Default::default(),
            ended: Default::default(),
            settle: Default::default(),
            new_leaves: Default::default(),
            new_expansions: Default::default(),
            node_sum: Default::default(),
            expansion_sum: Default::default(),
            clock_sum: Default::default(),
            period: Default::default(),
            period_before: Default::default(),
            due: Default::default(),
            shown: Default::default(),
            words: Default::default(),
            periods: Default::default(),
            head_depth: Default::default(),
            head_interval: Default::default(),
            max_depth: Constant::new((MAX_DEPTH as u64).into()),
            min_interval: Constant::new((MIN_INTERVAL as u64).into()),
            max_interval: Constant::new((MAX_INTERVAL as u64).into()),
            settle_clocks: Constant::new(SETTLE.into()),
            shown_words: Constant::new((SUMS_BYTES / 4).to_bits()),
            ok: status(Status::Ok),
            progress: status(Status::Progress),
            ended_early: status(Status::Cancelled),
        }
    }
}

impl Logic for Conductor {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, depth, interval, starting, active, stopped, ended, settle, new_leaves, new_expansions);
        dff_setup!(self, clock, node_sum, expansion_sum, clock_sum, period, period_before, due, shown, words);
        self.head_depth.next = self.head.val().get_bits::<8>(0);
        self.head_interval.next = self.head.val().get_bits::<8>(8);
        self.possible.next = self.head_depth.val().any()
            & (self.head_depth.val() <= self.max_depth.val())
            & !self.head.val().get_bits::<16>(16).any()
            & (!self.head_interval.val().any()
                | ((self.head_interval.val() >= self.min_interval.val())
                    & (self.head_interval.val() <= self.max_interval.val())));
        if self.take.val() {
            self.depth.d.next = bit_cast::<4, 8>(self.head_depth.val());
            self.interval.d.next = bit_cast::<6, 8>(self.head_interval.val());
        }

        self.new_leaves.d.next = self.leaves.val();
        self.new_expansions.d.next = self.expansions.val();
        self.node_sum.d.next = self.node_sum.q.val() + bit_cast::<64, 12>(self.new_leaves.q.val());
        self.expansion_sum.d.next = self.expansion_sum.q.val() + bit_cast::<64, 3>(self.new_expansions.q.val());
        if self.active.q.val() {
            self.clock_sum.d.next = self.clock_sum.q.val() + 1;
        }

        self.unit_start.next = self.starting.q.val();
        self.starting.d.next = false;
        self.unit_depth.next = self.depth.q.val();
        self.unit_stop.next = false;
        self.settle.d.next = self.settle_clocks.val();
        if self.active.q.val() {
            if self.cancelled.val() {
                self.unit_stop.next = true;
                self.stopped.d.next = true;
            }
            if !self.busy.val() {
                self.settle.d.next = self.settle.q.val() - 1;
                if !self.settle.q.val().any() {
                    self.active.d.next = false;
                    self.ended.d.next = true;
                }
            }
        }

        // A report is due.
        self.periods.next = self.clock_sum.q.val() >> self.interval.q.val();
        self.period.d.next = self.periods.val().get_bit(0);
        self.period_before.d.next = self.period.q.val();
        if self.active.q.val() & (self.period.q.val() != self.period_before.q.val()) & self.interval.q.val().any() {
            self.due.d.next = true;
        }
        self.report.next = self.due.q.val() | self.ended.q.val();
        self.status.next = self.progress.val();
        if self.ended.q.val() {
            self.status.next = self.ok.val();
            if self.stopped.q.val() {
                self.status.next = self.ended_early.val();
            }
        }
        self.word.next = bit_cast::<32, 192>(self.shown.q.val());
        self.word_valid.next = self.words.q.val().any();
        if self.word_next.val() & self.words.q.val().any() {
            self.words.d.next = self.words.q.val() - 1;
            self.shown.d.next = self.shown.q.val() >> 32;
        }
        if self.show.val() {
            self.shown.d.next = bit_cast::<192, 64>(self.node_sum.q.val())
                | (bit_cast::<192, 64>(self.expansion_sum.q.val()) << 64)
                | (bit_cast::<192, 64>(self.clock_sum.q.val()) << 128);
            self.words.d.next = self.shown_words.val();
            self.due.d.next = false;
            self.ended.d.next = false;
        }

        if self.start.val() {
            self.active.d.next = true;
            self.stopped.d.next = false;
            self.due.d.next = false;
            self.node_sum.d.next = 0.into();
            self.expansion_sum.d.next = 0.into();
            self.clock_sum.d.next = 0.into();
            if self.depth.q.val() == 1 {
                // The moves of the position itself are its leaves.
                self.new_leaves.d.next = bit_cast::<12, 10>(self.count.val());
                self.new_expansions.d.next = 1.into();
            } else {
                self.starting.d.next = true;
            }
        }
    }
}
