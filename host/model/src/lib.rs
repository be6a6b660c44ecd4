//! The co-processor in software, bit by bit as the gateware. `tests/data/mirror.tsv` lists which file mirrors which block.
//!
//! ```text
//!  bytes ── top::Chip ── link (SLIP, CRC, registers) ── Model ─┬ position   image, board, faults
//!                                                              ├ attacks    ray, pins, legality, danger
//!                                                              ├ movegen    targets, count, serialise
//!                                                              ├ perft      the leaves of a tree
//!                                                              └ evaluate   table, score
//! ```
//!
//! [`Model`] answers requests by function call; the host falls back on it. [`top::Chip`] is the whole chip as a byte
//! stream. Both answer every request with the same bytes as the gateware. The model and the rules of the crate
//! `hayasashi-shogi` share only the contract ([`hayasashi_spec`]), so that they check each other.

pub mod attacks;
pub mod evaluate;
pub mod link;
pub mod movegen;
pub mod perft;
pub mod position;
pub mod search;
pub mod top;

mod request;

pub use request::{Model, PositionAnswer};
