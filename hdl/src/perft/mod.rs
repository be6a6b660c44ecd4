//! Perft: the leaves of the tree of legal moves, counted by the chip alone.
//!
//! Each unit of `movegen` has a [`walker`], which says whose moves come next; the [`walk_controller`] starts and stops them and adds up
//! what they count.
//!
//! **Order.** The tree is walked depth first by several contexts side by side. A context has one node at each ply on its way
//! down. The children of a node of the last ply are leaves: they are made one in each clock and counted, no more. Any other
//! child becomes a node itself: its moves are stored group by group, while the moves of another context's node are made. So
//! each position of the tree passes the pipeline once. All contexts share the root: each takes its next child.
//!
//! **Room.** A node takes a row of `movegen::positions` and as many of `movegen::groups` as it has groups of moves. There is one
//! node for each context and ply, so that neither ever overflows.
//!
//! **Several units.** All walk the same tree down to the ply whose children they share; there each keeps one child in `units`.
//!
//! Model: `host/model/src/perft/walker.rs`.

pub mod nodes;
pub mod schedule;
pub mod walk_controller;
pub mod walk_state;
pub mod walker;
