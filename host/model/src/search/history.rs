//! How often quiet moves have ended nodes: a counter for each origin, or kind dropped, and destination.
//!
//! The order of a node's moves must not change while it is searched, so it uses the counters as they were when the iteration began.

use hayasashi_spec::moves::Move16;
use hayasashi_spec::piece::SQUARES;
use hayasashi_spec::search_table::{history_bonus, HISTORY_LIMIT, HISTORY_PENALTY};

/// A counter.
#[derive(Clone, Copy, Default, Debug)]
struct Counter {
    now: i8,
    /// At the beginning of `iteration`.
    before: i8,
    /// The iteration that changed it last.
    iteration: u8,
}

/// The counters of a search.
#[derive(Clone, Debug)]
pub struct History {
    counters: Vec<[Counter; SQUARES]>,
}

/// Origins: squares, and places in hand.
const ORIGINS: usize = 128;

impl Default for History {
    fn default() -> History {
        History { counters: vec![[Counter::default(); SQUARES]; ORIGINS] }
    }
}

impl History {
    /// The counter of a quiet move when this iteration began.
    #[inline]
    pub fn of(&self, mv: Move16, iteration: u8) -> i32 {
        let counter = &self.counters[mv.from() as usize][mv.to() as usize];
        (if counter.iteration == iteration { counter.before } else { counter.now }) as i32
    }

    /// The move has ended a node of this depth, or failed low there.
    pub fn learn(&mut self, mv: Move16, depth: i32, cuts: bool, iteration: u8) {
        let bonus = history_bonus(depth);
        let size = if cuts { bonus } else { bonus / HISTORY_PENALTY };
        if size == 0 {
            return;
        }
        let counter = &mut self.counters[mv.from() as usize][mv.to() as usize];
        if counter.iteration != iteration {
            (counter.before, counter.iteration) = (counter.now, iteration);
        }
        let old = counter.now as i32;
        let change = if cuts { size } else { -size };
        let new = old + change - (old * size).div_euclid(HISTORY_LIMIT);
        counter.now = new.clamp(-HISTORY_LIMIT, HISTORY_LIMIT - 1) as i8;
    }
}
