//! The legal moves of a position: how many arrive on each square, and where pieces may be dropped.
//!
//! ```text
//!                       +-----------+
//!   tag 22             =>           => tag_out 22        with `check`
//!   drop_rules 97      =>           |
//!   checks 3           =>  Targets  => sums 468          number of board moves to each square: see `SquareSums`
//!   squares 6 x 81     =>           => king_moves 9      the king's moves
//!   arrivals 17 x 81   =>           => drops 2 x 81      for a pawn, and for any other piece
//!                       |           => holds 7           hand kinds that the mover has
//!                       |           => theirs 2 x 81     squares of their pieces; the square in front of their king
//!                       |           => safe 81           where their king would be safe, as far as is known
//!                       +-----------+
//!
//!                       +-----------+
//!   squares 6 x 81     =>   Legal   => moves 20 x 81     by direction of travel: without promotion, then with
//!   arrivals 17 x 81   =>           |
//!   hold               ->           |   the planes stay
//!                       +-----------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock. Throughput: one position per clock.
//! Cost: 1,384 flip-flops, and 1,620 of [`Legal`].
//! Method: the arrivals on a square are added first. Then what may not land there is taken out of the sum, which has six
//! wires at most, instead of the 18 arrivals: the last adders have an input to spare for it. [`Legal`] takes them out of the
//! planes, for a position whose moves are made one by one.
//! Absent: pawn-drop mate ([`super::total`]), and the ranks on which lances and knights may not be dropped; those are
//! left out where drops are counted and enumerated.
//! Model: `host/model/src/movegen/{targets,drops}.rs`.

