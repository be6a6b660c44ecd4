//! Where own pieces arrive, by direction of travel, and where they may land.
//!
//! ```text
//!                    +------------+
//!   tag 22          =>            => tag_out 22
//!   drops 97        =>            => drops_out 97
//!   checks 3        =>  Arrivals  => checks_out 3
//!   movers 19 x 81  =>            => squares 6 x 81     see `Squares`
//!   near 17 x 81    =>            => arrivals 17 x 81   see `ArrivalPlanes`
//!   reach 6 x 81    =>            -> stays              the position is no node
//!                    +------------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock. Throughput: one position per clock.
//! Absent: which arrivals are legal ([`super::targets`]).
//! Cost: 2,361 flip-flops and 17 rays, whose first parts are made in the stage before, where the kinds of pieces are decoded
//! ([`Movers`]). What arrives on squares where nothing may land is taken out in the next stage ([`super::targets`]).
//! Model: `host/model/src/movegen/targets.rs`.

use crate::attacks::legality::{Checks, DropRules, Reach};
use crate::attacks::movers::{by_direction, Movers, NearRays};
use crate::network::{Wire, Word};
use crate::position::board::{rank_mask, Plane, ALL_SQUARES};
use crate::position::Tag;
use crate::{bundle, network};
use hayasashi_spec::moves::{Direction, RAYS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

bundle! {
    /// Where own pieces other than the king arrive, whether they may land there or not. From one direction only one piece can
    /// arrive on a square.
    ///
    /// A plane of legal moves is one of these planes and [`Squares::landing`]. The king's moves come to it: a plane without
    /// promotion has the one in its direction too, which is the king moved by a step and [`Squares::king_moves`]. The two
    /// jumps of a knight have no planes of their own: they are the plane of knights moved by wires. See
    /// [`super::keep`].
    pub struct ArrivalPlanes {
        /// By the eight ray directions, without promotion.
        plain: [Plane; RAYS],
        /// With promotion.
        promoting: [Plane; RAYS],
        /// Own knights that may move.
        knights: Plane,
    }
}

bundle! {
    /// Squares that tell which arrivals are legal.
    pub struct Squares {
        /// The mover's king.
        king: Plane,
        /// Where the king may move.
        king_moves: Plane,
        /// Where other pieces may land: against one check the checking piece and the squares between, against two none;
        /// else every square without an own piece.
        landing: Plane,
        /// Empty squares.
        empty: Plane,
        /// Squares of their pieces.
        theirs: Plane,
        /// Squares to which the enemy's king cannot move for other reasons than [`ArrivalPlanes`]: its own pieces stand there,
        /// or the mover's king is next to it. All squares where an own piece is pinned: it is not among the arrivals, but
        /// attacks all the same.
        closed: Plane,
    }
}

network! {
    /// Where own pieces arrive.
    Arrivals = arrivals(ArrivalsIn) -> ArrivalsOut {
        in tag: Tag;
        in drops: DropRules;
        in checks: Checks;
        in movers: Movers;
        in near: NearRays;
        in reach: Reach;
        out tag_out: Tag;
        out stays: Wire;
        out drops_out: DropRules;
        out checks_out: Checks;
        out squares: Squares;
        out arrivals: ArrivalPlanes;
    }
}

fn arrivals<W: Word>(inputs: ArrivalsIn<W>) -> ArrivalsOut<W> {
    let ArrivalsIn { tag, drops, checks, movers, near, reach } = inputs;
    let Reach { king, beside_king, empty, own, king_moves, parries } = reach;
    let mut plain = by_direction(|d| movers.arrive(d, &near, empty));
    let north = Direction::North as usize;
    let last_rank = W::constant(rank_mask(0), SQUARES);
    plain[north] = (plain[north] & !last_rank) | (movers.arrive_north(&near, empty) & last_rank);
    let promoting = by_direction(|d| movers.arrive_promoting(d, &near, empty));

    let anywhere = W::constant(ALL_SQUARES, SQUARES);
    let evasion = checks.check.choose(parries.when(!checks.double_check), anywhere).named("evasion");
    let theirs = !empty & !own;
    let closed = theirs | checks.pinned.choose(anywhere, beside_king);
    ArrivalsOut {
        tag_out: tag,
        stays: !(tag.node & !tag.mate),
        drops_out: drops,
        checks_out: checks,
        squares: Squares { king, king_moves, landing: evasion & !own, empty, theirs, closed },
        arrivals: ArrivalPlanes { plain, promoting, knights: movers.knights },
    }
}
