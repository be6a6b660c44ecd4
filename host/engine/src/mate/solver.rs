//! The entry point: limits, search, verification.

use super::{
    dfpn::{Search, Stopped},
    solution::{self, Strategy},
    table::Table,
    verify::{verify, StrategyError, Verified},
};
use crate::Control;
use hayasashi_shogi::rules::{Move, Position};
use std::time::Duration;

/// Longest mate in plies.
pub const MAX_PLIES: u32 = 4_095;

/// Moves for the search for shorter mates after a proof: a constant, plus a multiple of those of the proof.
const SHORTEN_NODES: u64 = 50_000;
const SHORTEN_FACTOR: u64 = 4;

/// Limits of a mate search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MateLimits {
    /// Longest mate in plies; at most [`MAX_PLIES`].
    pub plies: u32,
    /// Longest time.
    pub time: Option<Duration>,
    /// Most moves.
    pub nodes: u64,
}

impl Default for MateLimits {
    fn default() -> Self {
        MateLimits { plies: MAX_PLIES, time: None, nodes: u64::MAX }
    }
}

/// A mate with its verified strategy.
#[derive(Clone, Debug)]
pub struct Mate {
    /// The main line up to the mate, against the longest defence as problems count it.
    pub line: Vec<Move>,
    /// Plies within which every defence is mated.
    pub plies: u32,
    /// Plies of the line as problems count them; see [`Verified::counted`].
    pub counted: u32,
    /// Whether it is proved that no mate takes fewer [`Mate::plies`].
    pub shortest: bool,
    /// The reply to every defence.
    pub strategy: Strategy,
}

/// The outcome of a mate search.
#[derive(Clone, Debug)]
pub enum MateOutcome {
    /// The side to move mates against every defence.
    Mate(Mate),
    /// There is no mate by checks alone within the limit of plies.
    NoMate,
    /// Not decided within the limits.
    Unknown,
    /// The proof failed verification, which is an error of this program.
    InvalidStrategy(StrategyError),
}

/// The result of a mate search.
#[derive(Clone, Debug)]
pub struct MateAnswer {
    /// The outcome.
    pub outcome: MateOutcome,
    /// Moves made.
    pub nodes: u64,
    /// Share of the table in use, in thousandths.
    pub hash_permille: usize,
}

/// A solver with its table.
pub struct Solver {
    table: Table,
}

impl Solver {
    /// A solver with a table of this size.
    pub fn new(hash_mebibytes: usize) -> Solver {
        Solver { table: Table::new(hash_mebibytes) }
    }

    /// Searches for a mate by the side to move. Each search starts with an empty table, so under a node limit alone the
    /// result is the same in every run.
    pub fn solve(&mut self, pos: &Position, limits: &MateLimits, control: &Control) -> MateAnswer {
        self.table.clear();
        let plies = limits.plies.clamp(1, MAX_PLIES) as u16;
        let plies = plies - (plies + 1) % 2;
        let mut search = Search::new(pos, &mut self.table, control, limits.time, limits.nodes);
        let outcome = match search.solve(plies) {
            Err(Stopped) => MateOutcome::Unknown,
            Ok(value) if value.pn != 0 => MateOutcome::NoMate,
            Ok(value) => {
                search.node_limit = limits.nodes.min(SHORTEN_NODES + SHORTEN_FACTOR * search.nodes);
                let (plies, shortest) = shorten(&mut search, value.plies);
                search.node_limit = limits.nodes;
                match solution::gather(&mut search, plies) {
                    Err(Stopped) => MateOutcome::Unknown,
                    Ok(strategy) => match verify(pos, &strategy) {
                        Ok(Verified { line, plies, counted, .. }) => {
                            MateOutcome::Mate(Mate { line, plies, counted, shortest, strategy })
                        }
                        Err(flaw) => MateOutcome::InvalidStrategy(flaw),
                    },
                }
            }
        };
        MateAnswer { outcome, nodes: search.nodes, hash_permille: search.permille() }
    }
}

/// Searches for shorter mates than one of `plies` within the limits. Returns the plies of the shortest, and whether
/// there is no shorter one.
fn shorten(search: &mut Search, mut plies: u16) -> (u16, bool) {
    while plies > 1 {
        match search.solve(plies - 2) {
            Ok(value) if value.pn == 0 => plies = value.plies,
            Ok(_) => return (plies, true),
            Err(Stopped) => return (plies, false),
        }
    }
    (plies, true)
}
