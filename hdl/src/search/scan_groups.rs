//! The groups of moves that a scan finds: which there are, and the squares of each.
//!
//! Functions for [`super::scan`], no block.
//! Model: `host/model/src/movegen/targets.rs`.

use super::aim::{Aim, QUIET_GROUPS};
use super::look::CheckLines;
use crate::movegen::arrivals::{ArrivalPlanes, Squares};
use crate::movegen::keep::{by_class, KeptMoves, LookedAt};
use crate::movegen::targets::{among, DropPlanes};
use crate::network::word::or_all;
use crate::network::Word;
use crate::position::board::{rank_mask, ALL_SQUARES};
use hayasashi_spec::moves::{DIRECTIONS, RAYS};
use hayasashi_spec::piece::*;

/// Groups: promotions by direction, other moves by direction, drops by kind.
pub const GROUPS: usize = DIRECTIONS + QUIET_GROUPS;

/// Ranks on which some kinds may not be dropped: the last one, the one before, and the rest.
const RANKS: [u128; 3] = [rank_mask(0), rank_mask(1), ALL_SQUARES & !(rank_mask(0) | rank_mask(1))];

/// Where a scan finds moves.
pub struct Moves<W: Word> {
    /// Board moves to the squares of the aim.
    board: KeptMoves<W>,
    /// Drops.
    drops: DropPlanes<W>,
    /// Hand kinds that the mover has.
    holds: W,
}

impl<W: Word> Moves<W> {
    /// The moves to the squares of an aim.
    pub fn of(
        aim: &Aim<W>,
        squares: &Squares<W>,
        arrivals: &ArrivalPlanes<W>,
        drops: DropPlanes<W>,
        holds: W,
    ) -> Moves<W> {
        let board = KeptMoves {
            arrivals: *arrivals,
            king: by_class(squares.king),
            king_moves: squares.king_moves,
            landing: squares.landing,
            theirs: squares.theirs,
            looked_at: LookedAt { king: by_class(aim.king), others: aim.others },
        };
        Moves { board, drops, holds }
    }

    /// The groups that have a move, one wire each.
    pub fn some(&self, aim: &Aim<W>) -> W {
        let some = |i: usize| (self.board.arrivals(i) & aim.others).any();
        let [plain, promoting] =
            [0, DIRECTIONS].map(|first| W::join(&(first..first + DIRECTIONS).map(some).collect::<Vec<W>>()));
        let king = self.board.king_goes().extend(DIRECTIONS);
        let on = RANKS.map(|ranks| among(ranks, self.drops.other & aim.others).any());
        let drops = (0..HAND_KINDS).map(|k| match dead_ranks(k as u8 + 1) {
            _ if k == 0 => (self.drops.pawn & aim.others).any(),
            dead => or_all(on[dead..].iter().copied()) & self.holds.bit(k),
        });
        let drops = W::join(&drops.collect::<Vec<W>>());
        W::join(&[promoting.when(aim.promoting), (W::join(&[plain | king, drops])) & aim.groups])
    }

    /// The squares of a group, which is given by one wire.
    pub fn squares(&self, aim: &Aim<W>, lines: &CheckLines<W>, group: W) -> W {
        let [promoting, plain] = [0, DIRECTIONS].map(|first| group.slice(first, DIRECTIONS));
        let drop = |kinds: &[u8]| {
            let wires: Vec<u8> = kinds.iter().map(|kind| (2 * DIRECTIONS) as u8 + kind - PAWN).collect();
            group.wires(&wires).any()
        };
        let by_arrival = |d: usize| {
            self.board.arrivals(d).when(plain.bit(d)) | self.board.arrivals(DIRECTIONS + d).when(promoting.bit(d))
        };
        let arrivals = or_all((0..DIRECTIONS).map(by_arrival)).named("group_arrivals");
        let king = self.board.king_arrives(aim.king, plain.slice(0, RAYS)).named("king_arrives");

        let all = |on: W, squares: u128| on.choose(W::constant(squares, SQUARES), W::zero(SQUARES));
        let others = [LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK];
        let ranks = (0..3).map(|rank| {
            let kinds: Vec<u8> = others.into_iter().filter(|&kind| dead_ranks(kind) <= rank).collect();
            all(drop(&kinds), RANKS[rank])
        });
        let dropped = self.drops.pawn.when(drop(&[PAWN])) | (self.drops.other & or_all(ranks).named("drop_ranks"));
        // As near as few gates tell where each kind checks.
        let checking = lines.beside.when(drop(&[PAWN, SILVER, GOLD]))
            | lines.straight.when(drop(&[LANCE, ROOK]))
            | lines.knight.when(drop(&[KNIGHT]))
            | lines.diagonal.when(drop(&[BISHOP]));
        let dropped = dropped & (checking.named("drop_checks") | all(!aim.checks, ALL_SQUARES));
        ((arrivals | dropped) & aim.others) | king
    }
}
