//! Move statistics: categories of moves and the probability that a move of each is played, for realization-probability
//! search (Tsuruoka, Yokoyama, Maruyama and Chikayama, 2001). The categories are those of TACOS (Taketoshi, Hashimoto,
//! Kajihara, Nagashima and Iida, 2002).
//!
//! * [`category`]: the five groups of features, the features of the analysers, and keys of categories
//! * [`position_context`]: a position prepared for the categories of its moves
//! * [`analysers`]: possibility (sacrifices that pay off later) and history (moves that continue earlier ones)
//! * [`phase`]: opening and middle game, end game, final stage
//! * [`move_counts`]: how often categories are played and possible in games; [`table`]: the learned table and its file;
//!   [`report`]: tables for people
//! * [`sequences`]: patterns of three moves (tesuji); [`sequence_counts`]: how often they are played, compared with
//!   chance
//! * [`logarithm`]: integer logarithms, so that every machine searches the same tree
//!
//! `docs/move-statistics.md` describes how the built-in table was learned, with measurements.

pub mod analysers;
pub mod category;
pub mod logarithm;
pub mod move_counts;
pub mod phase;
pub mod position_context;
pub mod ranking;
pub mod report;
pub mod sequence_counts;
pub mod sequences;
pub mod table;

pub use category::Category;
pub use phase::Phase;
pub use position_context::{PastMove, PositionContext};
pub use table::{MoveTable, MoveTableError, Refinements};
