//! The searcher: iterative deepening alpha-beta on the host.
//!
//! * [`iterate`]: [`Searcher`] is the way in; threads. `root`: the root's moves, iteration by iteration; `root_mate`:
//!   the mate search before
//! * `tree`: what all nodes share; `interior`, `early`, `quiescence`: the nodes
//! * [`realization`]: another way to search, by the probability of moves instead of plies
//! * `plausible`: what the probabilities of its moves say of a node, as terms of depth
//! * [`best_first`]: two more, with a tree in memory that is kept from move to move
//! * [`techniques`]: what the tree does besides looking at moves, and how to switch it off; `margins`: its numbers
//! * [`board`]: moves and scores, by the engine's own rules or from a co-processor; [`source`]: the latter's latency
//! * [`accumulator`]: the static evaluation, kept up to date move by move
//! * `picker`, [`order`], [`history`]: one move after the other, best first
//! * [`path`]: the position with the moves that led to it
//! * [`transposition`], [`score`], [`time`], `memory`: what their names say
//! * [`view`]: between the board and the mover's view of the link
//!
//! Repetition, perpetual check and declaration come from [`hayasashi_shogi::rules`]. The tree is one, whatever back end moves
//! and scores come from: on one thread, given the same state and limits of depth and nodes, it finds the same move,
//! score and node count on every back end.

pub mod accumulator;
pub mod best_first;
pub mod board;
mod early;
pub mod history;
mod interior;
pub mod iterate;
mod margins;
mod memory;
pub mod order;
pub mod path;
mod picker;
mod plausible;
mod quiescence;
pub mod realization;
mod root;
mod root_mate;
pub mod score;
pub mod source;
pub mod techniques;
pub mod time;
pub mod transposition;
mod tree;

pub use iterate::{Decision, SearchOutcome, SearchReport, Searcher};
pub use path::{Path, Repeated};
pub use realization::Algorithm;
pub use score::{Draw, Told};
pub use source::Source;
pub use techniques::Techniques;
pub use time::{GameClock, SearchLimits, TimeControl};
