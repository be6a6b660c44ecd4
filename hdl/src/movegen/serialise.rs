//! The serialiser: legal moves one by one in canonical order.
//!
//! ```text
//!               +-------------+
//!   command 3  =>             => valid 1         a move in this clock
//!   moves      =>             => square 81       its destination
//!   drops      =>  Serialise  => direction 10    its direction of travel, none for a drop
//!   holds      =>             => kind 7          the kind dropped, none for a board move
//!   theirs     =>             => promote 1
//!   state_in   =>             => state           to be wired back to `state_in`
//!               +-------------+
//! ```
//!
//! `command`: bit 0 takes the planes; bit 1, [`START_CLOCKS`] clocks later or more, starts, and with it bit 2 takes out
//! the pawn drop that would be mate. The first move comes [`FIRST_MOVE_CLOCKS`] clocks after the start, then one each
//! clock until there is none. Groups go through three registers: the one ahead (chosen), the next (its plane fetched),
//! the one of the last move (being emptied); so groups of one move cost nothing.

use super::targets::{DROP_PLANES, MOVE_PLANES, THEIR_PLANES};
use crate::network;
use crate::network::{word::or_all, Word};
use crate::position::board::{rank_mask, ALL_SQUARES};
use hayasashi_spec::moves::DIRECTIONS;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Groups of the canonical order: four classes of board moves in ten directions, seven kinds of drop.
const GROUPS: usize = 4 * DIRECTIONS + HAND_KINDS;
/// Clocks from the taking of the planes to the start, at least.
pub const START_CLOCKS: u64 = 3;
/// Clocks from the start command to the first move.
pub const FIRST_MOVE_CLOCKS: u64 = 4;

/// Groups of captures, which come first.
const CAPTURES: usize = 2 * DIRECTIONS;
/// The group of pawn drops.
const PAWN_DROPS: usize = 4 * DIRECTIONS;

/// Layout of the state, see [`State`].
pub const STATE: &[usize] = &{
    let mut layout = [SQUARES; 37];
    layout[22] = HAND_KINDS;
    layout[25] = 2;
    layout[26] = GROUPS;
    layout[27] = GROUPS;
    layout[28] = GROUPS;
    layout[29] = 1;
    layout[30] = 1;
    layout[32] = GROUPS;
    layout[33] = 1;
    layout[35] = 1;
    layout[36] = GROUPS;
    layout
};

network! {
    /// Legal moves one by one.
    Serialise = serialise {
        in command: &[1, 1, 1];
        in moves: MOVE_PLANES;
        in drops: DROP_PLANES;
        in holds: &[HAND_KINDS];
        in theirs: THEIR_PLANES;
        in state_in: STATE;
        out valid: &[1];
        out square: &[SQUARES];
        out direction: &[DIRECTIONS];
        out kind: &[HAND_KINDS];
        out promote: &[1];
        out state: STATE;
    }
}

/// What the serialiser keeps from clock to clock.
struct State<W> {
    /// Planes taken, as `moves` and `drops`, and kinds in hand.
    planes: Vec<W>,
    holds: W,
    /// Squares of theirs, and the square in front of their king.
    theirs: W,
    before_king: W,
    /// The planes were taken one clock ago, two clocks ago.
    taken: W,
    /// Groups that have a move.
    found: W,
    /// Groups that have not been chosen yet.
    left: W,
    /// The group ahead, whether there is one, and whether its moves take nothing.
    ahead: W,
    ahead_valid: W,
    ahead_quiet: W,
    /// Squares of the next group, and whether there is one.
    next: W,
    next_group: W,
    next_valid: W,
    /// Squares still to come of the last move's group, and whether there are any.
    rest: W,
    more: W,
    /// The group of the last move.
    group: W,
}

impl<W: Word> State<W> {
    fn from_fields(f: &[W]) -> State<W> {
        State {
            planes: f[..22].to_vec(),
            holds: f[22],
            theirs: f[23],
            before_king: f[24],
            taken: f[25],
            found: f[26],
            left: f[27],
            ahead: f[28],
            ahead_valid: f[29],
            ahead_quiet: f[30],
            next: f[31],
            next_group: f[32],
            next_valid: f[33],
            rest: f[34],
            more: f[35],
            group: f[36],
        }
    }

    fn fields(&self) -> Vec<W> {
        let mut fields = self.planes.clone();
        fields.extend([self.holds, self.theirs, self.before_king, self.taken, self.found, self.left]);
        fields.extend([self.ahead, self.ahead_valid, self.ahead_quiet]);
        fields.extend([self.next, self.next_group, self.next_valid, self.rest, self.more, self.group]);
        fields
    }
}

