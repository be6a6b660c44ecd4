//! How often quiet moves have ended nodes: a counter for each origin, or kind dropped, and destination.
//!
//! ```text
//!                 +---------+
//!   clock, reset ->         => place 8    of the move at the last clock's `pick_address` in the order of counters, 0 first
//!   pick_address =>         |
//!   iteration 6  => History |
//!   present 196  =>         |
//!   learns, fails ->        |
//!   search 5     =>         |
//!   emptying, at 13 =>      |
//!                 +---------+
//!
//!   present -> change -> rows -> grow -> bound -> rows
//! ```
//!
//! Handshake: for one clock `learns` or `fails`, when the current move of `present` has ended its node or failed low; not again in the next
//! four clocks. A new search has another number. While `emptying`, the counter `at` is emptied, see `search_number`, and nothing else is asked for.
//! Latency: one clock to `place`; a counter is changed in five. Throughput: one move picked a clock; one counter changed in five.
//! Method: an iteration orders moves by the counters as they were when it began. A row keeps that value beside the present one, from the first
//! change in an iteration on. A row of another search than the present one counts as empty. An address is 81 times the origin and the destination.
//! Cost: 93 flip-flops beside the rows. Model: `host/model/src/search/history.rs`. Absent: which moves are ordered by it (`rank`).

use super::describe::Described;
use super::history_rows::HistoryRows;
use super::node::{Node, Plies};
use super::number::{add, constant, entry, greater_of, smaller_of, subtract, table};
use super::search_number::SEARCH_BITS;
use crate::network::{width, Wire, Wires, Word};
use crate::{bundle, network};
use hayasashi_spec::piece::SQUARES;
use hayasashi_spec::search::MAX_DEPTH;
use hayasashi_spec::search_table::{history_bonus, HISTORY_LIMIT, HISTORY_PENALTY};
use rust_hdl::prelude::*;

/// Wires of the address of a counter.
pub const ADDRESS_BITS: usize = 13;
/// Wires of a counter.
const COUNTER: usize = 8;
/// Wires of what a counter gets.
const SIZE: usize = 4;
/// Wires of a counter that may be out of its bounds, and of what it loses.
const SUM: usize = COUNTER + 2;
const PART: usize = SIZE + 2;
/// Wires of a row.
pub const ROW_WIDTH: usize = width::<Row>();
const _: () = assert!(HISTORY_LIMIT == 1 << (COUNTER - 1) && history_bonus(MAX_DEPTH as i32) < 1 << SIZE);

bundle! {
    /// A counter.
    pub struct Row {
        /// Its value.
        now: Wires<COUNTER>,
        /// Its value when `iteration` began.
        before: Wires<COUNTER>,
        /// The iteration that changed it last.
        iteration: Plies,
        /// The search that did.
        search: Wires<SEARCH_BITS>,
    }
}

network! {
    /// The counter of a node's current move, and what it gets.
    Change = change(ChangeIn) -> ChangeOut, held {
        in present: Node;
        in cuts: Wire;
        out address: Wires<ADDRESS_BITS>;
        out size: Wires<SIZE>;
        out up: Wire;
    }
}

network! {
    /// A counter after a change, the part of it that it loses, and the rest of its row.
    Grow = grow(GrowIn) -> GrowOut {
        in row_in: Row;
        in size: Wires<SIZE>;
        in up: Wire;
        in iteration: Plies;
        in search: Wires<SEARCH_BITS>;
        out changed: Wires<SUM>;
        out part: Wires<PART>;
        out row_out: Row;
    }
}

network! {
    /// The row with the new counter, in its bounds.
    Bound = bound(BoundIn) -> BoundOut {
        in changed: Wires<SUM>;
        in part: Wires<PART>;
        in row_in: Row;
        out row: Row;
    }
}

network! {
    /// The place of a counter in their order.
    CounterPlace = counter_place(CounterPlaceIn) -> CounterPlaceOut, unclocked {
        in row: Row;
        in iteration: Plies;
        in search: Wires<SEARCH_BITS>;
        out place: Wires<COUNTER>;
    }
}

network! {
    /// The address of a move's counter.
    CounterAddress = counter_address(CounterAddressIn) -> CounterAddressOut, unclocked {
        in described: Described;
        out address: Wires<ADDRESS_BITS>;
    }
}

fn counter_address<W: Word>(inputs: CounterAddressIn<W>) -> CounterAddressOut<W> {
    CounterAddressOut { address: address(inputs.described.candidate.mv) }
}

/// The address of a move's counter.
fn address<W: Word>(mv: W) -> W {
    let (to, from) = (mv.slice(0, 7), mv.slice(7, 7).extend(ADDRESS_BITS));
    let shifted = |by: usize| W::join(&[W::zero(by), from.slice(0, ADDRESS_BITS - by)]);
    const _: () = assert!(SQUARES == 64 + 16 + 1);
    let sums = [shifted(6).plus(shifted(4), ADDRESS_BITS), from.plus(to.extend(ADDRESS_BITS), ADDRESS_BITS)];
    sums[0].named("origin_80").plus(sums[1].named("origin_and_destination"), ADDRESS_BITS)
}

