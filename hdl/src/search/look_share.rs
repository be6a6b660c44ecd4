//! Finds the planes of new positions for all walkers, and hands them to the pickers.
//!
//! ```text
//!                  +-----------+
//!   clock, reset  ->           =>               walkers: `ports::LookServer`, one each
//!   walkers       => LookShare => at 8          the walker and the ply of the rows that are written
//!  wants_attacked ->           => row 2074      see `stored::Stored`
//!                  |           -> writes_row
//!                  |           => arrivals      see `movegen::arrivals`
//!                  |           -> writes_arrivals
//!                  |           -> attacked      they are those of attacked pieces
//!                  |           => parts 3       parts of captures that there are
//!                  |           -> writes_parts
//!                  |           -> finding       the planes are not there yet
//!                  +-----------+
//! ```
//!
//! Handshake: that of the ports. Walkers take turns. A walker that asks again, since its search begins anew, is looked at from the start.
//! Where planes are not kept (one walker only), they are found again for a position of before, and stay; the arrivals follow
//! `wants_attacked` within two clocks while not `finding`.
//! Latency: nine clocks until `looked`, and one where another walker was served before. Throughput: a position in ten clocks: the
//! surveys of a position end while the next one is looked at.
//! Cost: that of `planes` and `survey`. Model: `host/model/src/search/spot.rs`. Absent: picks (`pick_share`).

use super::levels::PARTS;
use super::seats::SEATS;
use super::stored::{Store, ARRIVAL_BITS, ROW_BITS};
use super::{planes::Planes, survey::Survey};
use crate::ports::LookServer;
use rust_hdl::prelude::*;

/// Clocks from `looks` to `looked`, if no other walker is served.
pub const LOOK_CLOCKS: u64 = 9;

crate::constants! {
    Settings {
        /// In these clocks the planes are there, and captures of pieces are looked for; of the tail, the last rows are written.
        row: Bits<4> = 8;
        pieces: Bits<4> = 9;
        arrivals: Bits<2> = 2;
        last: Bits<2> = 3;
        /// Planes are found again for positions of before, since nobody keeps them.
        again: Bits<1> = 0;
    }
}

/// Looks at positions.
#[derive(LogicBlock, Default)]
pub struct LookShare {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets what is under way.
    pub reset: Signal<In, Bit>,
    /// The walkers.
    pub walkers: [LookServer; SEATS],
    /// A picker wants the arrivals of attacked pieces.
    pub wants_attacked: Signal<In, Bit>,
    /// The walker and the ply of the rows that are written.
    pub at: Signal<Out, Bits<8>>,
    /// The position and its planes.
    pub row: Signal<Out, Bits<ROW_BITS>>,
    /// They are written.
    pub writes_row: Signal<Out, Bit>,
    /// Where own pieces arrive.
    pub arrivals: Signal<Out, Bits<ARRIVAL_BITS>>,
    /// They are written.
    pub writes_arrivals: Signal<Out, Bit>,
    /// They are those of attacked pieces.
    pub attacked: Signal<Out, Bit>,
    /// Parts of captures that there are.
    pub parts: Signal<Out, Bits<PARTS>>,
    /// They are written.
    pub writes_parts: Signal<Out, Bit>,
    /// The planes are not there yet.
    pub finding: Signal<Out, Bit>,
    planes: Planes,
    survey: Survey,
    store: Store,
    /// Those that wait.
    looks: DFF<Bits<SEATS>>,
    /// The walker that is looked at, one wire each; none at first.
    owner: DFF<Bits<SEATS>>,
    /// For so many clocks.
    count: DFF<Bits<4>>,
    looking: DFF<Bit>,
    /// Its planes are there for so many clocks, but not all of its parts.
    tail: DFF<Bits<2>>,
    /// Its walker and its ply.
    looked_at: DFF<Bits<8>>,
    found_parts: DFF<Bits<PARTS>>,
    /// The position is one of before.
    again: DFF<Bit>,
    finds_again: Signal<Local, Bit>,
    new_looks: Signal<Local, Bits<SEATS>>,
    all_looks: Signal<Local, Bits<SEATS>>,
    /// Those that wait beside the owner; of these, those behind it.
    others: Signal<Local, Bits<SEATS>>,
    behind: Signal<Local, Bits<SEATS>>,
    first: Signal<Local, Bits<SEATS>>,
    /// The owner asks again.
    anew: Signal<Local, Bit>,
    looked: Signal<Local, Bit>,
    answers: Signal<Local, Bits<SEATS>>,
    /// The owner's number, and its ply.
    number: Signal<Local, Bits<2>>,
    ply: Signal<Local, Bits<6>>,
    value: Settings,
}

impl LookShare {
    /// Planes are kept, or found again for each position that a walker comes back to.
    pub fn new(kept: bool) -> Self {
        LookShare {
            value: Settings { again: Constant::new((!kept as u64).into()), ..Default::default() },
            ..Default::default()
        }
    }
}