fn serialise<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [command, moves, drops, holds, theirs, state] = *inputs else { panic!("six inputs") };
    let [load, start, uchifuzume] = *command else { panic!("three commands") };
    let s = State::from_fields(state);

    // The planes: taken by `load`, then kept; at the start the one illegal pawn drop leaves.
    let mut planes: Vec<W> =
        s.planes.iter().zip(moves.iter().chain(drops)).map(|(&old, &new)| load.choose(new, old)).collect();
    planes[20] = planes[20] & !s.before_king.when(start & uchifuzume);

    // Which groups have a move: captures in the first clock after `load`, the others in the second.
    let (first, second) = (s.taken.bit(0), s.taken.bit(1));
    let among = among_of(s.theirs, !first);
    let some = nonempty(&s.planes, among);
    let hand = drops_nonempty(&s.planes, s.holds);
    let found = W::join(&[
        first.choose(some, s.found.slice(0, CAPTURES)),
        second.choose(some, s.found.slice(CAPTURES, CAPTURES)),
        hand,
    ]);

    // The last move's group if it has more, else the next: its lowest square is the move of this clock.
    let firsts = [s.rest, s.next].map(|squares| squares.lowest());
    let square = s.more.choose(firsts[0], firsts[1]);
    let group = s.more.choose(s.group, s.next_group);
    let next_free = !(s.more & s.next_valid);
    let ahead_free = next_free | !s.ahead_valid;

    let chosen = s.left.lowest();
    let left = s.left & !chosen.when(ahead_free);
    let pawn_drops = uchifuzume.choose((s.planes[20] & !s.before_king).any(), s.found.bit(PAWN_DROPS));
    let found_now = W::join(&[s.found.slice(0, PAWN_DROPS), pawn_drops, s.found.slice(PAWN_DROPS + 1, HAND_KINDS - 1)]);
    let quiet = !s.left.slice(0, CAPTURES).any();
    let fetched = fetch(&s.planes, among_of(s.theirs, s.ahead_quiet), s.ahead);

    let after = State {
        planes,
        holds: load.choose(holds[0], s.holds),
        theirs: load.choose(theirs[0], s.theirs),
        before_king: load.choose(theirs[1], s.before_king),
        taken: W::join(&[load, first]),
        found,
        left: start.choose(found_now, left).when(!load),
        ahead: ahead_free.choose(chosen, s.ahead),
        ahead_valid: ahead_free.choose(s.left.any(), s.ahead_valid),
        ahead_quiet: ahead_free.choose(quiet, s.ahead_quiet),
        next: next_free.choose(fetched.when(s.ahead_valid), s.next),
        next_group: next_free.choose(s.ahead, s.next_group),
        next_valid: next_free.choose(s.ahead_valid, s.next_valid),
        rest: s.more.choose(s.rest & !firsts[0], s.next & !firsts[1]),
        more: s.more.choose(s.rest.several(), s.next.several()),
        group,
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
        after.fields(),
    ]
}

/// Squares that moves of a class may have as destinations.
fn among_of<W: Word>(theirs: W, quiet: W) -> W {
    quiet.choose(!theirs, theirs)
}

/// Squares of a drop of a hand kind (1 lance … 6 rook) among those for any drop.
fn drop_mask(kind: usize) -> u128 {
    let dead = (0..dead_ranks(kind as u8 + 1)).fold(0, |mask, rank| mask | rank_mask(rank));
    ALL_SQUARES & !dead
}

/// The plane of a group given by one wire; `among` are the squares of its class.
fn fetch<W: Word>(planes: &[W], among: W, group: W) -> W {
    let chosen = |class: usize, d: usize| group.bit(DIRECTIONS * class + d);
    let moves = (0..DIRECTIONS).flat_map(|d| {
        let plain = planes[d].when(chosen(1, d) | chosen(3, d));
        [plain, planes[DIRECTIONS + d].when(chosen(0, d) | chosen(2, d))]
    });
    let pawns = planes[20].when(group.bit(PAWN_DROPS));
    let others = (1..HAND_KINDS).map(|kind| W::constant(drop_mask(kind), SQUARES).when(group.bit(PAWN_DROPS + kind)));
    (or_all(moves) & among) | pawns | (planes[21] & or_all(others))
}

/// Which planes of moves, first the promotions, have a square among these.
fn nonempty<W: Word>(planes: &[W], among: W) -> W {
    let (plain, promoting) = (&planes[..DIRECTIONS], &planes[DIRECTIONS..2 * DIRECTIONS]);
    let groups: Vec<W> = promoting.iter().chain(plain).map(|&p| (p & among).any()).collect();
    W::join(&groups)
}

/// Which kinds can be dropped somewhere.
fn drops_nonempty<W: Word>(planes: &[W], holds: W) -> W {
    let others = (1..HAND_KINDS).map(|k| (planes[21] & W::constant(drop_mask(k), SQUARES)).any() & holds.bit(k));
    let kinds: Vec<W> = std::iter::once(planes[20].any()).chain(others).collect();
    W::join(&kinds)
}
