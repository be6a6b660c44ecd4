//! The table of proofs, disproofs, and the numbers of unfinished searches; its size is fixed.
//!
//! All entries of one board are in a window of [`WINDOW`] slots, whatever the attacker holds. So one scan finds the
//! entry of the position and those that *dominate* it (M. Seo, 1998; A. Nagai, 2002): a proof with a smaller hand of
//! the attacker is a proof, a disproof with a larger one is a disproof. The hand of the defender follows from the board
//! and the attacker's hand.
//!
//! In a full window the entry of least work is replaced. Entries of earlier searches count as empty.

use hayasashi_shogi::rules::{Hand, Move};
use std::alloc::{alloc_zeroed, handle_alloc_error, Layout};

/// Slots of a window.
const WINDOW: usize = 16;
/// No mate in any number of plies.
pub(super) const NEVER: u16 = u16::MAX;
/// The proof number of a disproved position, and the disproof number of a proved one.
pub(super) const INFINITE: u32 = u32::MAX / 4;

/// The kind of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Kind {
    Empty = 0,
    /// Proof and disproof number of the position.
    Open,
    /// A mate within `plies` with this hand or a larger one.
    Proof,
    /// No mate within `plies` with this hand or a smaller one.
    Disproof,
    /// No mate along one path; the key is that of the path.
    Path,
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Entry {
    key: u64,
    hand: Hand,
    pn: u32,
    dn: u32,
    /// Nodes of its search.
    work: u32,
    plies: u16,
    /// Least distance from the root at which it was searched.
    depth: u16,
    best: Move,
    kind: Kind,
    age: u8,
}

const EMPTY: Entry = Entry {
    key: 0,
    hand: Hand::EMPTY,
    pn: 0,
    dn: 0,
    work: 0,
    plies: 0,
    depth: 0,
    best: Move::NONE,
    kind: Kind::Empty,
    age: 0,
};

/// Empty entries. The system provides zeroed pages on first use.
fn zeroed(slots: usize) -> Vec<Entry> {
    let layout = Layout::array::<Entry>(slots).expect("a table fits into the address space");
    // SAFETY: an entry of zero bytes is valid (`Kind::Empty` is 0), and the vector has the layout of the allocation.
    unsafe {
        let first = alloc_zeroed(layout).cast::<Entry>();
        if first.is_null() {
            handle_alloc_error(layout);
        }
        Vec::from_raw_parts(first, slots, slots)
    }
}

/// The key of a position: board with side to move, and the attacker's hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TableKey {
    /// [`hayasashi_shogi::rules::Position::board_key`].
    pub board: u64,
    /// The attacker's hand.
    pub hand: Hand,
}

/// The result of a look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableResult {
    /// No entry.
    Nothing,
    /// A mate within `plies`, for which the attacker needs at most `hand`; `best` is its first move.
    Proof { plies: u16, hand: Hand, best: Move },
    /// No mate within `plies`, even with `hand`.
    Disproof { plies: u16, hand: Hand },
    /// Proof and disproof number; `depth` is the least distance from the root of a search of the position.
    Open { pn: u32, dn: u32, depth: u16, searched: bool },
}

/// The table of a solver.
pub(super) struct Table {
    entries: Vec<Entry>,
    age: u8,
    used: usize,
}

impl Table {
    /// A table of this size, at least one mebibyte.
    pub fn new(mebibytes: usize) -> Table {
        let slots = (mebibytes.max(1) << 20) / size_of::<Entry>();
        Table { entries: zeroed(slots), age: 1, used: 0 }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.used = 0;
        match self.age.checked_add(1) {
            Some(age) => self.age = age,
            None => {
                self.entries.fill(EMPTY);
                self.age = 1;
            }
        }
    }

    /// Share of the table in use, in thousandths.
    pub fn permille(&self) -> usize {
        self.used * 1000 / self.entries.len()
    }

    fn window(&self, key: u64) -> std::ops::Range<usize> {
        let slots = self.entries.len() - WINDOW;
        let begin = ((key as u128 * slots as u128) >> 64) as usize;
        begin..begin + WINDOW
    }

