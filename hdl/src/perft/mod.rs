//! Perft: the leaves of the tree of legal moves, counted by the chip alone.
//!
//! Each unit of `movegen` has a [`walker`] beside its pipeline; the [`conductor`] leads them and adds up what they count.
//!
//! Model: `host/src/model/perft.rs`.

pub mod conductor;
pub mod walker;
