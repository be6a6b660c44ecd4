//! Legal move generation.
//!
//! Model: `host/src/model/movegen`.

pub mod arrivals;
pub mod bank;
pub mod count;
pub mod entry;
pub mod feed;
pub mod kept;
pub mod make_move;
pub mod origin;
pub mod pipeline;
pub mod serialise;
pub mod slot;
pub mod targets;
pub mod total;
pub mod trace;
pub mod unit;