    /// Looks up a position for mates within `plies`.
    pub fn get(&self, place: TableKey, plies: u16) -> TableResult {
        let mut known = TableResult::Nothing;
        // Entries with larger hands bound the proof number from below; those with smaller hands bound the disproof
        // number.
        let (mut least_pn, mut least_dn) = (1, 1);
        for entry in &self.entries[self.window(place.board)] {
            if entry.age != self.age {
                break;
            }
            if entry.key != place.board {
                continue;
            }
            match entry.kind {
                Kind::Proof if entry.plies <= plies && place.hand.covers(entry.hand) => {
                    return TableResult::Proof { plies: entry.plies, hand: entry.hand, best: entry.best };
                }
                Kind::Disproof if entry.plies >= plies && entry.hand.covers(place.hand) => {
                    return TableResult::Disproof { plies: entry.plies, hand: entry.hand };
                }
                Kind::Open if entry.hand == place.hand => {
                    known =
                        TableResult::Open { pn: entry.pn, dn: entry.dn, depth: entry.depth, searched: entry.work > 0 };
                }
                Kind::Open if entry.hand.covers(place.hand) => least_pn = least_pn.max(entry.pn),
                Kind::Open if place.hand.covers(entry.hand) => least_dn = least_dn.max(entry.dn),
                _ => {}
            }
        }
        match known {
            TableResult::Open { pn, dn, depth, searched } => {
                TableResult::Open { pn: pn.max(least_pn), dn: dn.max(least_dn), depth, searched }
            }
            TableResult::Nothing if least_pn > 1 || least_dn > 1 => {
                TableResult::Open { pn: least_pn, dn: least_dn, depth: u16::MAX, searched: false }
            }
            other => other,
        }
    }

    /// A disproof along this path: its plies, and the distance of the ancestor from the root.
    pub fn get_path(&self, path: u64, hand: Hand) -> Option<(u16, u16)> {
        let of_path = |e: &&Entry| e.key == path && e.kind == Kind::Path && e.hand == hand;
        let mut present = self.entries[self.window(path)].iter().take_while(|e| e.age == self.age);
        present.find(of_path).map(|e| (e.plies, e.depth))
    }

    /// Stores the numbers of an unfinished search.
    pub fn put_open(&mut self, place: TableKey, pn: u32, dn: u32, depth: u16, work: u32) {
        let age = self.age;
        let TableKey { board: key, hand } = place;
        let slot = self.slot(key, |e| e.kind == Kind::Open && e.hand == hand);
        let same = slot.age == age && slot.key == key && slot.kind == Kind::Open && slot.hand == hand;
        let (depth, work) = if same { (depth.min(slot.depth), work.saturating_add(slot.work)) } else { (depth, work) };
        *slot = Entry { key, hand, pn, dn, work, plies: 0, depth, best: Move::NONE, kind: Kind::Open, age };
    }

    /// Stores a proof.
    pub fn put_proof(&mut self, place: TableKey, hand: Hand, plies: u16, best: Move, work: u32) {
        let (key, age) = (place.board, self.age);
        let replaced = |e: &Entry| match e.kind {
            Kind::Proof => e.hand.covers(hand) && e.plies >= plies,
            Kind::Open => e.hand == place.hand,
            _ => false,
        };
        let slot = self.slot(key, replaced);
        *slot = Entry { key, hand, pn: 0, dn: INFINITE, work, plies, depth: 0, best, kind: Kind::Proof, age };
    }

    /// Stores a disproof.
    pub fn put_disproof(&mut self, place: TableKey, hand: Hand, plies: u16, work: u32) {
        let (key, age) = (place.board, self.age);
        let replaced = |e: &Entry| match e.kind {
            Kind::Disproof => hand.covers(e.hand) && e.plies <= plies,
            Kind::Open => e.hand == place.hand,
            _ => false,
        };
        let slot = self.slot(key, replaced);
        let kind = Kind::Disproof;
        *slot = Entry { key, hand, pn: INFINITE, dn: 0, work, plies, depth: 0, best: Move::NONE, kind, age };
    }

    /// Stores a disproof that holds along one path only, because it repeats an ancestor at this distance.
    pub fn put_path(&mut self, path: u64, hand: Hand, plies: u16, ancestor: u16, work: u32) {
        let age = self.age;
        let slot = self.slot(path, |e| e.kind == Kind::Path && e.hand == hand);
        let (kind, best) = (Kind::Path, Move::NONE);
        *slot = Entry { key: path, hand, pn: INFINITE, dn: 0, work, plies, depth: ancestor, best, kind, age };
    }

    /// The slot for an entry of this key: that of an entry it replaces, an empty one, or that of least work.
    fn slot(&mut self, key: u64, replaced: impl Fn(&Entry) -> bool) -> &mut Entry {
        let window = self.window(key);
        let mut least = window.start;
        for at in window {
            let entry = &self.entries[at];
            if entry.age != self.age {
                self.used += 1;
                least = at;
                break;
            }
            if entry.key == key && replaced(entry) {
                least = at;
                break;
            }
            if entry.work < self.entries[least].work {
                least = at;
            }
        }
        &mut self.entries[least]
    }
}
