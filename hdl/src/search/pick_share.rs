//! Picks moves for several walkers, from planes that it keeps.
//!
//! ```text
//!                     +-----------+
//!   clock, reset     ->           =>   walkers: `ports::PickServer`, one each
//!   walkers          =>           |
//!   at 8             =>           |    rows: see `look_share`
//!   row 2074         => PickShare |
//!   writes_row       ->           |
//!   arrivals 17 x 81 =>           |
//!   writes_arrivals  ->           |
//!   attacked         ->           |
//!   parts 3          =>           |
//!   writes_parts     ->           |
//!   finding          ->           -> wants_attacked   see `look_share`
//!                     +-----------+
//! ```
//!
//! Handshake: that of the ports. Walkers take turns; those that ask come before moves that are picked ahead. A row is not picked from
//! in the clock in which it is written.
//! Where rows are not kept (one walker only), `row` and `arrivals` are those of its position when not `finding`.
//! Latency: that of [`super::picker`] and two clocks; a clock alone for a move that was picked ahead. Throughput: one pick at a time.
//! Cost: the picker's, 4 flip-flops, block RAM for the rows, and [`super::pick_ahead`] for each walker. Model: none: who picks first changes no pick.

use super::levels::PARTS;
use super::pick_ahead::PickAhead;
use super::picker::Picker;
use super::stored::{ARRIVAL_BITS, ROW_BITS};
use crate::lazy::Lazy;
use crate::ports::PickServer;
use rust_hdl::prelude::*;

/// Walkers that share a picker.
pub const SHARERS: usize = 2;

crate::constants! {
    Values {
        first_row: Bits<8> = 0;
        second_row: Bits<8> = 64;
        kept: Bits<1> = 1;
    }
}

/// A picker for several walkers.
#[derive(LogicBlock, Default)]
pub struct PickShare {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets what is under way.
    pub reset: Signal<In, Bit>,
    /// The walkers.
    pub walkers: [PickServer; SHARERS],
    /// The walker and the ply of the rows that are written.
    pub at: Signal<In, Bits<8>>,
    /// The position and its planes.
    pub row: Signal<In, Bits<ROW_BITS>>,
    /// They are written.
    pub writes_row: Signal<In, Bit>,
    /// Where own pieces arrive.
    pub arrivals: Signal<In, Bits<ARRIVAL_BITS>>,
    /// They are written.
    pub writes_arrivals: Signal<In, Bit>,
    /// They are those of attacked pieces.
    pub attacked: Signal<In, Bit>,
    /// Parts of captures that there are.
    pub parts: Signal<In, Bits<PARTS>>,
    /// They are written.
    pub writes_parts: Signal<In, Bit>,
    /// Planes are not there yet.
    pub finding: Signal<In, Bit>,
    /// The arrivals are to be those of attacked pieces.
    pub wants_attacked: Signal<Out, Bit>,
    picker: Lazy<Picker>,
    apart_rows: RAM<Bits<ROW_BITS>, 8>,
    apart_arrivals: RAM<Bits<ARRIVAL_BITS>, 9>,
    apart_parts: RAM<Bits<PARTS>, 8>,
    sides: [PickAhead; SHARERS],
    /// The walker that is served, one wire each; none at first.
    owner: DFF<Bits<SHARERS>>,
    /// A pick begins,
    starts: DFF<Bit>,
    /// or is under way.
    picking: DFF<Bit>,
    asks: Signal<Local, Bits<SHARERS>>,
    aheads: Signal<Local, Bits<SHARERS>>,
    drops: Signal<Local, Bits<SHARERS>>,
    /// The walker for which something is picked.
    busy: Signal<Local, Bits<SHARERS>>,
    done: Signal<Local, Bit>,
    /// What is picked ahead ends: it is not wanted, or another walker waits.
    ends: Signal<Local, Bit>,
    /// The picker is not asked by its owner,
    unasked: Signal<Local, Bit>,
    /// but another one asks.
    others_ask: Signal<Local, Bit>,
    /// The move behind the one that is done is picked ahead.
    goes_on: Signal<Local, Bit>,
    /// Another pick may begin.
    free: Signal<Local, Bit>,
    /// Those that ask and are not served; if there is none, those for which a move may be picked ahead.
    asking: Signal<Local, Bits<SHARERS>>,
    waiting: Signal<Local, Bits<SHARERS>>,
    /// The walker that is served in the next clock, whose rows are read.
    next_owner: Signal<Local, Bits<SHARERS>>,
    first_of: Signal<Local, Bits<8>>,
    ply: Signal<Local, Bits<6>>,
    address: Signal<Local, Bits<8>>,
    keeps: Signal<Local, Bit>,
    value: Values,
}

