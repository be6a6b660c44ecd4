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
//!                       |           => before_king 81    the square in front of their king
//!                       |           => safe 81           where their king would be safe, as far as is known
//!                       |           -> loads             the position is a node, to be kept
//!                       +-----------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock. Throughput: one position per clock.
//! Cost: 1,223 flip-flops.
//! Method: the arrivals on a square are added first. Then what may not land there is taken out of the sum, which has six
//! wires at most, instead of the 18 arrivals: the last adders have an input to spare for it.
//! Absent: the moves one by one ([`super::keep`]), pawn-drop mate ([`super::total`]), and the ranks on which lances and knights may not be dropped; those are
//! left out where drops are counted and enumerated.
//! Model: `host/model/src/movegen/{targets,drops}.rs`.

use super::arrivals::{ArrivalPlanes, Squares};
use super::keep::{by_class, CLASSES};
use crate::attacks::legality::{Checks, DropRules};
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::position::board::{rank_mask, shift, ZONE};
use crate::position::{Plane, Tag};
use crate::{bundle, network};
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Squares of the promotion zone.
const ZONE_SQUARES: usize = ZONE.count_ones() as usize;

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
    /// Destinations of drops.
    pub struct DropPlanes {
        /// Of a pawn.
        pawn: Plane,
        /// Of any other piece.
        other: Plane,
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
        out before_king: Plane;
        out safe: Plane;
        out loads: Wire;
    }
}

fn targets<W: Word>(inputs: TargetsIn<W>) -> TargetsOut<W> {
    let TargetsIn { tag, drop_rules, checks, squares, arrivals } = inputs;
    let Squares { king_moves, landing, empty, closed, .. } = squares;
    let DropRules { open_files, holds, before_king } = drop_rules;
    let (sums, attacked) = SquareSums::of(&arrivals, landing);
    TargetsOut {
        tag_out: Tag { check: checks.check, ..tag },
        sums,
        king_moves: by_class(king_moves),
        drops: drops(open_files, holds, (landing & empty).named("drop_squares")),
        holds,
        before_king,
        safe: !(attacked | closed),
        loads: tag.node & !tag.mate,
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

/// Squares for pawn drops and for other drops.
fn drops<W: Word>(open_files: W, holds: W, free: W) -> DropPlanes<W> {
    let files: Vec<W> =
        (0..SIDE).map(|file| open_files.bit(file).choose(W::constant((1 << SIDE) - 1, SIDE), W::zero(SIDE))).collect();
    let pawn = free & W::join(&files).named("files_without_pawn") & !W::constant(rank_mask(0), SQUARES);
    DropPlanes { pawn: pawn.when(holds.bit(0)), other: free.when(holds.slice(1, HAND_KINDS - 1).any()) }
}
