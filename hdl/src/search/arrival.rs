//! What is known of a position that enters a node, and what becomes of the node.
//!
//! Layouts, no blocks.
//! Model: `host/model/src/search/enter.rs`.

use super::node::{Move, Plies, Score};
use crate::bundle;
use crate::network::{Wire, Wires};

bundle! {
    /// The table's entry for a position.
    pub struct Entry {
        /// What the score says, as in the table; 0 where there is no entry.
        bound: Wires<2>,
        /// The best move.
        best: Move,
        /// The score; mates count from the node.
        score: Score,
        /// Depth of the search, as [`super::node::table_depth`] counts it.
        depth: Plies,
    }
}

/// The stored score is at most that of the node.
pub const UPPER: u128 = 1;
/// At least.
pub const LOWER: u128 = 2;
/// It is that of the node.
pub const EXACT: u128 = 3;

bundle! {
    /// What is known of a position that is entered.
    pub struct Arrival {
        /// Moves from the root.
        ply: Plies,
        /// It repeats an earlier one.
        repeats: Wire,
        /// The opponent gave check with every move since.
        wins: Wire,
        /// The side to move did.
        loses: Wire,
        /// There is a legal move, or a pawn drop that mates.
        has_move: Wire,
        /// The mover is in check.
        in_check: Wire,
        /// The static evaluation.
        eval: Score,
        /// There is an evaluation two plies before, where the mover was not in check.
        has_before: Wire,
        /// That evaluation.
        before: Score,
        /// The table's entry; at the root its move is the first of the line so far.
        entry: Entry,
    }
}

bundle! {
    /// What becomes of a node.
    pub struct Entered {
        /// It has a score.
        valid: Wire,
        /// Its last move was a pawn drop that mates, so it does not exist. Without either its moves are searched.
        pawn_drop_mate: Wire,
        /// The score.
        score: Score,
    }
}