impl PickShare {
    /// For the walkers from this one on. Rows are kept, or those of the only walker's position are there.
    pub fn new(first: usize, kept: bool) -> Self {
        let row = |seat: usize| Constant::new((64 * seat as u64).into());
        let value =
            Values { first_row: row(first), second_row: row(first + 1), kept: Constant::new((kept as u64).into()) };
        PickShare { value, ..Default::default() }
    }
}

impl Logic for PickShare {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, picker);
        dff_setup!(self, clock, owner, starts, picking);
        self.keeps.next = self.value.kept.val() == 1;
        self.done.next = self.picking.q.val() & self.picker.done.val();
        for i in 0..2 {
            PickServer::link(&mut self.walkers[i], &mut self.sides[i].walker);
            self.sides[i].clock.next = self.clock.val();
            self.sides[i].reset.next = self.reset.val();
            self.sides[i].kept.next = self.keeps.val();
            self.sides[i].done.next = self.done.val() & self.owner.q.val().get_bit(i);
            self.sides[i].chosen.next = self.picker.chosen.val();
            self.sides[i].others.next = self.picker.others.val();
            self.sides[i].counter_at.next = self.picker.counter_at.val();
        }
        self.asks.next = bit_cast::<SHARERS, 1>(self.sides[0].asks.val().into())
            | (bit_cast::<SHARERS, 1>(self.sides[1].asks.val().into()) << 1);
        self.aheads.next = bit_cast::<SHARERS, 1>(self.sides[0].ahead.val().into())
            | (bit_cast::<SHARERS, 1>(self.sides[1].ahead.val().into()) << 1);
        self.drops.next = bit_cast::<SHARERS, 1>(self.sides[0].drops.val().into())
            | (bit_cast::<SHARERS, 1>(self.sides[1].drops.val().into()) << 1);
        self.busy.next = 0.into();
        if self.starts.q.val() | self.picking.q.val() {
            self.busy.next = self.owner.q.val();
        }
        self.unasked.next = !(self.asks.val() & self.busy.val()).any();
        self.others_ask.next = (self.asks.val() & !self.busy.val()).any();
        self.ends.next = (self.drops.val() & self.busy.val()).any()
            | (self.busy.val().any() & self.unasked.val() & self.others_ask.val());
        self.goes_on.next = self.picker.more.val() & !self.unasked.val() & !self.others_ask.val() & self.keeps.val();
        self.free.next = !self.busy.val().any() | (self.done.val() & !self.goes_on.val()) | self.ends.val();
        self.asking.next = self.asks.val() & !self.busy.val();
        if self.ends.val() & !self.done.val() {
            self.asking.next = self.asks.val();
        }
        self.waiting.next = self.asking.val();
        if !self.asking.val().any() {
            self.waiting.next = self.aheads.val() & !self.busy.val() & !self.drops.val();
        }

        self.picker.reset.next = self.reset.val();
        self.picker.pick.next = self.starts.q.val();
        self.starts.d.next = false;
        self.picker.stop.next = (self.done.val() & !self.goes_on.val()) | self.ends.val();
        self.picking.d.next = !self.free.val();
        self.next_owner.next = self.owner.q.val();
        if self.free.val() & self.waiting.val().any() & (self.keeps.val() | !self.finding.val()) {
            self.starts.d.next = true;
            // The other one, if it waits; the first, if both ask before any was served.
            self.next_owner.next = self.waiting.val() & (!self.waiting.val() + 1);
            if (self.waiting.val() & !self.owner.q.val()).any() & self.owner.q.val().any() {
                self.next_owner.next = self.waiting.val() & !self.owner.q.val();
            }
        }
        self.owner.d.next = self.next_owner.val();

        // The rows of the owner's ply.
        self.first_of.next = self.value.first_row.val();
        self.ply.next = self.sides[0].ply.val();
        for i in 1..2 {
            if self.next_owner.val().get_bit(i) {
                self.first_of.next = self.value.second_row.val();
                self.ply.next = self.sides[i].ply.val();
            }
        }
        self.address.next = self.first_of.val() | bit_cast::<8, 6>(self.ply.val());
        self.apart_rows.read_clock.next = self.clock.val();
        self.apart_rows.write_clock.next = self.clock.val();
        self.apart_rows.read_address.next = self.address.val();
        self.apart_rows.write_address.next = self.at.val();
        self.apart_rows.write_data.next = self.row.val();
        self.apart_rows.write_enable.next = self.writes_row.val() & self.keeps.val();
        self.apart_arrivals.read_clock.next = self.clock.val();
        self.apart_arrivals.write_clock.next = self.clock.val();
        self.apart_arrivals.read_address.next =
            bit_cast::<9, 8>(self.address.val()) | (bit_cast::<9, 1>(self.picker.attacked_only.val().into()) << 8);
        self.apart_arrivals.write_address.next =
            bit_cast::<9, 8>(self.at.val()) | (bit_cast::<9, 1>(self.attacked.val().into()) << 8);
        self.apart_arrivals.write_data.next = self.arrivals.val();
        self.apart_arrivals.write_enable.next = self.writes_arrivals.val() & self.keeps.val();
        self.apart_parts.read_clock.next = self.clock.val();
        self.apart_parts.write_clock.next = self.clock.val();
        self.apart_parts.read_address.next = self.address.val();
        self.apart_parts.write_address.next = self.at.val();
        self.apart_parts.write_data.next = self.parts.val();
        self.apart_parts.write_enable.next = self.writes_parts.val();
        self.picker.row.next = self.row.val();
        self.picker.arrivals.next = self.arrivals.val();
        if self.keeps.val() {
            self.picker.row.next = self.apart_rows.read_data.val();
            self.picker.arrivals.next = self.apart_arrivals.read_data.val();
        }
        self.wants_attacked.next = self.picker.attacked_only.val();
        self.picker.parts.next = self.apart_parts.read_data.val();

        self.picker.selection.next = self.sides[0].selection.val();
        self.picker.special.next = self.sides[0].special.val();
        self.picker.after.next = self.sides[0].after.val();
        self.picker.counter.next = self.sides[0].counter.val();
        for i in 1..2 {
            if self.owner.q.val().get_bit(i) {
                self.picker.selection.next = self.sides[i].selection.val();
                self.picker.special.next = self.sides[i].special.val();
                self.picker.after.next = self.sides[i].after.val();
                self.picker.counter.next = self.sides[i].counter.val();
            }
        }
        if self.reset.val() {
            self.owner.d.next = 0.into();
            self.starts.d.next = false;
            self.picking.d.next = false;
        }
    }
}

crate::inputs!(
    PickShare: clock, reset, at, row, writes_row, arrivals, writes_arrivals, attacked, parts, writes_parts, finding, walkers[0].ply,
    walkers[0].picks, walkers[0].selection, walkers[0].special, walkers[0].after, walkers[0].counter, walkers[1].ply, walkers[1].picks,
    walkers[1].selection, walkers[1].special, walkers[1].after, walkers[1].counter
);