fn change<W: Word>(inputs: ChangeIn<W>) -> ChangeOut<W> {
    let ChangeIn { present, cuts } = inputs;
    let depths = MAX_DEPTH as usize + 1;
    let bonus = entry(present.child.depth, &table(depths, history_bonus), SIZE);
    let penalty = entry(present.child.depth, &table(depths, |depth| history_bonus(depth) / HISTORY_PENALTY), SIZE);
    ChangeOut { address: address::<W>(present.current.mv), size: cuts.choose(bonus, penalty), up: cuts }
}

fn grow<W: Word>(inputs: GrowIn<W>) -> GrowOut<W> {
    let GrowIn { row_in, size, up, iteration, search } = inputs;
    let old = row_in.when(row_in.search.equals(search));
    let product = old.now.times_signed(size.extend(SIZE + 1), COUNTER + SIZE + 1).named("product");
    let [more, less] = [add, subtract].map(|change| change(old.now, size.extend(COUNTER), SUM));
    let before = old.iteration.equals(iteration).choose(old.before, old.now);
    let row_out = Row { now: W::zero(COUNTER), before, iteration, search };
    GrowOut { changed: up.choose(more, less), part: product.slice(COUNTER - 1, PART), row_out }
}

fn bound<W: Word>(inputs: BoundIn<W>) -> BoundOut<W> {
    let BoundIn { changed, part, row_in } = inputs;
    let new = subtract(changed, part, SUM).named("new");
    let now = smaller_of(constant(HISTORY_LIMIT - 1, SUM), greater_of(constant(-HISTORY_LIMIT, SUM), new));
    BoundOut { row: Row { now: now.slice(0, COUNTER), ..row_in } }
}

fn counter_place<W: Word>(inputs: CounterPlaceIn<W>) -> CounterPlaceOut<W> {
    let CounterPlaceIn { row, iteration, search } = inputs;
    let row = row.when(row.search.equals(search));
    let counter = row.iteration.equals(iteration).choose(row.before, row.now);
    // The greatest counter first.
    CounterPlaceOut { place: W::join(&[!counter.slice(0, COUNTER - 1), counter.bit(COUNTER - 1)]) }
}

/// Keeps counters.
#[derive(LogicBlock, Default)]
pub struct History {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forget what is under way.
    pub reset: Signal<In, Bit>,
    /// The counter that the picker asks for.
    pub pick_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// The iteration.
    pub iteration: Signal<In, Bits<6>>,
    /// The present node.
    pub present: Signal<In, Bits<{ width::<Node>() }>>,
    /// Its current move has ended it.
    pub learns: Signal<In, Bit>,
    /// It has failed low.
    pub fails: Signal<In, Bit>,
    /// The number of the search.
    pub search: Signal<In, Bits<SEARCH_BITS>>,
    /// A counter is emptied.
    pub emptying: Signal<In, Bit>,
    /// This one.
    pub at: Signal<In, Bits<ADDRESS_BITS>>,
    /// The place of the counter in their order.
    pub place: Signal<Out, Bits<COUNTER>>,
    rows: HistoryRows,
    change: Change,
    grow: Grow,
    bound: Bound,
    counter_place: CounterPlace,
    /// The row is read, is there, has grown, and is written.
    reads: DFF<Bit>,
    grows: DFF<Bit>,
    bounds: DFF<Bit>,
    writes: DFF<Bit>,
    /// The picker's row was written in the clock before; what was written.
    collides: DFF<Bit>,
    written: DFF<Bits<ROW_WIDTH>>,
}

impl Logic for History {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, rows, change, grow, bound);
        dff_setup!(self, clock, reads, grows, bounds, writes, collides, written);
        self.rows.pick_address.next = self.pick_address.val();
        // What a row gives in the clock in which it is written is not defined.
        self.collides.d.next = self.writes.q.val() & (self.pick_address.val() == self.change.address.val());
        self.written.d.next = self.bound.row.val();
        self.counter_place.row.next = self.rows.picked.val();
        if self.collides.q.val() {
            self.counter_place.row.next = self.written.q.val();
        }
        self.counter_place.iteration.next = self.iteration.val();
        self.counter_place.search.next = self.search.val();
        self.place.next = self.counter_place.place.val();

        self.change.hold.next = (!(self.learns.val() | self.fails.val())).into();
        self.change.present.next = self.present.val();
        self.change.cuts.next = self.learns.val().into();
        self.grow.row_in.next = self.rows.learned.val();
        self.grow.size.next = self.change.size.val();
        self.grow.up.next = self.change.up.val();
        self.grow.iteration.next = self.iteration.val();
        self.grow.search.next = self.search.val();
        self.bound.changed.next = self.grow.changed.val();
        self.bound.part.next = self.grow.part.val();
        self.bound.row_in.next = self.grow.row_out.val();
        self.reads.d.next = self.learns.val() | self.fails.val();
        self.grows.d.next = self.reads.q.val();
        self.bounds.d.next = self.grows.q.val();
        self.writes.d.next = self.bounds.q.val() & self.change.size.val().any();
        self.rows.learn_address.next = self.change.address.val();
        self.rows.write_data.next = self.bound.row.val();
        self.rows.write.next = self.writes.q.val();

        if self.emptying.val() {
            self.rows.learn_address.next = self.at.val();
            self.rows.write_data.next = 0.into();
            self.rows.write.next = true;
        }
        if self.reset.val() {
            self.reads.d.next = false;
            self.grows.d.next = false;
            self.bounds.d.next = false;
            self.writes.d.next = false;
        }
    }
}
