//! Where own pieces arrive, by direction of travel.
//!
//! ```text
//!                    +------------+
//!   tag 48          =>            => tag_out 48
//!   board 447       =>            => board_out 447
//!   checks 2        =>  Arrivals  => checks_out 2
//!   movers 25 x 81  =>            => reach_out 5 x 81
//!   reach 5 x 81    =>            => arrivals 18 x 81   see `ArrivalPlanes`
//!                    +------------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock. Throughput: one position per clock.
//! Absent: the king's moves, and which arrivals are legal.
//! Cost: 2,360 flip-flops and 17 rays, which take the whole clock: which pieces move is decoded in the stage before
//! ([`Movers`]), and which arrivals are legal is decided in the next stage ([`super::targets`]).
//! Model: `host/model/src/movegen/targets.rs`.

use crate::attacks::legality::{Checks, Reach};
use crate::attacks::movers::Movers;
use crate::attacks::{ray::ray, ray_directions};
use crate::network::Word;
use crate::position::board::{rank_mask, shift, Plane, ALL_SQUARES, ZONE};
use crate::position::{Board, Tag};
use crate::{bundle, network};
use hayasashi_spec::moves::{Direction, RAYS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

bundle! {
    /// Where own pieces arrive.
    pub struct ArrivalPlanes {
        /// By the eight ray directions.
        plain: [Plane; RAYS],
        /// Those that may promote.
        promoting: [Plane; RAYS],
        /// By the two jumps of the knight.
        jumps: [Plane; 2],
    }
}

network! {
    /// Where own pieces arrive.
    Arrivals = arrivals(ArrivalsIn) -> ArrivalsOut {
        in tag: Tag;
        in board: Board;
        in checks: Checks;
        in movers: Movers;
        in reach: Reach;
        out tag_out: Tag;
        out board_out: Board;
        out checks_out: Checks;
        out reach_out: Reach;
        out arrivals: ArrivalPlanes;
    }
}

fn arrivals<W: Word>(inputs: ArrivalsIn<W>) -> ArrivalsOut<W> {
    let ArrivalsIn { tag, board, checks, movers, reach } = inputs;
    let empty = reach.empty;
    let mut plain = direction_planes(|d| movers.arrive(d, false, ALL_SQUARES, empty));
    let north = Direction::North as usize;
    let must_promote = ray(Direction::North, movers.lances, empty) | shift(Direction::North, movers.pawns);
    plain[north] = plain[north] & !(must_promote.named("must_promote") & W::constant(rank_mask(0), SQUARES));
    // A promotion needs the zone at either end: see the targets.
    let promoting = direction_planes(|d| {
        let (from, to) = if d.step().1 <= 0 { (ALL_SQUARES, ZONE) } else { (ZONE, ALL_SQUARES) };
        movers.arrive(d, true, from, empty) & W::constant(to, SQUARES)
    });
    let jumps = [Direction::KnightEast, Direction::KnightWest].map(|d| shift(d, movers.knights));
    ArrivalsOut {
        tag_out: tag,
        board_out: board,
        checks_out: checks,
        reach_out: reach,
        arrivals: ArrivalPlanes { plain, promoting, jumps },
    }
}

/// A plane for each ray direction.
fn direction_planes<W: Word>(plane: impl Fn(Direction) -> W) -> [W; RAYS] {
    let planes: Vec<W> = ray_directions().map(plane).collect();
    planes.try_into().unwrap_or_else(|_| unreachable!("a plane for each direction"))
}
