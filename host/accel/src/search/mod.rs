//! The search by the chip itself.

mod on_chip;

pub(crate) use on_chip::on_chip;
pub use on_chip::{line, SearchRequest, SearchResult};
