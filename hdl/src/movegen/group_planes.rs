//! The groups of a position's moves: which there are, and the squares of each.
//!
//! Functions for [`super::bank`], no block.
//! Model: `host/model/src/movegen/serialise.rs`.

use super::keep::KeptMoves;
use super::targets::DropPlanes;
use crate::network::{word::or_all, Word};
use crate::position::board::{rank_mask, ALL_SQUARES};
use hayasashi_spec::moves::DIRECTIONS;
use hayasashi_spec::piece::*;

/// Groups of the canonical order: four classes of board moves in ten directions, seven kinds of drop.
pub const GROUPS: usize = 4 * DIRECTIONS + HAND_KINDS;
/// Groups of captures, which come first.
pub(super) const CAPTURES: usize = 2 * DIRECTIONS;
/// The group of pawn drops.
pub(super) const PAWN_DROPS: usize = 4 * DIRECTIONS;
/// Wires that tell which plane a group has: by direction without promotion, with promotion, drops of pawns, and drops of
/// others on the last rank, on the one before, on the rest.
pub(super) const SELECT: usize = 2 * DIRECTIONS + 4;

/// Of these squares, those to which the king may go, and those on which other pieces may land.
pub(super) fn among<W: Word>(moves: &KeptMoves<W>, squares: W) -> [W; 2] {
    [squares & moves.king_moves, squares & moves.landing]
}

/// Which groups of board moves, first the promotions, have a move to a square among these.
pub(super) fn nonempty<W: Word>(moves: &KeptMoves<W>, [of_king, of_others]: [W; 2]) -> W {
    let king = moves.king_goes(of_king).extend(DIRECTIONS);
    let others = |first: usize| {
        let planes = (first..first + DIRECTIONS).map(|i| (moves.arrivals(i) & of_others).any());
        W::join(&planes.collect::<Vec<W>>())
    };
    W::join(&[others(DIRECTIONS), others(0) | king])
}

/// Which kinds can be dropped somewhere.
pub(super) fn drops_nonempty<W: Word>(drops: &DropPlanes<W>, holds: W) -> W {
    let others = (1..HAND_KINDS).map(|k| (drops.other & W::constant(drop_mask(k), SQUARES)).any() & holds.bit(k));
    let kinds: Vec<W> = std::iter::once(drops.pawn.any()).chain(others).collect();
    W::join(&kinds)
}

/// Squares of a drop of a hand kind (1 lance … 6 rook) among those for any drop.
fn drop_mask(kind: usize) -> u128 {
    let dead = (0..dead_ranks(kind as u8 + 1)).fold(0, |mask, rank| mask | rank_mask(rank));
    ALL_SQUARES & !dead
}

/// Which plane a group has that is given by one wire. Kept beside it, since a plane's 81 gates hang on each wire.
pub(super) fn select<W: Word>(group: W) -> W {
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

/// The squares that [`select`] tells, of board moves among these of the king and of other pieces.
pub(super) fn fetch<W: Word>(
    moves: &KeptMoves<W>,
    drops: &DropPlanes<W>,
    [of_king, of_others]: [W; 2],
    select: W,
) -> W {
    let [last, before] = [rank_mask(0), rank_mask(1)];
    let ranks = [last, before, ALL_SQUARES & !(last | before)];
    let planes = (0..2 * DIRECTIONS).map(|i| moves.arrivals(i).when(select.bit(i)));
    let arrivals = or_all(planes).named("arrivals");
    let king = moves.king_arrives(of_king, select.slice(0, DIRECTIONS)).named("king_arrives");
    let other_ranks = or_all((0..3).map(|i| W::constant(ranks[i], SQUARES).when(select.bit(2 * DIRECTIONS + 1 + i))));
    (arrivals & of_others)
        | king
        | drops.pawn.when(select.bit(2 * DIRECTIONS))
        | (drops.other & other_ranks.named("other_ranks"))
}
