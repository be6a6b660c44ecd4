//! The table of a walker: rows of two entries, cleared when a request begins that does not keep it.

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
    /// [`Table::turn`] of that search.
    turn: bool,
}

/// The entries.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<[Entry; 2]>,
    /// Changes with each search that keeps the entries.
    turn: bool,
}

impl Table {
    /// An empty table of 2 to the power of `bits` entries.
    pub fn new(bits: u8) -> Table {
        Table { rows: vec![[Entry::default(); 2]; 1 << (bits - 1)], turn: false }
    }

    /// The table with which a request begins: what the search before has left, if that is kept and has as many entries.
    pub fn of_request(head: &SearchHead, left: Option<Table>) -> Table {
        let kept = left.filter(|table| head.keeps_table() && table.bits() == head.table_bits);
        kept.map_or_else(|| Table::new(head.table_bits), |table| Table { turn: !table.turn, ..table })
    }

    /// The power of two of its entries.
    pub fn bits(&self) -> u8 {
        self.rows.len().ilog2() as u8 + 1
    }

    #[inline]
    fn row(&self, key: u64) -> usize {
        key as usize & (self.rows.len() - 1)
    }

    /// The entry of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.rows[self.row(key)].into_iter().find(|entry| entry.is_of(key))
    }

    /// Stores a result in the first place of its row. What is there moves to the second place, or stays if it is of another position,
    /// the same iteration of the same search, and deeper: then the result takes the second place.
    #[inline]
    pub fn put(&mut self, key: u64, ply: usize, found: &NewEntry) {
        let &NewEntry { best, score, depth, bound, iteration } = found;
        let (row, turn) = (self.row(key), self.turn);
        // The move of the position is kept where the new search has found none.
        let best = if best.0 == 0 { self.get(key).map_or(best, |entry| entry.best) } else { best };
        let [first, second] = &mut self.rows[row];
        let entry =
            Entry { high: high(key), best, score: to_table(score, ply), depth: depth as i8, bound, iteration, turn };
        if first.is_of(key) {
            *first = entry;
        } else if first.bound != Bound::None
            && (first.iteration, first.turn) == (iteration, turn)
            && first.depth as i32 > depth
        {
            *second = entry;
        } else {
            (*first, *second) = (entry, *first);
        }
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
    #[inline]
    fn is_of(&self, key: u64) -> bool {
        self.high == high(key) && self.bound != Bound::None
    }

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
