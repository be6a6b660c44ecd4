//! The serialiser: legal moves one by one in canonical order.
//!
//! ```text
//!                     +-------------+
//!   offer            ->             -> valid          a move in this clock
//!   bank 2081        =>             => square 81      its destination
//!   state_in 2246    =>             => direction 10   its direction of travel, none for a drop
//!   hold             ->  Serialise  => kind 7         the kind dropped, none for a board move
//!                     |             -> promote
//!                     |             -> first          the first move of a position
//!                     |             -> taken          the bank's planes were taken
//!                     |             => state 2246     to be wired back to `state_in`
//!                     +-------------+
//! ```
//!
//! Handshake: while `offer`, the planes of the bank are taken as soon as those of the present position are no longer
//! needed. `offer` must be low in the clock after `taken`, in which the bank keeps its planes. The registers keep their
//! values while `hold`.
//! Latency: from idle, the first move comes [`FIRST_MOVE_CLOCKS`] clocks after the offer.
//! Throughput: one move per clock. The moves of the next position follow without a pause, or with one clock between
//! where the last group is a single move.
//! Absent: origins of moves (`trace`, `origin`).
//! Cost: 2,348 flip-flops.
//! Method: a group is the moves of one class and direction, or the drops of one kind. Groups pass through three
//! registers: the one ahead (chosen), the next one (its plane is fetched), the one of the last move (being emptied). So
//! a group of one move costs no extra clock.
//! Model: `host/model/src/movegen/serialise.rs`. Proof: `hdl/formal/serialise`.

use super::bank::{Planes, GROUPS};
use super::targets::{DropPlanes, MovePlanes};
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::position::board::{rank_mask, ALL_SQUARES};
use crate::position::Plane;
use crate::{bundle, network};
use hayasashi_spec::moves::DIRECTIONS;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Clocks from the offer to the first move.
pub const FIRST_MOVE_CLOCKS: u64 = 4;

/// Wires that tell which plane a group has: by direction without promotion, with promotion, drops of pawns, and drops of
/// others on the last rank, on the one before, on the rest.
const SELECT: usize = 2 * DIRECTIONS + 4;

/// Groups of captures, which come first.
pub(super) const CAPTURES: usize = 2 * DIRECTIONS;
/// The group of pawn drops.
const PAWN_DROPS: usize = 4 * DIRECTIONS;

bundle! {
    /// What the serialiser keeps from clock to clock.
    pub struct State {
        /// The planes taken.
        moves: MovePlanes,
        /// The planes of drops taken.
        drops: DropPlanes,
        /// Squares of their pieces.
        theirs: Plane,
        /// Groups that have not been chosen yet, and whether none has.
        left: Wires<GROUPS>,
        /// None has been chosen yet.
        left_first: Wire,
        /// The group ahead, whether there is one, whether its moves take nothing, and whether it is its position's first.
        ahead: Wires<GROUPS>,
        /// There is a group ahead.
        ahead_valid: Wire,
        /// Its moves take nothing.
        ahead_quiet: Wire,
        /// It is its position's first.
        ahead_first: Wire,
        /// Squares of the next group, the group, whether there is one, and whether it is its position's first.
        next: Plane,
        /// The next group.
        next_group: Wires<GROUPS>,
        /// There is one.
        next_valid: Wire,
        /// It is its position's first.
        next_first: Wire,
        /// Squares still to come of the last move's group, and whether there are any.
        rest: Plane,
        /// There are any.
        more: Wire,
        /// The group of the last move.
        group: Wires<GROUPS>,
        /// Whether `left` has any.
        some_left: Wire,
        /// The planes come in this clock.
        loading: Wire,
        /// The group ahead as [`select`] has it.
        ahead_select: Wires<SELECT>,
    }
}

network! {
    /// Legal moves one by one.
    Serialise = serialise(SerialiseIn) -> SerialiseOut, held {
        in offer: Wire;
        in bank: Planes;
        in state_in: State;
        out valid: Wire;
        out square: Plane;
        out direction: Wires<DIRECTIONS>;
        out kind: Wires<HAND_KINDS>;
        out promote: Wire;
        out first: Wire;
        out taken: Wire;
        out state: State;
    }
}

