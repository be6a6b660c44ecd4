//! The tag of a position: what is to be found out about it, and where it is kept.
//!
//! A layout, no block. A position is in the pipeline where one of `leaf`, `node` and `turned` is set.

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
        /// With `leaf`: it is the position after a move that the host gets.
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

    /// A pawn drop of the position that may be mate is to be tested. (Of the positions that the host gets moves to, only whether
    /// there is an answer counts: `movegen::answer_words`.)
    pub fn tested(&self) -> W {
        ((self.leaf & !self.child) | self.node) & !self.mate
    }
}
