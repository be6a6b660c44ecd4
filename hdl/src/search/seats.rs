//! The seats of a chip's walkers: gives each SEARCH to the next walker, and its answers back in the order of the requests.
//!
//! ```text
//!                    +-------+
//!   clock, reset    ->       -> advance
//!   requests        =>       =>          requests: `ports::LongServer`
//!   request_word 64 => Seats =>          walkers: `ports::SearchLeader`, one each
//!   length 12       =>       =>          words: `ports::WordSource`, an answer's payload
//!   cancelled       ->       |
//!   walkers, words  =>       |
//!                    +-------+
//! ```
//!
//! Handshake: that of a controller. Requests go round the seats, and so do the answers. A seat keeps the last answer of one request
//! while its walker works on the next: so there are two requests for each walker. A request that keeps the table goes to the seat of
//! the last one, and is not `free` to begin while anything `waits`.
//! Latency, throughput, cost: those of a controller for each walker. Model: none: software answers one request after the other.
//! Absent: the walkers (`top::units`).

use super::controller::SearchController;
use crate::config::{ChipConfig, MAX_WALKERS};
use crate::lazy::Lazy;
use crate::optional::Optional;
use crate::ports::{LongServer, SearchLeader, WordSource};
use hayasashi_spec::{opcode::Status, search::KEEP_TABLE};
use rust_hdl::prelude::*;

/// Seats that a chip may have.
pub const SEATS: usize = MAX_WALKERS as usize;
const _: () = assert!(SEATS == 4);

crate::constants! {
    Values {
        last: Bits<2> = 0;
        progress: Bits<4> = Status::Progress;
        keep: Bits<3> = KEEP_TABLE.trailing_zeros();
    }
}

/// The seats of the walkers.
#[derive(LogicBlock, Default)]
pub struct Seats {
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
    /// Orders to the walkers.
    pub walkers: [SearchLeader; SEATS],
    /// An answer's payload.
    pub words: WordSource,
    /// A CANCEL waits.
    pub cancelled: Signal<In, Bit>,
    seats: [Optional<Lazy<SearchController>>; SEATS],
    /// The seat of the last request, that of the next one, and that of the next answer.
    last: DFF<Bits<2>>,
    next: DFF<Bits<2>>,
    turn: DFF<Bits<2>>,
    /// The words of a last answer are being taken.
    ends: DFF<Bit>,
    /// The present request keeps the table; its seat.
    keeps: Signal<Local, Bit>,
    seat: Signal<Local, Bits<2>>,
    is_next: Signal<Local, Bits<SEATS>>,
    is_seat: Signal<Local, Bits<SEATS>>,
    is_turn: Signal<Local, Bits<SEATS>>,
    /// The walker takes the next request from the seat's controller; the seat whose turn it is has an answer.
    begun: Signal<Local, Bit>,
    reports: Signal<Local, Bit>,
    value: Values,
}

impl Seats {
    /// Of this chip.
    pub fn new(chip: &ChipConfig) -> Self {
        Seats {
            seats: std::array::from_fn(|seat| {
                Optional::new(Lazy::new(SearchController::new(chip)), (seat as u32) < chip.walkers())
            }),
            value: Values { last: Constant::new((chip.walkers().max(1) as u64 - 1).into()), ..Default::default() },
            ..Default::default()
        }
    }
}

