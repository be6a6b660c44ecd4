//! What other threads say to a running search.

use std::{
    sync::{
        atomic::{AtomicBool, Ordering},
        Condvar, Mutex,
    },
    time::{Duration, Instant},
};

/// Shared between a search and whoever may stop it.
pub struct Control {
    stop: AtomicBool,
    /// When the clock began to run; `None` while pondering.
    clock: Mutex<Option<Instant>>,
    changed: Condvar,
    begun: Instant,
}

impl Default for Control {
    fn default() -> Self {
        Control::new(false)
    }
}

impl Control {
    /// For a search that begins now; while it ponders, its clock stands still.
    pub fn new(ponder: bool) -> Control {
        let now = Instant::now();
        Control {
            stop: AtomicBool::new(false),
            clock: Mutex::new((!ponder).then_some(now)),
            changed: Condvar::new(),
            begun: now,
        }
    }

    /// Ends the search at the next node.
    pub fn stop(&self) {
        let _clock = self.clock.lock().unwrap();
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// The expected move was played: the clock runs from now on.
    pub fn ponder_hit(&self) {
        self.clock.lock().unwrap().get_or_insert_with(Instant::now);
        self.changed.notify_all();
    }

    /// Whether the search shall end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Time on the clock; `None` while pondering.
    pub fn clock(&self) -> Option<Duration> {
        self.clock.lock().unwrap().map(|c| c.elapsed())
    }

    /// Time since the search began, pondering included.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Waits until the search is stopped or, unless it is `infinite`, pondering ends.
    pub fn hold(&self, infinite: bool) {
        let mut clock = self.clock.lock().unwrap();
        while !self.is_stopped() && (infinite || clock.is_none()) {
            clock = self.changed.wait(clock).unwrap();
        }
    }
}
