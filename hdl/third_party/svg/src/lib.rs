//! What `svg` 0.14 has, under the number 0.10: see `Cargo.toml`.

pub use newer::*;
