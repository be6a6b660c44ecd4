//! Perft: the leaves of the tree of legal moves, counted by the chip alone.
//!
//! Each unit of `movegen` has a [`walker`] beside its pipeline; the [`walk_controller`] starts and stops them and adds up
//! what they count.
//!
//! **Order.** The moves of a parent one ply above the leaves become leaves: they are counted as they are made, one in each
//! clock. Those of other parents, which are called inner, go onto the stack as whole positions with the plies that are left,
//! [`CHUNK`](walker::CHUNK) of them at most: a parent with more moves stays below its children, comes back when they are
//! finished, and then the next so many are kept. So no level has more positions than that, and the stack never overflows.
//!
//! **Overlap.** A parent needs a clock of the serialiser (`pause`) to enter the pipeline, and waits in the bank until the
//! serialiser is finished with the one before it.
//!
//! **Several units.** All walk the same tree down to the plies between which it is split; there each keeps one child in
//! `units`.
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
