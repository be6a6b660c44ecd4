//! The move generation pipeline: one tagged position per clock.
//!
//! ```text
//!                +------------+
//!   tag 22      =>            => result 22     tag with `check` and `count`
//!   board 447   =>            -> may_mate      with `result`: a pawn drop is not counted, since it may be mate
//!   clock       ->            => counted 22    tag in the counting stage
//!               |             -> test_mate     with `counted`: the same, two clocks before
//!               |  Pipeline   => targets 22    tag in the target stage, with the planes:
//!               |             => drops 2 x 81, holds 7, before_king 81
//!               |             -> loads         it is a node, to be kept
//!               |             => kept 1719     what tells the board moves of the last node
//!                +------------+
//!
//!   entry -> rays -> legality -> arrivals -> targets -> count -> condense -> merge -> total
//! ```
//!
//! Handshake: none: a position enters in each clock in which its tag tells so, and never waits.
//! Latency: `targets` after [`TARGETS_CLOCKS`], `result` after [`RESULT_CLOCKS`]. Throughput: one position per clock.
//! Cost: see `constraints/AREA.md`.
//! Absent: state between positions but for `kept`; all that belongs to a position travels with it.
//! Model: `host/model/src/movegen/count.rs`.

use super::count::{Condense, Count, Merge};
use super::keep::{Keep, KeptMoves};
use super::positions::BOARD_WIDTH;
use super::tag_decoder::TAG_WIDTH;
use super::targets::{DropPlanes, Targets};
use super::{arrivals::Arrivals, entry::Entry, total::Total};
use crate::attacks::{legality::Legality, rays::Rays};
use crate::network::width;
use hayasashi_spec::piece::{HAND_KINDS, SQUARES};
use rust_hdl::prelude::*;

/// Clocks from the position to `targets`.
pub const TARGETS_CLOCKS: u64 = 5;
/// Clocks from the position to `result`.
pub const RESULT_CLOCKS: u64 = 9;

/// One tagged position per clock.
#[derive(LogicBlock, Default)]
pub struct Pipeline {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Tag of the position that enters.
    pub tag: Signal<In, Bits<TAG_WIDTH>>,
    /// That position.
    pub board: Signal<In, Bits<BOARD_WIDTH>>,
    /// Tag of a position that is counted.
    pub result: Signal<Out, Bits<TAG_WIDTH>>,
    /// With `result`: a pawn drop may be mate and is not counted.
    pub may_mate: Signal<Out, Bit>,
    /// Tag of the position in the counting stage.
    pub counted: Signal<Out, Bits<TAG_WIDTH>>,
    /// With `counted`: a pawn drop may be mate.
    pub test_mate: Signal<Out, Bit>,
    /// Tag of the position in the target stage, with the planes below.
    pub targets: Signal<Out, Bits<TAG_WIDTH>>,
    /// The position in the target stage is a node, to be kept.
    pub loads: Signal<Out, Bit>,
    /// What tells the board moves of the last node.
    pub kept: Signal<Out, Bits<{ width::<KeptMoves>() }>>,
    /// Destinations of its drops, see `DropPlanes`.
    pub drops: Signal<Out, Bits<{ width::<DropPlanes>() }>>,
    /// Hand kinds that its mover has.
    pub holds: Signal<Out, Bits<HAND_KINDS>>,
    /// The square in front of the enemy king.
    pub before_king: Signal<Out, Bits<SQUARES>>,
    entry_stage: Entry,
    rays_stage: Rays,
    legality_stage: Legality,
    arrivals_stage: Arrivals,
    targets_stage: Targets,
    keep_stage: Keep,
    count_stage: Count,
    condense_stage: Condense,
    merge_stage: Merge,
    total_stage: Total,
}

