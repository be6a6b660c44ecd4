//! A walker's side of a picker: its request, and the moves behind it, which are picked before they are asked for.
//!
//! ```text
//!                 +-----------+
//!   clock, reset ->           =>               walker: `ports::PickServer`
//!   kept         ->           -> asks          a move is to be picked,
//!   walker       => PickAhead -> ahead         or may be, while nobody asks
//!   done         ->           -> drops         what is picked for this walker is not wanted any more
//!   chosen 85    =>           => ply 6, selection 16, special 60, after 28, counter 8    what `picker` is given
//!   others 3 x 85=>           |
//!   counter_at 13=>           |
//!                 +-----------+
//! ```
//!
//! Handshake: that of the ports, and `done` for one clock with the `chosen` move for what `asks` or `ahead` was last taken. `ply` is
//! that of a request from its first clock on, the rest from the next. `drops` is high for one clock. Without `kept` nothing is picked
//! ahead, since the planes of other plies are not there.
//! Latency: a move that was picked ahead is there in the next clock. Throughput: one request at a time.
//! Method: behind a move, the next one depends on nothing that its search may change. Moves are kept by ply, beside the one that they follow,
//! so that they are still there when the search below has ended: those that the picker has found with the last one, or the one that it has
//! picked ahead and those found with that. A node begins without a move before; its first request forgets what was kept.
//! Cost: 180 flip-flops, of which 64 tell at which plies moves are kept, so that a reset forgets them all; and 280 wires of block RAM
//! by ply. Model: none: who picks when changes no pick.

use super::choose::{Chosen, OTHERS};
use super::history::ADDRESS_BITS;
use super::kept_moves::{Find, Give, Keep, KEPT_BITS};
use super::order::Place;
use crate::network::width;
use crate::ports::PickServer;
use rust_hdl::prelude::*;

crate::constants! {
    Values {
        valid: Bits<8> = Chosen::lowest_wire("valid");
        place: Bits<8> = Chosen::lowest_wire("place");
    }
}

/// Keeps a walker's request, and picks ahead.
#[derive(LogicBlock, Default)]
pub struct PickAhead {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets what is under way.
    pub reset: Signal<In, Bit>,
    /// Planes of all plies are kept.
    pub kept: Signal<In, Bit>,
    /// The walker.
    pub walker: PickServer,
    /// The picker has picked for this walker.
    pub done: Signal<In, Bit>,
    /// The move.
    pub chosen: Signal<In, Bits<{ width::<Chosen>() }>>,
    /// The counter that the picker asks for.
    pub counter_at: Signal<In, Bits<ADDRESS_BITS>>,
    /// Those behind it.
    pub others: Signal<In, Bits<{ width::<[Chosen; OTHERS]>() }>>,
    /// A move is to be picked.
    pub asks: Signal<Out, Bit>,
    /// A move may be picked before it is asked for.
    pub ahead: Signal<Out, Bit>,
    /// What is picked is not wanted any more.
    pub drops: Signal<Out, Bit>,
    /// The ply.
    pub ply: Signal<Out, Bits<6>>,
    /// Which moves its node has.
    pub selection: Signal<Out, Bits<16>>,
    /// Its special moves.
    pub special: Signal<Out, Bits<60>>,
    /// The place of the move picked last.
    pub after: Signal<Out, Bits<{ width::<Place>() }>>,
    /// The place of the counter.
    pub counter: Signal<Out, Bits<8>>,
    apart_rows: RAM<Bits<KEPT_BITS>, 6>,
    keep: Keep,
    find: Find,
    give: Give,
    /// At which plies a row has moves,
    there: DFF<Bits<64>>,
    /// and whether the one that is read has.
    held: DFF<Bit>,
    /// The wire of the ply in `there`.
    place: Signal<Local, Bits<64>>,
    /// A move of the row is the one that is asked for.
    known: Signal<Local, Bit>,
    /// It is being picked ahead.
    coming: Signal<Local, Bit>,
    /// The node of the move that is picked ahead has ended.
    gone: Signal<Local, Bit>,
    picked: Signal<Local, Bit>,
    now: Signal<Local, Bits<{ width::<Chosen>() }>>,
    at: DFF<Bits<6>>,
    which: DFF<Bits<16>>,
    specials: DFF<Bits<60>>,
    behind: DFF<Bits<{ width::<Place>() }>>,
    /// The walker waits for a pick.
    wants: DFF<Bit>,
    /// A move is picked ahead, or will be.
    before: DFF<Bit>,
    /// A row was written in the clock before: what was read may be neither.
    written: DFF<Bit>,
    /// The walker gets a move of the row; which.
    gives: DFF<Bit>,
    given: DFF<Bits<OTHERS>>,
    /// The move behind the one that the walker gets is kept.
    follows: Signal<Local, Bit>,
    value: Values,
}

