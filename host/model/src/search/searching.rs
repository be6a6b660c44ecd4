//! Searches one after the other, whose progress other threads can read and which they can cancel.

use super::table::Table;
use super::Walker;
use crate::evaluate::Evaluation;
use crate::position::Position;
use hayasashi_spec::search::{Found, SearchHead};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Steps between two looks at what other threads want.
const STEPS: usize = 512;

/// The searches of a chip, in the order of their requests: each may keep the table of the one before.
#[derive(Debug, Default)]
pub struct Searches {
    last: Option<Arc<Searching>>,
}

impl Searches {
    /// A search behind those before it.
    pub fn begin(&mut self) -> Arc<Searching> {
        let before = Mutex::new(self.last.take());
        let search = Arc::new(Searching { before, ..Searching::default() });
        self.last = Some(search.clone());
        search
    }
}

impl Clone for Searches {
    /// A copy has searched nothing.
    fn clone(&self) -> Searches {
        Searches::default()
    }
}

/// A search under way, or one that has not begun.
#[derive(Debug, Default)]
pub struct Searching {
    found: Mutex<Found>,
    cancelled: AtomicBool,
    /// The search before this one, until it is known whether its table is kept.
    before: Mutex<Option<Arc<Searching>>>,
    left: Mutex<Left>,
    ended: Condvar,
}

/// What a search leaves for the next one.
#[derive(Debug, Default)]
enum Left {
    /// It has not ended.
    #[default]
    Open,
    /// Its table, unless that is taken.
    Table(Option<Table>),
    /// What the one before it has left: it was refused.
    Before(Option<Arc<Searching>>),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Searching {
    /// The answer so far. `clocks` is 0 in software.
    pub fn found(&self) -> Found {
        *lock(&self.found)
    }

    /// Ends the search soon.
    pub fn cancel(&self) {
        self.cancelled.store(true, Relaxed);
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }

    /// Searches a possible position in this thread. `head` is in range; `path` are the words of the path. Returns the answer, and
    /// whether the search has ended by itself. If the table of the search before is kept, that one is waited for.
    pub fn run(
        &self,
        head: SearchHead,
        evaluation: Evaluation,
        position: &Position,
        path: impl Iterator<Item = u64>,
    ) -> (Found, bool) {
        let mut end = End { search: self, table: None };
        let before = lock(&self.before).take();
        let left = before.filter(|_| head.keeps_table()).and_then(|before| before.table());
        let table = Table::of_request(&head, left);
        let mut walker = Walker::with_table(table, head, evaluation, position, path);
        while !self.is_cancelled() && (0..STEPS).all(|_| walker.step()) {
            *lock(&self.found) = walker.found();
        }
        let answer = (walker.found(), walker.has_ended());
        end.table = Some(walker.into_table());
        answer
    }

    /// The request is refused: the next search may keep what this one could have kept.
    pub fn refuse(&self) {
        let before = lock(&self.before).take();
        self.leave(before.map_or(Left::Table(None), Searching::hand_on));
    }

    /// What it leaves, as far as that is known: many refused requests make no chain.
    fn hand_on(self: Arc<Searching>) -> Left {
        let mut left = lock(&self.left);
        if !matches!(*left, Left::Open) {
            return std::mem::replace(&mut left, Left::Table(None));
        }
        drop(left);
        Left::Before(Some(self))
    }

    fn leave(&self, left: Left) {
        *lock(&self.left) = left;
        self.ended.notify_all();
    }

    /// Waits for the end, and takes the table.
    fn table(&self) -> Option<Table> {
        let mut left = lock(&self.left);
        loop {
            match &mut *left {
                Left::Open => left = self.ended.wait(left).unwrap_or_else(PoisonError::into_inner),
                Left::Table(table) => return table.take(),
                Left::Before(before) => {
                    let before = before.take();
                    drop(left);
                    return before?.table();
                }
            }
        }
    }
}

/// The end of a search, also of one that panics.
struct End<'a> {
    search: &'a Searching,
    table: Option<Table>,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.search.leave(Left::Table(self.table.take()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_requests_make_no_chain() {
        let mut searches = Searches::default();
        let first = searches.begin();
        // It is refused before the first has ended.
        searches.begin().refuse();
        first.leave(Left::Table(Some(Table::new(9))));
        // A chain of so many could not be dropped.
        (0..200_000).for_each(|_| searches.begin().refuse());
        let table = searches.begin().before.lock().unwrap().take().and_then(|before| before.table());
        assert_eq!(table.map(|table| table.bits()), Some(9));
    }
}
