//! The table of a walker: direct-mapped, cleared when a request begins that does not keep it.

use hayasashi_spec::moves::Move16;
use hayasashi_spec::search::{SearchHead, LONGEST_MATE};

/// What a stored score says about the value of the node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    /// Nothing: the entry is empty.
    #[default]
    None,
    /// At most the score.
    Upper,
    /// At least the score.
    Lower,
    /// The score.
    Exact,
}

/// An entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    /// The high bits of the key.
    high: u32,
    /// The best move; zero for none.
    pub best: Move16,
    /// Mates count from the node.
    score: i16,
    /// Depth of the search, as [`super::node::Node::table_depth`] counts it.
    pub depth: i8,
    /// What the score says.
    pub bound: Bound,
    /// Iteration of the search that stored it.
    iteration: u8,
}

/// The entries.
#[derive(Clone, Debug)]
pub struct Table {
    entries: Vec<Entry>,
}

impl Table {
    /// An empty table of 2 to the power of `bits` entries.
    pub fn new(bits: u8) -> Table {
        Table { entries: vec![Entry::default(); 1 << bits] }
    }

    /// The table with which a request begins: what the search before has left, if that is kept and has as many entries.
    pub fn of_request(head: &SearchHead, left: Option<Table>) -> Table {
        let kept = left.filter(|table| head.keeps_table() && table.bits() == head.table_bits);
        kept.unwrap_or_else(|| Table::new(head.table_bits))
    }

    /// The power of two of its entries.
    pub fn bits(&self) -> u8 {
        self.entries.len().ilog2() as u8
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }

    /// The entry of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        let entry = self.entries[self.slot(key)];
        (entry.high == high(key) && entry.bound != Bound::None).then_some(entry)
    }

    /// Stores a result. An entry of another position and the same iteration stays if it is deeper.
    #[inline]
    pub fn put(&mut self, key: u64, ply: usize, found: &NewEntry) {
        let &NewEntry { best, score, depth, bound, iteration } = found;
        let slot = self.slot(key);
        let entry = &mut self.entries[slot];
        let other = entry.high != high(key);
        if other && entry.bound != Bound::None && entry.iteration == iteration && entry.depth as i32 > depth {
            return;
        }
        // The move of the position is kept where the new search has found none.
        let best = if best.0 == 0 && !other { entry.best } else { best };
        *entry = Entry { high: high(key), best, score: to_table(score, ply), depth: depth as i8, bound, iteration };
    }
}

/// The part of a key that an entry has.
fn high(key: u64) -> u32 {
    (key >> 32) as u32
}

/// The result of a node, for the table.
pub struct NewEntry {
    /// The best move; zero if none.
    pub best: Move16,
    /// The score, seen from the node.
    pub score: i32,
    /// The depth searched, as [`super::node::Node::table_depth`] counts it.
    pub depth: i32,
    /// What the score is.
    pub bound: Bound,
    /// The iteration.
    pub iteration: u8,
}

impl Entry {
    /// The score at a node of this ply.
    #[inline]
    pub fn score(&self, ply: usize) -> i32 {
        match self.score {
            score if score > LONGEST_MATE => score as i32 - ply as i32,
            score if score < -LONGEST_MATE => score as i32 + ply as i32,
            score => score as i32,
        }
    }

    /// Whether the score is nearer to the value of the node than this evaluation: exact, or on the side where the value is.
    #[inline]
    pub fn corrects(&self, score: i32, eval: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
            Bound::None => false,
        }
    }

    /// Whether the score decides the window.
    #[inline]
    pub fn settles(&self, score: i32, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
            Bound::None => false,
        }
    }
}

/// A score at a node of this ply as it is stored: mates count from the node.
pub fn to_table(score: i32, ply: usize) -> i16 {
    let longest = LONGEST_MATE as i32;
    let from_node = match score {
        score if score > longest => score + ply as i32,
        score if score < -longest => score - ply as i32,
        score => score,
    };
    from_node as i16
}
