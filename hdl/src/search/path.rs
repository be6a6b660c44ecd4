//! Repetitions with the positions of the request's path and of the search's own line.
//!
//! ```text
//!                  +------+
//!   clock         ->      => repeats 3   see `Repeats`
//!   push          ->      -> ready       the last command is done
//!   pop           -> Path |
//!   clear         ->      |
//!   key 63        =>      |
//!   in_check      ->      |
//!   reset         ->      |
//!                  +------+
//!
//!   seen, rows -> compare
//! ```
//!
//! Handshake: a command is given while `ready`, the first one is `clear`. `push` adds a position; `key` stays until `ready` again, when `repeats` tells how it
//! repeats an earlier one. `pop` removes the last position, `clear` all.
//! Latency: `push` two clocks; where there are positions at an even distance of 4 or more, and one with the same low bits of the key,
//! three more, and one for each up to the first that is the same. `pop` three clocks, `clear` as in `seen`. Throughput: one command at
//! a time.
//! Cost: 204 flip-flops beside [`super::seen`], and 512 rows of 79 wires in block RAM.
//! Method: the rows are read from the latest back, every second one, unless `seen` tells that the position is new.
//! Model: `host/model/src/search/path.rs`. Absent: more than 511 positions.

use super::seen::{Seen, SEEN_BITS};
use crate::network::{width, Wire, Wires, Word};
use crate::{bundle, network};
use rust_hdl::prelude::*;

/// Wires of the number of positions.
pub const COUNT_BITS: usize = 9;
/// Wires of a key.
pub const PATH_KEY_BITS: usize = 63;

bundle! {
    /// How the last position repeats an earlier one.
    pub struct Repeats {
        /// It does.
        valid: Wire,
        /// The opponent gave check with every move since.
        wins: Wire,
        /// The side to move did.
        loses: Wire,
    }
}

bundle! {
    /// A position.
    pub struct Step {
        /// The low bits of its key.
        key: Wires<PATH_KEY_BITS>,
        /// Consecutive checks by the mover up to its last move.
        own: Wires<8>,
        /// By the opponent, up to the move that led here.
        their: Wires<8>,
    }
}

/// Wires of a row.
pub const STEP_WIDTH: usize = width::<Step>();

network! {
    /// The row of a position that is added.
    Follow = follow(FollowIn) -> FollowOut {
        in last: Step;
        in first: Wire;
        in key: Wires<PATH_KEY_BITS>;
        in in_check: Wire;
        out step: Step;
    }
}

network! {
    /// Whether an earlier position is the same.
    Meet = meet(MeetIn) -> MeetOut {
        in row: Step;
        in present: Step;
        in moves: Wires<8>;
        out repeats: Repeats;
    }
}

fn follow<W: Word>(inputs: FollowIn<W>) -> FollowOut<W> {
    let FollowIn { last, first, key, in_check } = inputs;
    let more = last.own.plus(W::constant(1, 1), 8).named("more");
    let counts = (in_check & !first).named("counts");
    FollowOut { step: Step { key, own: last.their.when(!first), their: more.when(counts) } }
}

fn meet<W: Word>(inputs: MeetIn<W>) -> MeetOut<W> {
    let MeetIn { row, present, moves } = inputs;
    let [own, their] = [present.own, present.their].map(|checks| !checks.below(moves));
    let valid = row.key.equals(present.key).named("same");
    MeetOut { repeats: Repeats { valid, wins: valid & their & !own, loses: valid & own & !their } }
}

/// Keeps the positions of the game and of the line being searched.
#[derive(LogicBlock, Default)]
pub struct Path {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Add a position.
    pub push: Signal<In, Bit>,
    /// Remove the last one.
    pub pop: Signal<In, Bit>,
    /// Remove all.
    pub clear: Signal<In, Bit>,
    /// The low bits of the key.
    pub key: Signal<In, Bits<PATH_KEY_BITS>>,
    /// The mover is in check.
    pub in_check: Signal<In, Bits<1>>,
    /// Forget what is under way, and all positions.
    pub reset: Signal<In, Bit>,
    /// How the last position repeats an earlier one.
    pub repeats: Signal<Out, Bits<{ width::<Repeats>() }>>,
    /// The last command is done.
    pub ready: Signal<Out, Bit>,
    apart_rows: RAM<Bits<STEP_WIDTH>, COUNT_BITS>,
    seen: Seen,
    follow: Follow,
    meet: Meet,
    count: DFF<Bits<COUNT_BITS>>,
    at: DFF<Bits<COUNT_BITS>>,
    moves: DFF<Bits<8>>,
    read_moves: DFF<Bits<8>>,
    top: DFF<Bits<STEP_WIDTH>>,
    found: DFF<Bits<{ width::<Repeats>() }>>,
    adds: DFF<Bit>,
    scans: DFF<Bit>,
    reads: DFF<Bit>,
    compares: DFF<Bit>,
    takes: DFF<Bit>,
    loads: DFF<Bit>,
    first: Signal<Local, Bit>,
    few: Signal<Local, Bit>,
    next_count: Signal<Local, Bits<COUNT_BITS>>,
    previous: Signal<Local, Bits<COUNT_BITS>>,
    four_before: Signal<Local, Bits<COUNT_BITS>>,
    next_at: Signal<Local, Bits<COUNT_BITS>>,
    next_moves: Signal<Local, Bits<8>>,
}

