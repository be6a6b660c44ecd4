//! The laboratory: matches, published experiments, learning, textbook games and endgame databases, hardware beside software.

pub mod analysis;
pub mod announced_mates;
pub mod compare;
pub mod csa_client;
pub mod endgame;
pub mod experiments;
pub mod learning;
pub mod matches;
pub mod parts;
pub mod perft;
pub mod plot;
pub mod textbook;
