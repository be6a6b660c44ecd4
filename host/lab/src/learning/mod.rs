//! Training the weights of the static evaluation from games.
//!
//! * [`features`]: the parameters, and the active features of a position; [`sharing`]: parts that several parameters share
//! * [`objective`]: the losses (Bonanza's, and game results); [`quiescence`]: the quiescence search below them
//! * [`optimiser`]: Adam with L1 and L2; [`trainer`]: steps on several threads and ranks; [`passes`]: a whole training run
//! * [`network`]: a network that corrects the table; [`richer`]: an experiment with more features
//! * [`selfplay`]: self-play games; [`checkpoint`]: the state that a resumed run starts from; [`session`]: all of it together
//! * [`move_statistics`]: the table of move probabilities, which needs no training
//!
//! Training includes the rounding to nine bits: every search uses the table that the chip would hold, and the gradients found
//! there change the unrounded weights behind it (straight-through estimation). Every step searches the principal variations again
//! with its own weights.

pub mod checkpoint;
mod error;
pub mod features;
pub mod move_statistics;
pub mod network;
pub mod objective;
pub mod optimiser;
pub mod passes;
pub mod quiescence;
pub mod richer;
pub mod selfplay;
pub mod session;
pub mod sharing;
mod together;
pub mod trainer;

pub use error::LearnError;
