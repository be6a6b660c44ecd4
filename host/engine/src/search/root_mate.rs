//! A short mate search of the root before the tree is searched: depth-first proof-number search sees long mates by
//! checks that the tree finds late or not at all.

use super::{
    game_path::GamePath,
    score::MATE,
    searcher::{Decision, SearchOutcome, SearchReport},
    time::{Budget, SearchLimits},
    tree::MAX_PLY,
};
use crate::mate::{self, Solver};
use crate::Control;

/// Moves that it makes at most.
const NODES: u64 = 20_000;
/// It takes no more than this part of a limit of nodes, or of time.
const SHARE: u64 = 16;
/// A part smaller than this is not worth the beginning.
const LEAST_NODES: u64 = 50;
/// Mebibytes of its table: room for all that so many moves can teach.
const HASH_MEBIBYTES: usize = 2;

/// The mate search of a searcher.
#[derive(Default)]
pub(super) struct RootMate {
    solver: Option<Solver>,
}

impl RootMate {
    /// Looks for a mate by the mover: what to do if there is one, and the moves made. It takes a share of the limits;
    /// under a limit of depth, or none, the tree is asked alone. The mate holds whatever the defender does; should its
    /// line repeat a position of the game, or go beyond the move at which games are drawn, it is left to the tree.
    pub fn search(
        &mut self,
        pos: &GamePath,
        limits: &SearchLimits,
        budget: Option<Budget>,
        draw_after: u16,
        control: &Control,
    ) -> (Option<SearchOutcome>, u64) {
        let nodes = NODES.min(limits.nodes.map_or(NODES, |n| n / SHARE));
        let limited = limits.nodes.is_some() || limits.time.is_some();
        if !limited || limits.depth.is_some() || limits.infinite || nodes < LEAST_NODES {
            return (None, 0);
        }
        let time = budget.map(|b| b.soft / SHARE as u32);
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
