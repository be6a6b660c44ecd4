//! The serialiser: legal moves one by one in canonical order.
//!
//! ```text
//!               +-------------+
//!   command 3  =>             => valid 1         a move in this clock
//!   image      =>             => square 81       its destination
//!   moves      =>  Serialise  => group 47        its class and plane (one wire each, in canonical order)
//!   drops      =>             => state           to be wired back to `state_in`
//!   holds      =>             |
//!   state_in   =>             |
//!               +-------------+
//! ```
//!
//! `command`: bit 0 takes the planes, bit 1 (a later clock) starts, and with it bit 2 takes out the pawn drop that
//! would be mate. The first move comes [`FIRST_MOVE_CLOCKS`] clocks after the start, then one each clock until there is
//! none. The next plane is fetched while one is being emptied, so that planes of one move cost nothing.

use super::targets::{DROP_PLANES, MOVE_PLANES};
use crate::network;
use crate::network::{word::or_all, Word};
use crate::position::board::{rank_mask, shift, Board, ALL_SQUARES, IMAGE};
use hayasashi_spec::moves::{Direction, DIRECTIONS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Groups of the canonical order: four classes of board moves in ten directions, seven kinds of drop.
pub const GROUPS: usize = 4 * DIRECTIONS + HAND_KINDS;
/// Clocks from the start command to the first move.
pub const FIRST_MOVE_CLOCKS: u64 = 4;

/// Layout of the state: planes (as `moves` and `drops`), kinds in hand, groups not yet fetched, the plane fetched with
/// its group, the plane being emptied with its group.
pub const STATE: &[usize] = &{
    let mut layout = [SQUARES; 28];
    layout[22] = HAND_KINDS;
    layout[23] = GROUPS;
    layout[25] = GROUPS;
    layout[27] = GROUPS;
    layout
};

network! {
    /// Legal moves one by one.
    Serialise = serialise {
        in command: &[1, 1, 1];
        in image: IMAGE;
        in moves: MOVE_PLANES;
        in drops: DROP_PLANES;
        in holds: &[HAND_KINDS];
        in state_in: STATE;
        out valid: &[1];
        out square: &[SQUARES];
        out group: &[GROUPS];
        out state: STATE;
    }
}

fn serialise<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [command, image, moves, drops, holds, state] = *inputs else { panic!("six inputs") };
    let [load, start, uchifuzume] = *command else { panic!("three commands") };
    let board = Board::from_image(image);
    let (planes, holds_kept, left) = (&state[..22], state[22], state[23]);
    let (next, next_group, current, current_group) = (state[24], state[25], state[26], state[27]);

    // The planes: taken by `load`, then kept; at the start the one illegal pawn drop leaves.
    let before_king = shift(Direction::South, board.kind(KING) & board.theirs());
    let mut kept: Vec<W> =
        planes.iter().zip(moves.iter().chain(drops)).map(|(&old, &new)| load.choose(new, old)).collect();
    kept[20] = kept[20] & !before_king.when(start & uchifuzume);
    let holds_kept = load.choose(holds[0], holds_kept);

    // The plane being emptied: its lowest square is the move of this clock.
    let rest = current & current.minus(W::constant(1, SQUARES), SQUARES);
    let square = current & !rest;
    let move_on = !rest.any();
    let refill = move_on | !next.any();

    // The plane ahead.
    let lowest = left & (!left).plus(W::constant(1, GROUPS), GROUPS);
    let fetched = fetch(planes, state[22], board.theirs(), lowest);
    let fresh = nonempty(&kept, holds_kept, board.theirs());
    let left = start.choose(fresh, left & !lowest.when(refill));
    let idle = |plane: W| (!start).choose(plane, W::zero(plane.width()));
    let next_state = [refill.choose(fetched, next), refill.choose(lowest, next_group)];
    let current_state = [move_on.choose(next, rest), move_on.choose(next_group, current_group)];

    let mut state = kept;
    state.extend([holds_kept, left]);
    state.extend(next_state.map(idle));
    state.extend(current_state.map(idle));
    vec![vec![current.any() & !start], vec![square], vec![current_group], state]
}

/// Squares of a drop of a hand kind (1 lance … 6 rook) among those for any drop.
fn drop_mask(kind: usize) -> u128 {
    let dead = (0..dead_ranks(kind as u8 + 1)).fold(0, |mask, rank| mask | rank_mask(rank));
    ALL_SQUARES & !dead
}

/// The plane of a group given by one wire.
fn fetch<W: Word>(planes: &[W], holds: W, theirs: W, group: W) -> W {
    let chosen = |class: usize, d: usize| group.bit(DIRECTIONS * class + d);
    let mut parts = Vec::new();
    for d in 0..DIRECTIONS {
        let (plain, promoting) = (planes[d], planes[DIRECTIONS + d]);
        let captures = promoting.when(chosen(0, d)) | plain.when(chosen(1, d));
        let quiet = promoting.when(chosen(2, d)) | plain.when(chosen(3, d));
        parts.push((captures & theirs) | (quiet & !theirs));
    }
    parts.push(planes[20].when(group.bit(4 * DIRECTIONS)));
    for kind in 1..HAND_KINDS {
        let wanted = group.bit(4 * DIRECTIONS + kind) & holds.bit(kind);
        parts.push((planes[21] & W::constant(drop_mask(kind), SQUARES)).when(wanted));
    }
    or_all(parts)
}

/// Which groups have a move.
fn nonempty<W: Word>(planes: &[W], holds: W, theirs: W) -> W {
    let (plain, promoting) = (&planes[..DIRECTIONS], &planes[DIRECTIONS..2 * DIRECTIONS]);
    let classes = [(promoting, theirs), (plain, theirs), (promoting, !theirs), (plain, !theirs)];
    let mut groups: Vec<W> = classes.iter().flat_map(|(of, among)| of.iter().map(|&p| (p & *among).any())).collect();
    groups.push(planes[20].any());
    for kind in 1..HAND_KINDS {
        groups.push((planes[21] & W::constant(drop_mask(kind), SQUARES)).any() & holds.bit(kind));
    }
    W::join(&groups)
}
