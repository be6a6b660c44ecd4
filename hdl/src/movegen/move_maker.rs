//! Makes a move: from the serialiser's choice to the position after it, over four clocks.
//!
//! ```text
//!                  +-----------+
//!   clock         ->           => valid_out 1
//!   hold          =>           => child 447     the position after the move, turned
//!   valid 1       =>           => record 32     of the move, without the flag of check
//!   square 81     =>           => null_move 1   the child is the position turned: no move was made
//!   direction 10  => MoveMaker |
//!   kind 7        =>           |
//!   promote 1     =>           |
//!   first 1       =>           |   the move is the first of the coming position
//!   pause 1       =>           |   the serialiser gives no move in this clock
//!   turning 1     =>           |   make the null move
//!   coming 447    =>           |   the coming position
//!   coming_empty 81 =>         |   its empty squares
//!                  +-----------+
//!
//!   departure -> trace -> origin -> make_move
//!        \-> kept (position) --/------/
//! ```
//!
//! Handshake: none; a move, or the null move, is made for each clock with `valid` and not `pause`, or with `turning`.
//! Latency four clocks, throughput one move a clock; the whole block stalls while `hold`.
//! Cost: 2,232 flip-flops.
//! Model: `host/model/src/movegen/make_move.rs`. Absent: whether the move checks, which the pipeline finds.

use super::{kept::Kept, make_move::MakeMove, origin::Origin, pipeline::BOARD_WIDTH, trace::Departure, trace::Trace};
use hayasashi_spec::{moves::DIRECTIONS, piece::*};
use rust_hdl::prelude::*;

/// Makes moves.
#[derive(LogicBlock, Default)]
pub struct MoveMaker {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The registers keep their values.
    pub hold: Signal<In, Bits<1>>,
    /// The serialiser has a move.
    pub valid: Signal<In, Bits<1>>,
    /// Its destination, one wire each.
    pub square: Signal<In, Bits<SQUARES>>,
    /// Its direction of travel, one wire each; none of a drop.
    pub direction: Signal<In, Bits<DIRECTIONS>>,
    /// The kind dropped, one wire each; none of a board move.
    pub kind: Signal<In, Bits<HAND_KINDS>>,
    /// It promotes.
    pub promote: Signal<In, Bits<1>>,
    /// It is the first of the coming position.
    pub first: Signal<In, Bits<1>>,
    /// No move leaves the serialiser in this clock.
    pub pause: Signal<In, Bits<1>>,
    /// Make the null move.
    pub turning: Signal<In, Bits<1>>,
    /// The coming position.
    pub coming: Signal<In, Bits<BOARD_WIDTH>>,
    /// Its empty squares.
    pub coming_empty: Signal<In, Bits<SQUARES>>,
    /// A position after a move, four clocks later.
    pub valid_out: Signal<Out, Bits<1>>,
    /// That position, turned; zero without `valid_out`.
    pub child: Signal<Out, Bits<BOARD_WIDTH>>,
    /// The move's record, without the flag of check.
    pub record: Signal<Out, Bits<32>>,
    /// The child is the position turned: no move was made.
    pub null_move: Signal<Out, Bits<1>>,
    departure: Departure,
    trace: Trace,
    origin: Origin,
    make_move: MakeMove,
    kept: Kept,
}

impl Logic for MoveMaker {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, departure, trace, origin, make_move, kept);
        self.departure.hold.next = self.hold.val();
        self.trace.hold.next = self.hold.val();
        self.origin.hold.next = self.hold.val();
        self.make_move.hold.next = self.hold.val();
        self.kept.hold.next = self.hold.val();

        self.departure.valid.next = self.valid.val();
        self.departure.square.next = self.square.val();
        self.departure.direction.next = self.direction.val();
        self.departure.kind.next = self.kind.val();
        self.departure.promote.next = self.promote.val();
        self.departure.first.next = self.first.val();
        self.departure.pause.next = self.pause.val();
        self.departure.turning.next = self.turning.val();

        self.kept.stay.next = self.departure.stays_out.val();
        self.kept.coming.next = self.coming.val();
        self.kept.board_in.next = self.kept.board.val();

        self.trace.valid.next = self.departure.valid_out.val();
        self.trace.square.next = self.departure.square_out.val();
        self.trace.direction.next = self.departure.direction_out.val();
        self.trace.kind.next = self.departure.kind_out.val();
        self.trace.promote.next = self.departure.promote_out.val();
        self.trace.first.next = self.departure.first_out.val();
        self.trace.empty.next = self.kept.empty.val();
        self.trace.coming.next = self.coming_empty.val();

        self.origin.valid.next = self.trace.valid_out.val();
        self.origin.to.next = self.trace.to.val();
        self.origin.rays.next = self.trace.rays.val();
        self.origin.kind.next = self.trace.kind_out.val();
        self.origin.promote.next = self.trace.promote_out.val();
        self.origin.board.next = self.kept.board.val();
        self.origin.own.next = self.kept.own.val();

        self.make_move.valid.next = self.origin.valid_out.val();
        self.make_move.to.next = self.origin.to_out.val();
        self.make_move.from.next = self.origin.from.val();
        self.make_move.kind.next = self.origin.kind_out.val();
        self.make_move.promote.next = self.origin.promote_out.val();
        self.make_move.moved.next = self.origin.moved.val();
        self.make_move.captured.next = self.origin.captured.val();
        self.make_move.board.next = self.kept.last.val();

        self.valid_out.next = self.make_move.valid_out.val();
        self.child.next = self.make_move.child.val();
        self.record.next = self.make_move.record.val();
        self.null_move.next = self.make_move.null_move.val();
    }
}
