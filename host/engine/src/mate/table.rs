//! What is known of positions: proofs, disproofs and the numbers of unfinished searches, in a table of fixed size.
//!
//! Entries of one board lie in one window of [`WINDOW`] slots, whatever the attacker holds, so that one scan finds
//! the entry of the very position and those that *dominate* it (M. Seo, 1998; A. Nagai, 2002): a proof with fewer
//! pieces in the attacker's hand is a proof, a disproof with more is a disproof. The defender's hand needs no place:
//! no piece leaves the game, so that it follows from board and attacker's hand.
//!
//! A full window gives up the entry that took the least work. Entries of earlier searches count as empty.

use hayasashi_shogi::rules::{Hand, Move};
use std::alloc::{alloc_zeroed, handle_alloc_error, Layout};

/// Slots that the entries of one board may lie in.
const WINDOW: usize = 16;
/// "No mate in any number of plies", and the proof or disproof number of what is decided.
pub(super) const NEVER: u16 = u16::MAX;
/// Proof number of a disproved position, disproof number of a proved one.
pub(super) const INFINITE: u32 = u32::MAX / 4;

/// What an entry says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Kind {
    Empty = 0,
    /// Proof and disproof number of this very position.
    Open,
    /// Mate within `plies` with this hand or more.
    Proof,
    /// No mate within `plies` with this hand or less.
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
    /// Nodes searched for it.
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

/// So many empty entries, which the system need not touch before they are used.
fn zeroed(slots: usize) -> Vec<Entry> {
    let layout = Layout::array::<Entry>(slots).expect("a table fits into the address space");
    // SAFETY: all bytes zero are an entry (`Kind::Empty` is 0), and the vector has the layout that was asked for.
    unsafe {
        let first = alloc_zeroed(layout).cast::<Entry>();
        if first.is_null() {
            handle_alloc_error(layout);
        }
        Vec::from_raw_parts(first, slots, slots)
    }
}

/// A position as the table knows it: key of the board with the side to move, and the attacker's hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TableKey {
    /// [`hayasashi_shogi::rules::Position::board_key`].
    pub board: u64,
    /// The attacker's hand.
    pub hand: Hand,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableResult {
    /// Nothing.
    Nothing,
    /// A mate within `plies`, for which the attacker needs no more than `hand`; `best` is a move of it.
    Proof { plies: u16, hand: Hand, best: Move },
    /// No mate within `plies`, even with `hand`.
    Disproof { plies: u16, hand: Hand },
    /// Proof and disproof number; `depth` is the least distance from the root at which the position was searched.
    Open { pn: u32, dn: u32, depth: u16, searched: bool },
}

/// The table.
pub(super) struct Table {
    entries: Vec<Entry>,
    age: u8,
    used: usize,
}

impl Table {
    /// A table of so many mebibytes, at least one.
    pub fn new(mebibytes: usize) -> Table {
        let slots = (mebibytes.max(1) << 20) / size_of::<Entry>();
        Table { entries: zeroed(slots), age: 1, used: 0 }
    }

    /// Forgets everything.
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

    /// Part of the table in use, in thousandths.
    pub fn permille(&self) -> usize {
        self.used * 1000 / self.entries.len()
    }

    fn window(&self, key: u64) -> std::ops::Range<usize> {
        let slots = self.entries.len() - WINDOW;
        let begin = ((key as u128 * slots as u128) >> 64) as usize;
        begin..begin + WINDOW
    }

    /// What is known of a position from which a mate within `plies` is looked for.
    pub fn get(&self, place: TableKey, plies: u16) -> TableResult {
        let mut known = TableResult::Nothing;
        // What holds for a hand that covers this one bounds the proof number from below, and the other way round.
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

    /// What a position's disproof along this very path was: plies, and the distance of the ancestor from the root.
    pub fn get_path(&self, path: u64, hand: Hand) -> Option<(u16, u16)> {
        let of_path = |e: &&Entry| e.key == path && e.kind == Kind::Path && e.hand == hand;
        let mut present = self.entries[self.window(path)].iter().take_while(|e| e.age == self.age);
        present.find(of_path).map(|e| (e.plies, e.depth))
    }

    /// Keeps the numbers of an unfinished search.
    pub fn put_open(&mut self, place: TableKey, pn: u32, dn: u32, depth: u16, work: u32) {
        let age = self.age;
        let TableKey { board: key, hand } = place;
        let slot = self.slot(key, |e| e.kind == Kind::Open && e.hand == hand);
        let same = slot.age == age && slot.key == key && slot.kind == Kind::Open && slot.hand == hand;
        let (depth, work) = if same { (depth.min(slot.depth), work.saturating_add(slot.work)) } else { (depth, work) };
        *slot = Entry { key, hand, pn, dn, work, plies: 0, depth, best: Move::NONE, kind: Kind::Open, age };
    }

    /// Keeps a proof.
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

    /// Keeps a disproof.
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

    /// Keeps a disproof that holds along one path alone, because it comes back to an ancestor at this distance.
    pub fn put_path(&mut self, path: u64, hand: Hand, plies: u16, ancestor: u16, work: u32) {
        let age = self.age;
        let slot = self.slot(path, |e| e.kind == Kind::Path && e.hand == hand);
        let (kind, best) = (Kind::Path, Move::NONE);
        *slot = Entry { key: path, hand, pn: INFINITE, dn: 0, work, plies, depth: ancestor, best, kind, age };
    }

    /// The slot for an entry of this key: that of one it replaces, an empty one, or the one of least work.
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
