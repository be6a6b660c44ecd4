//! The tag of a position: what is to be found out about it, and where it is kept.
//!
//! A layout, no block. A position is in the pipeline where one of `leaf`, `node`, `child` and `turned` is set.

use crate::bundle;
use crate::network::{Wire, Wires, Word};

/// Bits of a number of legal moves.
pub const COUNT_BITS: usize = 10;
/// Bits of a row of `movegen::positions`.
pub const ROW_BITS: usize = 6;

bundle! {
    /// The tag of a position in the pipeline.
    pub struct Tag {
        /// Its moves are counted, no more.
        leaf: Wire,
        /// Its moves are counted and kept one by one.
        node: Wire,
        /// It is the position after a move that the host gets: only `check` is computed.
        child: Wire,
        /// It is the requested position turned: only `check` is computed.
        turned: Wire,
        /// It is the position after a pawn drop that may be mate, from the position that was a `leaf` or a `node`.
        mate: Wire,
        /// Where the position is kept; with `mate`, the position before the drop.
        row: Wires<ROW_BITS>,
        /// The mover is in check; known behind the target stage.
        check: Wire,
        /// Number of legal moves; known in the result.
        count: Wires<COUNT_BITS>,
    }
}

impl<W: Word> Tag<W> {
    /// No position.
    pub fn none() -> Tag<W> {
        let no = W::zero(1);
        let (row, count) = (W::zero(ROW_BITS), W::zero(COUNT_BITS));
        Tag { leaf: no, node: no, child: no, turned: no, mate: no, row, check: no, count }
    }

    /// The position is counted and may have a pawn drop to test.
    pub fn counted(&self) -> W {
        (self.leaf | self.node) & !self.mate
    }
}
