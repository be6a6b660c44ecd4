//! A short mate search at the root before the tree search: depth-first proof-number search finds long mates by checks
//! that the tree search finds late or not at all.

use super::{
    game_path::GamePath,
    score::MATE,
    searcher::{Decision, SearchOutcome, SearchReport},
    time::{Budget, SearchLimits},
    tree::MAX_PLY,
};
use crate::mate::{self, Solver};
use crate::Control;

/// Most moves that it makes.
const NODES: u64 = 20_000;
/// It uses at most one part in so many of a limit of nodes or time.
const LIMIT_DIVISOR: u64 = 16;
/// It does not start with fewer nodes than this.
const MIN_NODES: u64 = 50;
/// Mebibytes of its table: enough for the entries of so many moves.
const HASH_MEBIBYTES: usize = 2;

/// The mate search at the root.
#[derive(Default)]
pub(super) struct RootMate {
    solver: Option<Solver>,
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
        draw_after: u16,
        control: &Control,
    ) -> (Option<SearchOutcome>, u64) {
        let nodes = NODES.min(limits.nodes.map_or(NODES, |n| n / LIMIT_DIVISOR));
        let limited = limits.nodes.is_some() || limits.time.is_some();
        if !limited || limits.depth.is_some() || limits.infinite || nodes < MIN_NODES {
            return (None, 0);
        }
        let time = budget.map(|b| b.soft / LIMIT_DIVISOR as u32);
        let solver = self.solver.get_or_insert_with(|| Solver::new(HASH_MEBIBYTES));
        let answer = solver.solve(pos.position(), &mate::MateLimits { plies: MAX_PLY as u32, time, nodes }, control);
        let nodes = answer.nodes;
        let mate::MateOutcome::Mate(mate) = answer.outcome else { return (None, nodes) };
        let mut path = pos.clone();
        let repeats = mate.line.iter().any(|&mv| {
            path.do_move(mv);
            path.repeated().is_some()
        });
        let late = pos.position().ply() as u32 + mate.plies > draw_after as u32;
        if repeats || late {
            return (None, nodes);
        }
        let report = SearchReport {
            depth: mate.plies,
            selective_depth: mate.plies,
            score: MATE - mate.plies as i32,
            line: 1,
            nodes,
            nodes_by_ply: Vec::new(),
            elapsed: control.elapsed(),
            pv: mate.line,
            hash_permille: answer.hash_permille,
        };
        let decision = Decision::Move(report.pv[0], report.pv.get(1).copied());
        (Some(SearchOutcome { decision, report, failure: None }), nodes)
    }
}
