//! Engine against engine: pairs of games with colours swapped, and what they say of strength.
//!
//! * [`engine`]: a USI program as a child process
//! * [`openings`]: positions to start from
//! * [`game`]: one game, with clocks and adjudication
//! * [`pairs`]: many games on several threads
//! * [`journal`]: a file from which stopped work goes on; [`results`]: that of finished games
//! * [`statistics`]: Elo, its error, and the sequential test
//! * [`csa`]: a game as a CSA record
//!
//! The rules are those of [`hayasashi_shogi::rules`]; an engine's word is taken for nothing but its moves and its resignation.

pub mod csa;
pub mod engine;
pub mod error;
pub mod game;
pub mod journal;
pub mod openings;
pub mod pairs;
pub mod results;
pub mod statistics;

pub use engine::{EngineSpec, Pace};
pub use error::DuelError;
pub use game::{Adjudication, Ending, Played};
pub use journal::Journal;
pub use openings::Opening;
pub use pairs::{play, Plan};
pub use results::{GameRecord, Results, Setting};
pub use statistics::{Pentanomial, Sprt, Tally, Verdict};
