//! How many positions of a path have the same low bits of their key.
//!
//! ```text
//!             +------+
//!   clock    ->      -> is_new    in the clock behind `adds`: no other has them
//!   adds     -> Seen -> ready     all counts are zero
//!   takes    ->      |
//!   low 10   =>      |
//!   clear    ->      |
//!   reset    ->      |
//!             +------+
//! ```
//!
//! Handshake: `adds` counts a position, `takes` one less; `low` stays for two clocks. `clear` before the first one.
//! Latency: one clock; `clear` one, each 32nd time and after a reset 1,024. Throughput: one position in two clocks.
//! Method: a row has the number of its search, and counts nothing in another one.
//! Cost: 25 flip-flops, 1,024 rows of 14 wires in block RAM.
//! Model: `host/model/src/search/path.rs` (`seen`). Absent: which positions they are (`path`).

use super::path::COUNT_BITS;
use super::search_number::{self, SearchNumber, SEARCH_BITS};
use crate::network::{width, Wire, Wires, Word};
use crate::{bundle, network};
use rust_hdl::prelude::*;

/// Low bits of a key by which positions are counted.
pub const SEEN_BITS: usize = 10;

bundle! {
    /// How many positions have the same bits.
    pub struct Row {
        /// So many.
        count: Wires<COUNT_BITS>,
        /// The search that has counted them.
        search: Wires<SEARCH_BITS>,
    }
}

network! {
    /// A row after a position is added or removed.
    CountSeen = count_seen(CountSeenIn) -> CountSeenOut, unclocked {
        in old: Row;
        in search: Wires<SEARCH_BITS>;
        in takes: Wire;
        out row: Row;
        out none: Wire;
    }
}

fn count_seen<W: Word>(inputs: CountSeenIn<W>) -> CountSeenOut<W> {
    let CountSeenIn { old, search, takes } = inputs;
    let count = old.count.when(old.search.equals(search)).named("count");
    let one = W::constant(1, 1);
    let changed = takes.choose(count.minus(one, COUNT_BITS), count.plus(one, COUNT_BITS));
    CountSeenOut { row: Row { count: changed, search }, none: !count.any() }
}

/// Counts positions.
#[derive(LogicBlock, Default)]
pub struct Seen {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// For one clock: a position is added.
    pub adds: Signal<In, Bit>,
    /// For one clock: a position is removed.
    pub takes: Signal<In, Bit>,
    /// Low bits of its key.
    pub low: Signal<In, Bits<SEEN_BITS>>,
    /// For one clock: all counts become zero.
    pub clear: Signal<In, Bit>,
    /// Forgets what is under way.
    pub reset: Signal<In, Bit>,
    /// The position that was added in the clock before is the only one with these bits.
    pub is_new: Signal<Out, Bit>,
    /// All counts are zero, or those of the positions since.
    pub ready: Signal<Out, Bit>,
    apart_counts: RAM<Bits<{ width::<Row>() }>, SEEN_BITS>,
    count: CountSeen,
    number: SearchNumber,
    adding: DFF<Bit>,
    taking: DFF<Bit>,
    value: Values,
}

crate::constants! {
    Values {
        last_row: Bits<{ search_number::ROW_BITS }> = (1 << SEEN_BITS) - 1;
    }
}

impl Logic for Seen {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, adding, taking);
        clock!(self, clock, number);
        self.number.begins.next = self.clear.val();
        self.number.last.next = self.value.last_row.val();
        self.number.reset.next = self.reset.val();
        self.apart_counts.read_clock.next = self.clock.val();
        self.apart_counts.write_clock.next = self.clock.val();
        self.adding.d.next = self.adds.val();
        self.taking.d.next = self.takes.val();
        self.apart_counts.read_address.next = self.low.val();
        self.apart_counts.write_address.next = self.low.val();
        self.count.old.next = self.apart_counts.read_data.val();
        self.count.search.next = self.number.number.val();
        self.count.takes.next = self.taking.q.val().into();
        self.apart_counts.write_data.next = self.count.row.val();
        self.apart_counts.write_enable.next = self.adding.q.val() | self.taking.q.val();
        if self.number.emptying.val() {
            self.apart_counts.write_address.next =
                bit_cast::<SEEN_BITS, { search_number::ROW_BITS }>(self.number.at.val());
            self.apart_counts.write_data.next = 0.into();
            self.apart_counts.write_enable.next = true;
        }
        if self.reset.val() {
            self.adding.d.next = false;
            self.taking.d.next = false;
        }
        self.is_new.next = self.count.none.val().any();
        self.ready.next = !self.number.emptying.val();
    }
}
