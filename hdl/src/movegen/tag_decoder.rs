//! Takes a tag apart: what leaves the pipeline, and what for.
//!
//! ```text
//!             +------------+
//!   tag 48   => TagDecoder -> parent      a position whose moves are serialised
//!            |             -> turned      the requested position turned
//!            |             -> child       the position after a move, to see whether the move checks
//!            |             -> leaf        the position after a move, to be counted for the walker
//!            |             -> mate_test   not the position itself, but the one after a pawn drop that may be mate
//!            |             -> in_check    the mover is in check
//!            |             => count 10    legal moves
//!            |             => record 32   of the move before a `child`
//!             +------------+
//! ```
//!
//! Handshake: none; of `parent`, `turned`, `child` and `leaf` one at most is high in a clock, none where the tag is not valid.
//! Latency: combinational. Cost: a dozen LUTs. Model: none. Absent: the other fields.
//! Throughput: one tag a clock.

use super::{feed, pipeline::TAG_WIDTH};
use crate::position::Tag;
use rust_hdl::prelude::*;

/// Bits of a label's lowest field, the purpose; the record of a move is behind it (see `feed`).
const PURPOSE_BITS: usize = 2;

crate::constants! {
    /// Lowest wires of the fields.
    Fields {
        valid: Bits<6> = Tag::lowest_wire("valid");
        mate: Bits<6> = Tag::lowest_wire("mate");
        check: Bits<6> = Tag::lowest_wire("check");
        count: Bits<6> = Tag::lowest_wire("count");
        purpose: Bits<6> = Tag::lowest_wire("label");
        record: Bits<6> = Tag::lowest_wire("label") + PURPOSE_BITS;
    }
}

crate::constants! {
    Purposes {
        parent: Bits<2> = feed::PARENT;
        turned: Bits<2> = feed::TURNED;
        child: Bits<2> = feed::CHILD;
        leaf: Bits<2> = feed::LEAF;
    }
}

/// Takes a tag apart.
#[derive(LogicBlock, Default)]
pub struct TagDecoder {
    /// The tag.
    pub tag: Signal<In, Bits<TAG_WIDTH>>,
    /// A position whose moves are serialised.
    pub parent: Signal<Out, Bit>,
    /// The requested position turned.
    pub turned: Signal<Out, Bit>,
    /// The position after a move, to see whether the move checks.
    pub child: Signal<Out, Bit>,
    /// The position after a move, to be counted for the walker.
    pub leaf: Signal<Out, Bit>,
    /// The position after a pawn drop that may be mate.
    pub mate_test: Signal<Out, Bit>,
    /// The mover is in check.
    pub in_check: Signal<Out, Bit>,
    /// Legal moves.
    pub count: Signal<Out, Bits<10>>,
    /// Of a `child`: the move's record.
    pub record: Signal<Out, Bits<32>>,
    valid: Signal<Local, Bit>,
    label: Signal<Local, Bits<2>>,
    field: Fields,
    purpose: Purposes,
}

impl Logic for TagDecoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.valid.next = self.tag.val().get_bit(self.field.valid.val().index());
        self.label.next = self.tag.val().get_bits::<2>(self.field.purpose.val().index());
        self.parent.next = self.valid.val() & (self.label.val() == self.purpose.parent.val());
        self.turned.next = self.valid.val() & (self.label.val() == self.purpose.turned.val());
        self.child.next = self.valid.val() & (self.label.val() == self.purpose.child.val());
        self.leaf.next = self.valid.val() & (self.label.val() == self.purpose.leaf.val());
        self.mate_test.next = self.tag.val().get_bit(self.field.mate.val().index());
        self.in_check.next = self.tag.val().get_bit(self.field.check.val().index());
        self.count.next = self.tag.val().get_bits::<10>(self.field.count.val().index());
        self.record.next = self.tag.val().get_bits::<32>(self.field.record.val().index());
    }
}
