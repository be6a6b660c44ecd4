//! Static evaluation of a position.

pub mod unit;
