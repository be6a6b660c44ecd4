//! Categories of moves and how often each is played: the probability that a move will be played, for
//! realization-probability search (Tsuruoka, Yokoyama, Maruyama and Chikayama, 2001), categorised as in TACOS (Taketoshi,
//! Hashimoto, Kajihara, Nagashima and Iida, 2002).
//!
//! * [`category`]: the five groups, what the analysers add, and keys of categories
//! * [`position_context`]: what is known of a position before its moves; the category of each move
//! * [`analysers`]: possibility (losses that pay later) and history (moves that go on with earlier ones)
//! * [`phase`]: opening and middle game, end game, final stage
//! * [`move_counts`]: played over possible, from games; [`table`]: what was learned, as a file; [`report`]: for people
//! * [`sequences`]: three moves as a pattern (tesuji); [`sequence_counts`]: how much more frequent than by chance
//! * [`logarithm`]: of whole numbers in fixed point, so that every machine searches the same tree
//!
//! `LEARNED.md` beside tells how the table that is built in was learned, and what was measured.

pub mod analysers;
pub mod category;
pub mod logarithm;
pub mod move_counts;
pub mod phase;
pub mod position_context;
pub mod report;
pub mod sequence_counts;
pub mod sequences;
pub mod table;

pub use category::Category;
pub use phase::Phase;
pub use position_context::{PastMove, PositionContext};
pub use table::{MoveTable, MoveTableError, Refinements};
