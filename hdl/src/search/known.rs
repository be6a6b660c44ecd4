//! What is known of the position at the present ply before it is searched: its keys, its repetition, its entry in the table.
//!
//! ```text
//!                   +-------+
//!   clock, reset   ->       => keys 256           its keys
//!   board 447      =>       => repeats 3          see `path::Repeats`
//!   change 24      =>       => entry 39           see `arrival::Entry`
//!   recalled 256   => Known -> keys_ready, path_ready, table_ready
//!   word 64        =>       |
//!   found 45       =>       |                     see `table::NewEntry`
//!   mask 15        =>       |                     the table's rows less one
//!   busy, clears, keeps, pushes_word, begins, makes, takes, recalls, finds, pushes, puts
//!                   +-------+
//!
//!   root_keys -> key_maker -> keys -> path, table
//! ```
//!
//! Handshake: `clears` empties the path, and the table unless it `keeps` that; `pushes_word` adds a word of the request's path.
//! `begins` makes the keys of `board`, `makes` those after the move; `takes` makes them the present ones. `finds` looks for the position's entry, `pushes` adds it to the path,
//! `puts` stores a result for it; `recalls` takes it out of the path again, and makes the keys of the row the present ones. A command
//! waits until the block that it concerns is ready, but for `makes`, which begins anew.
//! Latency: see the blocks. Throughput: one command at a time. Cost: 256 flip-flops beside the blocks.
//! Model: `host/model/src/search/walker.rs`. Absent: rows by ply (`rows`).

use super::arrival::Entry;
use super::keys::{Change, KeyMaker, Keys};
use super::path::{Path, Repeats};
use super::root_keys::RootKeys;
use super::table::{NewEntry, Table};
use super::table_rows::ADDRESS_BITS;
use crate::movegen::positions::BOARD_WIDTH;
use crate::network::width;
use hayasashi_spec::search::PATH_CHECK;
use rust_hdl::prelude::*;

crate::constants! {
    Values {
        hands: Bits<8> = Keys::lowest_wire("hands");
        check: Bits<8> = PATH_CHECK.trailing_zeros();
    }
}

/// Knows the position.
#[derive(LogicBlock, Default)]
pub struct Known {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets what is under way.
    pub reset: Signal<In, Bit>,
    /// A search is under way: keys are those of the position, not of the word.
    pub busy: Signal<In, Bit>,
    /// The position of the request.
    pub board: Signal<In, Bits<BOARD_WIDTH>>,
    /// The move that is made.
    pub change: Signal<In, Bits<{ width::<Change>() }>>,
    /// The mover is in check.
    pub in_check: Signal<In, Bit>,
    /// Keys of the row.
    pub recalled: Signal<In, Bits<256>>,
    /// A word of the path.
    pub word: Signal<In, Bits<64>>,
    /// A result for the table.
    pub found: Signal<In, Bits<{ width::<NewEntry>() }>>,
    /// Rows of the request's table, less one.
    pub mask: Signal<In, Bits<ADDRESS_BITS>>,
    /// Path and table become empty.
    pub clears: Signal<In, Bit>,
    /// With it: the table stays as it is, if it has as many entries.
    pub keeps: Signal<In, Bit>,
    /// The word becomes the last position of the path.
    pub pushes_word: Signal<In, Bit>,
    /// The keys of the request's position are made.
    pub begins: Signal<In, Bit>,
    /// The keys after the move are made.
    pub makes: Signal<In, Bit>,
    /// They become the keys.
    pub takes: Signal<In, Bit>,
    /// Those of the row become the keys, and the position is taken out of the path.
    pub recalls: Signal<In, Bit>,
    /// The position's entry is looked for.
    pub finds: Signal<In, Bit>,
    /// It is added to the path.
    pub pushes: Signal<In, Bit>,
    /// The result is stored.
    pub puts: Signal<In, Bit>,
    /// The keys.
    pub keys: Signal<Out, Bits<{ width::<Keys>() }>>,
    /// How it repeats an earlier position.
    pub repeats: Signal<Out, Bits<{ width::<Repeats>() }>>,
    /// Its entry.
    pub entry: Signal<Out, Bits<{ width::<Entry>() }>>,
    /// The keys are made.
    pub keys_ready: Signal<Out, Bit>,
    /// The path has done its command.
    pub path_ready: Signal<Out, Bit>,
    /// The table has done its command.
    pub table_ready: Signal<Out, Bit>,
    root_keys: RootKeys,
    key_maker: KeyMaker,
    path: Path,
    entries: Table,
    present: DFF<Bits<256>>,
    key: Signal<Local, Bits<64>>,
    at: Values,
}

impl Known {
    /// With a table of so many entries at most, as a power of two.
    pub fn new(table_bits: u8) -> Self {
        Known { entries: Table::new(table_bits), ..Default::default() }
    }
}

impl Logic for Known {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, root_keys, key_maker, path, entries);
        dff_setup!(self, clock, present);
        self.root_keys.reset.next = self.reset.val();
        self.key_maker.reset.next = self.reset.val();
        self.path.reset.next = self.reset.val();
        self.entries.reset.next = self.reset.val();

        // Those of the request's position begin with none.
        self.root_keys.start.next = self.begins.val();
        self.root_keys.board.next = self.board.val();
        self.key_maker.start.next = self.begins.val() | self.makes.val();
        self.key_maker.keys_in.next = self.present.q.val();
        if self.begins.val() {
            self.key_maker.keys_in.next = 0.into();
        }
        self.key_maker.change.next = self.change.val();
        self.key_maker.direct.next = self.root_keys.valid.val();
        self.key_maker.address.next = self.root_keys.address.val();
        self.key_maker.direct_used.next = self.root_keys.used.val();
        if self.takes.val() {
            self.present.d.next = self.key_maker.keys.val();
        }
        if self.recalls.val() {
            self.present.d.next = self.recalled.val();
        }
        self.keys.next = self.present.q.val();
        self.keys_ready.next = self.key_maker.ready.val() & !self.root_keys.busy.val();
        self.key.next =
            self.present.q.val().get_bits::<64>(0) ^ self.present.q.val().get_bits::<64>(self.at.hands.val().index());

        self.path.clear.next = self.clears.val();
        self.path.push.next = self.pushes_word.val() | self.pushes.val();
        self.path.pop.next = self.recalls.val();
        self.path.key.next = bit_cast::<63, 64>(self.key.val());
        self.path.in_check.next = self.in_check.val().into();
        if !self.busy.val() {
            self.path.key.next = bit_cast::<63, 64>(self.word.val());
            self.path.in_check.next = self.word.val().get_bits::<1>(self.at.check.val().index());
        }
        self.repeats.next = self.path.repeats.val();
        self.path_ready.next = self.path.ready.val();

        self.entries.mask.next = self.mask.val();
        self.entries.clear.next = self.clears.val();
        self.entries.keep.next = self.keeps.val();
        self.entries.get.next = self.finds.val();
        self.entries.put.next = self.puts.val();
        self.entries.key.next = self.key.val();
        self.entries.found.next = self.found.val();
        self.entry.next = self.entries.entry.val();
        self.table_ready.next = self.entries.ready.val();
    }
}
