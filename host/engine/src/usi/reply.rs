//! The one reply to a `go`.
//!
//! Where other programs compute too, a thread that searches may be without a processor for a tenth of a second or more, and pass
//! its time limit. A thread that sleeps gets one at once. So a second thread sleeps until the limit and then replies with the best move
//! of the last report, unless the search has replied.

use super::info::Output;
use crate::Control;
use std::{
    fmt::Display,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// How long after the limit the search itself may still reply.
const LATEST: Duration = Duration::from_millis(5);

/// The reply to a `go`, and the reports before it.
pub(super) struct Reply {
    output: Output,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The reply of the last report.
    best: Option<String>,
    written: bool,
}

impl Reply {
    /// No reply yet.
    pub fn new(output: Output) -> Reply {
        Reply { output, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it has been written.
    pub fn is_written(&self) -> bool {
        self.state().written
    }

    /// Writes a report, unless the reply has been written. `best` is the reply if none better is found.
    pub fn report(&self, line: impl Display, best: Option<String>) {
        let mut state = self.state();
        if !state.written {
            self.output.line(line);
            state.best = best.or(state.best.take());
        }
    }

    /// Writes the reply, unless one has been written.
    pub fn write(&self, line: impl Display) {
        let mut state = self.state();
        if !std::mem::replace(&mut state.written, true) {
            self.output.line(line);
        }
    }

    /// Starts a thread that replies with the last report if the search has not replied when the clock has run for `limit`, and stops the search.
    /// It ends when the search is stopped. If the system refuses the thread, the search replies when it can.
    pub fn at(self: &Arc<Self>, limit: Duration, control: &Arc<Control>) {
        let (reply, control) = (self.clone(), control.clone());
        let wait = move || {
            if control.sleep_until(limit + LATEST) {
                let best = reply.state().best.clone();
                if let Some(best) = best {
                    reply.write(best);
                    control.stop();
                }
            }
        };
        let _ = std::thread::Builder::new().name("reply".into()).stack_size(256 << 10).spawn(wait);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply() -> (Arc<Reply>, Arc<Mutex<Vec<u8>>>) {
        let written = Arc::new(Mutex::new(Vec::new()));
        (Arc::new(Reply::new(Output(written.clone()))), written)
    }

    fn text(written: &Mutex<Vec<u8>>) -> String {
        String::from_utf8(written.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn a_late_search_is_answered_for_once() {
        let (reply, written) = reply();
        let control = Arc::new(Control::new(true));
        reply.at(Duration::from_millis(1), &control);
        reply.report("info depth 1", Some("bestmove 7g7f".into()));
        reply.report("info depth 1 multipv 2", None);
        assert!(!reply.is_written() && !control.is_stopped(), "the clock does not run");
        control.ponder_hit();
        // The search does not look at the clock, and ends when it is stopped.
        control.hold(true);
        assert!(reply.is_written());
        reply.report("info depth 2", Some("bestmove 2g2f".into()));
        reply.write("bestmove 2g2f");
        assert_eq!(text(&written), "info depth 1\ninfo depth 1 multipv 2\nbestmove 7g7f\n");
    }

    #[test]
    fn a_search_without_a_report_answers_itself() {
        let (reply, written) = reply();
        let control = Arc::new(Control::new(false));
        assert!(control.sleep_until(Duration::from_millis(1)));
        reply.at(Duration::ZERO, &control);
        std::thread::sleep(2 * LATEST);
        assert!(!control.is_stopped());
        reply.write("bestmove resign");
        reply.write("bestmove 7g7f");
        assert_eq!(text(&written), "bestmove resign\n");
        control.stop();
        assert!(!control.sleep_until(Duration::from_secs(600)));
    }
}
