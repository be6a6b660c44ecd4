//! The bit-identical software co-processor; mirrors `hdl/src` name by name.
//!
//! ```text
//!  bytes ── top::Chip ── link (SLIP, CRC, registers) ── Model ─┬ position   image, faults, turn
//!                                                              ├ attacks    rays, pins, checks, danger
//!                                                              ├ movegen    targets, count, serialise
//!                                                              ├ perft      the leaves of a tree
//!                                                              └ evaluate   table, score
//! ```
//!
//! [`Model`] answers requests by call and is what the host falls back on; [`top::Chip`] is the whole chip as a byte
//! stream. Both give, for each request, the same bytes as the gateware. The model shares the contract
//! ([`hayasashi_spec`]) with the engine's own rules of shogi, and nothing else: two implementations that check each
//! other.

pub mod attacks;
pub mod evaluate;
pub mod link;
pub mod movegen;
pub mod perft;
pub mod position;
pub mod top;

mod request;

pub use request::{Answer, Model};
