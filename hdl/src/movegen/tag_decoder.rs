//! Takes a tag apart: what leaves a stage of the pipeline, and what for.
//!
//! ```text
//!             +------------+
//!   tag 22   => TagDecoder -> leaf        a position whose moves are counted
//!            |             -> node        a position whose moves are kept
//!            |             -> child       with `leaf`: the position after a move that the host gets
//!            |             -> turned      the requested position turned
//!            |             -> mate        not the position itself, but the one after a pawn drop that may be mate
//!            |             => row 6       where the position is kept
//!            |             -> in_check    the mover is in check
//!            |             => count 10    legal moves
//!             +------------+
//! ```
//!
//! Handshake: none; of `leaf`, `node` and `turned` one at most is high in a clock.
//! Latency: combinational. Cost: none. Model: none. Absent: nothing.
//! Throughput: one tag a clock.

use crate::network::width;
use crate::position::{
    tag::{COUNT_BITS, ROW_BITS},
    Tag,
};
use rust_hdl::prelude::*;

/// Wires of a tag bus.
pub const TAG_WIDTH: usize = width::<Tag>();

crate::constants! {
    /// Lowest wires of the fields.
    Fields {
        leaf: Bits<5> = Tag::lowest_wire("leaf");
        node: Bits<5> = Tag::lowest_wire("node");
        child: Bits<5> = Tag::lowest_wire("child");
        turned: Bits<5> = Tag::lowest_wire("turned");
        mate: Bits<5> = Tag::lowest_wire("mate");
        row: Bits<5> = Tag::lowest_wire("row");
        check: Bits<5> = Tag::lowest_wire("check");
        count: Bits<5> = Tag::lowest_wire("count");
    }
}

/// Takes a tag apart.
#[derive(LogicBlock, Default)]
pub struct TagDecoder {
    /// The tag.
    pub tag: Signal<In, Bits<TAG_WIDTH>>,
    /// A position whose moves are counted.
    pub leaf: Signal<Out, Bit>,
    /// A position whose moves are kept.
    pub node: Signal<Out, Bit>,
    /// With `leaf`: the position after a move that the host gets.
    pub child: Signal<Out, Bit>,
    /// The requested position turned.
    pub turned: Signal<Out, Bit>,
    /// The position after a pawn drop that may be mate.
    pub mate: Signal<Out, Bit>,
    /// Where the position is kept.
    pub row: Signal<Out, Bits<ROW_BITS>>,
    /// The mover is in check.
    pub in_check: Signal<Out, Bit>,
    /// Legal moves.
    pub count: Signal<Out, Bits<COUNT_BITS>>,
    field: Fields,
}

impl Logic for TagDecoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.leaf.next = self.tag.val().get_bit(self.field.leaf.val().index());
        self.node.next = self.tag.val().get_bit(self.field.node.val().index());
        self.child.next = self.tag.val().get_bit(self.field.child.val().index());
        self.turned.next = self.tag.val().get_bit(self.field.turned.val().index());
        self.mate.next = self.tag.val().get_bit(self.field.mate.val().index());
        self.row.next = self.tag.val().get_bits::<ROW_BITS>(self.field.row.val().index());
        self.in_check.next = self.tag.val().get_bit(self.field.check.val().index());
        self.count.next = self.tag.val().get_bits::<COUNT_BITS>(self.field.count.val().index());
    }
}
