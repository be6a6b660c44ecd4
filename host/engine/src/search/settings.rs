//! The settings of a search: one value that the USI options, the command line and the searcher share.

use super::{realization::Algorithm, score::Draw, techniques::Techniques};
use hayasashi_shogi::rules::DeclarationRule;
use std::time::Duration;

/// Most search threads.
pub const MAX_THREADS: u64 = 512;
/// Largest transposition table, in mebibytes.
pub const MAX_HASH_MIB: u64 = 65_536;
/// Most lines that are reported: more than any position has legal moves.
pub const MAX_LINES: u64 = 600;
/// Default temperature of the softmax search, in centipawns.
pub const DEFAULT_TEMPERATURE: u32 = 80;

/// How positions are searched. A change takes effect with the next search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchSettings {
    /// The search algorithm.
    pub algorithm: Algorithm,
    /// Temperature of the softmax search, in centipawns.
    pub temperature: u32,
    /// Search threads. A search with more than one is not repeatable.
    pub threads: usize,
    /// Number of lines (MultiPV): the best moves at the root, each with its score. A single line is fastest.
    pub lines: usize,
    /// When a game is drawn, and the value of a draw.
    pub draw: Draw,
    /// The rule by which the engine declares a win, if any.
    pub declaration: Option<DeclarationRule>,
    /// Time held in reserve from each time limit, for the delay of the GUI and the network.
    pub network_delay: Duration,
    /// The search heuristics that are switched on.
    pub techniques: Techniques,
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            algorithm: Algorithm::default(),
            temperature: DEFAULT_TEMPERATURE,
            threads: 1,
            lines: 1,
            draw: Draw::default(),
            declaration: Some(DeclarationRule::default()),
            network_delay: Duration::from_millis(100),
            techniques: Techniques::default(),
        }
    }
}

impl SearchSettings {
    /// The same with at least one thread, one line and one centipawn of temperature.
    pub(super) fn at_least_one(&self) -> SearchSettings {
        SearchSettings {
            threads: self.threads.max(1),
            lines: self.lines.max(1),
            temperature: self.temperature.max(1),
            ..self.clone()
        }
    }
}
