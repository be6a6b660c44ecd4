//! A search whose progress other threads can read and which they can cancel.

use super::Walker;
use crate::evaluate::EvalTable;
use crate::position::Position;
use hayasashi_spec::search::{Found, SearchHead};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Steps between two looks at what other threads want.
const STEPS: usize = 512;

/// A search under way, or one that has not begun.
#[derive(Debug, Default)]
pub struct Searching {
    found: Mutex<Found>,
    cancelled: AtomicBool,
}

impl Searching {
    /// The answer so far. `clocks` is 0 in software.
    pub fn found(&self) -> Found {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner)
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
    /// whether the search has ended by itself.
    pub fn run(
        &self,
        head: SearchHead,
        table: Arc<EvalTable>,
        position: &Position,
        path: impl Iterator<Item = u64>,
    ) -> (Found, bool) {
        let mut walker = Walker::new(head, table, position, path);
        while !self.is_cancelled() && (0..STEPS).all(|_| walker.step()) {
            *self.found.lock().unwrap_or_else(PoisonError::into_inner) = walker.found();
        }
        (walker.found(), walker.has_ended())
    }
}
