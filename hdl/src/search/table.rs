//! The table of a walker, in block RAM: rows of two entries.
//!
//! ```text
//!                +-------+
//!   clock       ->       => entry 39   of the key; see `Entry`
//!   get         ->       -> ready      the last command is done
//!   put         ->       |
//!   clear, keep -> Table |
//!   key 64      =>       |
//!   found 45    =>       |            see `NewEntry`
//!   mask 15     =>       |            the rows of the request's table less one
//!   reset       ->       |
//!                +-------+
//!
//!   rows -> row_read -> compare -> rows
//! ```
//!
//! Handshake: a command is given while `ready`; `key` and `found` stay until `ready` again. Before the first command of a
//! request the table is cleared. With `keep` its entries stay if the last one had the same `mask`.
//! Latency: from `get` three clocks to `entry`, which stays until the next `get` or `put`; `put` four clocks; `clear` one, each 32nd time and
//! after a reset one for each row that the chip has. Throughput: one command in four clocks.
//! Method: a row has the number of its search, and counts as empty in another one.
//! Cost: 1,150 `LUT4`, 414 flip-flops, and the block RAMs of [`super::table_rows`].
//! Model: `host/model/src/search/table.rs`. Absent: what a node does with its entry (`enter`).

use super::arrival::Entry;
use super::node::Plies;
use super::search_number::{SearchNumber, SEARCH_BITS};
use super::table_rows::{TableRows, ADDRESS_BITS};
use crate::network::{width, Wire, Wires, Word};
use crate::{bundle, network};
use hayasashi_spec::search::MIN_TABLE_BITS;
use rust_hdl::prelude::*;

bundle! {
    /// The result of a node.
    pub struct NewEntry {
        /// What it is for the table.
        entry: Entry,
        /// The iteration.
        iteration: Plies,
    }
}

bundle! {
    /// An entry as the table has it.
    pub struct Kept {
        /// The entry; its bound is 0 where there is none.
        entry: Entry,
        /// The iteration that stored it.
        iteration: Plies,
        /// Differs in the next search that keeps the entries.
        turn: Wire,
        /// The high half of the key.
        key: Wires<HIGH>,
    }
}

bundle! {
    /// A row of the table.
    pub struct Row {
        /// The entry that stays where it is deeper.
        first: Kept,
        /// The other one.
        second: Kept,
        /// The search that wrote the row.
        search: Wires<SEARCH_BITS>,
    }
}

/// Bits of a key that an entry has.
const HIGH: usize = 32;
/// Wires of a row.
pub const ROW_WIDTH: usize = width::<Row>();

network! {
    /// The entry of a key, and the row after a result is stored.
    CompareRow = compare_row(CompareRowIn) -> CompareRowOut, held {
        in row_in: Row;
        in search: Wires<SEARCH_BITS>;
        in turn: Wire;
        in key: Wires<64>;
        in found: NewEntry;
        out entry: Entry;
        out row: Row;
    }
}

fn compare_row<W: Word>(inputs: CompareRowIn<W>) -> CompareRowOut<W> {
    let CompareRowIn { row_in, search, turn, key, found } = inputs;
    let high = key.slice(64 - HIGH, HIGH);
    let of_search = row_in.search.equals(search).named("of_search");
    let (first, second) = (row_in.first.when(of_search), row_in.second.when(of_search));
    let is_of_key = |kept: &Kept<W>| kept.key.equals(high) & kept.entry.bound.any();
    let (is_first, is_second) = (is_of_key(&first).named("is_first"), is_of_key(&second).named("is_second"));
    let entry = Entry::choose(is_first, &first.entry, &second.entry.when(is_second));
    let deeper = found.entry.depth.below(first.entry.depth);
    let same = first.iteration.equals(found.iteration) & !(first.turn ^ turn);
    let stays = (!is_first & first.entry.bound.any() & same & deeper).named("stays");
    // The move of the position is kept where the new search has found none.
    let best = found.entry.best.any().choose(found.entry.best, entry.best);
    let new = Kept { entry: Entry { best, ..found.entry }, iteration: found.iteration, turn, key: high };
    let second = Kept::choose(is_first, &second, &first);
    let row = Row { first: Kept::choose(stays, &first, &new), second: Kept::choose(stays, &new, &second), search };
    CompareRowOut { entry, row }
}