impl Logic for Seats {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, last, next, turn, ends);
        self.keeps.next = self.requests.head.val().get_bit(self.value.keep.val().index());
        self.seat.next = self.next.q.val();
        if self.keeps.val() {
            self.seat.next = self.last.q.val();
        }
        self.is_seat.next = bit_cast::<SEATS, 1>(true.into()) << self.seat.val();
        self.is_next.next = bit_cast::<SEATS, 1>(true.into()) << self.next.q.val();
        self.is_turn.next = bit_cast::<SEATS, 1>(true.into()) << self.turn.q.val();
        for i in 0..4 {
            SearchLeader::link(&mut self.walkers[i], &mut self.seats[i].walker);
        }
        for i in 0..4 {
            self.seats[i].clock.next = self.clock.val();
            self.seats[i].reset.next = self.reset.val();
            self.seats[i].cancelled.next = self.cancelled.val();
            self.seats[i].requests.is_search.next = self.requests.is_search.val();
            self.seats[i].requests.head.next = self.requests.head.val();
            self.seats[i].requests.sequence.next = self.requests.sequence.val();
            self.seats[i].request_word.next = self.request_word.val();
            self.seats[i].length.next = self.length.val();
            self.seats[i].requests.load.next = self.requests.load.val() & self.is_seat.val().get_bit(i);
            self.seats[i].requests.start.next = self.requests.start.val() & self.is_seat.val().get_bit(i);
            self.seats[i].requests.show.next = self.requests.show.val() & self.is_turn.val().get_bit(i);
            self.seats[i].words.take.next = self.words.take.val() & self.is_turn.val().get_bit(i);
            self.seats[i].is_oldest.next = self.is_turn.val().get_bit(i) & !self.ends.q.val();
        }

        // Whether the request under the cursor may begin while others go on.
        self.requests.free.next = self.seats[0].requests.free.val();
        for i in 1..4 {
            if self.is_next.val().get_bit(i) {
                self.requests.free.next = self.seats[i].requests.free.val();
            }
        }
        if self.request_word.val().get_bit(self.value.keep.val().index()) {
            self.requests.free.next = false;
        }

        // The present request.
        self.advance.next = self.seats[0].advance.val();
        self.requests.loaded.next = self.seats[0].requests.loaded.val();
        self.requests.possible.next = self.seats[0].requests.possible.val();
        self.begun.next = self.seats[0].requests.begun.val();
        for i in 1..4 {
            if self.is_seat.val().get_bit(i) {
                self.advance.next = self.seats[i].advance.val();
                self.requests.loaded.next = self.seats[i].requests.loaded.val();
                self.requests.possible.next = self.seats[i].requests.possible.val();
                self.begun.next = self.seats[i].requests.begun.val();
            }
        }
        self.requests.begun.next = self.begun.val();
        if self.begun.val() {
            self.last.d.next = self.seat.val();
            self.next.d.next = self.seat.val() + 1;
            if self.seat.val() == self.value.last.val() {
                self.next.d.next = 0.into();
            }
            if self.keeps.val() {
                self.turn.d.next = self.seat.val();
            }
        }

        // The next answer. All seats answer with the same opcode and as many bytes.
        self.requests.opcode.next = self.seats[0].requests.opcode.val();
        self.requests.bytes.next = self.seats[0].requests.bytes.val();
        self.reports.next = self.seats[0].requests.report.val();
        self.requests.reported.next = self.seats[0].requests.reported.val();
        self.requests.status.next = self.seats[0].requests.status.val();
        self.words.data.next = self.seats[0].words.data.val();
        self.words.valid.next = self.seats[0].words.valid.val();
        for i in 1..4 {
            if self.is_turn.val().get_bit(i) {
                self.reports.next = self.seats[i].requests.report.val();
                self.requests.reported.next = self.seats[i].requests.reported.val();
                self.requests.status.next = self.seats[i].requests.status.val();
                self.words.data.next = self.seats[i].words.data.val();
                self.words.valid.next = self.seats[i].words.valid.val();
            }
        }
        self.requests.report.next = self.reports.val() & !self.ends.q.val();
        self.requests.waits.next = self.seats[0].requests.waits.val()
            | self.seats[1].requests.waits.val()
            | self.seats[2].requests.waits.val()
            | self.seats[3].requests.waits.val()
            | self.ends.q.val();
        if self.ends.q.val() & !self.words.valid.val() {
            self.ends.d.next = false;
            self.turn.d.next = self.turn.q.val() + 1;
            if self.turn.q.val() == self.value.last.val() {
                self.turn.d.next = 0.into();
            }
        }
        if self.requests.show.val() & (self.requests.status.val() != self.value.progress.val()) {
            self.ends.d.next = true;
        }
        if self.reset.val() {
            self.last.d.next = 0.into();
            self.next.d.next = 0.into();
            self.turn.d.next = 0.into();
            self.ends.d.next = false;
        }
    }
}