impl Logic for Pipeline {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, entry_stage, rays_stage, legality_stage, arrivals_stage);
        clock!(self, clock, targets_stage, keep_stage, count_stage, condense_stage);
        clock!(self, clock, merge_stage, total_stage);
        self.entry_stage.tag.next = self.tag.val();
        self.entry_stage.board.next = self.board.val();

        self.rays_stage.tag.next = self.entry_stage.tag_out.val();
        self.rays_stage.board.next = self.entry_stage.board_out.val();
        self.rays_stage.decoded.next = self.entry_stage.decoded.val();
        self.rays_stage.near.next = self.entry_stage.near.val();

        self.legality_stage.tag.next = self.rays_stage.tag_out.val();
        self.legality_stage.board.next = self.rays_stage.board_out.val();
        self.legality_stage.kinds.next = self.rays_stage.kinds_out.val();
        self.legality_stage.crossings.next = self.rays_stage.crossings.val();
        self.legality_stage.threats.next = self.rays_stage.threats.val();

        self.arrivals_stage.tag.next = self.legality_stage.tag_out.val();
        self.arrivals_stage.drops.next = self.legality_stage.drops.val();
        self.arrivals_stage.checks.next = self.legality_stage.checks.val();
        self.arrivals_stage.movers.next = self.legality_stage.movers.val();
        self.arrivals_stage.near.next = self.legality_stage.near.val();
        self.arrivals_stage.reach.next = self.legality_stage.reach.val();

        self.targets_stage.tag.next = self.arrivals_stage.tag_out.val();
        self.targets_stage.drop_rules.next = self.arrivals_stage.drops_out.val();
        self.targets_stage.checks.next = self.arrivals_stage.checks_out.val();
        self.targets_stage.squares.next = self.arrivals_stage.squares.val();
        self.targets_stage.arrivals.next = self.arrivals_stage.arrivals.val();
        self.keep_stage.stays.next = self.arrivals_stage.stays.val();
        self.keep_stage.kept_in.next = self.keep_stage.kept.val();
        self.keep_stage.squares.next = self.arrivals_stage.squares.val();
        self.keep_stage.arrivals.next = self.arrivals_stage.arrivals.val();
        self.targets.next = self.targets_stage.tag_out.val();
        self.loads.next = self.targets_stage.loads.val().any();
        self.kept.next = self.keep_stage.kept.val();
        self.drops.next = self.targets_stage.drops.val();
        self.holds.next = self.targets_stage.holds.val();
        self.before_king.next = self.targets_stage.before_king.val();

        self.count_stage.tag.next = self.targets_stage.tag_out.val();
        self.count_stage.sums.next = self.targets_stage.sums.val();
        self.count_stage.king_moves.next = self.targets_stage.king_moves.val();
        self.count_stage.drops.next = self.targets_stage.drops.val();
        self.count_stage.holds.next = self.targets_stage.holds.val();
        self.count_stage.before_king.next = self.targets_stage.before_king.val();
        self.count_stage.safe.next = self.targets_stage.safe.val();
        self.counted.next = self.count_stage.tag_out.val();
        self.test_mate.next = self.count_stage.may_mate.val().any();

        self.condense_stage.tag.next = self.count_stage.tag_out.val();
        self.condense_stage.pile.next = self.count_stage.pile.val();
        self.condense_stage.others.next = self.count_stage.others.val();
        self.condense_stage.holds.next = self.count_stage.holds_out.val();
        self.condense_stage.may_mate.next = self.count_stage.may_mate.val();

        self.merge_stage.tag.next = self.condense_stage.tag_out.val();
        self.merge_stage.pile.next = self.condense_stage.pile_out.val();
        self.merge_stage.others.next = self.condense_stage.others_out.val();
        self.merge_stage.kinds.next = self.condense_stage.kinds.val();
        self.merge_stage.may_mate.next = self.condense_stage.may_mate_out.val();

        self.total_stage.tag.next = self.merge_stage.tag_out.val();
        self.total_stage.pile.next = self.merge_stage.pile_out.val();
        self.total_stage.some.next = self.merge_stage.some.val();
        self.total_stage.may_mate.next = self.merge_stage.may_mate_out.val();
        self.result.next = self.total_stage.result.val();
        self.may_mate.next = self.total_stage.may_mate_out.val().any();
    }
}

crate::inputs!(Pipeline: clock, tag, board);
