//! Makes a move: from the operation that was picked to the position after it, over four clocks.
//!
//! ```text
//!                 +-----------+
//!   clock        ->           => tag 22        of the position after the operation
//!   op 122       => MoveMaker => child 447     that position, turned
//!   stored 447   =>           => record 32     of the move, without the flag of check
//!   image 512    =>           |
//!                 +-----------+
//!
//!   load -> trace -> origin -> make_move
//! ```
//!
//! Handshake: none; `stored` and `image` belong to the operation.
//! Latency four clocks, throughput one move a clock.
//! Cost: 2,700 flip-flops: the position travels with the move.
//! Model: `host/model/src/movegen/make_move.rs`. Absent: whether the move checks, which the pipeline finds.

use super::{
    load::Load, make_move::MakeMove, operation::Operation, origin::Origin, positions::BOARD_WIDTH, trace::Trace,
};
use crate::network::width;
use crate::position::Tag;
use rust_hdl::prelude::*;

/// Clocks from a move that is picked to the position after it.
pub const MOVE_CLOCKS: u64 = 5;

/// Makes moves.
#[derive(LogicBlock, Default)]
pub struct MoveMaker {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The operation.
    pub op: Signal<In, Bits<{ width::<Operation>() }>>,
    /// The position before it.
    pub stored: Signal<In, Bits<BOARD_WIDTH>>,
    /// The position of an injected operation.
    pub image: Signal<In, Bits<512>>,
    /// Tag of the position after it.
    pub tag: Signal<Out, Bits<{ width::<Tag>() }>>,
    /// That position, turned.
    pub child: Signal<Out, Bits<BOARD_WIDTH>>,
    /// The move's record, without the flag of check.
    pub record: Signal<Out, Bits<32>>,
    load: Load,
    trace: Trace,
    origin: Origin,
    make_move: MakeMove,
}

impl Logic for MoveMaker {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, load, trace, origin, make_move);
        self.load.op.next = self.op.val();
        self.load.stored.next = self.stored.val();
        self.load.image.next = self.image.val();

        self.trace.op.next = self.load.op_out.val();
        self.trace.board.next = self.load.board.val();
        self.trace.empty.next = self.load.empty.val();

        self.origin.to.next = self.trace.to.val();
        self.origin.near.next = self.trace.near.val();
        self.origin.direction.next = self.trace.direction.val();
        self.origin.kind.next = self.trace.kind_out.val();
        self.origin.promote.next = self.trace.promote_out.val();
        self.origin.tag.next = self.trace.tag_out.val();
        self.origin.board.next = self.trace.board_out.val();
        self.origin.empty.next = self.trace.empty_out.val();

        self.make_move.to.next = self.origin.to_out.val();
        self.make_move.from.next = self.origin.from.val();
        self.make_move.kind.next = self.origin.kind_out.val();
        self.make_move.promote.next = self.origin.promote_out.val();
        self.make_move.captured.next = self.origin.captured.val();
        self.make_move.tag.next = self.origin.tag_out.val();
        self.make_move.board.next = self.origin.board_out.val();

        self.tag.next = self.make_move.tag_out.val();
        self.child.next = self.make_move.child.val();
        self.record.next = self.make_move.record.val();
    }
}
