//! States of [`super::dispatcher`].
//!
//! ```text
//!   Idle -> Decode -> Answer
//!           Decode -> Prefix -> Table -> Answer
//!                     Prefix -> WalkHead -> Position or Answer
//!           Decode -> Position -> Answer
//!                     Position -> Walk -> Answer
//!   Answer -> Advance -> Position, Walk or Idle
//! ```

use rust_hdl::prelude::*;

/// What the dispatcher does.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum DispatcherState {
    /// No request.
    Idle,
    /// The descriptor is here: choose.
    Decode,
    /// Read the offset of a part of a table, or the parameters of a walk.
    Prefix,
    /// Hand a part of a table to the evaluation unit.
    Table,
    /// Check the parameters of a walk.
    WalkHead,
    /// Work on a position.
    Position,
    /// Wait for a report of the walk.
    Walk,
    /// Answer.
    Answer,
    /// Another position, or finished with the request?
    Advance,
}
