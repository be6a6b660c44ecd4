//! Perft: the leaves of the tree of legal moves, counted by the chip alone.
//!
//! Each unit of `movegen` has a [`walker`] beside its pipeline; the [`walk_controller`] starts and stops them and adds up
//! what they count.
//!
//! Model: `host/model/src/perft/walker.rs`.

pub mod child_filter;
pub mod chunk_table;
pub mod due_counter;
pub mod parent_entry;
pub mod walk_controller;
pub mod walk_stack;
pub mod walk_state;
pub mod walker;
