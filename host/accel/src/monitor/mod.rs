//! What a back end does while it is in use: requests, rates, losses, and answers checked against the model.
//!
//! ```text
//!   search, commands ── MonitoredChip ── any back end
//!                            │ counts; every n-th request is asked of the model too
//!                         Monitor ── JSON lines, one a second ── `hayasashi monitor FILE`
//! ```

mod chip;
mod counters;
mod journal;
mod line;

pub use chip::MonitoredChip;
pub use journal::{Journal, JournalError, INTERVAL};
pub use line::{Line, Totals};

use crate::{CoProcessor, FailoverEvent, FailoverListener};
use counters::Counters;
use std::sync::Arc;

/// Counts what a back end does. Clones share their counters.
#[derive(Clone)]
pub struct Monitor {
    counters: Arc<Counters>,
    /// Every request of this number is checked against the model; 0 checks none.
    check_every: u64,
}

impl Monitor {
    /// A monitor that checks every `check_every`-th batch against the software model; 0 checks none.
    pub fn new(check_every: u64) -> Monitor {
        Monitor { counters: Arc::default(), check_every }
    }

    /// The back end, watched.
    pub fn watch(&self, chip: Arc<dyn CoProcessor>) -> Arc<MonitoredChip> {
        Arc::new(MonitoredChip::new(chip, self.clone()))
    }

    /// A listener that counts losses and then calls `next`.
    pub fn listener(&self, next: FailoverListener) -> FailoverListener {
        let counters = self.counters.clone();
        Arc::new(move |event: &FailoverEvent| {
            counters.event(event);
            next(event);
        })
    }

    /// The totals so far.
    pub fn totals(&self) -> Totals {
        self.counters.totals()
    }
}
