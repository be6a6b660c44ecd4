//! The planes of a position, from which the picker picks: legal moves, attacks, and squares that check.
//!
//! ```text
//!                        +----------+
//!   clock               ->          => checks 3            see `attacks::legality`
//!   board 447           =>          => squares 6 x 81      see `movegen::arrivals`
//!   looks               ->          => arrivals 17 x 81
//!   count 4             =>  Planes  => drops 2 x 81        see `movegen::targets`
//!   attacked_only       ->          => holds 7
//!                        |          => attacks 6 x 81      see `attacks`
//!                        |          => lines 4 x 81        see `look::CheckLines`
//!                        |          => king 81             their king
//!                        |          => pawns 81            pawns of both sides
//!                        +----------+
//!
//!   entry -> rays -> legality -> filter -> arrivals -> targets, support, theirs
//! ```
//!
//! Handshake: while `looks`, `count` is the number of clocks that `board` has been there, less one. `board` stays, and so do the planes.
//! With `attacked_only` the arrivals are those of attacked pieces two clocks later.
//! Latency: nine clocks. Cost: about 11,000 flip-flops.
//! Model: `host/model/src/search/spot.rs`. Absent: counting.

use super::attacks::{AttackPlanes, Attacks};
use super::look::{CheckLines, Checking, Filter, Pieces, Support, Theirs, ToKing};
use super::trace::Trace;
use crate::attacks::legality::{Checks, Legality};
use crate::attacks::rays::Rays;
use crate::movegen::arrivals::{ArrivalPlanes, Arrivals, Squares};
use crate::movegen::entry::Entry;
use crate::movegen::positions::BOARD_WIDTH;
use crate::movegen::targets::{DropPlanes, Targets};
use crate::network::width;
use hayasashi_spec::piece::{HAND_KINDS, SQUARES};
use rust_hdl::prelude::*;

crate::constants! {
    /// When what comes in is taken, as counts.
    pub Times {
        /// All own pieces are looked at, as if none were pinned.
        unpinned: Bits<4> = 2;
        /// Their arrivals are there.
        support: Bits<4> = 4;
        /// Their major pieces are looked at.
        of_majors: Bits<4> = 3;
        /// Where those arrive is known.
        majors: Bits<4> = 5;
        /// A rook's rays are asked for.
        asks: Bits<4> = 1;
        /// They are there.
        straight: Bits<4> = 2;
        /// They are a bishop's.
        diagonal: Bits<4> = 3;
    }
}

/// Finds planes.
#[derive(LogicBlock, Default)]
pub struct Planes {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The position.
    pub board: Signal<In, Bits<BOARD_WIDTH>>,
    /// It is new.
    pub looks: Signal<In, Bit>,
    /// For so many clocks.
    pub count: Signal<In, Bits<4>>,
    /// Arrivals of attacked pieces only.
    pub attacked_only: Signal<In, Bit>,
    /// Checks to the mover's king.
    pub checks: Signal<Out, Bits<{ width::<Checks>() }>>,
    /// Squares that tell which arrivals are legal.
    pub squares: Signal<Out, Bits<{ width::<Squares>() }>>,
    /// Where own pieces arrive.
    pub arrivals: Signal<Out, Bits<{ width::<ArrivalPlanes>() }>>,
    /// Where pieces can be dropped.
    pub drops: Signal<Out, Bits<{ width::<DropPlanes>() }>>,
    /// Hand kinds that the mover has.
    pub holds: Signal<Out, Bits<HAND_KINDS>>,
    /// Squares that each side attacks.
    pub attacks: Signal<Out, Bits<{ width::<AttackPlanes>() }>>,
    /// Squares that check.
    pub lines: Signal<Out, Bits<{ width::<CheckLines>() }>>,
    /// Their king.
    pub king: Signal<Out, Bits<SQUARES>>,
    /// Pawns of both sides.
    pub pawns: Signal<Out, Bits<SQUARES>>,
    entry: Entry,
    rays_stage: Rays,
    legality: Legality,
    filter: Filter,
    arrivals_stage: Arrivals,
    targets: Targets,
    support: Support,
    theirs: Theirs,
    attacks_stage: Attacks,
    pieces: Pieces,
    to_king: ToKing,
    trace: Trace,
    checking: Checking,
    at: Times,
}

