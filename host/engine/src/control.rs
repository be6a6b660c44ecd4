//! Control of a running search by other threads: stop, the start of the clock, and entries for its table.

use crate::search::sharing::Sharing;
use std::{
    sync::{
        atomic::{AtomicBool, Ordering},
        Condvar, Mutex,
    },
    time::{Duration, Instant},
};

/// The stop flag and the clock of a search, shared between threads.
pub struct Control {
    stop: AtomicBool,
    /// When the clock started; `None` while pondering.
    clock: Mutex<Option<Instant>>,
    changed: Condvar,
    started: Instant,
    sharing: Option<Sharing>,
}

impl Default for Control {
    fn default() -> Self {
        Control::new(false)
    }
}

impl Control {
    /// The control of a search that starts now. The clock of a pondering search does not run.
    pub fn new(ponder: bool) -> Control {
        let now = Instant::now();
        Control {
            stop: AtomicBool::new(false),
            clock: Mutex::new((!ponder).then_some(now)),
            changed: Condvar::new(),
            started: now,
            sharing: None,
        }
    }

    /// The same for a search that other engines share.
    pub fn shared(self, sharing: Sharing) -> Control {
        Control { sharing: Some(sharing), ..self }
    }

    /// The search's part in a common one.
    pub fn sharing(&self) -> Option<&Sharing> {
        self.sharing.as_ref()
    }

    /// Ends the search at its next node.
    pub fn stop(&self) {
        let _clock = self.clock.lock().unwrap();
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
        self.sharing.iter().for_each(Sharing::end);
    }

    /// The opponent played the expected move: starts the clock.
    pub fn ponder_hit(&self) {
        self.clock.lock().unwrap().get_or_insert_with(Instant::now);
        self.changed.notify_all();
    }

    /// Whether the search must end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Time on the clock; `None` while pondering.
    pub fn clock(&self) -> Option<Duration> {
        self.clock.lock().unwrap().map(|c| c.elapsed())
    }

    /// Time since the search started, including pondering.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Blocks until the search is stopped or, unless it is `infinite`, until pondering ends.
    pub fn hold(&self, infinite: bool) {
        let mut clock = self.clock.lock().unwrap();
        while !self.is_stopped() && (infinite || clock.is_none()) {
            clock = self.changed.wait(clock).unwrap();
        }
    }
}
