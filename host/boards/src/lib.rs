//! Boards as data, the flow from a board to its bitstream, and the co-processor as a component for other designs.

pub mod board;
pub mod flow;
pub mod ip;
