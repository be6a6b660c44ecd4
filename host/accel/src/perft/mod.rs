//! Perft: the number of leaves of the tree of legal moves, counted by the chip or by the host.

mod host;
mod on_chip;

pub use host::{divide, first_difference, Comparison, Divided, PerftError};
pub(crate) use on_chip::on_chip;
pub use on_chip::{walk, PerftResult, Walked};