impl Logic for LookShare {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, planes, survey);
        dff_setup!(self, clock, looks, owner, count, looking, tail, looked_at, found_parts, again);
        self.new_looks.next = bit_cast::<SEATS, 1>(self.walkers[0].looks.val().into())
            | (bit_cast::<SEATS, 1>(self.walkers[1].looks.val().into()) << 1)
            | (bit_cast::<SEATS, 1>(self.walkers[2].looks.val().into()) << 2)
            | (bit_cast::<SEATS, 1>(self.walkers[3].looks.val().into()) << 3);
        self.finds_again.next = self.walkers[0].again.val() & (self.value.again.val() == 1);
        if self.new_looks.val().any() {
            self.again.d.next = false;
        }
        if self.finds_again.val() {
            self.again.d.next = true;
        }
        self.all_looks.next =
            self.looks.q.val() | self.new_looks.val() | bit_cast::<SEATS, 1>(self.finds_again.val().into());
        self.looks.d.next = self.all_looks.val();
        self.others.next = self.all_looks.val() & !self.owner.q.val();
        self.behind.next = self.others.val() & !(self.owner.q.val() - 1);
        self.first.next = self.others.val() & (!self.others.val() + 1);
        if self.behind.val().any() {
            self.first.next = self.behind.val() & (!self.behind.val() + 1);
        }
        self.anew.next = (self.new_looks.val() & self.owner.q.val()).any() | self.finds_again.val();
        self.writes_row.next = self.looking.q.val() & (self.count.q.val() == self.value.row.val());
        self.looked.next = self.writes_row.val() & !self.anew.val();
        self.attacked.next = self.tail.q.val() == self.value.arrivals.val();
        self.writes_arrivals.next = self.writes_row.val() | self.attacked.val();
        self.writes_parts.next = self.tail.q.val() == self.value.last.val();
        self.planes.attacked_only.next = self.wants_attacked.val() & (self.value.again.val() == 1);
        self.survey.which.next = 1.into();
        self.tail.d.next = 0.into();
        // What is left of a position, while the next one is looked at.
        if self.tail.q.val().any() {
            self.tail.d.next = self.tail.q.val() + 1;
            self.survey.which.next = 4.into();
        }
        if self.looking.q.val() {
            self.count.d.next = self.count.q.val() + 1;
            if self.writes_row.val() {
                self.survey.which.next = 8.into();
                self.looking.d.next = !self.again.q.val();
                if self.others.val().any() {
                    self.owner.d.next = self.first.val();
                }
            }
            if self.count.q.val() == self.value.pieces.val() {
                self.survey.which.next = 2.into();
                self.planes.attacked_only.next = true;
                self.tail.d.next = 1.into();
                self.count.d.next = 0.into();
                self.looking.d.next = (self.all_looks.val() & self.owner.q.val()).any();
            }
            if self.anew.val() {
                self.count.d.next = 0.into();
                self.looking.d.next = true;
                self.owner.d.next = self.owner.q.val();
            }
        } else if (self.all_looks.val() & self.owner.q.val()).any() {
            self.count.d.next = 0.into();
            self.looking.d.next = true;
        } else if self.all_looks.val().any() {
            self.owner.d.next = self.first.val();
        }
        if !self.writes_parts.val() {
            self.found_parts.d.next =
                (self.found_parts.q.val() >> 1) | (bit_cast::<PARTS, 1>(self.survey.some.val()) << 2);
        }
        self.finding.next = self.looking.q.val() | self.tail.q.val().any() | self.all_looks.val().any();
        self.answers.next = 0.into();
        if self.looked.val() {
            self.answers.next = self.looks.q.val() & self.owner.q.val();
            self.looks.d.next = self.others.val();
        }
        self.planes.board.next = self.walkers[0].board.val();
        self.ply.next = self.walkers[0].ply.val();
        for i in 1..4 {
            if self.owner.q.val().get_bit(i) {
                self.planes.board.next = self.walkers[i].board.val();
                self.ply.next = self.walkers[i].ply.val();
            }
        }
        self.number.next = self.owner.q.val().get_bits::<2>(1);
        if self.owner.q.val().get_bit(3) {
            self.number.next = 3.into();
        }
        self.at.next = (bit_cast::<8, 2>(self.number.val()) << 6) | bit_cast::<8, 6>(self.ply.val());
        if self.looked.val() {
            self.looked_at.d.next = self.at.val();
        }
        if self.tail.q.val().any() {
            self.at.next = self.looked_at.q.val();
        }
        self.planes.looks.next = self.looking.q.val();
        self.planes.count.next = self.count.q.val();
        self.survey.squares.next = self.planes.squares.val();
        self.survey.arrivals.next = self.planes.arrivals.val();
        self.survey.drops.next = self.planes.drops.val();
        self.survey.holds.next = self.planes.holds.val();
        self.survey.pawns.next = self.planes.pawns.val();
        self.store.board.next = self.planes.board.val();
        self.store.checks.next = self.planes.checks.val();
        self.store.squares.next = self.planes.squares.val();
        self.store.drops.next = self.planes.drops.val();
        self.store.holds.next = self.planes.holds.val();
        self.store.attacks.next = self.planes.attacks.val();
        self.store.lines.next = self.planes.lines.val();
        self.store.king.next = self.planes.king.val();
        self.store.pawns.next = self.planes.pawns.val();
        self.row.next = self.store.row.val();
        self.arrivals.next = self.planes.arrivals.val();
        self.parts.next = (self.found_parts.q.val() >> 1) | (self.found_parts.q.val() << 2);
        for i in 0..4 {
            self.walkers[i].looked.next = self.answers.val().get_bit(i);
            self.walkers[i].has_move.next = self.survey.some.val().any();
            self.walkers[i].in_check.next = self.store.in_check.val().any();
        }
        if self.reset.val() {
            self.owner.d.next = 0.into();
            self.looks.d.next = 0.into();
            self.looking.d.next = false;
            self.tail.d.next = 0.into();
        }
    }
}

crate::inputs!(
    LookShare: clock, reset, wants_attacked, walkers[0].board, walkers[0].ply, walkers[0].looks, walkers[0].again, walkers[1].board, walkers[1].ply, walkers[1].looks, walkers[1].again, walkers[2].board, walkers[2].ply, walkers[2].looks, walkers[2].again, walkers[3].board, walkers[3].ply, walkers[3].looks, walkers[3].again
);
