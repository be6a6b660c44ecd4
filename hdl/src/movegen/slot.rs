//! What travels beside a position through the pipeline.

use crate::network::Word;

/// Bits of the caller's label on a position.
pub const LABEL_BITS: usize = 34;

/// Layout of a tag bus: valid, mate test, probe, check, count, label.
pub const TAG: &[usize] = &[1, 1, 1, 1, 10, LABEL_BITS];

/// The tag of a position in the pipeline.
#[derive(Clone, Copy)]
pub struct Tag<W> {
    /// There is a position in this slot.
    pub valid: W,
    /// The position is the one after a pawn drop that may be mate; `check` and `count` belong to the one before.
    pub mate: W,
    /// Only `check` is wanted: no count, no mate test.
    pub probe: W,
    /// The mover is in check.
    pub check: W,
    /// Number of legal moves.
    pub count: W,
    /// Whatever the caller wants back.
    pub label: W,
}

impl<W: Word> Tag<W> {
    pub fn from_fields(fields: &[W]) -> Tag<W> {
        let [valid, mate, probe, check, count, label] = *fields else { panic!("six fields") };
        Tag { valid, mate, probe, check, count, label }
    }

    pub fn fields(&self) -> Vec<W> {
        vec![self.valid, self.mate, self.probe, self.check, self.count, self.label]
    }
}
