//! Short mate searches at the root before the tree search: for long mates by checks, and for brinkmates, which the tree
//! search finds late or not at all.

use super::{
    game_path::GamePath,
    score::MATE,
    searcher::{Decision, SearchOutcome, SearchReport},
    settings::SearchSettings,
    time::{Budget, SearchLimits},
    tree::MAX_PLY,
};
use crate::mate::{BrinkmateSolver, MateLimits, MateOutcome, Solver};
use crate::Control;
use hayasashi_shogi::rules::Move;

/// Most moves of the search for a mate by checks.
const NODES: u64 = 20_000;
/// It uses at most one part in so many of a limit of nodes or time.
const LIMIT_DIVISOR: u64 = 16;
/// Most moves of the search for a brinkmate.
const BRINKMATE_NODES: u64 = 200_000;
/// It uses at most one part in so many of a limit of nodes or time.
const BRINKMATE_DIVISOR: u64 = 4;
/// With fewer nodes than these they do not start. A position without threats costs the second some hundred.
const MIN_NODES: u64 = 50;
const BRINKMATE_MIN_NODES: u64 = 5_000;
/// Mebibytes of the table of each: enough for the entries of so many moves.
const HASH_MEBIBYTES: usize = 2;
const BRINKMATE_MEBIBYTES: usize = 8;

/// The mate searches at the root.
#[derive(Default)]
pub(super) struct RootMate {
    solver: Option<Solver>,
    brinkmates: Option<BrinkmateSolver>,
}

/// A mate that was found.
struct Found {
    line: Vec<Move>,
    plies: u32,
    hash_permille: usize,
}

impl RootMate {
    /// Searches for a mate by the mover within a share of the limits, and returns the outcome if there is a mate and the
    /// number of moves made. Does nothing under a depth limit or without limits. A mate whose line repeats a position of
    /// the game, or that takes longer than the game may last, does not count.
    pub fn search(
        &mut self,
        pos: &GamePath,
        limits: &SearchLimits,
        budget: Option<Budget>,
        settings: &SearchSettings,
        control: &Control,
    ) -> (Option<SearchOutcome>, u64) {
        let limited = limits.nodes.is_some() || limits.time.is_some();
        if !settings.techniques.root_mate || !limited || limits.depth.is_some() || limits.infinite {
            return (None, 0);
        }
        let share = |most: u64, divisor: u64| MateLimits {
            plies: MAX_PLY as u32,
            time: budget.map(|b| b.soft / divisor as u32),
            nodes: most.min(limits.nodes.map_or(most, |n| n / divisor)),
        };
        let (mut found, mut nodes) = self.mate(pos, &share(NODES, LIMIT_DIVISOR), control);
        if found.is_none() && settings.techniques.root_brinkmate {
            let (brinkmate, more) = self.brinkmate(pos, &share(BRINKMATE_NODES, BRINKMATE_DIVISOR), control);
            (found, nodes) = (brinkmate, nodes + more);
        }
        let Some(found) = found else { return (None, nodes) };
        let mut path = pos.clone();
        let repeats = found.line.iter().any(|&mv| {
            path.do_move(mv);
            path.repeated().is_some()
        });
        let late = pos.position().ply() as u32 + found.plies > settings.draw.after as u32;
        if repeats || late {
            return (None, nodes);
        }
        let report = SearchReport {
            depth: found.plies,
            selective_depth: found.plies,
            score: MATE - found.plies as i32,
            line: 1,
            nodes,
            nodes_by_ply: Vec::new(),
            elapsed: control.elapsed(),
            pv: found.line,
            hash_permille: found.hash_permille,
        };
        let decision = Decision::Move(report.pv[0], report.pv.get(1).copied());
        (Some(SearchOutcome { decision, report, failure: None }), nodes)
    }

    fn mate(&mut self, pos: &GamePath, limits: &MateLimits, control: &Control) -> (Option<Found>, u64) {
        if limits.nodes < MIN_NODES {
            return (None, 0);
        }
        let solver = self.solver.get_or_insert_with(|| Solver::new(HASH_MEBIBYTES));
        let answer = solver.solve(pos.position(), limits, control);
        let found = match answer.outcome {
            MateOutcome::Mate(mate) => {
                Some(Found { line: mate.line, plies: mate.plies, hash_permille: answer.hash_permille })
            }
            _ => None,
        };
        (found, answer.nodes)
    }

    fn brinkmate(&mut self, pos: &GamePath, limits: &MateLimits, control: &Control) -> (Option<Found>, u64) {
        if limits.nodes < BRINKMATE_MIN_NODES {
            return (None, 0);
        }
        // The clock of the control began with the search for a mate by checks.
        let limits = MateLimits { time: limits.time.map(|t| t + control.clock().unwrap_or_default()), ..*limits };
        let solver = self.brinkmates.get_or_insert_with(|| BrinkmateSolver::new(BRINKMATE_MEBIBYTES));
        let answer = solver.solve(pos.position(), &limits, false, control);
        let found = answer.found.map(|b| Found { line: b.line, plies: b.plies, hash_permille: 0 });
        (found, answer.nodes)
    }
}
