//! What the picker knows of a position besides its legal moves: whose moves are looked for, and squares that check.
//!
//! ```text
//!                    +----------+
//!   movers 19 x 81  =>          => movers_out 19 x 81   without those that are not looked for
//!   empty 81        =>  Filter  => near 17 x 81         the first parts of their rays
//!   attacks 6 x 81  =>          => by_them 81           squares that they attack
//!   attacked_only   ->          |
//!                    +----------+
//!                +------------+
//!   board 447   =>  KingRays  => king 81, empty 81      their king, empty squares
//!                |            => pawns 81               pawns of both sides
//!                |            => near 8 x 81            the first parts of its rays
//!                +------------+
//!                +-----------+
//!   king 81     =>           => lines 4 x 81            see `CheckLines`
//!   empty 81    =>  Checking => king_out 81
//!   near 8 x 81 =>           => empty_out 81
//!                +-----------+
//! ```
//!
//! Handshake: none. Latency: one clock each. Throughput: one position per clock.
//! Cost: 3,078, 891 and 486 flip-flops.
//! Method: the moves of attacked pieces come from the same network as all others, which then sees those pieces only.
//! Model: `host/model/src/movegen/checking.rs`. Absent: discovered checks, which the order does not count.

use super::attacks::AttackPlanes;
use crate::attacks::legality::Reach;
use crate::attacks::movers::{by_direction, Movers, NearRays};
use crate::attacks::{ray, ray_directions};
use crate::network::word::or_all;
use crate::network::{Wire, Word};
use crate::position::board::{shift, shift_by};
use crate::position::{Board, Plane};
use crate::{bundle, network};
use hayasashi_spec::moves::RAYS;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

bundle! {
    /// Squares from which pieces attack their king.
    pub struct CheckLines {
        /// A rook.
        straight: Plane,
        /// A bishop.
        diagonal: Plane,
        /// A knight.
        knight: Plane,
        /// The squares next to the king.
        beside: Plane,
    }
}

network! {
    /// Leaves out pieces whose moves are not looked for.
    Filter = filter(FilterIn) -> FilterOut {
        in movers: Movers;
        in reach: Reach;
        in attacks: AttackPlanes;
        in attacked_only: Wire;
        out movers_out: Movers;
        out near: NearRays;
        out by_them: Plane;
    }
}

network! {
    /// Begins the rays of their king.
    KingRays = king_rays(KingRaysIn) -> KingRaysOut {
        in board: Board;
        out king: Plane;
        out empty: Plane;
        out pawns: Plane;
        out near: [Plane; RAYS];
    }
}

network! {
    /// Finds squares that check.
    Checking = checking(CheckingIn) -> CheckingOut {
        in king: Plane;
        in empty: Plane;
        in near: [Plane; RAYS];
        out lines: CheckLines;
        out king_out: Plane;
        out empty_out: Plane;
    }
}

fn filter<W: Word>(inputs: FilterIn<W>) -> FilterOut<W> {
    let FilterIn { movers: m, reach, attacks, attacked_only } = inputs;
    let by_them = or_all(attacks.their).named("attacked");
    let wanted =
        attacked_only.choose(by_them, W::constant(crate::position::board::ALL_SQUARES, SQUARES)).named("wanted");
    let movers = Movers { movable: m.movable.map(|plane| plane & wanted), knights: m.knights & wanted, ..m };
    FilterOut { near: movers.near(reach.empty), movers_out: movers, by_them }
}

fn king_rays<W: Word>(inputs: KingRaysIn<W>) -> KingRaysOut<W> {
    let board = inputs.board;
    let king = (board.kind(KING) & board.code[4]).named("their_king");
    let empty = (!board.occupied()).named("empty_squares");
    KingRaysOut { king, empty, pawns: board.kind(PAWN), near: by_direction(|d| ray::near(d, king, empty)) }
}

fn checking<W: Word>(inputs: CheckingIn<W>) -> CheckingOut<W> {
    let CheckingIn { king, empty, near } = inputs;
    let rays = by_direction(|d| ray::rest(d, near[d as usize], king, empty));
    let along = |kind: u8| or_all(ray_directions().filter(|d| d.slides(kind)).map(|d| rays[d as usize]));
    // Knights stand two ranks behind it.
    let knight = shift_by(1, 2, king) | shift_by(-1, 2, king);
    let beside = or_all(ray_directions().map(|d| shift(d, king)));
    CheckingOut {
        lines: CheckLines { straight: along(ROOK), diagonal: along(BISHOP), knight, beside },
        king_out: king,
        empty_out: empty,
    }
}
