//! Matches between two USI engines: pairs of games with colours swapped, and the Elo difference that they show.
//!
//! * [`engine`]: a USI program as a child process
//! * [`openings`]: start positions
//! * [`game`]: one game, with clocks and adjudication
//! * [`pairs`]: many games on several threads
//! * [`journal`]: an append-only file from which an interrupted run resumes; [`results`]: the journal of finished games
//! * [`statistics`]: Elo, its error, and the sequential test
//! * [`virtual_time`]: what a search would take on given hardware
//! * [`mod@tune`]: constants of the search tuned by matches
//! * [`csa`]: a game as a CSA record
//!
//! The match applies the rules of [`hayasashi_shogi::rules`] itself. It accepts only moves, resignations and declarations from an
//! engine, and checks the moves and declarations.

pub mod csa;
pub mod engine;
pub mod error;
pub mod game;
pub mod journal;
pub mod openings;
pub mod pairs;
pub mod results;
pub mod statistics;
pub mod tune;
pub mod virtual_time;

pub use engine::{EngineSpec, MoveLimit};
pub use error::MatchError;
pub use game::{Adjudication, Ending, FinishedGame};
pub use journal::Journal;
pub use openings::Opening;
pub use pairs::{play, MatchPlan};
pub use results::{GameRecord, MatchSettings, ResultsFile};
pub use statistics::{Pentanomial, Sprt, Verdict, WinLossDraw};
