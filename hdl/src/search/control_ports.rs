//! What [`super::control`] is told, and what it orders.
//!
//! Bundles, no block.

use rust_hdl::prelude::*;

/// What the blocks of a walker have found.
#[derive(LogicInterface, Default)]
pub struct Findings {
    /// All memories are empty, and the root's keys are made.
    pub prepared: Signal<In, Bit>,
    /// No step is left.
    pub no_steps: Signal<In, Bit>,
    /// No node is left.
    pub no_nodes: Signal<In, Bit>,
    /// The present ply is the root.
    pub at_root: Signal<In, Bit>,
    /// The planes of the last position looked at are there.
    pub looked: Signal<In, Bit>,
    /// So is its evaluation.
    pub scored: Signal<In, Bit>,
    /// The keys are made.
    pub keys_ready: Signal<In, Bit>,
    /// The path has done its last command.
    pub path_ready: Signal<In, Bit>,
    /// So has the table.
    pub table_ready: Signal<In, Bit>,
    /// So has the line.
    pub line_ready: Signal<In, Bit>,
    /// No iteration follows.
    pub last_iteration: Signal<In, Bit>,
    /// The node has a score.
    pub has_score: Signal<In, Bit>,
    /// Its last move was a pawn drop that mates.
    pub no_move: Signal<In, Bit>,
    /// How the node goes on after a score: see `returned::Outcome`.
    pub outcome: Signal<In, Bits<5>>,
    /// The node waits to make a null move.
    pub null: Signal<In, Bit>,
    /// For one clock: the next move is picked.
    pub picked: Signal<In, Bit>,
    /// With it: there is one.
    pub has_candidate: Signal<In, Bit>,
    /// It is refused.
    pub refused: Signal<In, Bit>,
    /// It is the last one that this step may refuse.
    pub last_pick: Signal<In, Bit>,
    /// The node picks its moves anew.
    pub razored: Signal<In, Bit>,
}

/// What a walker does in this clock.
#[derive(LogicInterface, Default)]
pub struct Orders {
    /// The image becomes the position.
    pub loads_image: Signal<Out, Bit>,
    /// The root's keys are begun.
    pub makes_root_keys: Signal<Out, Bit>,
    /// The position is looked at.
    pub looks: Signal<Out, Bit>,
    /// It is evaluated, and written into its row.
    pub evaluates: Signal<Out, Bit>,
    /// The keys are those that were made.
    pub takes_keys: Signal<Out, Bit>,
    /// The position is added to the path, its entry is looked for, and its keys are written into their row.
    pub finds: Signal<Out, Bit>,
    /// A step begins.
    pub steps: Signal<Out, Bit>,
    /// The next iteration begins, or the last one has ended.
    pub iterates: Signal<Out, Bit>,
    /// The score is that of the node entered, for its parent.
    pub takes_score: Signal<Out, Bit>,
    /// The node is that which was entered.
    pub takes_entered: Signal<Out, Bit>,
    /// Its counter move is kept, and its moves are picked from the first.
    pub begins_picking: Signal<Out, Bit>,
    /// The ply is the parent's, and the path is shorter.
    pub leaves: Signal<Out, Bit>,
    /// The node and its position are those of the row.
    pub recalls: Signal<Out, Bit>,
    /// With it: the move made last was none.
    pub unmakes: Signal<Out, Bit>,
    /// The node is that after a score; its line and its killers with it.
    pub takes_returned: Signal<Out, Bit>,
    /// The next move is picked.
    pub picks: Signal<Out, Bit>,
    /// The place in the order and the best score are those of the candidate.
    pub takes_verdict: Signal<Out, Bit>,
    /// What is to be searched: see `child`.
    pub what: Signal<Out, Bits<2>>,
    /// The node is that with its current move, and is one more.
    pub takes_issued: Signal<Out, Bit>,
    /// The node is written into its row, and the keys of its child are begun.
    pub makes_child: Signal<Out, Bit>,
    /// The ply and the position are the child's.
    pub takes_child: Signal<Out, Bit>,
    /// The node begins anew.
    pub takes_again: Signal<Out, Bit>,
    /// The score is that of the node ended, for its parent; the table gets its result.
    pub takes_end: Signal<Out, Bit>,
}