use super::arrivals::{ArrivalPlanes, Squares};
use crate::attacks::legality::{Checks, DropRules};
use crate::network::{word::or_all, Wires, Word};
use crate::position::board::{rank_mask, shift, ZONE};
use crate::position::{Plane, Tag};
use crate::{bundle, network};
use hayasashi_spec::moves::{Direction, DIRECTIONS, RAYS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Squares of the promotion zone.
const ZONE_SQUARES: usize = ZONE.count_ones() as usize;
/// Classes of squares by file and rank modulo three.
pub const CLASSES: usize = 9;

bundle! {
    /// Number of moves to each square by pieces other than the king: wires of weight one, two and four.
    pub struct SquareSums {
        /// Weight one.
        ones: Plane,
        /// More of weight one in the promotion zone.
        ones_in_zone: Wires<ZONE_SQUARES>,
        /// Weight two.
        twos: [Plane; 2],
        /// Weight four.
        fours: [Plane; 2],
        /// More of weight four in the promotion zone.
        fours_in_zone: Wires<ZONE_SQUARES>,
        /// More of weight four on the third rank.
        fours_on_third_rank: Wires<SIDE>,
    }
}

bundle! {
    /// Destinations of board moves by direction of travel.
    pub struct MovePlanes {
        /// Without promotion.
        plain: [Plane; DIRECTIONS],
        /// With promotion.
        promoting: [Plane; DIRECTIONS],
    }
}

bundle! {
    /// Destinations of drops.
    pub struct DropPlanes {
        /// Of a pawn.
        pawn: Plane,
        /// Of any other piece.
        other: Plane,
    }
}

bundle! {
    /// What is known of the enemy.
    pub struct TheirPlanes {
        /// Squares of their pieces.
        pieces: Plane,
        /// The square in front of their king.
        before_king: Plane,
    }
}

network! {
    /// Legal moves, counted by square.
    Targets = targets(TargetsIn) -> TargetsOut {
        in tag: Tag;
        in drop_rules: DropRules;
        in checks: Checks;
        in squares: Squares;
        in arrivals: ArrivalPlanes;
        out tag_out: Tag;
        out sums: SquareSums;
        out king_moves: Wires<CLASSES>;
        out drops: DropPlanes;
        out holds: Wires<HAND_KINDS>;
        out theirs: TheirPlanes;
        out safe: Plane;
    }
}

network! {
    /// Legal board moves as planes: those of the last position that did not `hold`.
    Legal = legal_moves(LegalIn) -> LegalOut, held {
        in squares: Squares;
        in arrivals: ArrivalPlanes;
        out moves: MovePlanes;
    }
}

fn targets<W: Word>(inputs: TargetsIn<W>) -> TargetsOut<W> {
    let TargetsIn { tag, drop_rules, checks, squares, arrivals } = inputs;
    let Squares { king_moves, landing, empty, theirs, closed, .. } = squares;
    let DropRules { open_files, holds, before_king } = drop_rules;
    let (sums, attacked) = SquareSums::of(&arrivals, landing);
    TargetsOut {
        tag_out: Tag { check: checks.check, ..tag },
        sums,
        king_moves: by_class(king_moves),
        drops: drops(open_files, holds, (landing & empty).named("drop_squares")),
        holds,
        theirs: TheirPlanes { pieces: theirs, before_king },
        safe: !(attacked | closed),
    }
}

fn legal_moves<W: Word>(inputs: LegalIn<W>) -> LegalOut<W> {
    let LegalIn { squares, arrivals } = inputs;
    let plane = |i: usize| legal(&arrivals, &squares, i);
    LegalOut {
        moves: MovePlanes {
            plain: std::array::from_fn(plane),
            promoting: std::array::from_fn(|d| plane(DIRECTIONS + d)),
        },
    }
}

/// A plane of legal board moves, by its place in [`MovePlanes`].
pub fn legal<W: Word>(arrivals: &ArrivalPlanes<W>, squares: &Squares<W>, plane: usize) -> W {
    let (d, promotes) = (plane % DIRECTIONS, plane >= DIRECTIONS);
    let direction = Direction::ALL[d];
    let landing = squares.landing;
    if d >= RAYS {
        shift(direction, arrivals.knights) & landing & W::constant(knights_land(promotes), SQUARES)
    } else if promotes {
        arrivals.promoting[d] & landing
    } else {
        (arrivals.plain[d] & landing) | (shift(direction, squares.king) & squares.king_moves)
    }
}

/// Squares on which a knight may land.
const fn knights_land(promotes: bool) -> u128 {
    if promotes {
        ZONE
    } else {
        !(rank_mask(0) | rank_mask(1))
    }
}

/// Sum and carry of the wires of three planes, square by square.
fn add<W: Word>(a: W, b: W, c: W) -> (W, W) {
    let differ = a ^ b;
    (differ ^ c, (a & b) | (c & differ))
}

impl<W: Word> SquareSums<W> {
    /// The sums of what may land, and all squares on which something arrives.
    fn of(arrivals: &ArrivalPlanes<W>, landing: W) -> (SquareSums<W>, W) {
        let ArrivalPlanes { plain, promoting, knights } = arrivals;
        let [n, ne, nw, e, w, se, sw, s] = *plain;
        // In the first five directions a piece promotes where it arrives in the zone.
        let [pn, pne, pnw, pe, pw, pse, psw, ps] = *promoting;
        let third_rank = rank_mask(2);
        // A knight that lands on the third rank has two moves.
        let jumps = [Direction::KnightEast, Direction::KnightWest].map(|d| shift(d, *knights));
        let [once, twice] = [!third_rank, third_rank].map(|among| jumps.map(|jump| jump & W::constant(among, SQUARES)));

        let (ones_north, twos_north) = add(n, ne, nw);
        let (ones_side, twos_side) = add(e, w, s);
        let (ones_south, twos_south) = add(se, sw, once[0]);
        let (ones_back, twos_back) = add(pse, psw, ps);
        let (ones_plain, twos_plain) = add(ones_north, ones_side, ones_south);
        let (ones, twos_all) = add(ones_plain, ones_back, once[1]);
        let (ones_forward, twos_forward) = add(pn, pne, pnw);
        let (ones_in_zone, twos_in_zone) = add(ones_forward, pe, pw);

        let (twos_low, fours_low) = add(twos_north, twos_side, twos_south);
        let (twos_high, fours_high) = add(twos_back, twos_plain, twos_all);
        let (twos_low, fours_in_zone) = add(twos_low, twos_forward, twos_in_zone);
        let (twos_high, fours_on_third_rank) = add(twos_high, twice[0], twice[1]);

        // Whatever promotes could as well arrive without promotion, but for what must promote on the last rank.
        let must_promote = pn & W::constant(rank_mask(0), SQUARES);
        let attacked =
            or_all([ones_plain, twos_north, twos_side, twos_south, twos_plain, jumps[1]]) | (twice[0] | must_promote);

        let on = |squares: u128, plane: W| among(squares, plane & landing);
        let sums = SquareSums {
            ones: ones & landing,
            ones_in_zone: on(ZONE, ones_in_zone),
            twos: [twos_low & landing, twos_high & landing],
            fours: [fours_low & landing, fours_high & landing],
            fours_in_zone: on(ZONE, fours_in_zone),
            fours_on_third_rank: on(third_rank, fours_on_third_rank),
        };
        (sums, attacked)
    }
}

/// The wires of these squares.
pub fn among<W: Word>(squares: u128, plane: W) -> W {
    let wires: Vec<u8> = (0..SQUARES as u8).filter(|s| squares >> s & 1 != 0).collect();
    plane.wires(&wires)
}

/// A wire for each class of squares. Of the squares around a king no two are of one class, so that the wires are as many as the
/// squares.
fn by_class<W: Word>(around_king: W) -> W {
    let class = |c: usize| {
        let squares = (0..SQUARES).filter(|s| s / SIDE % 3 * 3 + s % SIDE % 3 == c).fold(0, |set, s| set | 1 << s);
        among(squares, around_king).any()
    };
    W::join(&(0..CLASSES).map(class).collect::<Vec<W>>())
}

/// Squares for pawn drops and for other drops.
fn drops<W: Word>(open_files: W, holds: W, free: W) -> DropPlanes<W> {
    let files: Vec<W> =
        (0..SIDE).map(|file| open_files.bit(file).choose(W::constant((1 << SIDE) - 1, SIDE), W::zero(SIDE))).collect();
    let pawn = free & W::join(&files).named("files_without_pawn") & !W::constant(rank_mask(0), SQUARES);
    DropPlanes { pawn: pawn.when(holds.bit(0)), other: free.when(holds.slice(1, HAND_KINDS - 1).any()) }
}
