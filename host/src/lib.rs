//! The Hayasashi host: rules of shogi, software co-processor, back ends, search, USI and command line.

pub mod accel;
pub mod cli;
pub mod model;
pub mod rules;
pub mod search;
pub mod usi;
