//! How long a search waits for a co-processor.

use super::tree::Shared;
use std::{sync::atomic::Ordering::Relaxed, time::Duration};

/// How long a search waits for an answer of a co-processor: until it is stopped, and at most half of the time that it still
/// has, so that it can search on with the model. Without a search, or with one that has no limit of time, as long as the link
/// does.
#[derive(Clone, Copy, Default)]
pub struct Patience<'a>(Option<&'a Shared<'a>>);

impl<'a> Patience<'a> {
    /// The patience of a search.
    pub(super) fn of(search: &'a Shared<'a>) -> Patience<'a> {
        Patience(Some(search))
    }

    /// Whether the search has been told to end.
    pub fn is_stopped(self) -> bool {
        self.0.is_some_and(|search| search.control.is_stopped() || search.finished.load(Relaxed))
    }

    /// Whether to go on waiting after this time.
    pub fn lasts(self, waited: Duration) -> bool {
        let Some(search) = self.0 else { return true };
        let in_time = match (&search.budget, search.control.clock()) {
            // While pondering the clock does not run, and a wait has no limit.
            (Some(budget), Some(clock)) => waited < budget.hard.saturating_sub(clock),
            _ => true,
        };
        in_time && !self.is_stopped()
    }
}
