//! Picks the next move of a node in the search's order.
//!
//! ```text
//!                     +----------+
//!   clock            ->          -> done            the move is that of the last `pick`
//!   reset            ->          => others 3 x 85   those behind it, as far as they are known
//!                    |           => chosen 85       that move, if there is one, see `Chosen`: its place is `after` for the next one
//!   row 2074         =>          -> more            the move behind it follows
//!   arrivals 17 x 81 =>  Picker  -> attacked_only   the arrivals are to be those of attacked pieces
//!   parts 3          =>          => counter_at 13   address of a move's counter; its rank comes a clock later as `counter`
//!   selection 16     =>          |
//!   counter 8        =>          |
//!   special 4 x 15   =>          |
//!   after 28         =>          |
//!   pick             ->          |
//!   stop             ->          |
//!                     +----------+
//! ```
//!
//! Handshake: `pick`, for one clock, finds the first move behind `after` in the position whose planes are `row` and `arrivals`; they,
//! `selection`, `special` and `after` stay until `done`, which is high for one clock, with `chosen`; the arrivals follow `attacked_only` within two clocks. With `more` the move
//! behind that one follows, as if it had been asked for, with `after` as it was or the place of the first, until `stop` or the next `pick`.
//! Nothing is remembered of earlier picks: `after` (all zero for the first move), `selection` and
//! `special` tell which moves were picked before. Behind [`super::order::Place::before_losing`] only losing captures are left. `reset`
//! forgets what is under way.
//!
//! Latency: 12 clocks, one for each move that is looked at before, and two for each level without moves.
//! In the mean over the situations of the tests, from a walker's request on: the table's move 14, a capture 16, the first killer 19, the
//! second 18, the counter move 18, a check 16, a move of an attacked piece 17, a king's move out of check 16, a losing capture 25, and 17
//! to find that none is left. Another quiet move takes 13 in canonical order; `by_history` one for each of them, and the next three are
//! told with it: 46 in positions with many drops, at most 221. Throughput: one pick at a time.
//! Method: masks of squares and groups leave little to look at ([`super::scan`]); what is left goes through a pipeline, one move a clock, in
//! which its origin is traced and its key is found, and the least keys behind `after` are kept.
//! Model: `host/model/src/search/order.rs`. Cost: see [`super`]. Absent: the planes (`look_share`), counting, keys, and the evaluation.

use super::aim::ScanTag;
use super::choose::{Choose, Chosen, List, OTHERS};
use super::history::{CounterAddress, ADDRESS_BITS};
use super::levels::PARTS;
use super::node::Move;
use super::order::{Place, Selection, SPECIAL};
use super::stored::{Fetch, ARRIVAL_BITS, ROW_BITS};
use super::trace::{Origin, Trace};
use super::{describe::Describe, exchange::Balance, rank::Rank, scan::Scan};
use crate::network::width;
use rust_hdl::prelude::*;

/// Wires of a tag.
const TAG_BITS: usize = width::<ScanTag>();

/// Picks moves.
#[derive(LogicBlock, Default)]
pub struct Picker {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forget what is under way.
    pub reset: Signal<In, Bit>,
    /// The position and its planes.
    pub row: Signal<In, Bits<ROW_BITS>>,
    /// Where own pieces arrive.
    pub arrivals: Signal<In, Bits<ARRIVAL_BITS>>,
    /// The parts of captures that there are.
    pub parts: Signal<In, Bits<PARTS>>,
    /// Which moves the node has, and in which order.
    pub selection: Signal<In, Bits<{ width::<Selection>() }>>,
    /// The table's move, two killers and the counter move, or zeros.
    pub special: Signal<In, Bits<{ width::<[Move; SPECIAL]>() }>>,
    /// The place of the move picked last.
    pub after: Signal<In, Bits<{ width::<Place>() }>>,
    /// The rank of the counter at the last clock's `counter_at`, 0 for the greatest.
    pub counter: Signal<In, Bits<8>>,
    /// Pick the next one.
    pub pick: Signal<In, Bit>,
    /// Nothing more is to be picked.
    pub stop: Signal<In, Bit>,
    /// The move is there, or none is left.
    pub done: Signal<Out, Bit>,
    /// The one behind it follows.
    pub more: Signal<Out, Bit>,
    /// That move.
    pub chosen: Signal<Out, Bits<{ width::<Chosen>() }>>,
    /// Those behind it.
    pub others: Signal<Out, Bits<{ width::<[Chosen; OTHERS]>() }>>,
    /// The arrivals are to be those of attacked pieces.
    pub attacked_only: Signal<Out, Bit>,
    /// The address of a move's counter.
    pub counter_at: Signal<Out, Bits<ADDRESS_BITS>>,
    fetch: Fetch,
    scan: Scan,
    trace: Trace,
    origin: Origin,
    describe: Describe,
    balance: Balance,
    rank: Rank,
    counter_address: CounterAddress,
    list: List,
    choose: Choose,
    traced: DFF<Bits<TAG_BITS>>,
    found: DFF<Bits<TAG_BITS>>,
    described: DFF<Bits<TAG_BITS>>,
    forget: Signal<Local, Bit>,
    anew: Signal<Local, Bit>,
}

