//! Endgame databases by retrograde analysis (Ströhlein 1970; Thompson 1986) of animal shogi (どうぶつしょうぎ, 3 × 4 squares).
//!
//! The game has been solved completely (Tanaka 2009, "An analysis of a board game 'Doubutsu Shogi'", IPSJ SIG Technical Report, Game
//! Informatics): 246,803,167 positions can be reached, up to mirroring and the side to move, and the second player wins in 78 plies.
//! [`Solver`] repeats that, and solves the endgames of less material.

mod file;
mod index;
mod rules;
mod solve;

pub use file::{Database, FileError};
pub use index::{Index, Material};
pub use rules::{AnimalMove, AnimalPosition, Kind};
pub use solve::{Counts, Progress, Solver, Value};
