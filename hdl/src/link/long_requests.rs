//! The controllers of the requests that take long, PERFT and SEARCH, as one.
//!
//! ```text
//!                  +--------------+
//!   clock, reset  ->              =>    requests: `ports::LongServer`
//!   is_search     ->              -> advance
//!   requests      =>              =>    words: `ports::WordSource`, the payload of an answer
//!   request_word  => LongRequests =>    walk: `ports::WalkLeader`
//!   length 12     =>              =>    search: `ports::SearchLeader`
//!   move_count 10 =>              |
//!   cancelled     ->              |
//!   walk, walk_counts, search     |     `ports::WalkCounts`
//!                  +--------------+
//! ```
//!
//! Handshake: that of the controllers: `perft::walk_controller`, `search::controller`. `is_search` stays as long as the request.
//! Latency, throughput, cost: see there. Model: `model/link`. Absent: a controller that the chip has no use for.

use crate::ports::*;
use crate::{config::ChipConfig, lazy::Lazy, optional::Optional};
use crate::{perft::walk_controller::WalkController, search::controller::SearchController};
use hayasashi_spec::registers::{CAP_PERFT, CAP_SEARCH};
use rust_hdl::prelude::*;

/// The controllers of PERFT and SEARCH.
#[derive(LogicBlock, Default)]
pub struct LongRequests {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// The request is a SEARCH, not a PERFT.
    pub is_search: Signal<In, Bit>,
    /// The dispatcher's orders.
    pub requests: LongServer,
    /// The word of the request's payload under the cursor.
    pub request_word: Signal<In, Bits<64>>,
    /// Bytes of the payload.
    pub length: Signal<In, Bits<12>>,
    /// The cursor moves to the next word.
    pub advance: Signal<Out, Bit>,
    /// The payload of an answer.
    pub words: WordSource,
    /// Legal moves of the position.
    pub move_count: Signal<In, Bits<10>>,
    /// A CANCEL waits.
    pub cancelled: Signal<In, Bit>,
    /// Orders to the units that walk; `busy` of any of them.
    pub walk: WalkLeader,
    /// What they count.
    pub walk_counts: WalkCounts,
    /// Orders to the walker of searches.
    pub search: SearchLeader,
    walk_controller: Optional<Lazy<WalkController>>,
    search_controller: Optional<Lazy<SearchController>>,
}

impl LongRequests {
    /// Of this chip.
    pub fn new(chip: &ChipConfig) -> Self {
        LongRequests {
            walk_controller: Optional::new(Default::default(), chip.has(CAP_PERFT)),
            search_controller: Optional::new(Lazy::new(SearchController::new(chip)), chip.has(CAP_SEARCH)),
            ..Default::default()
        }
    }
}

impl Logic for LongRequests {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, walk_controller, search_controller);
        WalkLeader::link(&mut self.walk, &mut self.walk_controller.units);
        WalkCounts::link(&mut self.walk_counts, &mut self.walk_controller.counts);
        SearchLeader::link(&mut self.search, &mut self.search_controller.walker);
        self.walk_controller.reset.next = self.reset.val();
        self.walk_controller.move_count.next = self.move_count.val();
        self.walk_controller.cancelled.next = self.cancelled.val();
        self.walk_controller.requests.load.next = self.requests.load.val() & !self.is_search.val();
        self.walk_controller.requests.head.next = self.requests.head.val();
        self.walk_controller.requests.start.next = self.requests.start.val() & !self.is_search.val();
        self.walk_controller.requests.show.next = self.requests.show.val() & !self.is_search.val();
        self.walk_controller.words.take.next = self.words.take.val() & !self.is_search.val();
        self.search_controller.reset.next = self.reset.val();
        self.search_controller.cancelled.next = self.cancelled.val();
        self.search_controller.requests.load.next = self.requests.load.val() & self.is_search.val();
        self.search_controller.requests.head.next = self.requests.head.val();
        self.search_controller.request_word.next = self.request_word.val();
        self.search_controller.length.next = self.length.val();
        self.search_controller.requests.start.next = self.requests.start.val() & self.is_search.val();
        self.search_controller.requests.show.next = self.requests.show.val() & self.is_search.val();
        self.search_controller.words.take.next = self.words.take.val() & self.is_search.val();

        self.advance.next = self.search_controller.advance.val();
        self.requests.loaded.next = self.walk_controller.requests.loaded.val();
        self.requests.possible.next = self.walk_controller.requests.possible.val();
        self.requests.report.next = self.walk_controller.requests.report.val();
        self.requests.status.next = self.walk_controller.requests.status.val();
        self.requests.bytes.next = self.walk_controller.requests.bytes.val();
        self.words.data.next = self.walk_controller.words.data.val();
        self.words.valid.next = self.walk_controller.words.valid.val();
        if self.is_search.val() {
            self.requests.loaded.next = self.search_controller.requests.loaded.val();
            self.requests.possible.next = self.search_controller.requests.possible.val();
            self.requests.report.next = self.search_controller.requests.report.val();
            self.requests.status.next = self.search_controller.requests.status.val();
            self.requests.bytes.next = self.search_controller.requests.bytes.val();
            self.words.data.next = self.search_controller.words.data.val();
            self.words.valid.next = self.search_controller.words.valid.val();
        }
    }
}
