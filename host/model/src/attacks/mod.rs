//! Attacks: rays, pins, checks and the squares that a side attacks. Mirrors `hdl/src/attacks/`.

pub mod danger;
pub mod legality;
pub mod pins;
pub mod ray;
