//! Descriptions of boards and cards, the flow from a board to its bitstream, and the co-processor as an IP core for other designs.

pub mod board;
pub mod card;
pub mod flow;
pub mod ip;
pub mod process_group;
