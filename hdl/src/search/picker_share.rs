//! Shares a picker between walkers.
//!
//! ```text
//!                  +-------------+
//!   clock, reset  -> PickerShare =>   walkers: `ports::PickServer`, one each
//!   walkers       =>             |
//!                  +-------------+
//! ```
//!
//! Handshake: that of the ports. The picker has the planes of one walker's position, its owner's. A walker that asks becomes the owner when
//! the picker has nothing to do for the one before; they take turns. A pick for which the planes are not there looks first. While
//! nobody else waits, the owner's position is looked at when it was recalled, before a pick is asked for.
//! Latency: that of [`super::picker`], and one clock where another walker was served before. Throughput: one thing at a time.
//! Cost: the picker's, and 10 flip-flops. Model: none: who picks first changes no pick.

use super::picker::Picker;
use crate::lazy::Lazy;
use crate::ports::PickServer;
use rust_hdl::prelude::*;

/// Walkers that share a picker.
pub const SHARERS: usize = 2;

/// A picker for several walkers.
#[derive(LogicBlock, Default)]
pub struct PickerShare {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets what is under way.
    pub reset: Signal<In, Bit>,
    /// The walkers.
    pub walkers: [PickServer; SHARERS],
    picker: Lazy<Picker>,
    /// The walker whose position it has, one wire each; none at first.
    owner: DFF<Bits<SHARERS>>,
    /// Those that wait for a look, for a pick, and those whose position may be looked at.
    looks: DFF<Bits<SHARERS>>,
    picks: DFF<Bits<SHARERS>>,
    recalls: DFF<Bits<SHARERS>>,
    /// The planes are those of the owner's position.
    holds: DFF<Bit>,
    /// What the picker is at.
    looking: DFF<Bit>,
    picking: DFF<Bit>,
    new_looks: Signal<Local, Bits<SHARERS>>,
    new_picks: Signal<Local, Bits<SHARERS>>,
    new_recalls: Signal<Local, Bits<SHARERS>>,
    /// With those that come in this clock.
    all_looks: Signal<Local, Bits<SHARERS>>,
    all_picks: Signal<Local, Bits<SHARERS>>,
    all_recalls: Signal<Local, Bits<SHARERS>>,
    /// Those that wait for a look or a pick.
    waiting: Signal<Local, Bits<SHARERS>>,
    /// Those of them behind the owner; the first one.
    behind: Signal<Local, Bits<SHARERS>>,
    first: Signal<Local, Bits<SHARERS>>,
    /// The owner's position is another one; it waits; it waits for a pick; the planes are its.
    moved: Signal<Local, Bit>,
    owner_waits: Signal<Local, Bit>,
    owner_picks: Signal<Local, Bit>,
    held: Signal<Local, Bit>,
    /// The owner, if it waits for a look; the planes are found; the move is picked.
    looks_now: Signal<Local, Bits<SHARERS>>,
    looked: Signal<Local, Bit>,
    picked: Signal<Local, Bit>,
}