fn serialise<W: Word>(inputs: SerialiseIn<W>) -> SerialiseOut<W> {
    let SerialiseIn { offer, bank, state_in: s } = inputs;

    // The last move's group if it has more, else the next: its lowest square is the move of this clock.
    let of_rest = s.rest.lowest().named("lowest_of_rest");
    let of_next = s.next.lowest().named("lowest_of_next");
    let square = s.more.choose(of_rest, of_next);
    let group = s.more.choose(s.group, s.next_group).named("move_group");
    let next_free = (!(s.more & s.next_valid)).named("next_free");
    let ahead_free = (next_free | !s.ahead_valid).named("ahead_free");

    let chosen = s.left.lowest().named("chosen");
    let left = (s.left & !chosen.when(ahead_free)).named("left_after");
    let quiet = !s.left.slice(0, CAPTURES).any();
    let fetched = fetch(&s.moves, &s.drops, among_of(s.theirs, s.ahead_quiet), s.ahead_select).named("fetched");

    // The groups are taken when the plane of the last group is fetched. The planes follow a clock later, so that much
    // hangs on a register and not on this choice: before the clock after that, no plane is fetched.
    let take = (offer & ahead_free & !s.some_left).named("take");

    let state = State {
        moves: MovePlanes::choose(s.loading, &bank.moves, &s.moves),
        drops: DropPlanes::choose(s.loading, &bank.drops, &s.drops),
        theirs: s.loading.choose(bank.theirs, s.theirs),
        left: take.choose(bank.found, left),
        left_first: take | (s.left_first & !ahead_free),
        ahead: ahead_free.choose(chosen, s.ahead),
        ahead_valid: ahead_free.choose(s.some_left, s.ahead_valid),
        ahead_quiet: ahead_free.choose(quiet, s.ahead_quiet),
        ahead_first: ahead_free.choose(s.left_first, s.ahead_first),
        next: next_free.choose(fetched.when(s.ahead_valid), s.next),
        next_group: next_free.choose(s.ahead, s.next_group),
        next_valid: next_free.choose(s.ahead_valid, s.next_valid),
        next_first: next_free.choose(s.ahead_first, s.next_first),
        rest: s.more.choose(s.rest & !of_rest, s.next & !of_next),
        more: s.more.choose(s.rest.several().named("rest_several"), s.next.several().named("next_several")),
        group,
        some_left: take
            .choose(bank.found.any(), ahead_free.choose(s.left.several().named("left_several"), s.some_left)),
        loading: take,
        ahead_select: ahead_free.choose(select(chosen), s.ahead_select),
    };
    let of_direction = |d: usize| group.wires(&[0, 1, 2, 3].map(|class| (DIRECTIONS * class + d) as u8)).any();
    SerialiseOut {
        valid: s.more | s.next_valid,
        square,
        direction: W::join(&(0..DIRECTIONS).map(of_direction).collect::<Vec<W>>()),
        kind: group.slice(PAWN_DROPS, HAND_KINDS),
        promote: (group.slice(0, DIRECTIONS) | group.slice(2 * DIRECTIONS, DIRECTIONS)).any(),
        first: !s.more & s.next_first,
        taken: take,
        state,
    }
}

/// Squares that moves of a class may have as destinations.
fn among_of<W: Word>(theirs: W, quiet: W) -> W {
    quiet.choose(!theirs, theirs)
}

/// Which plane a group has that is given by one wire. Kept beside it, since a plane's 81 gates hang on each wire.
fn select<W: Word>(group: W) -> W {
    let either = |class: usize, d: usize| group.bit(DIRECTIONS * class + d) | group.bit(DIRECTIONS * (class + 2) + d);
    let drops = |dead: usize| {
        let kinds = (1..HAND_KINDS).filter(|&kind| dead_ranks(kind as u8 + 1) <= dead);
        group.wires(&kinds.map(|kind| (PAWN_DROPS + kind) as u8).collect::<Vec<u8>>()).any()
    };
    let plain = (0..DIRECTIONS).map(|d| either(1, d));
    let promoting = (0..DIRECTIONS).map(|d| either(0, d));
    let others = [group.bit(PAWN_DROPS), drops(0), drops(1), drops(2)];
    W::join(&plain.chain(promoting).chain(others).collect::<Vec<W>>())
}

/// The plane that [`select`] tells; `among` are the squares of its class.
fn fetch<W: Word>(moves: &MovePlanes<W>, drops: &DropPlanes<W>, among: W, select: W) -> W {
    let [last, before] = [rank_mask(0), rank_mask(1)];
    let ranks = [last, before, ALL_SQUARES & !(last | before)];
    let planes = moves.plain.iter().chain(&moves.promoting).enumerate();
    let move_plane = or_all(planes.map(|(i, plane)| plane.when(select.bit(i)))).named("move_plane");
    let other_ranks = or_all((0..3).map(|i| W::constant(ranks[i], SQUARES).when(select.bit(2 * DIRECTIONS + 1 + i))));
    (move_plane & among)
        | drops.pawn.when(select.bit(2 * DIRECTIONS))
        | (drops.other & other_ranks.named("other_ranks"))
}
