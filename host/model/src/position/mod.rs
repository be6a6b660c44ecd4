//! The position as bit planes, in the mover's view. Mirrors `hdl/src/position/`.

pub(crate) mod board;
pub mod faults;
pub mod image;

pub use board::{Bitboard, Pieces, Position};
