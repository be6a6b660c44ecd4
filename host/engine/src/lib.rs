//! The engine: search, mate solver, move statistics and the USI protocol.

mod bench_positions;
pub mod control;
pub mod mate;
pub mod network;
mod piece_values;
pub mod search;
pub mod statistics;
pub mod usi;

pub use bench_positions::BENCH_POSITIONS;
pub use control::Control;
pub use piece_values::PIECE_VALUES;