impl Logic for Planes {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, entry, rays_stage, legality, filter, arrivals_stage);
        clock!(self, clock, targets, support, theirs, attacks_stage, pieces, trace, checking);
        self.entry.tag.next = 0.into();
        self.entry.board.next = self.board.val();
        self.rays_stage.tag.next = self.entry.tag_out.val();
        self.rays_stage.board.next = self.entry.board_out.val();
        self.rays_stage.decoded.next = self.entry.decoded.val();
        self.rays_stage.near.next = self.entry.near.val();
        self.legality.tag.next = self.rays_stage.tag_out.val();
        self.legality.board.next = self.rays_stage.board_out.val();
        self.legality.kinds.next = self.rays_stage.kinds_out.val();
        self.legality.crossings.next = self.rays_stage.crossings.val();
        self.legality.threats.next = self.rays_stage.threats.val();
        self.filter.movers.next = self.legality.movers.val();
        self.filter.reach.next = self.legality.reach.val();
        self.filter.by_them.next = self.theirs.by_them.val();
        self.filter.majors.next = self.pieces.majors.val();
        self.filter.knights.next = self.pieces.knights.val();
        self.filter.attacked_only.next = 0.into();
        self.filter.unpinned.next = 0.into();
        self.filter.of_majors.next = 0.into();
        self.theirs.of_majors.next = 0.into();
        self.support.hold.next = 1.into();
        self.to_king.straight.next = 0.into();
        self.checking.straight.next = 0.into();
        self.checking.diagonal.next = 0.into();
        if self.attacked_only.val() {
            self.filter.attacked_only.next = 1.into();
        }
        if self.looks.val() {
            if self.count.val() == self.at.unpinned.val() {
                self.filter.unpinned.next = 1.into();
            }
            if self.count.val() == self.at.support.val() {
                self.support.hold.next = 0.into();
            }
            if self.count.val() == self.at.of_majors.val() {
                self.filter.of_majors.next = 1.into();
            }
            if self.count.val() == self.at.majors.val() {
                self.theirs.of_majors.next = 1.into();
            }
            if self.count.val() == self.at.asks.val() {
                self.to_king.straight.next = 1.into();
            }
            if self.count.val() == self.at.straight.val() {
                self.checking.straight.next = 1.into();
            }
            if self.count.val() == self.at.diagonal.val() {
                self.checking.diagonal.next = 1.into();
            }
        }
        self.arrivals_stage.tag.next = self.legality.tag_out.val();
        self.arrivals_stage.drops.next = self.legality.drops.val();
        self.arrivals_stage.checks.next = self.legality.checks.val();
        self.arrivals_stage.movers.next = self.filter.movers_out.val();
        self.arrivals_stage.near.next = self.filter.near.val();
        self.arrivals_stage.reach.next = self.legality.reach.val();
        self.targets.tag.next = self.arrivals_stage.tag_out.val();
        self.targets.drop_rules.next = self.arrivals_stage.drops_out.val();
        self.targets.checks.next = self.arrivals_stage.checks_out.val();
        self.targets.squares.next = self.arrivals_stage.squares.val();
        self.targets.arrivals.next = self.arrivals_stage.arrivals.val();
        self.attacks_stage.board.next = self.board.val();
        self.pieces.board.next = self.board.val();
        self.support.arrivals.next = self.arrivals_stage.arrivals.val();
        self.support.reach.next = self.legality.reach.val();
        self.theirs.arrivals.next = self.arrivals_stage.arrivals.val();
        self.theirs.attacks.next = self.attacks_stage.attacks.val();
        self.theirs.lines.next = self.checking.lines.val();
        self.theirs.own.next = self.support.own.val();
        self.theirs.majors.next = self.theirs.majors_out.val();
        self.checking.king.next = self.pieces.king.val();
        self.to_king.king.next = self.pieces.king.val();
        self.trace.op.next = self.to_king.op.val();
        self.trace.empty.next = self.pieces.empty.val();
        self.checking.rays.next = self.trace.rays.val();
        self.checking.lines_in.next = self.checking.lines.val();

        self.checks.next = self.arrivals_stage.checks_out.val();
        self.squares.next = self.arrivals_stage.squares.val();
        self.arrivals.next = self.arrivals_stage.arrivals.val();
        self.drops.next = self.targets.drops.val();
        self.holds.next = self.targets.holds.val();
        self.attacks.next = self.theirs.attacks_out.val();
        self.lines.next = self.checking.lines.val();
        self.king.next = self.pieces.king.val();
        self.pawns.next = self.pieces.pawns.val();
    }
}
