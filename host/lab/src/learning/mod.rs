//! Learning the weights of the static evaluation from games.
//!
//! * [`features`]: the parameters, and those that a position has; [`sharing`]: what they have in common
//! * [`objective`]: the losses (Bonanza's, and game results); [`quiet`]: the quiescence search below them
//! * [`optimiser`]: Adam with L1 and L2; [`trainer`]: steps on several threads; [`passes`]: a whole run
//! * [`neural`]: a small network on the same features; [`richer`]: what the table does not see, counted; as experiments
//! * [`selfplay`]: games of the engine against itself; [`checkpoint`]: what survives a kill
//!
//! The rounding to nine bits is in the loop: every search is made with the table that the chip would hold, and the
//! slopes found there move the unrounded numbers behind it. The principal variations are searched anew in every
//! step, with the weights of that step.

pub mod checkpoint;
mod error;
pub mod features;
pub mod neural;
pub mod objective;
pub mod optimiser;
pub mod passes;
pub mod quiet;
pub mod richer;
pub mod selfplay;
pub mod sharing;
pub mod trainer;

pub use error::LearnError;