impl Logic for PickerShare {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, picker);
        dff_setup!(self, clock, owner, looks, picks, recalls, holds, looking, picking);
        self.new_looks.next = bit_cast::<SHARERS, 1>(self.walkers[0].looks.val().into())
            | (bit_cast::<SHARERS, 1>(self.walkers[1].looks.val().into()) << 1);
        self.new_picks.next = bit_cast::<SHARERS, 1>(self.walkers[0].picks.val().into())
            | (bit_cast::<SHARERS, 1>(self.walkers[1].picks.val().into()) << 1);
        self.new_recalls.next = bit_cast::<SHARERS, 1>(self.walkers[0].recalls.val().into())
            | (bit_cast::<SHARERS, 1>(self.walkers[1].recalls.val().into()) << 1);
        self.all_looks.next = self.looks.q.val() | self.new_looks.val();
        self.all_picks.next = self.picks.q.val() | self.new_picks.val();
        self.all_recalls.next =
            (self.recalls.q.val() | self.new_recalls.val()) & !(self.all_looks.val() | self.all_picks.val());
        self.looks.d.next = self.all_looks.val();
        self.picks.d.next = self.all_picks.val();
        self.recalls.d.next = self.all_recalls.val();
        self.moved.next = ((self.new_looks.val() | self.new_recalls.val()) & self.owner.q.val()).any();
        self.held.next = self.holds.q.val() & !self.moved.val();
        self.holds.d.next = self.held.val();

        self.waiting.next = self.all_looks.val() | self.all_picks.val();
        self.owner_waits.next = (self.waiting.val() & self.owner.q.val()).any();
        self.owner_picks.next = (self.all_picks.val() & self.owner.q.val()).any();
        self.behind.next = self.waiting.val() & !(self.owner.q.val() | (self.owner.q.val() - 1));
        self.first.next = self.waiting.val() & (!self.waiting.val() + 1);
        if self.behind.val().any() {
            self.first.next = self.behind.val() & (!self.behind.val() + 1);
        }

        self.picker.reset.next = self.reset.val();
        self.picker.look.next = false;
        self.picker.pick.next = false;
        self.looked.next = self.looking.q.val() & self.picker.looked.val() & !self.moved.val();
        self.picked.next = self.picking.q.val() & self.picker.done.val();
        if self.looked.val() {
            self.looking.d.next = false;
            self.holds.d.next = true;
            self.looks.d.next = self.all_looks.val() & !self.owner.q.val();
            self.recalls.d.next = self.all_recalls.val() & !self.owner.q.val();
        }
        if self.picked.val() {
            self.picking.d.next = false;
        }
        if self.looking.q.val() & self.moved.val() {
            self.picker.look.next = true;
        }
        if !self.picking.q.val() {
            if self.owner_waits.val() {
                if !self.looking.q.val() & (!self.owner_picks.val() | !self.held.val()) {
                    self.picker.look.next = true;
                    self.looking.d.next = true;
                }
            } else if self.waiting.val().any() {
                // Also where a recalled position is looked at, for which nobody waits yet.
                self.owner.d.next = self.first.val();
                self.holds.d.next = false;
                self.looking.d.next = false;
            } else if (self.all_recalls.val() & self.owner.q.val()).any() & !self.looking.q.val() {
                self.picker.look.next = true;
                self.looking.d.next = true;
            }
        }
        if self.owner_picks.val()
            & ((!self.looking.q.val() & !self.picking.q.val() & self.held.val()) | self.looked.val())
        {
            self.picker.pick.next = true;
            self.picking.d.next = true;
            self.picks.d.next = self.all_picks.val() & !self.owner.q.val();
        }

        self.picker.board.next = self.walkers[0].board.val();
        self.picker.selection.next = self.walkers[0].selection.val();
        self.picker.special.next = self.walkers[0].special.val();
        self.picker.after.next = self.walkers[0].after.val();
        for i in 1..2 {
            if self.owner.q.val().get_bit(i) {
                self.picker.board.next = self.walkers[i].board.val();
                self.picker.selection.next = self.walkers[i].selection.val();
                self.picker.special.next = self.walkers[i].special.val();
                self.picker.after.next = self.walkers[i].after.val();
            }
        }
        self.looks_now.next = self.looks.q.val() & self.owner.q.val();
        for i in 0..2 {
            self.walkers[i].looked.next = self.looked.val() & self.looks_now.val().get_bit(i);
            self.walkers[i].picked.next = self.picked.val() & self.owner.q.val().get_bit(i);
            self.walkers[i].has_move.next = self.picker.has_move.val();
            self.walkers[i].in_check.next = self.picker.in_check.val();
            self.walkers[i].chosen.next = self.picker.chosen.val();
        }
        if self.reset.val() {
            self.looks.d.next = 0.into();
            self.picks.d.next = 0.into();
            self.recalls.d.next = 0.into();
            self.holds.d.next = false;
            self.looking.d.next = false;
            self.picking.d.next = false;
        }
    }
}
