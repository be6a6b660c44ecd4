//! What the picker knows of a position besides its legal moves: whose moves are looked for, what protects the mover's pieces, and
//! squares that check.
//!
//! ```text
//!                    +----------+
//!   movers 19 x 81  =>          => movers_out 19 x 81   without those that are not looked for
//!   reach 6 x 81    =>  Filter  => near 17 x 81         the first parts of their rays
//!   by_them 81      =>          |
//!   attacked_only   ->          |                       attacked pieces
//!   unpinned        ->          |                       all of the mover's, as if none were pinned
//!   of_majors       ->          |                       their major pieces
//!   knights 81      =>          |
//!   majors 81       =>          |
//!                    +----------+
//!                    +-----------+
//!   arrivals 17x81  =>           => own 2 x 81          squares that the mover attacks, and attacks twice
//!   reach 6 x 81    =>  Support  |
//!   hold            ->           |                      the registers stay
//!                    +-----------+
//!                    +-----------+
//!   arrivals 17x81  =>           => attacks_out 6 x 81  attacks of both sides
//!   attacks 6 x 81  =>  Theirs   => by_them 81          squares that they attack
//!   own 2 x 81      =>           |
//!   lines 4 x 81    =>           |
//!   majors 81       =>           |                      back from `majors_out`
//!   of_majors       ->           |                      the arrivals are those of their major pieces
//!                    +-----------+
//!                    +-----------+
//!   board 447       =>  Pieces   => king 81             their king
//!                    |           => empty 81            empty squares
//!                    |           => pawns 81            pawns of both sides
//!                    |           => knights 81          knights of both sides
//!                    |           => majors 81           their bishops and rooks, promoted or not
//!                    +-----------+
//!                    +-----------+
//!   king 81         =>           => lines 4 x 81        see `CheckLines`; back to `lines_in`
//!   rays 4 x 81     =>  Checking |
//!   straight        ->           |                      the rays are a rook's
//!   diagonal        ->           |                      they are a bishop's
//!   lines_in 4x81   =>           |
//!                    +-----------+
//! ```
//!
//! Handshake: none. Latency: one clock each. Throughput: one position per clock.
//! Cost: 2,997, 162, 648, 405 and 324 flip-flops.
//! Method: the network of arrivals is used for more than legal moves. While it sees all own pieces as if none were pinned, or their major
//! pieces, which go the same ways, their arrivals are attacks. While it sees attacked pieces only, it finds the moves of those.
//! Model: `host/model/src/{movegen/checking,search/exchange}.rs`. Absent: discovered checks, which the order does not count.

use super::attacks::{counted, AttackPlanes};
use crate::attacks::legality::Reach;
use crate::attacks::movers::{Movers, NearRays};
use crate::attacks::ray_directions;
use crate::movegen::arrivals::ArrivalPlanes;
use crate::movegen::operation::{Group, Operation};
use crate::network::word::or_all;
use crate::network::{Wire, Word};
use crate::position::board::{rank_mask, shift, shift_by, ALL_SQUARES};
use crate::position::{Board, Plane, Tag};
use crate::{bundle, network};
use hayasashi_spec::moves::{Direction, DIRECTIONS};
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
        in by_them: Plane;
        in attacked_only: Wire;
        in unpinned: Wire;
        in of_majors: Wire;
        in knights: Plane;
        in majors: Plane;
        out movers_out: Movers;
        out near: NearRays;
    }
}

network! {
    /// Squares that the mover attacks, once or more often and twice or more often.
    Support = support(SupportIn) -> SupportOut, held {
        in arrivals: ArrivalPlanes;
        in reach: Reach;
        out own: [Plane; 2];
    }
}

network! {
    /// Squares that either side attacks.
    Theirs = theirs(TheirsIn) -> TheirsOut {
        in arrivals: ArrivalPlanes;
        in attacks: AttackPlanes;
        in own: [Plane; 2];
        in lines: CheckLines;
        in majors: Plane;
        in of_majors: Wire;
        out majors_out: Plane;
        out attacks_out: AttackPlanes;
        out by_them: Plane;
    }
}

network! {
    /// Finds a few planes of pieces.
    Pieces = pieces(PiecesIn) -> PiecesOut {
        in board: Board;
        out king: Plane;
        out empty: Plane;
        out pawns: Plane;
        out knights: Plane;
        out majors: Plane;
    }
}

