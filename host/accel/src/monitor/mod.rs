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
pub use journal::{Journal, INTERVAL};
pub use line::{Line, Totals};

use crate::{open_with_failover, AccelError, BackendSpec, CoProcessor, FailoverEvent, FailoverListener, OpenedBackend};
use counters::Counters;
use std::{path::PathBuf, sync::Arc};

/// What is recorded of a back end in use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MonitorSettings {
    /// The journal; `None` writes none.
    pub journal: Option<PathBuf>,
    /// Every batch of this number is also asked of the software model; 0 asks none.
    pub check_every: u64,
}

impl MonitorSettings {
    /// Makes the journal's file, empty, so that a caller may go on without a journal.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create_journal(&self) -> Result<(), AccelError> {
        self.journal.as_deref().map_or(Ok(()), |file| journal::create(file).map(drop))
    }
}

/// Opens a back end as [`open_with_failover`] does, and records what it does.
///
/// # Errors
/// A named back end is absent or does not work, or the journal cannot be written.
pub fn open_monitored(
    spec: &BackendSpec,
    listener: FailoverListener,
    settings: &MonitorSettings,
) -> Result<OpenedBackend, AccelError> {
    if *settings == MonitorSettings::default() {
        return open_with_failover(spec, listener);
    }
    let monitor = Monitor::new(settings.check_every);
    let OpenedBackend { chip, note } = open_with_failover(spec, monitor.listener(listener))?;
    let begin = |file: &PathBuf| Journal::begin(monitor.clone(), chip.clone(), file, INTERVAL);
    let journal = settings.journal.as_ref().map(begin).transpose()?;
    Ok(OpenedBackend { chip: Arc::new(MonitoredChip::new(chip.clone(), monitor.clone(), journal)), note })
}

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

    /// The back end, watched, without a journal.
    pub fn watch(&self, chip: Arc<dyn CoProcessor>) -> Arc<MonitoredChip> {
        Arc::new(MonitoredChip::new(chip, self.clone(), None))
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