/// A table.
#[derive(LogicBlock)]
pub struct Table {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Find the entry of the key.
    pub get: Signal<In, Bit>,
    /// Store a result.
    pub put: Signal<In, Bit>,
    /// Empty all entries.
    pub clear: Signal<In, Bit>,
    /// With it: unless they are those that were emptied last.
    pub keep: Signal<In, Bit>,
    /// The key.
    pub key: Signal<In, Bits<64>>,
    /// The result.
    pub found: Signal<In, Bits<{ width::<NewEntry>() }>>,
    /// The rows of the request's table less one.
    pub mask: Signal<In, Bits<ADDRESS_BITS>>,
    /// Forget what is under way.
    pub reset: Signal<In, Bit>,
    /// The entry of the key.
    pub entry: Signal<Out, Bits<{ width::<Entry>() }>>,
    /// The last command is done.
    pub ready: Signal<Out, Bit>,
    rows: TableRows,
    compare: CompareRow,
    /// The row, as block RAM is slow; it is there.
    row_read: DFF<Bits<ROW_WIDTH>>,
    arrives: DFF<Bit>,
    reads: DFF<Bit>,
    stores: DFF<Bit>,
    stores_next: DFF<Bit>,
    writes: DFF<Bit>,
    number: SearchNumber,
    /// The mask of the last request that has not kept them; there was one since the reset.
    begun: DFF<Bits<ADDRESS_BITS>>,
    is_begun: DFF<Bit>,
    /// Changes with each search that keeps the entries.
    turn: DFF<Bit>,
    last: Constant<Bits<ADDRESS_BITS>>,
    row: Signal<Local, Bits<ADDRESS_BITS>>,
    kept: Signal<Local, Bit>,
    anew: Signal<Local, Bit>,
}

impl Table {
    /// A table of so many entries at most, as a power of two.
    pub fn new(bits: u8) -> Self {
        Table {
            clock: Default::default(),
            get: Default::default(),
            put: Default::default(),
            clear: Default::default(),
            keep: Default::default(),
            key: Default::default(),
            found: Default::default(),
            mask: Default::default(),
            reset: Default::default(),
            entry: Default::default(),
            ready: Default::default(),
            rows: TableRows::new(bits as usize - 1),
            compare: Default::default(),
            row_read: Default::default(),
            arrives: Default::default(),
            reads: Default::default(),
            stores: Default::default(),
            stores_next: Default::default(),
            writes: Default::default(),
            number: Default::default(),
            begun: Default::default(),
            is_begun: Default::default(),
            turn: Default::default(),
            last: Constant::new(((1u64 << (bits - 1)) - 1).into()),
            row: Default::default(),
            kept: Default::default(),
            anew: Default::default(),
        }
    }
}

impl Default for Table {
    /// The least that a chip may have.
    fn default() -> Self {
        Table::new(MIN_TABLE_BITS)
    }
}

impl Logic for Table {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, row_read, arrives, reads, stores, stores_next, writes, begun, is_begun, turn);
        clock!(self, clock, rows, compare, number);

        self.row.next = self.key.val().get_bits::<ADDRESS_BITS>(0) & self.mask.val();
        self.rows.read_address.next = self.row.val();
        self.row_read.d.next = self.rows.read_data.val();
        self.compare.hold.next = (!self.arrives.q.val()).into();
        self.compare.row_in.next = self.row_read.q.val();
        self.compare.search.next = self.number.number.val();
        self.compare.turn.next = self.turn.q.val().into();
        self.compare.key.next = self.key.val();
        self.compare.found.next = self.found.val();

        self.rows.write_address.next = self.row.val();
        self.rows.write_data.next = self.compare.row.val();
        self.rows.write.next = self.writes.q.val();
        if self.number.emptying.val() {
            self.rows.write_address.next = self.number.at.val();
            self.rows.write_data.next = 0.into();
            self.rows.write.next = true;
        }

        // The row is read, then compared, then written.
        self.reads.d.next = self.get.val() | self.put.val();
        self.arrives.d.next = self.reads.q.val();
        self.stores.d.next = self.put.val();
        self.stores_next.d.next = self.stores.q.val();
        self.writes.d.next = self.stores_next.q.val();
        self.kept.next = self.keep.val() & self.is_begun.q.val() & (self.begun.q.val() == self.mask.val());
        self.anew.next = self.clear.val() & !self.kept.val();
        self.number.begins.next = self.anew.val();
        self.number.last.next = self.last.val();
        self.number.reset.next = self.reset.val();
        self.turn.d.next = self.turn.q.val() ^ (self.clear.val() & self.kept.val());
        if self.anew.val() {
            self.begun.d.next = self.mask.val();
            self.is_begun.d.next = true;
        }
        if self.reset.val() {
            self.reads.d.next = false;
            self.arrives.d.next = false;
            self.stores.d.next = false;
            self.stores_next.d.next = false;
            self.writes.d.next = false;
            self.is_begun.d.next = false;
        }
        self.entry.next = self.compare.entry.val();
        self.ready.next =
            !self.reads.q.val() & !self.arrives.q.val() & !self.writes.q.val() & !self.number.emptying.val();
    }
}
