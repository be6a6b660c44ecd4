//! The whole chip as a byte stream. Mirrors `hdl/src/top/`.

mod chip;

pub use chip::Chip;
