//! The way in: limits, and what comes out.

use super::{
    dfpn::{Search, Stopped},
    solution::{self, Strategy},
    table::Table,
    verify::{verify, StrategyError, Verified},
};
use crate::Control;
use hayasashi_shogi::rules::{Move, Position};
use std::time::Duration;

/// Longest mate that can be looked for, in plies.
pub const MAX_PLIES: u32 = 4_095;

/// After a proof a shorter mate is looked for with so many moves, and so many times those of the proof.
const SHORTEN_NODES: u64 = 50_000;
const SHORTEN_FACTOR: u64 = 4;

/// Limits of a search for a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MateLimits {
    /// Longest mate looked for, in plies; at most [`MAX_PLIES`].
    pub plies: u32,
    /// Time to use.
    pub time: Option<Duration>,
    /// Moves to make at most.
    pub nodes: u64,
}

impl Default for MateLimits {
    fn default() -> Self {
        MateLimits { plies: MAX_PLIES, time: None, nodes: u64::MAX }
    }
}

/// A mate with all that shows it.
#[derive(Clone, Debug)]
pub struct Mate {
    /// The moves against the defence that holds out longest as problems count, up to the mate.
    pub line: Vec<Move>,
    /// Plies in which every defence is mated.
    pub plies: u32,
    /// Plies of the line as problems count them, see [`Verified::counted`].
    pub counted: u32,
    /// Whether it was shown that no mate takes fewer [`Mate::plies`].
    pub shortest: bool,
    /// An answer to every defence.
    pub strategy: Strategy,
}

/// What a search found.
#[derive(Clone, Debug)]
pub enum MateOutcome {
    /// The mover mates, whatever the defender does.
    Mate(Mate),
    /// There is no mate by checks alone, within the plies looked for.
    NoMate,
    /// Neither was shown within the limits.
    Unknown,
    /// The proof did not stand the replay by the rules: an error of this program.
    InvalidStrategy(StrategyError),
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct MateAnswer {
    /// What was found.
    pub outcome: MateOutcome,
    /// Moves made.
    pub nodes: u64,
    /// Part of the table in use, in thousandths.
    pub hash_permille: usize,
}

/// A solver with its table.
pub struct Solver {
    table: Table,
}

impl Solver {
    /// A solver with a table of so many mebibytes.
    pub fn new(hash_mebibytes: usize) -> Solver {
        Solver { table: Table::new(hash_mebibytes) }
    }

    /// Looks for a mate by the side to move. Nothing is kept from one search to the next, so that under a limit of
    /// nodes alone the answer is the same in every run.
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

/// Looks for shorter mates than one of `plies`, as far as the limits go: the plies of the shortest found, and whether
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
