//! Perft: the leaves of the tree of legal moves. Mirrors `hdl/src/perft/`.

mod walker;

pub use walker::Walk;
