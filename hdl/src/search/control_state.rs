//! What [`super::control`] orders, and what it keeps.
//!
//! Layouts, no block.
//! Model: `host/model/src/search/walker.rs`.

use crate::bundle;
use crate::network::{Wire, Wires};

/// The root is in the register of the position.
pub const LOAD: usize = 0;
/// Its keys are made, its planes looked up; the memories are emptied.
pub const SET_UP: usize = 1;
/// It is added to the path.
pub const PUSH_ROOT: usize = 2;
/// A step begins.
pub const BEGIN: usize = 3;
/// Which iteration comes next?
pub const ITERATE: usize = 4;
/// The position in the register is new: look at it and evaluate it.
pub const LOOK: usize = 5;
/// Wait for the keys of the position.
pub const ARRIVE: usize = 6;
/// Wait for its planes, while its entry is looked for.
pub const FIND: usize = 7;
/// What becomes of its node?
pub const ENTER: usize = 8;
/// The node's moves are picked from the first.
pub const START: usize = 9;
/// Back to the parent.
pub const LEAVE: usize = 10;
/// What does the score do to the node?
pub const RETURN: usize = 11;
/// Its line is written.
pub const RAISE: usize = 12;
/// Wait for the planes of the node.
pub const PICK: usize = 13;
/// Wait for the next move.
pub const PICKING: usize = 14;
/// Is it made?
pub const JUDGE: usize = 15;
/// Where does its child begin?
pub const ISSUE: usize = 16;
/// The position after it.
pub const MAKE_MOVE: usize = 17;
/// What becomes of the node at its end?
pub const FINISH: usize = 18;
/// Wait until its entry is stored.
pub const STORE: usize = 19;
/// Wait for the position's planes, its repetition, its entry and its evaluation.
pub const MEET: usize = 20;
/// States that have a wire.
pub const STATES: usize = 21;
/// The other one: no search is under way.
pub const IDLE: usize = STATES;

/// A step begins with an iteration,
pub const ITERATION: usize = 0;
/// with a position after a move,
pub const ARRIVED: usize = 1;
/// with the score of a child,
pub const RETURNED: usize = 2;
/// or where the last one has refused moves.
pub const REFUSED: usize = 3;

/// A node has a score without a search; the step goes on at the parent.
pub const SCORED: usize = 0;
/// The move that led to it does not exist; the step goes on at the parent.
pub const NO_MOVE: usize = 1;
/// It has ended, and the step too.
pub const ENDED: usize = 2;

/// Wires of a number of clocks.
pub const WAIT_BITS: usize = 2;

bundle! {
    /// What a walker does in this clock.
    pub struct Orders {
        /// The image becomes the position.
        loads_image: Wire,
        /// The root's keys are begun.
        makes_root_keys: Wire,
        /// The position is looked at, evaluated, and written into its row.
        looks: Wire,
        /// The keys are those that were made.
        takes_keys: Wire,
        /// The position's entry is looked for, and its keys are written into their row.
        finds: Wire,
        /// A step begins.
        steps: Wire,
        /// The next iteration begins, or the last one has ended.
        iterates: Wire,
        /// The score is that of the node entered, for its parent.
        takes_score: Wire,
        /// The node is that which was entered.
        takes_entered: Wire,
        /// Its counter move is kept, and its moves are picked from the first.
        begins_picking: Wire,
        /// The ply is the parent's, the path is shorter, and the node and its position are those of the row.
        recalls: Wire,
        /// With it: the move made last was none.
        unmakes: Wire,
        /// The node is that after a score; so are its line and its killers.
        takes_returned: Wire,
        /// The next move is picked.
        picks: Wire,
        /// The place in the order and the best score are those of the candidate.
        takes_verdict: Wire,
        /// The node is that with its current move, and is one more.
        takes_issued: Wire,
        /// The node is written into its row.
        makes_child: Wire,
        /// The ply and the position are the child's.
        takes_child: Wire,
        /// The node begins anew.
        takes_again: Wire,
        /// The score is that of the node ended, for its parent; the table gets its result.
        takes_end: Wire,
        /// What is to be searched: see `child`.
        what: Wires<2>,
    }
}

bundle! {
    /// What is kept from clock to clock.
    pub struct ControlState {
        /// The state, one wire each; none if no search is under way.
        at: Wires<STATES>,
        /// Clocks to wait.
        wait: Wires<WAIT_BITS>,
        /// What the next step begins with, one wire each.
        event: Wires<4>,
        /// How a node is left, one wire each.
        left: Wires<3>,
        /// What the node searches.
        what: Wires<2>,
        /// It ends when its line is written.
        finishes: Wire,
        /// It searches its move again when its line is written.
        again: Wire,
        /// The node begins anew, in the next step.
        anew: Wire,
    }
}
