//! The legal moves of a position, ranked by their probability.

use super::{logarithm::probability, Category, MoveTable, Phase, PositionContext, Refinements};
use crate::search::GamePath;
use hayasashi_shogi::rules::{Move, MoveList};

/// The sets of refinements that a ranking compares: all of them, then all but one.
pub const COMPARED_REFINEMENTS: [Refinements; 4] = [
    Refinements::ALL,
    Refinements { phases: false, ..Refinements::ALL },
    Refinements { possibility: false, ..Refinements::ALL },
    Refinements { history: false, ..Refinements::ALL },
];

/// A move with its probability.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// Its category.
    pub category: Category,
    /// The category whose counts are used: the same, or a coarser one if the category is too rare.
    pub looked_up: Category,
    /// Positions where the latter was played.
    pub played: u32,
    /// Positions where it was possible.
    pub possible: u32,
    /// Probabilities with each of [`COMPARED_REFINEMENTS`].
    pub probabilities: [f64; COMPARED_REFINEMENTS.len()],
}

/// The legal moves at the end of a path, the most probable first, and the phase of the position.
pub fn rank_moves(table: &MoveTable, path: &GamePath) -> (Phase, Vec<RankedMove>) {
    let context = PositionContext::new(path.position(), path.past());
    let mut moves = MoveList::new();
    path.legal_moves(&mut moves);
    let rank = |&mv: &Move| {
        let category = context.category(mv);
        let found = COMPARED_REFINEMENTS.map(|refinements| table.look_up(category, context.phase, refinements));
        let (cell, looked_up) = (found[0].cell, found[0].category);
        let probabilities = found.map(|found| probability(found.cost));
        RankedMove { mv, category, looked_up, played: cell.played, possible: cell.possible, probabilities }
    };
    let mut ranked: Vec<RankedMove> = moves.iter().map(rank).collect();
    ranked.sort_by(|a, b| {
        b.probabilities[0].total_cmp(&a.probabilities[0]).then_with(|| a.mv.to_usi().cmp(&b.mv.to_usi()))
    });
    (context.phase, ranked)
}
