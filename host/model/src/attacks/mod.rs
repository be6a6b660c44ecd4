//! Who attacks what: rays, pins, checks and the squares where a king may not go. Mirrors `hdl/src/attacks/`.

pub mod checks;
pub mod danger;
pub mod pins;
pub mod rays;
