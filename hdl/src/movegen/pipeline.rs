//! The move generation pipeline: one tagged position per clock.
//!
//! ```text
//!                     +------------+
//!   offer 48         =>            => result 48     tag with `check` and `count`, valid once per position
//!   offer_board 447  =>            -> uchifuzume    belongs to `result`
//!   clock            ->  Pipeline  -> ready         low in the clock in which a position goes through again
//!                     |            -> hold          `ready` will be low in the next clock
//!                     |            -> hold_next     `hold` of the next clock
//!                     |            => targets 48    tag as it leaves the target stage, with the planes:
//!                     |            => moves, drops, holds, theirs, board
//!                     +------------+
//!
//!   entry -> rays -> legality -> arrivals -> targets -> count -> condense -> total --> result
//!     ^                                                                        |
//!     +----------------------- again, after a pawn drop -----------------------+
//! ```
//!
//! Handshake: a position offered with `valid` in its tag is taken in a clock with `ready`. In a clock with `hold` the
//! sender keeps its registers, so that it offers the same position again and loses nothing. Results leave in the order
//! in which they are known; their labels tell which is which. A probe ends at `targets`.
//! Latency: `targets` after [`TARGETS_CLOCKS`], `result` after [`RESULT_CLOCKS`], or twice that after a pawn drop.
//! Throughput: one position per clock, less one clock for each position in which a pawn drop may mate ([`super::count`]).
//! Cost: see `constraints/AREA.md`.
//! Absent: state between positions; all that belongs to a position travels with it.
//! Model: `host/model/src/movegen/count.rs`.

use super::count::{Condense, Count};
use super::targets::{DropPlanes, Legal, MovePlanes, Targets, TheirPlanes};
use super::{arrivals::Arrivals, entry::Entry, total::Total};
use crate::attacks::{legality::Legality, rays::Rays};
use crate::network::width;
use crate::position::{Board, Tag};
use hayasashi_spec::piece::HAND_KINDS;
use rust_hdl::prelude::*;

/// Clocks from the offer to `targets`.
pub const TARGETS_CLOCKS: u64 = 5;
/// Clocks from the offer to `result` without a pawn drop to test.
pub const RESULT_CLOCKS: u64 = 8;

/// Wires of a tag bus.
pub const TAG_WIDTH: usize = width::<Tag>();
/// Wires of a board bus.
pub const BOARD_WIDTH: usize = width::<Board>();

crate::constants! {
    /// Wires of a tag.
    Fields {
        valid: Bits<6> = Tag::lowest_wire("valid");
        mate: Bits<6> = Tag::lowest_wire("mate");
        probe: Bits<6> = Tag::lowest_wire("probe");
    }
}

/// One tagged position per clock.
#[derive(LogicBlock, Default)]
pub struct Pipeline {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Tag of the position that is offered.
    pub offer: Signal<In, Bits<TAG_WIDTH>>,
    /// That position.
    pub offer_board: Signal<In, Bits<BOARD_WIDTH>>,
    /// It is taken in this clock.
    pub ready: Signal<Out, Bit>,
    /// `ready` will be low in the next clock.
    pub hold: Signal<Out, Bits<1>>,
    /// `hold` of the next clock.
    pub hold_next: Signal<Out, Bit>,
    /// Tag of a position that is counted.
    pub result: Signal<Out, Bits<TAG_WIDTH>>,
    /// With `result`: a pawn drop would be mate and is not counted.
    pub uchifuzume: Signal<Out, Bits<1>>,
    /// Tag of the position in the target stage, with the planes below.
    pub targets: Signal<Out, Bits<TAG_WIDTH>>,
    /// Destinations of its board moves, see `MovePlanes`.
    pub moves: Signal<Out, Bits<{ width::<MovePlanes>() }>>,
    /// Destinations of its drops, see `DropPlanes`.
    pub drops: Signal<Out, Bits<{ width::<DropPlanes>() }>>,
    /// Hand kinds that its mover has.
    pub holds: Signal<Out, Bits<HAND_KINDS>>,
    /// Squares of the enemy, see `TheirPlanes`.
    pub theirs: Signal<Out, Bits<{ width::<TheirPlanes>() }>>,
    /// The position.
    pub board: Signal<Out, Bits<BOARD_WIDTH>>,
    entry_stage: Entry,
    rays_stage: Rays,
    legality_stage: Legality,
    arrivals_stage: Arrivals,
    targets_stage: Targets,
    legal_stage: Legal,
    count_stage: Count,
    condense_stage: Condense,
    total_stage: Total,
    counted: Signal<Local, Bits<TAG_WIDTH>>,
    next: Signal<Local, Bit>,
    /// A register of its own: the stall has a high fan-out.
    held: DFF<Bit>,
    field: Fields,
}

