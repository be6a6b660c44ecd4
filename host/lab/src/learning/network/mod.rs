//! Training of a network that corrects the evaluation table ([`hayasashi_spec::network`]).
//!
//! * [`samples`]: positions with a target, one block after the other from files of any size
//! * [`weights`]: the weights in training, the loss of a position and its gradient, and Adam
//! * [`run`]: passes over the positions, with checkpoints
//!
//! Weights are rounded as the network's file has them before each step, and the gradients found there change the unrounded weights
//! behind them (straight-through estimation). The same files and settings give the same bytes with any number of threads.

pub mod run;
pub mod samples;
pub mod weights;
