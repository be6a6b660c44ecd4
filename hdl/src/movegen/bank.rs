//! The moves of the next position, as planes, and which groups of them there are.
//!
//! ```text
//!               +--------+
//!   command 2  =>        => planes      see `PLANES`, to be wired back to `planes_in`
//!   moves      =>        => board_out   the position, to `board_in`
//!   drops      =>  Bank  => empty 81    its empty squares, to `empty_in`
//!   holds      =>        |
//!   theirs     =>        |
//!   board      =>        |
//!   …_in       =>        |
//!               +--------+
//! ```
//!
//! `command`: bit 0 takes the planes; bit 1 takes out the pawn drop that would be mate. [`FOUND_CLOCKS`] clocks after the
//! first, two after the second, the groups that have a move are found, and the serialiser may take the planes. So the
//! next position waits here while the moves of the present one are given.

use super::serialise::CAPTURES;
use super::targets::{DROP_PLANES, MOVE_PLANES, THEIR_PLANES};
use crate::network;
use crate::network::Word;
use crate::position::board::{rank_mask, ALL_SQUARES};
use crate::position::{Board, BOARD};
use hayasashi_spec::moves::DIRECTIONS;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Groups of the canonical order: four classes of board moves in ten directions, seven kinds of drop.
pub const GROUPS: usize = 4 * DIRECTIONS + HAND_KINDS;
/// Clocks from the taking of the planes until the groups are found.
pub const FOUND_CLOCKS: u64 = 3;

/// Layout of what is kept: the planes as `moves` and `drops`, squares of theirs, groups found; and, for this block alone,
/// the square in front of their king, kinds in hand, whether the planes were taken one clock ago, two clocks ago,
/// and the squares of the groups that are looked at in this clock.
pub const PLANES: &[usize] = &{
    let mut layout = [SQUARES; 28];
    layout[23] = GROUPS;
    layout[25] = HAND_KINDS;
    layout[26] = 2;
    layout
};

network! {
    /// Keeps the planes of the next position.
    Bank = bank {
        in command: &[1, 1];
        in moves: MOVE_PLANES;
        in drops: DROP_PLANES;
        in holds: &[HAND_KINDS];
        in theirs: THEIR_PLANES;
        in board: BOARD;
        in planes_in: PLANES;
        in board_in: BOARD;
        in empty_in: &[SQUARES];
        out planes: PLANES;
        out board_out: BOARD;
        out empty: &[SQUARES];
    }
}

fn bank<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [command, moves, drops, holds, theirs, board, kept, board_kept, empty_kept] = *inputs else {
        panic!("nine inputs")
    };
    let [load, uchifuzume] = *command else { panic!("two commands") };
    let (planes, rest) = kept.split_at(22);
    let [their, found, before_king, held, taken, among] = *rest else { panic!("six fields") };
    let take = |new: &[W], old: &[W]| -> Vec<W> { new.iter().zip(old).map(|(&n, &o)| load.choose(n, o)).collect() };

    // Which groups have a move: captures in the first clock after the planes were taken, the others in the second.
    let (first, second) = (taken.bit(0), taken.bit(1));
    let some = nonempty(planes, among);
    let found = W::join(&[
        first.choose(some, found.slice(0, CAPTURES)),
        second.choose(some, found.slice(CAPTURES, CAPTURES)),
        drops_nonempty(planes, held),
    ]);

    let mut after = take(&[moves, drops].concat(), planes);
    after[20] = after[20] & !before_king.when(uchifuzume);
    after.push(load.choose(theirs[0], their));
    after.push(found);
    after.push(load.choose(theirs[1], before_king));
    after.push(load.choose(holds[0], held));
    after.push(W::join(&[load, first]));
    after.push(load.choose(theirs[0], !their));
    let empty = !Board::from_fields(board).occupied();
    vec![after, take(board, board_kept), take(&[empty], empty_kept)]
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

/// Squares of a drop of a hand kind (1 lance … 6 rook) among those for any drop.
fn drop_mask(kind: usize) -> u128 {
    let dead = (0..dead_ranks(kind as u8 + 1)).fold(0, |mask, rank| mask | rank_mask(rank));
    ALL_SQUARES & !dead
}
