//! Shogi: rules, game records, opening books, scored positions, random numbers and text in messages. Independent of the co-processor.

pub mod book;
pub mod random;
pub mod records;
pub mod rules;
pub mod scored;
pub mod text;
