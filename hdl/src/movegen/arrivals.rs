//! Where own pieces arrive, and what they must do against a check.
//!
//! ```text
//!               +------------+
//!   tag        =>            => tag_out          `check` filled in
//!   board      =>            => board_out
//!   checks     =>  Arrivals  => arrivals 8 x 81  by direction: any piece but king and knights
//!   movable    =>            => promotable 8 x 81   of these, pieces that may promote (if the zone is touched)
//!   reach      =>            => forward 9        of these on rank a from the south, pawns and lances
//!               |            => landing 5 x 81   see `Landing`
//!               +------------+
//! ```
//!
//! Latency one clock, one position per clock. From one direction only one own piece can arrive on a square. Away from
//! the enemy a piece promotes because it leaves the zone, so that in those directions `promotable` counts only pieces
//! in the zone. Against one check another piece than the king may land on the checking piece or between, against two checks
//! nowhere.

use super::slot::{Tag, TAG};
use crate::attacks::legality::{Reach, REACH};
use crate::attacks::rays::{AXIS_PLANES, RAY_PLANES};
use crate::attacks::{axis, ray::ray_and_steps, ray_directions};
use crate::network;
use crate::network::Word;
use crate::position::board::{ALL_SQUARES, ZONE};
use crate::position::{Board, BOARD};
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Layout of [`Landing`].
pub const LANDING: &[usize] = &[SQUARES; 5];

/// What limits the moves of the next stage.
pub struct Landing<W> {
    /// Squares on which a piece other than the king may land.
    pub board: W,
    /// Squares on which a piece may be dropped.
    pub drop: W,
    /// The king.
    pub king: W,
    /// Squares that the king may step to if they are next to it.
    pub free: W,
    /// Knights that may move.
    pub knights: W,
}

impl<W: Word> Landing<W> {
    pub fn from_fields(fields: &[W]) -> Landing<W> {
        let [board, drop, king, free, knights] = *fields else { panic!("five planes") };
        Landing { board, drop, king, free, knights }
    }

    fn fields(&self) -> Vec<W> {
        vec![self.board, self.drop, self.king, self.free, self.knights]
    }
}

network! {
    /// Arrivals of own pieces.
    Arrivals = arrivals {
        in tag: TAG;
        in board: BOARD;
        in checks: &[1, 1];
        in movable: AXIS_PLANES;
        in reach: REACH;
        out tag_out: TAG;
        out board_out: BOARD;
        out arrivals: RAY_PLANES;
        out promotable: RAY_PLANES;
        out forward: &[SIDE];
        out landing: LANDING;
    }
}

fn arrivals<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [tag, board_fields, checks, movable, reach] = *inputs else { panic!("five inputs") };
    let [check, double_check] = *checks else { panic!("two wires") };
    let board = Board::from_fields(board_fields);
    let reach = Reach::from_fields(reach);

    let from = |d: Direction, wanted: fn(u8) -> bool, among: W| {
        let sliders = board.kinds(|k| d.slides(k) && wanted(k)) & among;
        let movers = board.kinds(|k| (d.slides(k) || d.steps(k)) && k != KING && wanted(k)) & among;
        ray_and_steps(d, sliders, movers, reach.empty)
    };
    let arrivals = ray_directions().map(|d| from(d, |_| true, movable[axis(d)])).collect();
    let promotable = ray_directions().map(|d| {
        let zone = if d.step().1 > 0 { ZONE } else { ALL_SQUARES };
        from(d, promotable, movable[axis(d)] & W::constant(zone, SQUARES))
    });
    let forward = from(Direction::North, |k| dead_ranks(k) == 1, movable[axis(Direction::North)]);
    let rank_a: Vec<u8> = (0..SIDE).map(|file| square(file, 0) as u8).collect();

    let evasion = check.choose(reach.parries.when(!double_check), W::constant(ALL_SQUARES, SQUARES));
    let landing = Landing {
        board: evasion & !reach.own,
        drop: evasion & reach.empty,
        king: reach.king,
        free: reach.free,
        // A pinned knight never moves: it must be free along every axis.
        knights: board.kind(KNIGHT) & movable[0] & movable[1],
    };

    let mut tag = Tag::from_fields(tag);
    tag.check = tag.mate.choose(tag.check, check);
    vec![
        tag.fields(),
        board_fields.to_vec(),
        arrivals,
        promotable.collect(),
        vec![forward.wires(&rank_a)],
        landing.fields(),
    ]
}
