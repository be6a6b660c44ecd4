//! Controls a search: hands the request to the walker, and reports.
//!
//! ```text
//!                    +------------------+
//!   clock, reset    ->                  -> advance
//!   requests        =>                  =>          requests: `ports::LongServer`
//!   request_word 64 => SearchController =>          walker: `ports::SearchLeader`
//!   length 12       =>                  =>          words: `ports::WordSource`, an answer's payload
//!   cancelled       ->                  |
//!   is_oldest       ->                  |
//!   walker, words   =>                  |
//!                    +------------------+
//! ```
//!
//! Handshake: while `load`, the head is read. `start` clears the walker, gives it the path and starts it. A report of progress is a
//! copy of the walker's answer, taken while the walker waits; the last one is taken when it has ended. `report` stays until
//! `show`, and the next copy is not begun before all words of the one before are taken.
//! A CANCEL stops the walker; one that comes before the start leaves out the rest of the path. The next request may be loaded before the
//! last answer is shown. Progress is reported only while the request `is_oldest`.
//! Latency: `loaded` after six clocks; a report 20 clocks after the walker waits or has ended. Throughput: one search at a time.
//! Cost: 428 flip-flops with its blocks. Model: `host/model/src/search/searching.rs`. Absent: the search (`unit`).

use super::answer_copy::AnswerCopy;
use super::controller_state::{SearchControllerState, Values};
use super::request::Range;
use crate::config::ChipConfig;
use crate::link::report_timer::ReportTimer;
use crate::ports::{LongServer, SearchLeader, WordSource};
use rust_hdl::prelude::*;

/// Controls a search.
#[derive(LogicBlock, Default)]
pub struct SearchController {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// The dispatcher's requests.
    pub requests: LongServer,
    /// The word of the request's payload under the cursor.
    pub request_word: Signal<In, Bits<64>>,
    /// Bytes of the payload.
    pub length: Signal<In, Bits<12>>,
    /// The cursor moves to the next word.
    pub advance: Signal<Out, Bit>,
    /// Orders to the walker.
    pub walker: SearchLeader,
    /// An answer's payload.
    pub words: WordSource,
    /// End the search: a CANCEL waits.
    pub cancelled: Signal<In, Bit>,
    /// All requests before this one are answered.
    pub is_oldest: Signal<In, Bit>,
    range: Range,
    timer: ReportTimer,
    copy: AnswerCopy,
    state: DFF<SearchControllerState>,
    head: DFF<Bits<256>>,
    /// Clocks of the head that is read.
    step: DFF<Bits<3>>,
    interval: DFF<Bits<6>>,
    /// Sequence numbers of the request that was started, and of that which is reported.
    sequence: DFF<Bits<16>>,
    of: DFF<Bits<16>>,
    /// Positions of the path that the walker does not have yet.
    path_left: DFF<Bits<9>>,
    /// The search is to end early.
    stopped: DFF<Bit>,
    /// A report of progress is due.
    due: DFF<Bit>,
    /// The copy is that of the end; it is to be reported; its status.
    last: DFF<Bit>,
    reported: DFF<Bit>,
    status: DFF<Bits<4>>,
    begins: Signal<Local, Bit>,
    value: Values,
}

impl SearchController {
    /// Of this chip.
    pub fn new(chip: &ChipConfig) -> Self {
        let most_table_bits = Constant::new((chip.search_table_bits as u64).into());
        SearchController { value: Values { most_table_bits, ..Default::default() }, ..Default::default() }
    }
}

