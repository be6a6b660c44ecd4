//! The Hayasashi host: rules of shogi, software co-processor, back ends, search, mate solver, opening books, game
//! records, learning, move categories, USI, matches, experiments, command line, boards and releases.

pub mod accel;
pub mod board;
pub mod book;
pub mod build;
pub mod cli;
pub mod compare;
pub mod duel;
pub mod experiment;
pub mod files;
pub mod learn;
pub mod mate;
pub mod model;
pub mod moves;
pub mod plot;
pub mod random;
pub mod records;
pub mod reference;
pub mod release;
pub mod rules;
pub mod search;
pub mod usi;
