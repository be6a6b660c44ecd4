//! The correction of a score by a network, for searches.
//!
//! The picture of the stages is in [`mod@unit`], and that of the first layer in [`mod@accumulator`]. The correction is defined by
//! `hayasashi_spec::network`. Model: `host/model/src/evaluate/network`.

pub mod accumulator;
pub mod bias_rows;
pub mod changes;
pub mod features;
pub mod first_layer;
pub mod last_layer;
pub mod loader;
pub mod product_writer;
pub mod products;
pub mod sum_rows;
pub mod sums;
pub mod unit;