impl Logic for Path {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count, at, moves, read_moves, top, found, adds, scans, reads, compares, takes, loads);
        clock!(self, clock, seen, follow, meet);
        self.apart_rows.read_clock.next = self.clock.val();
        self.apart_rows.write_clock.next = self.clock.val();
        self.next_count.next = self.count.q.val() + 1;
        self.previous.next = self.count.q.val() - 1;
        self.four_before.next = self.count.q.val() - 4;
        self.next_at.next = self.at.q.val() - 2;
        self.next_moves.next = self.moves.q.val() + 1;
        self.first.next = self.count.q.val() == 0;
        self.few.next =
            self.first.val() | (self.count.q.val() == 1) | (self.count.q.val() == 2) | (self.count.q.val() == 3);

        self.follow.last.next = self.top.q.val();
        self.follow.first.next = 0.into();
        if self.first.val() {
            self.follow.first.next = 1.into();
        }
        self.follow.key.next = self.key.val();
        self.follow.in_check.next = self.in_check.val();
        self.meet.row.next = self.apart_rows.read_data.val();
        self.meet.present.next = self.top.q.val();
        self.meet.moves.next = self.read_moves.q.val();

        self.apart_rows.read_address.next = self.at.q.val();
        self.apart_rows.write_address.next = self.count.q.val();
        self.apart_rows.write_data.next = self.follow.step.val();
        self.apart_rows.write_enable.next = self.adds.q.val();

        self.seen.adds.next = self.push.val();
        self.seen.takes.next = self.pop.val();
        self.seen.low.next = bit_cast::<SEEN_BITS, PATH_KEY_BITS>(self.key.val());
        if self.pop.val() | self.takes.q.val() {
            self.seen.low.next = bit_cast::<SEEN_BITS, STEP_WIDTH>(self.top.q.val());
        }
        self.seen.clear.next = self.clear.val();
        self.seen.reset.next = self.reset.val();

        // A position is added; then rows are read, compared a clock later, and judged another clock later.
        self.adds.d.next = self.push.val();
        self.reads.d.next = self.scans.q.val();
        self.compares.d.next = self.reads.q.val();
        self.read_moves.d.next = self.moves.q.val();
        if self.adds.q.val() {
            self.top.d.next = self.follow.step.val();
            self.count.d.next = self.next_count.val();
            self.at.d.next = self.four_before.val();
            self.moves.d.next = 2.into();
            self.scans.d.next = !self.few.val() & !self.seen.is_new.val();
        }
        if self.scans.q.val() {
            self.at.d.next = self.next_at.val();
            self.moves.d.next = self.next_moves.val();
            if (self.at.q.val() == 0) | (self.at.q.val() == 1) {
                self.scans.d.next = false;
            }
        }
        if self.compares.q.val() & self.meet.repeats.val().get_bit(0) {
            self.found.d.next = self.meet.repeats.val();
            self.scans.d.next = false;
            self.reads.d.next = false;
            self.compares.d.next = false;
        }

        // The last position is removed; the one before it is read.
        self.takes.d.next = self.pop.val();
        self.loads.d.next = self.takes.q.val();
        if self.takes.q.val() {
            self.apart_rows.read_address.next = self.previous.val();
        }
        if self.loads.q.val() {
            self.top.d.next = self.apart_rows.read_data.val();
        }
        if self.pop.val() {
            self.count.d.next = self.previous.val();
        }
        if self.push.val() | self.pop.val() {
            self.found.d.next = 0.into();
        }
        if self.clear.val() | self.reset.val() {
            self.count.d.next = 0.into();
        }
        if self.reset.val() {
            self.adds.d.next = false;
            self.scans.d.next = false;
            self.reads.d.next = false;
            self.compares.d.next = false;
            self.takes.d.next = false;
            self.loads.d.next = false;
        }
        self.repeats.next = self.found.q.val();
        self.ready.next = self.seen.ready.val()
            & !self.adds.q.val()
            & !self.scans.q.val()
            & !self.reads.q.val()
            & !self.compares.q.val()
            & !self.takes.q.val()
            & !self.loads.q.val();
    }
}