impl Logic for PickAhead {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, at, which, specials, behind, wants, before, written, gives, given, there, held);
        self.apart_rows.read_clock.next = self.clock.val();
        self.apart_rows.write_clock.next = self.clock.val();
        self.apart_rows.read_address.next = self.walker.ply.val();
        self.find.row.next = self.apart_rows.read_data.val();
        self.find.after.next = self.walker.after.val();
        self.known.next = !self.written.q.val() & self.held.q.val() & self.find.found.val().any();
        self.given.d.next = self.find.found.val();
        self.coming.next = self.before.q.val()
            & !self.done.val()
            & (self.at.q.val() == self.walker.ply.val())
            & (self.behind.q.val() == self.walker.after.val());
        self.gone.next = self.walker.ply.val() < self.at.q.val();
        self.asks.next = self.wants.q.val();
        self.ahead.next = self.before.q.val();
        self.drops.next = (self.walker.picks.val() & !self.coming.val() & (self.before.q.val() | self.done.val()))
            | (self.before.q.val() & self.gone.val());

        self.picked.next = self.gives.q.val() | (self.done.val() & self.wants.q.val());
        self.give.row.next = self.apart_rows.read_data.val();
        self.give.which.next = self.given.q.val();
        self.now.next = self.chosen.val();
        self.follows.next = self.keep.is_kept.val().any();
        if self.gives.q.val() {
            self.now.next = self.give.chosen.val();
            self.follows.next = self.give.follows.val().any();
        }
        self.walker.picked.next = self.picked.val();
        self.walker.chosen.next = self.now.val();

        self.apart_rows.write_address.next = self.at.q.val();
        self.keep.chosen.next = self.chosen.val();
        self.keep.others.next = self.others.val();
        self.keep.ahead.next = self.before.q.val().into();
        self.keep.behind.next = self.behind.q.val();
        self.apart_rows.write_data.next = self.keep.row.val();
        self.apart_rows.write_enable.next = self.done.val();

        self.place.next = bit_cast::<64, 1>(1.into()) << self.at.q.val();
        self.held.d.next = self.there.q.val().get_bit(self.walker.ply.val().index());
        if self.done.val() {
            self.there.d.next = self.there.q.val() & !self.place.val();
            if self.keep.is_kept.val().any() {
                self.there.d.next = self.there.q.val() | self.place.val();
            }
        }
        self.written.d.next = self.done.val();
        self.gives.d.next = false;
        if self.done.val() | self.gone.val() {
            self.before.d.next = false;
        }
        if self.picked.val() {
            self.wants.d.next = false;
            self.behind.d.next = self.now.val().get_bits::<28>(self.value.place.val().index());
            self.before.d.next =
                self.now.val().get_bit(self.value.valid.val().index()) & self.kept.val() & !self.follows.val();
        }
        self.ply.next = self.at.q.val();
        if self.walker.picks.val() {
            self.ply.next = self.walker.ply.val();
            self.at.d.next = self.walker.ply.val();
            self.which.d.next = self.walker.selection.val();
            self.specials.d.next = self.walker.special.val();
            self.behind.d.next = self.walker.after.val();
            self.wants.d.next = !self.known.val();
            self.gives.d.next = self.known.val();
            self.before.d.next = false;
        }
        self.selection.next = self.which.q.val();
        self.special.next = self.specials.q.val();
        self.after.next = self.behind.q.val();
        self.counter.next = self.walker.counter.val();
        self.walker.counter_at.next = self.counter_at.val();
        if self.reset.val() {
            self.wants.d.next = false;
            self.before.d.next = false;
            self.gives.d.next = false;
            self.there.d.next = 0.into();
            self.held.d.next = false;
        }
    }
}
