//! Who is told of a build's progress, and may stop it.

use std::time::Duration;

/// Told of each stage; asked whether to go on.
pub trait Observer {
    /// A stage begins; the note says what it will do.
    fn begin(&mut self, stage: &str, note: &str);
    /// What the tool is at just now.
    fn live(&mut self, text: &str);
    /// The stage has ended well; `reused` where nothing had changed.
    fn end(&mut self, stage: &str, elapsed: Duration, reused: bool);
    /// A remark that is worth a line.
    fn note(&mut self, text: &str);
    /// Whether to stop (Ctrl-C).
    fn stopped(&self) -> bool;
}

/// Nobody, who never stops.
pub struct Nobody;

impl Observer for Nobody {
    fn begin(&mut self, _: &str, _: &str) {}
    fn live(&mut self, _: &str) {}
    fn end(&mut self, _: &str, _: Duration, _: bool) {}
    fn note(&mut self, _: &str) {}
    fn stopped(&self) -> bool {
        false
    }
}
