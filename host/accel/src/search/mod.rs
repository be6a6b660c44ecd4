//! The search by the chip itself.

mod compare;
mod many;
mod on_chip;

pub use compare::{SearchDifference, SearchSums, SearchVerifier, SEARCH_CHUNK};
pub use many::{many, SearchOutcome, USUAL_IN_FLIGHT};
pub(crate) use on_chip::on_chip;
pub use on_chip::{line, SearchRequest, SearchResult};
