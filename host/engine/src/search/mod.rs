//! The search.
//!
//! * [`searcher`]: [`Searcher`], the entry point, and its threads; [`settings`]: how it searches; `root`: iterative
//!   deepening over the moves at the root; `root_mate`: the mate search before it
//! * `tree`: the state of one thread; `alpha_beta`, `pruning`, `quiescence`: the nodes
//! * [`realization`]: realization-probability search, with the probability of moves in place of plies
//! * `learned_extensions`: extensions by the probability of a node's moves
//! * `on_chip`: the search by the co-processor itself; `chip_lines`: several lines of it
//! * [`best_first`]: softmax and Monte-Carlo search, with a tree that is kept from move to move
//! * [`techniques`]: the heuristics and their switches; [`parameters`]: their constants
//! * [`board`]: moves and scores, from the engine's own rules or from a co-processor; [`move_source`]: the co-processor;
//!   [`patience`]: how long the search waits for it
//! * [`accumulator`]: the static evaluation, updated move by move; [`noise`]: random numbers in it
//! * `picker`, [`move_order`], [`history`]: the moves of a node, best first
//! * [`sharing`]: table entries that several engines tell each other
//! * [`game_path`]: a position with the moves that led to it
//! * [`transposition`], [`score`], [`time`]: the transposition table, scores, time control
//! * `large_pages`: memory for large tables
//!
//! Repetition, perpetual check and declaration come from [`hayasashi_shogi::rules`]. On one thread, with limits of depth
//! and nodes only, and from the same state, a search finds the same move, score and node count on every back end.

pub mod accumulator;
mod alpha_beta;
pub mod best_first;
pub mod board;
mod chip_lines;
pub mod game_path;
pub mod history;
mod large_pages;
mod learned_extensions;
pub mod move_order;
pub mod move_source;
pub mod noise;
mod on_chip;
pub mod parameters;
pub mod patience;
mod picker;
mod pruning;
mod quiescence;
pub mod realization;
mod root;
mod root_mate;
pub mod score;
pub mod searcher;
pub mod settings;
pub mod sharing;
pub mod techniques;
pub mod time;
pub mod transposition;
mod tree;

pub use game_path::{GamePath, Repeated};
pub use move_source::MoveSource;
pub use on_chip::chip_request;
pub use parameters::{Parameter, Parameters};
pub use patience::Patience;
pub use realization::Algorithm;
pub use score::{Draw, UsiScore};
pub use searcher::{Decision, SearchOutcome, SearchReport, Searcher};
pub use settings::SearchSettings;
pub use techniques::{Techniques, UnknownTechnique};
pub use time::{GameClock, SearchLimits, TimeControl};
