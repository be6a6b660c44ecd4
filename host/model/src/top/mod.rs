//! The whole chip as a stream. Mirrors `hdl/src/top/`.

mod chip;

pub use chip::Chip;
