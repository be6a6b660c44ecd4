//! The controllers of the requests that take long, PERFT and SEARCH, as one.
//!
//! ```text
//!                  +--------------+
//!   clock, reset  ->              =>    requests: `ports::LongServer`
//!   requests      =>              -> advance
//!   request_word  =>              =>    words: `ports::WordSource`, the payload of an answer
//!   length 12     => LongRequests =>    walk: `ports::WalkLeader`
//!   move_count 10 =>              =>    walkers: `ports::SearchLeader`, one each
//!   cancelled     ->              |
//!   walk, walk_counts, walkers    |     `ports::WalkCounts`
//!                  +--------------+
//! ```
//!
//! Handshake: that of the controllers: `perft::walk_controller`, `search::seats`. One kind
//! is `free` only while none of the other waits.
//! Latency, throughput, cost: see there. Model: `model/link`. Absent: a controller that the chip has no use for.

use crate::ports::*;
use crate::{config::ChipConfig, lazy::Lazy, optional::Optional};
use crate::{perft::walk_controller::WalkController, search::seats::Seats, search::seats::SEATS};
use hayasashi_spec::registers::{CAP_PERFT, CAP_SEARCH};
use rust_hdl::prelude::*;

/// The controllers of PERFT and SEARCH.
#[derive(LogicBlock, Default)]
pub struct LongRequests {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
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
    /// Orders to the walkers of searches.
    pub walkers: [SearchLeader; SEATS],
    walk_controller: Optional<Lazy<WalkController>>,
    seats: Optional<Seats>,
}

impl LongRequests {
    /// Of this chip.
    pub fn new(chip: &ChipConfig) -> Self {
        LongRequests {
            walk_controller: Optional::new(Default::default(), chip.has(CAP_PERFT)),
            seats: Optional::new(Seats::new(chip), chip.has(CAP_SEARCH)),
            ..Default::default()
        }
    }
}

impl Logic for LongRequests {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, walk_controller, seats);
        WalkLeader::link(&mut self.walk, &mut self.walk_controller.units);
        WalkCounts::link(&mut self.walk_counts, &mut self.walk_controller.counts);
        for i in 0..4 {
            SearchLeader::link(&mut self.walkers[i], &mut self.seats.walkers[i]);
        }
        self.walk_controller.reset.next = self.reset.val();
        self.walk_controller.move_count.next = self.move_count.val();
        self.walk_controller.cancelled.next = self.cancelled.val();
        self.walk_controller.requests.load.next = self.requests.load.val() & !self.requests.is_search.val();
        self.walk_controller.requests.is_search.next = false;
        self.walk_controller.requests.head.next = self.requests.head.val();
        self.walk_controller.requests.sequence.next = self.requests.sequence.val();
        self.walk_controller.requests.start.next = self.requests.start.val() & !self.requests.is_search.val();
        self.walk_controller.requests.show.next = self.requests.show.val() & !self.seats.requests.waits.val();
        self.walk_controller.words.take.next = self.words.take.val() & !self.seats.requests.waits.val();
        self.seats.reset.next = self.reset.val();
        self.seats.cancelled.next = self.cancelled.val();
        self.seats.requests.load.next = self.requests.load.val() & self.requests.is_search.val();
        self.seats.requests.is_search.next = true;
        self.seats.requests.head.next = self.requests.head.val();
        self.seats.requests.sequence.next = self.requests.sequence.val();
        self.seats.request_word.next = self.request_word.val();
        self.seats.length.next = self.length.val();
        self.seats.requests.start.next = self.requests.start.val() & self.requests.is_search.val();
        self.seats.requests.show.next = self.requests.show.val() & self.seats.requests.waits.val();
        self.seats.words.take.next = self.words.take.val() & self.seats.requests.waits.val();

        self.advance.next = self.seats.advance.val();
        self.requests.free.next = self.walk_controller.requests.free.val() & !self.seats.requests.waits.val();
        self.requests.loaded.next = self.walk_controller.requests.loaded.val();
        self.requests.possible.next = self.walk_controller.requests.possible.val();
        self.requests.begun.next = self.walk_controller.requests.begun.val();
        if self.requests.is_search.val() {
            self.requests.free.next = self.seats.requests.free.val() & !self.walk_controller.requests.waits.val();
            self.requests.loaded.next = self.seats.requests.loaded.val();
            self.requests.possible.next = self.seats.requests.possible.val();
            self.requests.begun.next = self.seats.requests.begun.val();
        }

        // Walks and searches do not wait at the same time.
        self.requests.waits.next = self.walk_controller.requests.waits.val() | self.seats.requests.waits.val();
        self.requests.report.next = self.walk_controller.requests.report.val();
        self.requests.opcode.next = self.walk_controller.requests.opcode.val();
        self.requests.reported.next = self.walk_controller.requests.reported.val();
        self.requests.status.next = self.walk_controller.requests.status.val();
        self.requests.bytes.next = self.walk_controller.requests.bytes.val();
        self.words.data.next = self.walk_controller.words.data.val();
        self.words.valid.next = self.walk_controller.words.valid.val();
        if self.seats.requests.waits.val() {
            self.requests.report.next = self.seats.requests.report.val();
            self.requests.opcode.next = self.seats.requests.opcode.val();
            self.requests.reported.next = self.seats.requests.reported.val();
            self.requests.status.next = self.seats.requests.status.val();
            self.requests.bytes.next = self.seats.requests.bytes.val();
            self.words.data.next = self.seats.words.data.val();
            self.words.valid.next = self.seats.words.valid.val();
        }
    }
}
