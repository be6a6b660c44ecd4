//! Legal moves of a position.

pub mod unit;
