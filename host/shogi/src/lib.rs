//! Shogi: rules, game records, opening books and random numbers. Independent of the co-processor.

pub mod book;
pub mod random;
pub mod records;
pub mod rules;
