//! Picks the next move of a node in the search's order.
//!
//! ```text
//!                   +----------+
//!   clock          ->          -> looked         the planes are those of `board`
//!   reset          ->          -> has_move       with `looked`: there is a legal move, or a pawn drop that mates
//!   board 447      =>          -> in_check       with `looked`: the mover is in check
//!   look           ->  Picker  -> done           the move is that of the last `pick`
//!   selection 15   =>          => chosen 84      that move, if there is one, see `Chosen`: its place is `after` for the next one
//!   special 4 x 15 =>          |
//!   after 28       =>          |
//!   pick           ->          |
//!                   +----------+
//! ```
//!
//! Handshake: `look`, for one clock, finds the planes of `board`, which stays until the next `look`. `pick`, for one clock while
//! `looked`, finds the first move behind `after`; `selection`, `special` and `after` stay until `done`, which is high for one clock.
//! `chosen` stays until the next `pick`. Nothing is remembered of earlier picks: `after` (all zero for the first move),
//! `selection` and `special` tell which moves were picked before. Behind [`Place::before_losing`] only losing captures are left.
//! `reset` forgets what is under way; then the block has to look.
//!
//! Latency: `look` 9 clocks. `pick` 11 clocks, one for each move that is looked at before, and two for each level without moves.
//! In the mean over the situations of the tests: the table's move 11, a capture 16, the first killer 17, the second 16, the counter
//! move 13, a check 14, a move of an attacked piece 22, a king's move out of check 13, another quiet move 12, a losing capture 16,
//! and 14 to find that none is left; at most 48. Throughput: one pick at a time.
//! Method: masks of squares and groups leave little to look at ([`super::scan`]); what is left goes through a pipeline, one move a clock, in
//! which its origin is traced and its key is found, and the least key behind `after` is kept.
//! Model: `host/model/src/search/order.rs`. Cost: see [`super`]. Absent: counting, keys, and the evaluation.

use super::aim::ScanTag;
use super::choose::{Choose, Chosen};
use super::node::Move;
use super::order::{Place, Selection, SPECIAL};
use super::trace::{Origin, Trace};
use super::{describe::Describe, exchange::Balance, planes::Planes, rank::Rank, scan::Scan};
use crate::movegen::positions::BOARD_WIDTH;
use crate::network::width;
use rust_hdl::prelude::*;

/// Clocks from `look` to `looked`.
pub const LOOK_CLOCKS: u64 = 9;
/// Wires of a tag.
const TAG_BITS: usize = width::<ScanTag>();

crate::constants! {
    /// What the count is in a clock of a look; it begins with zero behind `look`.
    pub Counts {
        /// The last clock.
        look: Bits<4> = LOOK_CLOCKS - 2;
        /// The clock before.
        survey: Bits<4> = LOOK_CLOCKS - 3;
    }
}

/// Picks moves.
#[derive(LogicBlock, Default)]
pub struct Picker {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forget what is under way.
    pub reset: Signal<In, Bit>,
    /// The position.
    pub board: Signal<In, Bits<BOARD_WIDTH>>,
    /// Find its planes.
    pub look: Signal<In, Bit>,
    /// Which moves the node has, and in which order.
    pub selection: Signal<In, Bits<{ width::<Selection>() }>>,
    /// The table's move, two killers and the counter move, or zeros.
    pub special: Signal<In, Bits<{ width::<[Move; SPECIAL]>() }>>,
    /// The place of the move picked last.
    pub after: Signal<In, Bits<{ width::<Place>() }>>,
    /// Pick the next one.
    pub pick: Signal<In, Bit>,
    /// The planes are those of the position.
    pub looked: Signal<Out, Bit>,
    /// There is a legal move, or a pawn drop that mates.
    pub has_move: Signal<Out, Bit>,
    /// The mover is in check.
    pub in_check: Signal<Out, Bit>,
    /// The move is there, or none is left.
    pub done: Signal<Out, Bit>,
    /// That move.
    pub chosen: Signal<Out, Bits<{ width::<Chosen>() }>>,
    planes: Planes,
    scan: Scan,
    trace: Trace,
    origin: Origin,
    describe: Describe,
    balance: Balance,
    rank: Rank,
    choose: Choose,
    traced: DFF<Bits<TAG_BITS>>,
    found: DFF<Bits<TAG_BITS>>,
    described: DFF<Bits<TAG_BITS>>,
    count: DFF<Bits<4>>,
    looks: DFF<Bit>,
    knows: DFF<Bit>,
    next_count: Signal<Local, Bits<4>>,
    forget: Signal<Local, Bit>,
    counts: Counts,
}

