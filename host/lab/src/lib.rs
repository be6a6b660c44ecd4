//! The laboratory: matches, published experiments, learning, textbook games, hardware beside software.

pub mod analysis;
pub mod announced_mates;
pub mod compare;
pub mod csa_client;
pub mod experiments;
pub mod learning;
pub mod matches;
pub mod plot;
pub mod textbook;
