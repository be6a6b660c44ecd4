//! The tag that travels with a position through the pipeline.
//!
//! A layout, no block.

use crate::bundle;
use crate::network::{Wire, Wires};

/// Bits of the caller's label on a position.
pub const LABEL_BITS: usize = 34;

/// Bits of a number of legal moves.
pub const COUNT_BITS: usize = 10;

bundle! {
    /// The tag of a position in the pipeline.
    pub struct Tag {
        /// There is a position in this slot.
        valid: Wire,
        /// The position is the one after a pawn drop that may be mate; `check` and `count` belong to the one before.
        mate: Wire,
        /// Only `check` is computed: no count, no mate test.
        probe: Wire,
        /// The mover is in check.
        check: Wire,
        /// Number of legal moves.
        count: Wires<COUNT_BITS>,
        /// Whatever the caller wants back.
        label: Wires<LABEL_BITS>,
    }
}