impl Logic for Pipeline {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held);
        self.entry_stage.clock.next = self.clock.val();
        self.rays_stage.clock.next = self.clock.val();
        self.legality_stage.clock.next = self.clock.val();
        self.arrivals_stage.clock.next = self.clock.val();
        self.targets_stage.clock.next = self.clock.val();
        self.legal_stage.clock.next = self.clock.val();
        self.count_stage.clock.next = self.clock.val();
        self.condense_stage.clock.next = self.clock.val();
        self.total_stage.clock.next = self.clock.val();

        self.entry_stage.offer.next = self.offer.val();
        self.entry_stage.offer_board.next = self.offer_board.val();
        self.entry_stage.again.next = self.total_stage.again.val();
        self.entry_stage.again_board.next = self.total_stage.again_board.val();
        self.ready.next = !self.total_stage.again.val().get_bit(self.field.valid.val().index());

        self.rays_stage.tag.next = self.entry_stage.tag.val();
        self.rays_stage.board.next = self.entry_stage.board.val();
        self.rays_stage.decoded.next = self.entry_stage.decoded.val();

        self.legality_stage.tag.next = self.rays_stage.tag_out.val();
        self.legality_stage.board.next = self.rays_stage.board_out.val();
        self.legality_stage.crossings.next = self.rays_stage.crossings.val();
        self.legality_stage.threats.next = self.rays_stage.threats.val();

        self.arrivals_stage.tag.next = self.legality_stage.tag_out.val();
        self.arrivals_stage.board.next = self.legality_stage.board_out.val();
        self.arrivals_stage.checks.next = self.legality_stage.checks.val();
        self.arrivals_stage.movers.next = self.legality_stage.movers.val();
        self.arrivals_stage.reach.next = self.legality_stage.reach.val();

        self.targets_stage.tag.next = self.arrivals_stage.tag_out.val();
        self.targets_stage.board.next = self.arrivals_stage.board_out.val();
        self.targets_stage.checks.next = self.arrivals_stage.checks_out.val();
        self.targets_stage.squares.next = self.arrivals_stage.squares.val();
        self.targets_stage.arrivals.next = self.arrivals_stage.arrivals.val();
        self.legal_stage.squares.next = self.arrivals_stage.squares.val();
        self.legal_stage.arrivals.next = self.arrivals_stage.arrivals.val();
        self.targets.next = self.targets_stage.tag_out.val();
        self.moves.next = self.legal_stage.moves.val();
        self.drops.next = self.targets_stage.drops.val();
        self.holds.next = self.targets_stage.holds.val();
        self.theirs.next = self.targets_stage.theirs.val();
        self.board.next = self.targets_stage.board_out.val();

        self.count_stage.tag.next = self.targets_stage.tag_out.val();
        self.count_stage.board.next = self.targets_stage.board_out.val();
        self.count_stage.sums.next = self.targets_stage.sums.val();
        self.count_stage.king_moves.next = self.targets_stage.king_moves.val();
        self.count_stage.drops.next = self.targets_stage.drops.val();
        self.count_stage.holds.next = self.targets_stage.holds.val();
        self.count_stage.theirs.next = self.targets_stage.theirs.val();
        self.count_stage.safe.next = self.targets_stage.safe.val();

        self.condense_stage.tag.next = self.count_stage.tag_out.val();
        self.condense_stage.board.next = self.count_stage.board_out.val();
        self.condense_stage.pile.next = self.count_stage.pile.val();
        self.condense_stage.others.next = self.count_stage.others.val();
        self.condense_stage.holds.next = self.count_stage.holds_out.val();
        self.condense_stage.mate_square.next = self.count_stage.mate_square.val();
        self.condense_stage.may_mate.next = self.count_stage.may_mate.val();

        // A position that is valid, no probe, and not after a pawn drop itself goes through again if the drop may mate.
        self.counted.next = self.count_stage.tag_out.val();
        self.next.next = self.counted.val().get_bit(self.field.valid.val().index())
            & !self.counted.val().get_bit(self.field.mate.val().index())
            & !self.counted.val().get_bit(self.field.probe.val().index())
            & self.count_stage.may_mate.val().any();
        self.held.d.next = self.next.val();
        self.hold_next.next = self.next.val();
        self.hold.next = self.held.q.val().into();

        self.total_stage.tag.next = self.condense_stage.tag_out.val();
        self.total_stage.board.next = self.condense_stage.board_out.val();
        self.total_stage.pile.next = self.condense_stage.pile_out.val();
        self.total_stage.others.next = self.condense_stage.others_out.val();
        self.total_stage.kinds.next = self.condense_stage.kinds.val();
        self.total_stage.mate_square.next = self.condense_stage.mate_square_out.val();
        self.total_stage.may_mate.next = self.condense_stage.may_mate_out.val();
        self.result.next = self.total_stage.result.val();
        self.uchifuzume.next = self.total_stage.uchifuzume.val();
    }
}

crate::inputs!(Pipeline: clock, offer, offer_board);
