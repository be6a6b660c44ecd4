//! Where own pieces arrive, by direction of travel.
//!
//! ```text
//!             +------------+
//!   tag      =>            => tag_out
//!   board    =>            => board_out
//!   checks   =>  Arrivals  => checks_out
//!   movers   =>            => reach_out
//!   reach    =>            => arrivals 18 x 81   see `ARRIVALS`
//!             +------------+
//! ```
//!
//! Latency one clock, one position per clock. The rays fill a clock by themselves: which pieces move is decoded in the stage
//! before ([`Movers`]), and which arrivals are legal is seen in the one behind ([`super::targets`]).

use super::slot::TAG;
use crate::attacks::legality::{Reach, REACH};
use crate::attacks::rays::{groups, of};
use crate::attacks::{axis, ray::ray, ray_directions};
use crate::network;
use crate::network::Word;
use crate::position::board::{rank_mask, shift, ALL_SQUARES, ZONE};
use crate::position::{Board, BOARD};
use hayasashi_spec::moves::{Direction, DIRECTIONS, RAYS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Groups of directions along one axis in which the same kinds slide, step, slide and may promote, step and may promote.
const GROUPS: [usize; 4] = [5, 7, 5, 5];
/// Layout of [`Movers`].
pub const MOVERS: &[usize] = &[SQUARES; GROUPS[0] + GROUPS[1] + GROUPS[2] + GROUPS[3] + 3];
/// Layout of arrivals: by the eight ray directions, then of those that promote, then by the two of the knight.
pub const ARRIVALS: &[usize] = &[SQUARES; RAYS + DIRECTIONS];

network! {
    /// Where own pieces arrive.
    Arrivals = arrivals {
        in tag: TAG;
        in board: BOARD;
        in checks: &[1, 1];
        in movers: MOVERS;
        in reach: REACH;
        out tag_out: TAG;
        out board_out: BOARD;
        out checks_out: &[1, 1];
        out reach_out: REACH;
        out arrivals: ARRIVALS;
    }
}

/// Own pieces that no pin keeps from moving, by what they do along an axis.
pub struct Movers<W> {
    /// For each of [`GROUPS`], a plane for each group.
    groups: Vec<Vec<W>>,
    /// Lances and pawns, which must promote on the last rank.
    lances: W,
    pawns: W,
    knights: W,
}

const MOVES: [fn(Direction, u8) -> bool; 4] =
    [slides, steps, |d, kind| slides(d, kind) && promotable(kind), |d, kind| steps(d, kind) && promotable(kind)];

fn slides(d: Direction, kind: u8) -> bool {
    d.slides(kind)
}

/// Whether a piece other than the king goes one step, no more.
fn steps(d: Direction, kind: u8) -> bool {
    d.steps(kind) && !d.slides(kind) && kind != KING
}

impl<W: Word> Movers<W> {
    /// Decodes a position, of which these own pieces may move along each axis.
    pub fn of(board: &Board<W>, movable: &[W]) -> Movers<W> {
        let planes = |moves: fn(Direction, u8) -> bool| -> Vec<W> {
            let along = |d: Direction| board.kinds(|k| moves(d, k)) & movable[axis(d)];
            groups(moves, axis).iter().map(|group| along(group[0])).collect()
        };
        Movers {
            groups: MOVES.map(planes).to_vec(),
            lances: board.kind(LANCE) & movable[0],
            pawns: board.kind(PAWN) & movable[0],
            // A pinned knight never moves: it must be free along every axis.
            knights: board.kind(KNIGHT) & movable[0] & movable[1],
        }
    }

    /// As on a bus.
    pub fn fields(&self) -> Vec<W> {
        [&self.groups.concat()[..], &[self.lances, self.pawns, self.knights]].concat()
    }

    fn from_fields(fields: &[W]) -> Movers<W> {
        let mut rest = fields;
        let groups = GROUPS.map(|count| {
            let (group, others) = rest.split_at(count);
            rest = others;
            group.to_vec()
        });
        let [lances, pawns, knights] = *rest else { panic!("three planes behind the groups") };
        Movers { groups: groups.to_vec(), lances, pawns, knights }
    }

    /// Where they arrive in a direction; of those that may promote only, if `promoting`, and that stand among these.
    fn arrive(&self, d: Direction, promoting: bool, among: u128, empty: W) -> W {
        let first = 2 * promoting as usize;
        let [sliders, steppers] = [first, first + 1].map(|i| {
            let plane: W = of(d, &groups(MOVES[i], axis), &self.groups[i]);
            plane & W::constant(among, SQUARES)
        });
        ray(d, sliders, empty) | shift(d, steppers)
    }
}

fn arrivals<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [tag, board, checks, movers, reach] = *inputs else { panic!("five inputs") };
    let (movers, empty) = (Movers::from_fields(movers), Reach::from_fields(reach).empty);
    let plain = ray_directions().map(|d| {
        let pieces = movers.arrive(d, false, ALL_SQUARES, empty);
        if d != Direction::North {
            return pieces;
        }
        let must_promote = ray(d, movers.lances, empty) | shift(d, movers.pawns);
        pieces & !(must_promote & W::constant(rank_mask(0), SQUARES))
    });
    // A promotion needs the zone at either end: see the targets.
    let promoting = ray_directions().map(|d| {
        let (from, to) = if d.step().1 <= 0 { (ALL_SQUARES, ZONE) } else { (ZONE, ALL_SQUARES) };
        movers.arrive(d, true, from, empty) & W::constant(to, SQUARES)
    });
    let jumps = [Direction::KnightEast, Direction::KnightWest].map(|d| shift(d, movers.knights));
    let arrivals = plain.chain(promoting).chain(jumps).collect();
    vec![tag.to_vec(), board.to_vec(), checks.to_vec(), reach.to_vec(), arrivals]
}
