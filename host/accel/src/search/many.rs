//! Many searches, several at a time.

use super::{SearchRequest, SearchResult};
use crate::{workers::share, AccelError, CoProcessor, PositionError};
use std::time::Duration;

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
    let search = |(number, request)| (number, chip.search(&request, &mut |_| goes_on()));
    share("search", requests.enumerate(), in_flight, goes_on, &search, Duration::MAX, &mut |ended| {
        if let Some((number, outcome)) = ended {
            on_end(number, outcome);
        }
    });
}
