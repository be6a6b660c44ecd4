//! The serialiser: legal moves one by one in canonical order.
//!
//! ```text
//!               +-------------+
//!   offer 1    =>             => valid 1         a move in this clock
//!   bank       =>             => square 81       its destination
//!   state_in   =>             => direction 10    its direction of travel, none for a drop
//!   hold       =>  Serialise  => kind 7          the kind dropped, none for a board move
//!              |              => promote 1
//!              |              => first 1         the first move of a position
//!              |              => taken 1         the bank's planes were taken
//!              |              => state           to be wired back to `state_in`
//!               +-------------+
//! ```
//!
//! While `offer`, the planes of the bank are taken as soon as the present position's are needed no more: so the moves of
//! one position follow those of another without a pause, or with a pause of one clock where the last group is a single
//! move. `offer` must fall in the clock after `taken`, in which the bank keeps its planes. From idle, the first move comes [`FIRST_MOVE_CLOCKS`] clocks after
//! the offer, then one each clock until there is none. Groups go through three registers: the one ahead (chosen), the next
//! (its plane fetched), the one of the last move (being emptied); so groups of one move cost nothing. Stands still while
//! `hold`.

use super::bank::{GROUPS, PLANES};
use crate::network;
use crate::network::{word::or_all, Word};
use crate::position::board::{rank_mask, ALL_SQUARES};
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

/// Layout of the state, see [`State`].
pub const STATE: &[usize] = &{
    let mut layout = [SQUARES; 39];
    layout[23] = GROUPS;
    layout[24] = 1;
    layout[25] = GROUPS;
    layout[26] = 1;
    layout[27] = 1;
    layout[28] = 1;
    layout[30] = GROUPS;
    layout[31] = 1;
    layout[32] = 1;
    layout[34] = 1;
    layout[35] = GROUPS;
    layout[36] = 1;
    layout[37] = 1;
    layout[38] = SELECT;
    layout
};

network! {
    /// Legal moves one by one.
    Serialise = serialise, held {
        in offer: &[1];
        in bank: PLANES;
        in state_in: STATE;
        out valid: &[1];
        out square: &[SQUARES];
        out direction: &[DIRECTIONS];
        out kind: &[HAND_KINDS];
        out promote: &[1];
        out first: &[1];
        out taken: &[1];
        out state: STATE;
    }
}

/// What the serialiser keeps from clock to clock.
struct State<W> {
    /// Planes taken, and squares of theirs.
    planes: Vec<W>,
    theirs: W,
    /// Groups that have not been chosen yet, and whether none has.
    left: W,
    left_first: W,
    /// The group ahead, whether there is one, whether its moves take nothing, and whether it is its position's first.
    ahead: W,
    ahead_valid: W,
    ahead_quiet: W,
    ahead_first: W,
    /// Squares of the next group, whether there is one, and whether it is its position's first.
    next: W,
    next_group: W,
    next_valid: W,
    next_first: W,
    /// Squares still to come of the last move's group, and whether there are any.
    rest: W,
    more: W,
    /// The group of the last move.
    group: W,
    /// Whether `left` has any.
    some_left: W,
    /// The planes come in this clock.
    loading: W,
    /// The group ahead as [`select`] has it.
    ahead_select: W,
}

impl<W: Word> State<W> {
    fn from_fields(f: &[W]) -> State<W> {
        State {
            planes: f[..22].to_vec(),
            theirs: f[22],
            left: f[23],
            left_first: f[24],
            ahead: f[25],
            ahead_valid: f[26],
            ahead_quiet: f[27],
            ahead_first: f[28],
            next: f[29],
            next_group: f[30],
            next_valid: f[31],
            next_first: f[32],
            rest: f[33],
            more: f[34],
            group: f[35],
            some_left: f[36],
            loading: f[37],
            ahead_select: f[38],
        }
    }