impl Logic for Picker {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, traced, found, described, count, looks, knows);
        clock!(self, clock, planes, scan, trace, origin, describe, balance, rank, choose);

        self.next_count.next = self.count.q.val() + 1;
        if self.looks.q.val() {
            self.count.d.next = self.next_count.val();
            if self.count.q.val() == self.counts.look.val() {
                self.looks.d.next = false;
                self.knows.d.next = true;
            }
        }
        if self.look.val() {
            self.count.d.next = 0.into();
            self.looks.d.next = true;
            self.knows.d.next = false;
        }

        self.forget.next = self.look.val() | self.reset.val() | self.choose.done.val().any();
        self.scan.forget.next = 0.into();
        self.scan.start.next = 0.into();
        self.scan.looking.next = 0.into();
        self.rank.forget.next = 0.into();
        self.choose.clear.next = 0.into();
        if self.forget.val() {
            self.scan.forget.next = 1.into();
            self.rank.forget.next = 1.into();
        }
        if self.pick.val() {
            self.scan.start.next = 1.into();
            self.rank.forget.next = 1.into();
            self.choose.clear.next = 1.into();
        }
        self.scan.straight.next = 0.into();
        self.scan.survey.next = 0.into();
        if self.looks.q.val() {
            self.scan.looking.next = 1.into();
            if self.count.q.val() == 0 {
                self.scan.straight.next = 1.into();
            }
            if self.count.q.val() == self.counts.survey.val() {
                self.scan.survey.next = 1.into();
            }
        }
        self.planes.board.next = self.board.val();
        self.planes.looks.next = self.looks.q.val();
        self.planes.count.next = self.count.q.val();
        self.planes.attacked_only.next = self.scan.attacked_only.val().any();
        self.planes.rays.next = self.trace.rays.val();
        self.scan.selection.next = self.selection.val();
        self.scan.special.next = self.special.val();
        self.scan.after.next = self.after.val();
        self.scan.checks.next = self.planes.checks.val();
        self.scan.squares.next = self.planes.squares.val();
        self.scan.arrivals.next = self.planes.arrivals.val();
        self.scan.drops.next = self.planes.drops.val();
        self.scan.holds.next = self.planes.holds.val();
        self.scan.lines.next = self.planes.lines.val();
        self.scan.pawns.next = self.planes.pawns.val();
        self.scan.king.next = self.planes.king.val();
        self.scan.state_in.next = self.scan.state.val();

        self.trace.op.next = self.scan.op.val();
        self.trace.empty.next = self.planes.empty.val();
        self.origin.to.next = self.trace.to.val();
        self.origin.rays.next = self.trace.rays.val();
        self.origin.kind.next = self.trace.kind.val();
        self.origin.promote.next = self.trace.promote.val();
        self.origin.board.next = self.board.val();
        self.describe.to.next = self.origin.to_out.val();
        self.describe.from.next = self.origin.from.val();
        self.describe.kind.next = self.origin.kind_out.val();
        self.describe.promote.next = self.origin.promote_out.val();
        self.describe.board.next = self.board.val();
        self.describe.captured.next = self.origin.captured.val();
        self.describe.attacks.next = self.planes.attacks.val();
        self.describe.by_them.next = self.planes.by_them.val();
        self.describe.lines.next = self.planes.lines.val();
        self.describe.king.next = self.planes.king.val();
        self.balance.hits.next = self.describe.hits.val();
        self.balance.drop.next = self.describe.drop.val();
        self.balance.gain_in.next = self.describe.gain.val();
        self.balance.value.next = self.describe.value.val();
        self.rank.selection.next = self.selection.val();
        self.rank.special.next = self.special.val();
        self.rank.tag.next = self.described.q.val();
        self.rank.described.next = self.describe.described.val();

        // What a move is for goes beside it.
        self.traced.d.next = self.scan.tag.val();
        self.found.d.next = self.traced.q.val();
        self.described.d.next = self.found.q.val();
        if self.forget.val() | self.pick.val() {
            self.traced.d.next = 0.into();
            self.found.d.next = 0.into();
            self.described.d.next = 0.into();
        }

        self.choose.selection.next = self.selection.val();
        self.choose.after.next = self.after.val();
        self.choose.ranked.next = self.rank.ranked.val();
        self.choose.candidate.next = self.rank.candidate.val();
        self.choose.gain.next = self.balance.gain.val();
        self.choose.exchange.next = self.balance.exchange.val();
        self.choose.done_in.next = self.choose.done.val();
        self.choose.chosen_in.next = self.choose.chosen.val();

        if self.reset.val() {
            self.looks.d.next = false;
            self.knows.d.next = false;
        }
        self.looked.next = self.knows.q.val();
        self.has_move.next = self.scan.has_move.val().any();
        self.in_check.next = self.scan.in_check.val().any();
        self.done.next = self.choose.done.val().any();
        self.chosen.next = self.choose.chosen.val();
    }
}

crate::inputs!(Picker: clock, reset, board, look, selection, special, after, pick);