impl Logic for SearchController {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, range, timer, copy);
        dff_setup!(self, clock, state, head, step, interval, path_left, stopped, due, last, reported, status);
        dff_setup!(self, clock, sequence, of);
        WordSource::link(&mut self.words, &mut self.copy.words);
        self.range.head.next = self.head.q.val();
        self.range.most_table_bits.next = self.value.most_table_bits.val();
        self.timer.interval.next = self.interval.q.val();
        self.timer.run.next = self.walker.busy.val();
        self.timer.start.next = self.reset.val();
        self.advance.next = false;
        self.requests.loaded.next = false;
        self.requests.possible.next = self.range.possible.val().any();
        self.requests.report.next = self.reported.q.val();
        self.requests.status.next = self.status.q.val();
        self.requests.bytes.next = self.value.found_bytes.val();
        self.requests.opcode.next = self.value.opcode.val();
        self.requests.reported.next = self.of.q.val();
        self.requests.free.next = self.state.q.val() == SearchControllerState::Idle;
        self.requests.waits.next = (self.state.q.val() != SearchControllerState::Idle) | self.reported.q.val();
        self.requests.begun.next = false;
        self.walker.head.next = self.head.q.val();
        self.walker.clear.next = false;
        self.walker.path.next = false;
        self.walker.path_word.next = self.request_word.val();
        self.walker.start.next = false;
        self.walker.stop.next = self.stopped.q.val();
        self.walker.pause.next = false;
        self.walker.line_at.next = self.copy.line_at.val();
        self.copy.reset.next = self.reset.val();
        self.copy.run.next = self.state.q.val() == SearchControllerState::Copy;
        self.copy.score.next = self.walker.score.val();
        self.copy.depth.next = self.walker.depth.val();
        self.copy.length.next = self.walker.length.val();
        self.copy.nodes.next = self.walker.nodes.val();
        self.copy.steps.next = self.walker.steps.val();
        self.copy.line_move.next = self.walker.line_move.val();
        self.copy.clocks.next = self.timer.clocks.val();
        self.copy.show.next = self.requests.show.val();

        if self.requests.show.val() {
            self.reported.d.next = false;
        }
        if self.timer.due.val() {
            self.due.d.next = true;
        }
        self.begins.next =
            (self.state.q.val() == SearchControllerState::Path) | (self.state.q.val() == SearchControllerState::Follow);
        if self.cancelled.val() & (self.begins.val() | self.walker.busy.val()) {
            self.stopped.d.next = true;
        }
        match self.state.q.val() {
            SearchControllerState::Idle => {
                if self.requests.load.val() {
                    self.step.d.next = self.step.q.val() + 1;
                    if self.step.q.val() < self.value.head_words.val() {
                        self.advance.next = true;
                        self.head.d.next =
                            (self.head.q.val() >> 64) | (bit_cast::<256, 64>(self.request_word.val()) << 192);
                    }
                    if self.step.q.val() == self.value.judged.val() {
                        self.requests.loaded.next = true;
                        self.interval.d.next = self.head.q.val().get_bits::<6>(self.value.interval_bit.val().index());
                        self.step.d.next = 0.into();
                    }
                }
                if self.requests.start.val() {
                    self.walker.clear.next = true;
                    self.sequence.d.next = self.requests.sequence.val();
                    self.path_left.d.next = self.length.val().get_bits::<9>(3) - self.value.words_before_path.val();
                    self.stopped.d.next = false;
                    self.state.d.next = SearchControllerState::Path;
                }
            }
            SearchControllerState::Path => {
                if self.walker.path_ready.val() {
                    if self.path_left.q.val().any() & !self.stopped.q.val() {
                        self.walker.path.next = true;
                        self.path_left.d.next = self.path_left.q.val() - 1;
                        self.state.d.next = SearchControllerState::Follow;
                    } else {
                        self.walker.start.next = true;
                        self.requests.begun.next = true;
                        self.timer.start.next = true;
                        self.due.d.next = false;
                        self.state.d.next = SearchControllerState::Search;
                    }
                }
            }
            SearchControllerState::Follow => {
                if self.walker.path_ready.val() {
                    self.advance.next = true;
                    self.state.d.next = SearchControllerState::Path;
                }
            }
            SearchControllerState::Search => {
                if self.copy.free.val()
                    & !self.reported.q.val()
                    & ((self.due.q.val() & self.is_oldest.val()) | !self.walker.busy.val())
                {
                    self.state.d.next = SearchControllerState::Pause;
                }
            }
            SearchControllerState::Pause => {
                self.walker.pause.next = true;
                if self.walker.paused.val() {
                    self.last.d.next = !self.walker.busy.val();
                    self.due.d.next = false;
                    self.state.d.next = SearchControllerState::Copy;
                }
            }
            SearchControllerState::Copy => {
                self.walker.pause.next = true;
                if self.copy.finished.val() {
                    self.reported.d.next = true;
                    self.of.d.next = self.sequence.q.val();
                    self.status.d.next = self.value.progress.val();
                    self.state.d.next = SearchControllerState::Search;
                    if self.last.q.val() {
                        self.status.d.next = self.value.ok.val();
                        if self.stopped.q.val() {
                            self.status.d.next = self.value.cancelled.val();
                        }
                        self.state.d.next = SearchControllerState::Idle;
                    }
                }
            }
        }
        if self.reset.val() {
            self.state.d.next = SearchControllerState::Idle;
            self.step.d.next = 0.into();
            self.reported.d.next = false;
        }
    }
}

crate::inputs!(
    SearchController: clock, reset, requests.is_search, requests.load, requests.head, requests.sequence, request_word, length, requests.start, requests.show,
    walker.path_ready, walker.paused, walker.busy, walker.score, walker.depth, walker.length, walker.nodes, walker.steps,
    walker.line_move, words.take, cancelled, is_oldest
);
