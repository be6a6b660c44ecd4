//! The killers of each ply, and the counter moves.
//!
//! ```text
//!                   +---------+
//!   clock, reset   ->         => killers 30   of the ply in the clock before, the latest lowest
//!   ply 6          =>         => counter 15   of the move that leads to `present`
//!   present 196    =>         |
//!   learns         -> Killers |
//!   forgets        ->         |
//!   search 5       =>         |
//!   emptying       ->         |
//!   at 11          =>         |
//!                   +---------+
//! ```
//!
//! Handshake: `learns` makes the current move of `present`, the node of this ply, its killer and the counter move of the move that leads to
//! it. `forgets` empties the killers two plies below. While `emptying`, the rows `at` are emptied, see `search_number`, and nothing else is
//! asked for.
//! Latency: one clock to `killers`, two to `counter`. Throughput: one row of each kind a clock.
//! Method: a row has the number of its search, and counts as empty in another one.
//! Cost: 3 block RAMs of 36 wires.
//! Model: `host/model/src/search/walker.rs` (`learn`). Absent: where they come in the order (`selection`).

use super::node::{Move, Node};
use super::search_number::SEARCH_BITS;
use crate::network::{width, Wire, Wires, Word};
use crate::{bundle, network};
use rust_hdl::prelude::*;

/// Wires of a ply.
const PLY: usize = 6;
/// Wires of the number of a counter move: kind and square of the move that is answered.
pub const ANSWERED: usize = 11;

bundle! {
    /// The killers of a ply.
    pub struct KillersRow {
        /// The latest lowest, zeros where there is none.
        killers: Wires<30>,
        /// The search that has found them.
        search: Wires<SEARCH_BITS>,
    }
}

bundle! {
    /// A counter move.
    pub struct CounterRow {
        /// The move, or zero.
        mv: Move,
        /// The search that has found it.
        search: Wires<SEARCH_BITS>,
    }
}

network! {
    /// The killers of a node after its current move has cut off, and its counter move before that.
    Learn = learn(LearnIn) -> LearnOut {
        in present: Node;
        in killers_in: Wires<30>;
        in search: Wires<SEARCH_BITS>;
        out killers: KillersRow;
        out counter: CounterRow;
        out answered: Wires<ANSWERED>;
        out answers: Wire;
    }
}

network! {
    /// What rows have of a search.
    OfSearch = of_search(OfSearchIn) -> OfSearchOut, unclocked {
        in killers_row: KillersRow;
        in counter_row: CounterRow;
        in search: Wires<SEARCH_BITS>;
        out killers: Wires<30>;
        out counter: Move;
    }
}

fn learn<W: Word>(inputs: LearnIn<W>) -> LearnOut<W> {
    let LearnIn { present, killers_in, search } = inputs;
    let (mv, first, last) = (present.current.mv, killers_in.slice(0, 15), present.child.last);
    let killers = mv.equals(first).choose(killers_in, W::join(&[mv, first]));
    LearnOut {
        killers: KillersRow { killers, search },
        counter: CounterRow { mv, search },
        answered: W::join(&[last.to(), last.becomes()]),
        answers: present.child.has_last,
    }
}

fn of_search<W: Word>(inputs: OfSearchIn<W>) -> OfSearchOut<W> {
    let OfSearchIn { killers_row, counter_row, search } = inputs;
    OfSearchOut {
        killers: killers_row.killers.when(killers_row.search.equals(search)),
        counter: counter_row.mv.when(counter_row.search.equals(search)),
    }
}

/// Keeps killers and counter moves.
#[derive(LogicBlock, Default)]
pub struct Killers {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forget what is under way.
    pub reset: Signal<In, Bit>,
    /// The ply.
    pub ply: Signal<In, Bits<PLY>>,
    /// Its node.
    pub present: Signal<In, Bits<{ width::<Node>() }>>,
    /// Its current move cuts off.
    pub learns: Signal<In, Bit>,
    /// The node begins, outside quiescence.
    pub forgets: Signal<In, Bit>,
    /// The number of the search.
    pub search: Signal<In, Bits<SEARCH_BITS>>,
    /// Rows are emptied.
    pub emptying: Signal<In, Bit>,
    /// These, by their low wires.
    pub at: Signal<In, Bits<ANSWERED>>,
    /// The killers of the ply.
    pub killers: Signal<Out, Bits<30>>,
    /// The counter move of the move that leads to the node, whether there is such a move or not.
    pub counter: Signal<Out, Bits<15>>,
    apart_killers: RAM<Bits<{ width::<KillersRow>() }>, PLY>,
    apart_counters: RAM<Bits<{ width::<CounterRow>() }>, ANSWERED>,
    learn: Learn,
    of_search: OfSearch,
    learning: DFF<Bit>,
    two_below: Signal<Local, Bits<PLY>>,
}

impl Logic for Killers {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, learn);
        dff_setup!(self, clock, learning);
        self.apart_killers.read_clock.next = self.clock.val();
        self.apart_killers.write_clock.next = self.clock.val();
        self.apart_counters.read_clock.next = self.clock.val();
        self.apart_counters.write_clock.next = self.clock.val();
        self.two_below.next = self.ply.val() + 2;

        self.learn.present.next = self.present.val();
        self.learn.killers_in.next = self.of_search.killers.val();
        self.learn.search.next = self.search.val();
        self.learning.d.next = self.learns.val();
        self.apart_killers.read_address.next = self.ply.val();
        self.apart_killers.write_address.next = self.ply.val();
        self.apart_killers.write_data.next = self.learn.killers.val();
        self.apart_killers.write_enable.next = self.learning.q.val();
        if self.forgets.val() {
            self.apart_killers.write_address.next = self.two_below.val();
            self.apart_killers.write_data.next = 0.into();
            self.apart_killers.write_enable.next = true;
        }
        self.of_search.killers_row.next = self.apart_killers.read_data.val();
        self.killers.next = self.of_search.killers.val();
        self.apart_counters.read_address.next = self.learn.answered.val();
        self.apart_counters.write_address.next = self.learn.answered.val();
        self.apart_counters.write_data.next = self.learn.counter.val();
        self.apart_counters.write_enable.next = self.learning.q.val() & self.learn.answers.val().any();
        self.of_search.counter_row.next = self.apart_counters.read_data.val();
        self.of_search.search.next = self.search.val();
        self.counter.next = self.of_search.counter.val();

        if self.emptying.val() {
            self.apart_killers.write_address.next = bit_cast::<PLY, ANSWERED>(self.at.val());
            self.apart_killers.write_data.next = 0.into();
            self.apart_killers.write_enable.next = true;
            self.apart_counters.write_address.next = self.at.val();
            self.apart_counters.write_data.next = 0.into();
            self.apart_counters.write_enable.next = true;
        }
        if self.reset.val() {
            self.learning.d.next = false;
        }
    }
}