network! {
    /// A move to their king from all directions of a rook or of a bishop: where pieces check it is traced like the origin of a move.
    ToKing = to_king(ToKingIn) -> ToKingOut, unclocked {
        in king: Plane;
        in straight: Wire;
        out op: Operation;
    }
}

network! {
    /// Keeps squares that check.
    Checking = checking(CheckingIn) -> CheckingOut {
        in king: Plane;
        in rays: [Plane; 4];
        in straight: Wire;
        in diagonal: Wire;
        in lines_in: CheckLines;
        out lines: CheckLines;
    }
}

fn filter<W: Word>(inputs: FilterIn<W>) -> FilterOut<W> {
    let FilterIn { movers: m, reach, by_them, attacked_only, unpinned, of_majors, knights, majors } = inputs;
    let all = W::constant(ALL_SQUARES, SQUARES);
    let wanted = attacked_only.choose(by_them, all).when(!of_majors).named("wanted");
    let others = (reach.own & !reach.king).when(unpinned);
    let more = (others | majors.when(of_majors)).named("more");
    let movers = Movers {
        movable: m.movable.map(|plane| (plane & wanted) | more),
        knights: (m.knights & wanted) | (knights & more),
        ..m
    };
    FilterOut { near: movers.near(reach.empty), movers_out: movers }
}

fn support<W: Word>(inputs: SupportIn<W>) -> SupportOut<W> {
    let SupportIn { arrivals: a, reach } = inputs;
    let mut planes = a.plain.to_vec();
    // On the last rank pawns and lances arrive with promotion only.
    let north = Direction::North as usize;
    planes[north] = planes[north] | (a.promoting[north] & W::constant(rank_mask(0), SQUARES));
    planes.extend([Direction::KnightEast, Direction::KnightWest].map(|d| shift(d, a.knights)));
    // Where the king goes, no other piece arrives from the same direction.
    planes.push(reach.beside_king);
    SupportOut { own: counted(&planes) }
}

fn theirs<W: Word>(inputs: TheirsIn<W>) -> TheirsOut<W> {
    let TheirsIn { arrivals, attacks, own, lines, majors, of_majors } = inputs;
    let majors = of_majors.choose(or_all(arrivals.plain), majors);
    let [pawns, minors, ..] = attacks.their;
    // Their king attacks the squares next to it.
    let their = [pawns, minors, majors, lines.beside];
    TheirsOut { majors_out: majors, attacks_out: AttackPlanes { own, their }, by_them: or_all(their) }
}

fn pieces<W: Word>(inputs: PiecesIn<W>) -> PiecesOut<W> {
    let board = inputs.board;
    PiecesOut {
        king: board.kind(KING) & board.code[4],
        empty: !board.occupied(),
        pawns: board.kind(PAWN),
        knights: board.kind(KNIGHT),
        // Of the kinds, only theirs have both of these bits.
        majors: board.code[1] & board.code[2] & board.code[4],
    }
}

fn to_king<W: Word>(inputs: ToKingIn<W>) -> ToKingOut<W> {
    let lines = |kind: u8| {
        let set = ray_directions().filter(|d| d.slides(kind)).fold(0, |set, d| set | 1 << d as usize);
        W::constant(set, DIRECTIONS)
    };
    let mv = Group {
        squares: inputs.king,
        direction: inputs.straight.choose(lines(ROOK), lines(BISHOP)),
        kind: W::zero(HAND_KINDS),
        promote: W::zero(1),
    };
    ToKingOut { op: Operation { mv, inject: W::zero(1), tag: Tag::none() } }
}

fn checking<W: Word>(inputs: CheckingIn<W>) -> CheckingOut<W> {
    let CheckingIn { king, rays, straight, diagonal, lines_in } = inputs;
    let rays = or_all(rays).named("lines");
    CheckingOut {
        lines: CheckLines {
            straight: straight.choose(rays, lines_in.straight),
            diagonal: diagonal.choose(rays, lines_in.diagonal),
            // Knights stand two ranks behind it.
            knight: shift_by(1, 2, king) | shift_by(-1, 2, king),
            beside: or_all(ray_directions().map(|d| shift(d, king))),
        },
    }
}