impl Logic for Picker {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, traced, found, described);
        clock!(self, clock, scan, trace, origin, describe, balance, rank, list, choose);

        self.forget.next =
            self.reset.val() | self.stop.val() | (self.choose.done.val().any() & !self.choose.more.val().any());
        self.anew.next = self.forget.val() | self.pick.val();
        self.scan.forget.next = self.forget.val().into();
        self.scan.start.next = self.pick.val().into();
        self.rank.forget.next = self.anew.val().into();
        self.list.forget.next = self.anew.val().into();
        self.choose.clear.next = self.anew.val().into();
        self.fetch.row.next = self.row.val();
        self.scan.selection.next = self.selection.val();
        self.scan.special.next = self.special.val();
        self.scan.after.next = self.after.val();
        self.scan.parts.next = self.parts.val();
        self.scan.squares.next = self.fetch.squares.val();
        self.scan.arrivals.next = self.arrivals.val();
        self.scan.drops.next = self.fetch.drops.val();
        self.scan.holds.next = self.fetch.holds.val();
        self.scan.lines.next = self.fetch.lines.val();
        self.scan.pawns.next = self.fetch.pawns.val();
        self.scan.state_in.next = self.scan.state.val();
        self.attacked_only.next = self.scan.attacked_only.val().any();

        self.trace.op.next = self.scan.op.val();
        self.trace.empty.next = self.fetch.empty.val();
        self.origin.to.next = self.trace.to.val();
        self.origin.rays.next = self.trace.rays.val();
        self.origin.kind.next = self.trace.kind.val();
        self.origin.promote.next = self.trace.promote.val();
        self.origin.board.next = self.fetch.board.val();
        self.describe.to.next = self.origin.to_out.val();
        self.describe.from.next = self.origin.from.val();
        self.describe.kind.next = self.origin.kind_out.val();
        self.describe.promote.next = self.origin.promote_out.val();
        self.describe.board.next = self.fetch.board.val();
        self.describe.captured.next = self.origin.captured.val();
        self.describe.attacks.next = self.fetch.attacks.val();
        self.describe.lines.next = self.fetch.lines.val();
        self.describe.king.next = self.fetch.king.val();
        self.balance.hits.next = self.describe.hits.val();
        self.balance.drop.next = self.describe.drop.val();
        self.balance.gain_in.next = self.describe.gain.val();
        self.balance.value.next = self.describe.value.val();
        self.rank.selection.next = self.selection.val();
        self.rank.special.next = self.special.val();
        self.rank.tag.next = self.described.q.val();
        self.rank.described.next = self.describe.described.val();

        // What a move is for goes beside it.
        self.traced.d.next = self.scan.tag.val();
        self.found.d.next = self.traced.q.val();
        self.described.d.next = self.found.q.val();
        if self.anew.val() {
            self.traced.d.next = 0.into();
            self.found.d.next = 0.into();
            self.described.d.next = 0.into();
        }

        self.list.selection.next = self.selection.val();
        self.list.ranked.next = self.rank.ranked.val();
        self.counter_address.described.next = self.describe.described.val();
        self.counter_at.next = self.counter_address.address.val();
        self.list.counter.next = self.counter.val();
        self.list.candidate.next = self.rank.candidate.val();
        self.list.gain.next = self.balance.gain.val();
        self.list.exchange.next = self.balance.exchange.val();
        self.choose.after.next = self.after.val();
        self.choose.ranked.next = self.list.ranked_out.val();
        self.choose.candidate.next = self.list.candidate_out.val();
        self.choose.gain.next = self.list.gain_out.val();
        self.choose.exchange.next = self.list.exchange_out.val();
        self.choose.done_in.next = self.choose.done.val();
        self.choose.several_in.next = self.choose.several.val();
        self.choose.chosen_in.next = self.choose.chosen.val();
        self.choose.others_in.next = self.choose.others.val();
        self.others.next = self.choose.others.val();
        self.done.next = self.choose.done.val().any();
        self.more.next = self.choose.more.val().any();
        self.chosen.next = self.choose.chosen.val();
    }
}

crate::inputs!(Picker: clock, reset, row, arrivals, parts, selection, special, after, counter, pick, stop);
