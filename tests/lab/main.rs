//! Tests of `hayasashi-lab`: matches, experiments, training, textbook games, comparisons.

mod compare;
mod csa;
mod experiments;
mod learning;
mod matches;
mod state_space;
mod textbook;
mod uniform;
