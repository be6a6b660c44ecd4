//! Progress of a build, and requests to stop it.

use std::time::Duration;

/// Receives the progress of a build, and decides whether it continues.
pub trait Observer {
    /// A stage begins; `note` says what it does.
    fn begin(&mut self, stage: &str, note: &str);
    /// The current step of the tool, in a few words.
    fn step(&mut self, text: &str);
    /// The stage has succeeded; `reused` if its result was kept from an earlier build.
    fn end(&mut self, stage: &str, elapsed: Duration, reused: bool);
    /// A message of its own line.
    fn note(&mut self, text: &str);
    /// Whether to stop (Ctrl-C).
    fn stopped(&self) -> bool;
}

/// Shows nothing and never stops.
pub struct SilentObserver;

impl Observer for SilentObserver {
    fn begin(&mut self, _: &str, _: &str) {}
    fn step(&mut self, _: &str) {}
    fn end(&mut self, _: &str, _: Duration, _: bool) {}
    fn note(&mut self, _: &str) {}
    fn stopped(&self) -> bool {
        false
    }
}
