//! The killers of each ply, and the counter moves.
//!
//! ```text
//!                   +---------+
//!   clock, reset   ->         => killers 30   of the ply in the clock before, the latest lowest
//!   ply 6          =>         => counter 15   of the move that leads to `present`
//!   present 196    =>         -> busy         rows are being emptied
//!   learns         -> Killers |
//!   forgets        ->         |
//!   clear          ->         |
//!   search 5       =>         |
//!   empties        ->         |
//!                   +---------+
//! ```
//!
//! Handshake: `learns` makes the current move of `present`, the node of this ply, its killer and the counter move of the move that leads to
//! it. `forgets` empties the killers two plies below. `clear` empties all killers; with the new number of the search, at the same
//! time, `empties` may come for one clock, see `search_number`.
//! Latency: one clock to `killers`, two to `counter`; `clear` takes 64, `empties` 2,048. Throughput: one row of each kind a clock.
//! Method: a row of a counter move has the number of its search, and counts as empty in another one.
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
const ANSWERED: usize = 11;

bundle! {
    /// A counter move.
    pub struct Row {
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
        out killers: Wires<30>;
        out row: Row;
        out answered: Wires<ANSWERED>;
        out answers: Wire;
    }
}

network! {
    /// The counter move of a row.
    CounterMove = counter_move(CounterMoveIn) -> CounterMoveOut, unclocked {
        in row: Row;
        in search: Wires<SEARCH_BITS>;
        out counter: Move;
    }
}

fn learn<W: Word>(inputs: LearnIn<W>) -> LearnOut<W> {
    let LearnIn { present, killers_in, search } = inputs;
    let (mv, first, last) = (present.current.mv, killers_in.slice(0, 15), present.child.last);
    let killers = mv.equals(first).choose(killers_in, W::join(&[mv, first]));
    let answered = W::join(&[last.to(), last.becomes()]);
    LearnOut { killers, row: Row { mv, search }, answered, answers: present.child.has_last }
}

fn counter_move<W: Word>(inputs: CounterMoveIn<W>) -> CounterMoveOut<W> {
    let CounterMoveIn { row, search } = inputs;
    CounterMoveOut { counter: row.mv.when(row.search.equals(search)) }
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
    /// Empty all killers.
    pub clear: Signal<In, Bit>,
    /// The number of the search.
    pub search: Signal<In, Bits<SEARCH_BITS>>,
    /// Empty all counter moves.
    pub empties: Signal<In, Bit>,
    /// The killers of the ply.
    pub killers: Signal<Out, Bits<30>>,
    /// The counter move of the move that leads to the node, whether there is such a move or not.
    pub counter: Signal<Out, Bits<15>>,
    /// Rows are being emptied.
    pub busy: Signal<Out, Bit>,
    apart_killers: RAM<Bits<30>, PLY>,
    apart_counters: RAM<Bits<{ width::<Row>() }>, ANSWERED>,
    learn: Learn,
    counter_move: CounterMove,
    learning: DFF<Bit>,
    /// Killers are being emptied; counter moves are.
    clearing: DFF<Bit>,
    emptying: DFF<Bit>,
    at: DFF<Bits<ANSWERED>>,
    next_at: Signal<Local, Bits<ANSWERED>>,
    two_below: Signal<Local, Bits<PLY>>,
    value: Values,
}

crate::constants! {
    Values {
        last_ply: Bits<ANSWERED> = (1 << PLY) - 1;
    }
}

impl Logic for Killers {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, learn);
        dff_setup!(self, clock, learning, clearing, emptying, at);
        self.apart_killers.read_clock.next = self.clock.val();
        self.apart_killers.write_clock.next = self.clock.val();
        self.apart_counters.read_clock.next = self.clock.val();
        self.apart_counters.write_clock.next = self.clock.val();
        self.two_below.next = self.ply.val() + 2;

        self.learn.present.next = self.present.val();
        self.learn.killers_in.next = self.apart_killers.read_data.val();
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
        self.killers.next = self.apart_killers.read_data.val();
        self.apart_counters.read_address.next = self.learn.answered.val();
        self.apart_counters.write_address.next = self.learn.answered.val();
        self.apart_counters.write_data.next = self.learn.row.val();
        self.apart_counters.write_enable.next = self.learning.q.val() & self.learn.answers.val().any();
        self.counter_move.row.next = self.apart_counters.read_data.val();
        self.counter_move.search.next = self.search.val();
        self.counter.next = self.counter_move.counter.val();

        self.next_at.next = self.at.q.val() + 1;
        if self.clearing.q.val() {
            self.apart_killers.write_address.next = bit_cast::<PLY, ANSWERED>(self.at.q.val());
            self.apart_killers.write_data.next = 0.into();
            self.apart_killers.write_enable.next = true;
            if self.at.q.val() == self.value.last_ply.val() {
                self.clearing.d.next = false;
            }
        }
        if self.emptying.q.val() {
            self.apart_counters.write_address.next = self.at.q.val();
            self.apart_counters.write_data.next = 0.into();
            self.apart_counters.write_enable.next = true;
            self.emptying.d.next = self.next_at.val().any();
        }
        self.at.d.next = self.next_at.val();
        if self.clear.val() {
            self.clearing.d.next = true;
            self.at.d.next = 0.into();
        }
        if self.empties.val() {
            self.emptying.d.next = true;
        }
        if self.reset.val() {
            self.clearing.d.next = false;
            self.emptying.d.next = false;
            self.learning.d.next = false;
        }
        self.busy.next = self.clearing.q.val() | self.emptying.q.val();
    }
}
