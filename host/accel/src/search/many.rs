//! Many searches, several at a time.

use super::{SearchRequest, SearchResult};
use crate::{AccelError, CoProcessor, PositionError};
use std::sync::{mpsc::channel, Mutex, PoisonError};

/// Requests that keep every walker of a board busy, and every core of the model's machine.
pub const USUAL_IN_FLIGHT: usize = 8;

/// How a search has ended: as [`CoProcessor::search`] returns it.
pub type SearchOutcome = Result<Result<SearchResult, PositionError>, AccelError>;

/// Searches what each request asks for, `in_flight` of them at a time, and calls `on_end` in this thread with the number of the
/// request (from 0) and its outcome, in the order in which the searches end. Requests are begun in their order. When `goes_on`
/// returns false no other is begun, and those under way are cancelled.
///
/// `CANCEL` ends all searches of a chip. So what ends one search early must end them all, as `goes_on` does.
pub fn many(
    chip: &dyn CoProcessor,
    requests: impl Iterator<Item = SearchRequest> + Send,
    in_flight: usize,
    goes_on: &(dyn Fn() -> bool + Sync),
    on_end: &mut dyn FnMut(usize, SearchOutcome),
) {
    let requests = Mutex::new(requests.enumerate());
    let (sender, ends) = channel();
    let work = |send: &mut dyn FnMut(usize, SearchOutcome)| {
        while goes_on() {
            // An iterator that panics ends the work of all.
            let next = requests.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((number, request)) = next else { break };
            send(number, chip.search(&request, &mut |_| goes_on()));
        }
    };
    std::thread::scope(|scope| {
        let mut started = false;
        for _ in 0..in_flight.max(1) {
            let (sender, work) = (sender.clone(), &work);
            let worker = move || {
                work(&mut |number, outcome| {
                    // The receiver outlives the workers.
                    let _ = sender.send((number, outcome));
                });
            };
            started |= std::thread::Builder::new().name("search".into()).spawn_scoped(scope, worker).is_ok();
        }
        drop(sender);
        if !started {
            // The system has no thread left, so this one works alone.
            work(on_end);
        }
        ends.iter().for_each(|(number, outcome)| on_end(number, outcome));
    });
}
