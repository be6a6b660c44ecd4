//! The groups of a position's moves: which there are, and the squares of each.
//!
//! Functions for [`super::bank`], no block.
//! Model: `host/model/src/movegen/serialise.rs`.

use super::keep::KeptMoves;
use super::targets::{among, DropPlanes};
use crate::bundle;
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::position::board::{rank_mask, ALL_SQUARES};
use hayasashi_spec::moves::{DIRECTIONS, RAYS};
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

/// Squares of a part of a plane.
const PART: usize = 8;
/// Parts of a plane.
const PARTS: usize = SQUARES.div_ceil(PART);
/// Parts of the ranks on which every kind may be dropped.
const DROP_PARTS: usize = (SQUARES - 2 * SIDE).div_ceil(PART);

bundle! {
    /// Whether there are moves to the squares looked at, part by part: a plane is too wide for one clock.
    pub struct MoveParts {
        /// By kind of move, see [`KeptMoves::arrivals`].
        arrivals: [Wires<PARTS>; 2 * DIRECTIONS],
        /// The directions in which the king goes.
        king: Wires<RAYS>,
    }
}

bundle! {
    /// Whether there are squares for drops, part by part.
    pub struct DropParts {
        /// Of a pawn.
        pawn: Wires<PARTS>,
        /// Of another piece, on the last rank and on the one before.
        ranks: [Wire; 2],
        /// On the rest.
        rest: Wires<DROP_PARTS>,
    }
}

/// Whether there is a square among these in each part.
fn parts<W: Word>(plane: W) -> W {
    let part = |low: usize| plane.slice(low, PART.min(plane.width() - low)).any();
    W::join(&(0..plane.width()).step_by(PART).map(part).collect::<Vec<W>>())
}

impl<W: Word> MoveParts<W> {
    /// Of the moves to the squares that are looked at.
    pub(super) fn of(moves: &KeptMoves<W>) -> MoveParts<W> {
        MoveParts {
            arrivals: std::array::from_fn(|i| parts(moves.arrivals(i) & moves.looked_at.others)),
            king: moves.king_goes(),
        }
    }

    /// Which groups of board moves, first the promotions, have a move.
    pub(super) fn some(&self) -> W {
        let king = self.king.extend(DIRECTIONS);
        let [plain, promoting] = [0, DIRECTIONS].map(|first| {
            W::join(&self.arrivals[first..first + DIRECTIONS].iter().map(|p| p.any()).collect::<Vec<W>>())
        });
        W::join(&[promoting, plain | king])
    }
}

impl<W: Word> DropParts<W> {
    /// Of these squares.
    pub(super) fn of(drops: &DropPlanes<W>) -> DropParts<W> {
        let ranks = [0, 1].map(|rank| among(rank_mask(rank), drops.other).any());
        let rest = parts(among(ALL_SQUARES & !(rank_mask(0) | rank_mask(1)), drops.other));
        DropParts { pawn: parts(drops.pawn), ranks, rest }
    }

    /// Which kinds in hand can be dropped somewhere.
    pub(super) fn some(&self, holds: W) -> W {
        let [last, before] = self.ranks;
        let knight = self.rest.any();
        let lance = knight | before;
        let by_dead_ranks = [lance | last, lance, knight];
        let others = (1..HAND_KINDS).map(|k| by_dead_ranks[dead_ranks(k as u8 + 1)] & holds.bit(k));
        W::join(&std::iter::once(self.pawn.any()).chain(others).collect::<Vec<W>>())
    }
}

/// Of these squares, those to which the king may go, and those on which other pieces may land.
pub(super) fn landing<W: Word>(moves: &KeptMoves<W>, squares: W) -> [W; 2] {
    [squares & moves.king_moves, squares & moves.landing]
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
