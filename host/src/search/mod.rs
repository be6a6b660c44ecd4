//! The searcher: iterative deepening alpha-beta on the host, with moves and scores from a co-processor.
//!
//! * [`iterate`]: the root; [`Searcher`] is the way in
//! * [`tree`]: the nodes below it, and quiescence
//! * [`source`]: moves and scores, directly or over a link
//! * [`path`]: the position with the moves that led to it
//! * [`order`], [`transposition`], [`score`], [`time`], [`control`]: what their names say
//! * [`view`]: between the board and the mover's view of the link
//!
//! Repetition, perpetual check and declaration come from [`crate::rules`]. One thread searches; given the same
//! state and limits of depth and nodes, it finds the same move, score and node count on every back end.

pub mod control;
pub mod iterate;
pub mod order;
pub mod path;
pub mod score;
pub mod source;
pub mod time;
pub mod transposition;
pub mod tree;
pub mod view;

pub use control::Control;
pub use iterate::{Decision, Outcome, Report, Searcher};
pub use path::{Path, Repeated};
pub use score::Told;
pub use source::Source;
pub use time::{Clock, Limits, TimeControl};
