//! Tests of `hayasashi-lab`: matches, experiments, training, textbook games, comparisons.

mod cluster;
mod compare;
mod csa;
mod endgame;
mod experiments;
mod learning;
mod matches;
mod parts;
mod scored;
mod state_space;
mod textbook;
mod uniform;
