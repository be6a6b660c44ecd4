//! Matches, experiments, learning, textbook games, comparison.

mod compare;
mod experiments;
mod learning;
mod matches;
mod textbook;
