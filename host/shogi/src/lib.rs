//! The game of shogi: rules, game records, opening books. Knows nothing of a chip.

pub mod book;
pub mod random;
pub mod records;
pub mod rules;
