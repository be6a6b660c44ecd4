//! States of [`super::control`].
//!
//! ```text
//!   Idle -> Load -> SetUp -> PushRoot -> Begin
//!   Begin -> Iterate -> Look -> Arrive -> Find -> Enter      an iteration begins at the root
//!   Begin -> Arrive -> Find -> Enter                         the position after a move
//!            Enter -> Start -> Pick                          its moves are searched
//!            Enter -> Leave -> Return                        it has a score
//!            Enter -> Leave -> Pick                          its last move was no move
//!   Begin -> Return -> Raise -> Pick, Issue or Finish        a score returns
//!   Begin -> Pick -> Picking -> Judge -> Pick, Begin or Issue
//!            Pick, Picking -> Finish, Issue                  no move is left; a null move
//!            Issue -> Make -> Look -> Begin                  a move is made
//!            Finish -> Store -> Begin, or Leave -> Begin     a node ends
//!            Finish -> Start -> Begin                        razoring was wrong
//! ```

use super::child::{AGAIN, ISSUE_CLOCKS, MAKE, PASS, WIDE};
use super::{enter::ENTER_CLOCKS, iteration::ITERATE_CLOCKS, judge::JUDGE_CLOCKS};
use rust_hdl::prelude::*;

crate::constants! {
    /// Clocks that the control waits.
    pub Waits {
        /// From the position of a move to the state that tells what its node becomes.
        enter: Bits<4> = ENTER_CLOCKS;
        /// From the end of an iteration to the next one.
        iterate: Bits<4> = ITERATE_CLOCKS;
        /// From a candidate to its verdict.
        judge: Bits<4> = JUDGE_CLOCKS;
        /// From what is to be searched to its child.
        issue: Bits<4> = ISSUE_CLOCKS;
        /// From a child to its position.
        make: Bits<4> = 2;
        /// From a change of the ply to its rows.
        leave: Bits<4> = 2;
        /// From a node to its counter move.
        start: Bits<4> = 2;
        /// From a node to what its score or its end does to it, and to how its moves are picked.
        node: Bits<4> = 1;
    }
}

crate::constants! {
    /// What is to be searched.
    pub What {
        /// A candidate.
        make: Bits<2> = MAKE;
        /// The current move again, with a null window.
        again: Bits<2> = AGAIN;
        /// The same with the window of the node.
        wide: Bits<2> = WIDE;
        /// A null move.
        pass: Bits<2> = PASS;
    }
}

/// What the walker does.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum ControlState {
    /// No search.
    Idle,
    /// The root is in the register of the position.
    Load,
    /// Its keys are made, its planes looked up; the memories are emptied.
    SetUp,
    /// It is added to the path.
    PushRoot,
    /// A step begins.
    Begin,
    /// Which iteration comes next?
    Iterate,
    /// The position in the register is new: look at it and evaluate it.
    Look,
    /// Wait for the planes and the keys of the position.
    Arrive,
    /// Wait for its repetition, its entry and its evaluation.
    Find,
    /// What becomes of its node?
    Enter,
    /// The node's moves are picked from the beginning.
    Start,
    /// Back to the parent.
    Leave,
    /// What does the score do to the node?
    Return,
    /// The line of the node is written.
    Raise,
    /// Are the planes those of the node?
    Pick,
    /// Wait for the next move.
    Picking,
    /// Is it made?
    Judge,
    /// Where does its child begin?
    Issue,
    /// The position after it.
    Make,
    /// What becomes of the node at its end?
    Finish,
    /// Wait until its entry is stored.
    Store,
}

/// What the next step begins with.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Event {
    /// An iteration begins.
    Iteration,
    /// A position after a move.
    Arrived,
    /// The score of a child.
    Returned,
    /// Moves were refused.
    Picking,
}

/// How a node is left.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Left {
    /// It has a score without a search; the step goes on at the parent.
    Scored,
    /// The move that led to it does not exist; the step goes on at the parent.
    NoMove,
    /// It has ended, and the step too.
    Ended,
}
