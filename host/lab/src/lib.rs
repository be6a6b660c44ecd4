//! The laboratory: matches, published experiments, learning, textbook games, hardware beside software.

pub mod compare;
pub mod experiments;
pub mod learning;
pub mod matches;
pub mod plot;
pub mod textbook;
