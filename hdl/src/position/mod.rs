//! The position as bit planes, in the mover's view.
//!
//! Model: `host/model/src/position`.

pub mod arrival;
pub mod board;
pub mod capture;
pub mod fault_server;
pub mod faults;
pub mod tag;

pub use board::{Board, Hand, Image, Plane};
pub use tag::Tag;