    fn fields(&self) -> Vec<W> {
        let mut fields = self.planes.clone();
        fields.extend([self.theirs, self.left, self.left_first]);
        fields.extend([self.ahead, self.ahead_valid, self.ahead_quiet, self.ahead_first]);
        fields.extend([self.next, self.next_group, self.next_valid, self.next_first]);
        fields.extend([self.rest, self.more, self.group, self.some_left, self.loading, self.ahead_select]);
        fields
    }
}

fn serialise<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [offer, bank, state] = *inputs else { panic!("three inputs") };
    let s = State::from_fields(state);

    // The last move's group if it has more, else the next: its lowest square is the move of this clock.
    let firsts = [s.rest, s.next].map(|squares| squares.lowest());
    let square = s.more.choose(firsts[0], firsts[1]);
    let group = s.more.choose(s.group, s.next_group);
    let first = !s.more & s.next_first;
    let next_free = !(s.more & s.next_valid);
    let ahead_free = next_free | !s.ahead_valid;

    let chosen = s.left.lowest();
    let left = s.left & !chosen.when(ahead_free);
    let quiet = !s.left.slice(0, CAPTURES).any();
    let fetched = fetch(&s.planes, among_of(s.theirs, s.ahead_quiet), s.ahead_select);

    // The groups are taken when the plane of the last group is fetched. The planes follow a clock later, so that much
    // hangs on a register and not on this choice: before the clock after that, no plane is fetched.
    let take = offer[0] & ahead_free & !s.some_left;
    let loaded = |at: usize, old: W| s.loading.choose(bank[at], old);

    let after = State {
        planes: s.planes.iter().enumerate().map(|(i, &old)| loaded(i, old)).collect(),
        theirs: loaded(22, s.theirs),
        left: take.choose(bank[23], left),
        left_first: take | (s.left_first & !ahead_free),
        ahead: ahead_free.choose(chosen, s.ahead),
        ahead_valid: ahead_free.choose(s.some_left, s.ahead_valid),
        ahead_quiet: ahead_free.choose(quiet, s.ahead_quiet),
        ahead_first: ahead_free.choose(s.left_first, s.ahead_first),
        next: next_free.choose(fetched.when(s.ahead_valid), s.next),
        next_group: next_free.choose(s.ahead, s.next_group),
        next_valid: next_free.choose(s.ahead_valid, s.next_valid),
        next_first: next_free.choose(s.ahead_first, s.next_first),
        rest: s.more.choose(s.rest & !firsts[0], s.next & !firsts[1]),
        more: s.more.choose(s.rest.several(), s.next.several()),
        group,
        some_left: take.choose(bank[23].any(), ahead_free.choose(s.left.several(), s.some_left)),
        loading: take,
        ahead_select: ahead_free.choose(select(chosen), s.ahead_select),
    };
    let of_direction = |d: usize| group.wires(&[0, 1, 2, 3].map(|class| (DIRECTIONS * class + d) as u8)).any();
    let direction = W::join(&(0..DIRECTIONS).map(of_direction).collect::<Vec<W>>());
    let promote = (group.slice(0, DIRECTIONS) | group.slice(2 * DIRECTIONS, DIRECTIONS)).any();
    vec![
        vec![s.more | s.next_valid],
        vec![square],
        vec![direction],
        vec![group.slice(PAWN_DROPS, HAND_KINDS)],
        vec![promote],
        vec![first],
        vec![take],
        after.fields(),
    ]
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
fn fetch<W: Word>(planes: &[W], among: W, select: W) -> W {
    let chosen = |plane: usize| planes[plane].when(select.bit(plane));
    let [last, before] = [rank_mask(0), rank_mask(1)];
    let ranks = [last, before, ALL_SQUARES & !(last | before)];
    let others = (0..3).map(|i| W::constant(ranks[i], SQUARES).when(select.bit(2 * DIRECTIONS + 1 + i)));
    (or_all((0..2 * DIRECTIONS).map(chosen)) & among) | chosen(2 * DIRECTIONS) | (planes[21] & or_all(others))
}
