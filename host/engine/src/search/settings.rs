//! The settings of a search: one value that the USI options, the command line and the searcher share.

use super::{
    noise::EvalNoise,
    parameters::Parameters,
    realization::Algorithm,
    score::Draw,
    techniques::Techniques,
    time::{Budget, TimeControl},
};
use hayasashi_shogi::rules::DeclarationRule;
use hayasashi_spec::search::ALL_TECHNIQUES;
use std::time::Duration;

/// Most search threads.
pub const MAX_THREADS: u64 = 512;
/// Largest transposition table, in mebibytes.
pub const MAX_HASH_MIB: u64 = 65_536;
/// Most lines that are reported: more than any position has legal moves.
pub const MAX_LINES: u64 = 600;
/// The target time in percent while the engine also thinks on the opponent's clock.
const PONDER_PERCENT: u32 = 125;
/// Entries of the table that a search by the chip asks for, as a power of two: what block RAM of the larger devices holds.
const CHIP_TABLE_BITS: u8 = 16;
/// Default temperature of the softmax search, in centipawns.
pub const DEFAULT_TEMPERATURE: u32 = 80;

/// How positions are searched. A change takes effect with the next search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchSettings {
    /// The search algorithm.
    pub algorithm: Algorithm,
    /// Temperature of the softmax search, in centipawns.
    pub temperature: u32,
    /// Random numbers in the static evaluation.
    pub noise: EvalNoise,
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
    /// The target time of a move on a game clock, in percent of the usual one.
    pub time_percent: u32,
    /// Whether the opponent's time is used as well.
    pub ponder: bool,
    /// Entries of the table of a search by the chip, as a power of two.
    pub chip_table_bits: u8,
    /// Whether a search by the chip begins with the table of the one before, unless a new game has begun.
    pub chip_keeps_table: bool,
    /// Most steps of a search by the chip; 0 for no limit.
    pub chip_steps: u64,
    /// Techniques of a search by the chip: a bit for each ([`hayasashi_spec::search::Technique`]).
    pub chip_techniques: u32,
    /// The search heuristics that are switched on.
    pub techniques: Techniques,
    /// The constants of the heuristics.
    pub parameters: Parameters,
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            algorithm: Algorithm::default(),
            temperature: DEFAULT_TEMPERATURE,
            noise: EvalNoise::default(),
            threads: 1,
            lines: 1,
            draw: Draw::default(),
            declaration: Some(DeclarationRule::default()),
            network_delay: Duration::from_millis(100),
            time_percent: 100,
            ponder: false,
            chip_table_bits: CHIP_TABLE_BITS,
            chip_keeps_table: true,
            chip_steps: 0,
            chip_techniques: ALL_TECHNIQUES,
            techniques: Techniques::default(),
            parameters: Parameters::default(),
        }
    }
}

impl SearchSettings {
    /// The time for a move under this control.
    pub fn budget(&self, time: TimeControl) -> Budget {
        let pondering = if self.ponder { PONDER_PERCENT } else { 100 };
        time.budget(self.network_delay).scaled(self.time_percent as f64 * pondering as f64 / 10_000.0)
    }

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
