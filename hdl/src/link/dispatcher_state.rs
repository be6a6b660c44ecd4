//! States of [`super::dispatcher`].
//!
//! ```text
//!   Idle -> Decode -> Positions -> Idle
//!           Decode -> Drain -> Answer
//!                     Drain -> Table -> Answer
//!                     Drain -> WalkHead -> Answer
//!                              WalkHead -> WalkPosition -> Answer
//!                                          WalkPosition -> Walk -> Answer
//!   Answer -> Advance -> Answer, Walk or Idle
//! ```

use rust_hdl::prelude::*;

/// What the dispatcher does.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum DispatcherState {
    /// No request.
    Idle,
    /// The descriptor is here: choose.
    Decode,
    /// Start the units on each position; they answer.
    Positions,
    /// Wait until they have answered the requests before.
    Drain,
    /// Hand a part of a table to the evaluation unit.
    Table,
    /// Check the parameters of a walk.
    WalkHead,
    /// Start the unit on the position of a walk, and wait whether it is possible.
    WalkPosition,
    /// Wait for a report of the walk.
    Walk,
    /// Answer.
    Answer,
    /// Another answer, or finished with the request?
    Advance,
}
