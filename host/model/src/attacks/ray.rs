//! Steps and rays in the ten directions of travel. Mirrors `hdl/src/attacks/ray.rs`.
//!
//! Rays of all sliders of a set are filled at once in three doubling steps, as carries are in a Kogge–Stone adder
//! (Kogge and Stone, 1973); the software counterpart of the gateware's ray wires.

use crate::position::Bitboard;
use hayasashi_spec::moves::{Direction, DIRECTIONS, RAYS};
use hayasashi_spec::piece::{SIDE, SQUARES, ZONE_RANKS};

/// All 81 squares.
pub const BOARD: Bitboard = (1 << SQUARES) - 1;

/// The squares of each rank, rank a first.
pub const RANK: [Bitboard; SIDE] = {
    let mut ranks = [0; SIDE];
    let mut s = 0;
    while s < SQUARES {
        ranks[s % SIDE] |= 1 << s;
        s += 1;
    }
    ranks
};

/// The mover's promotion zone.
pub const ZONE: Bitboard = {
    let mut zone = 0;
    let mut r = 0;
    while r < ZONE_RANKS {
        zone |= RANK[r];
        r += 1;
    }
    zone
};

/// One step from each square in each direction.
pub static STEP: [[Bitboard; DIRECTIONS]; SQUARES] = {
    let mut table = [[0; DIRECTIONS]; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        let mut d = 0;
        while d < DIRECTIONS {
            if let Some(to) = next(s, Direction::ALL[d]) {
                table[s][d] = 1 << to;
            }
            d += 1;
        }
        s += 1;
    }
    table
};

/// All squares from each square to the edge of an empty board in each ray direction.
pub static RAY: [[Bitboard; RAYS]; SQUARES] = {
    let mut table = [[0; RAYS]; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        let mut d = 0;
        while d < RAYS {
            let mut at = s;
            while let Some(to) = next(at, Direction::ALL[d]) {
                table[s][d] |= 1 << to;
                at = to;
            }
            d += 1;
        }
        s += 1;
    }
    table
};

/// The up to eight squares around each square.
pub static AROUND: [Bitboard; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        let mut d = 0;
        while d < RAYS {
            table[s] |= STEP[s][d];
            d += 1;
        }
        s += 1;
    }
    table
};

/// The square one step away, if it is on the board.
const fn next(square: usize, direction: Direction) -> Option<usize> {
    let (file, rank) = direction.step();
    let (f, r) = ((square / SIDE) as i8 + file, (square % SIDE) as i8 + rank);
    if f >= 0 && f < SIDE as i8 && r >= 0 && r < SIDE as i8 {
        Some(SIDE * f as usize + r as usize)
    } else {
        None
    }
}

/// Squares where a step in direction `D` can arrive: those whose place was not reached around the board's edge.
const fn arrivals(d: usize) -> Bitboard {
    match Direction::ALL[d].step().1 {
        -1 => BOARD & !RANK[8],
        -2 => BOARD & !RANK[8] & !RANK[7],
        1 => BOARD & !RANK[0],
        _ => BOARD,
    }
}

/// Moves bits by `n` steps of direction `D` without regard to the edges.
#[inline(always)]
fn shift<const D: usize>(squares: Bitboard, n: i32) -> Bitboard {
    let (file, rank) = Direction::ALL[D].step();
    let by = (SIDE as i32 * file as i32 + rank as i32) * n;
    if by > 0 {
        squares << by
    } else {
        squares >> -by
    }
}

/// All squares one step in direction `D` (a [`Direction`] as its number) from those of a set.
#[inline(always)]
pub fn step<const D: usize>(squares: Bitboard) -> Bitboard {
    shift::<D>(squares, 1) & const { arrivals(D) }
}

/// Where knights arrive that jump down the board; also from where the mover's knights jump to these squares.
#[inline(always)]
pub fn jump_south(knights: Bitboard) -> Bitboard {
    let two_south = knights << 2 & BOARD & !(RANK[0] | RANK[1]);
    two_south << SIDE & BOARD | two_south >> SIDE
}

/// All squares that sliders reach in ray direction `D` through empty squares, the first occupied one included.
#[inline(always)]
pub fn slide<const D: usize>(sliders: Bitboard, empty: Bitboard) -> Bitboard {
    let mut reach = sliders;
    let mut through = empty & const { arrivals(D) };
    reach |= through & shift::<D>(reach, 1);
    through &= shift::<D>(through, 1);
    reach |= through & shift::<D>(reach, 2);
    through &= shift::<D>(through, 2);
    reach |= through & shift::<D>(reach, 4);
    step::<D>(reach)
}

/// The squares of a set, lowest first.
#[inline]
pub(crate) fn squares(set: Bitboard) -> impl Iterator<Item = usize> {
    // In halves: half the work at each bit.
    half(set as u64, 0).chain(half((set >> 64) as u64, 64))
}

#[inline]
fn half(mut bits: u64, first: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let s = first + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            s
        })
    })
}

/// The first occupied square of a ray from `square` in ray direction `d`, as a set of none or one.
#[inline]
pub(crate) fn first_on_ray(square: usize, d: usize, occupied: Bitboard) -> Bitboard {
    let hit = RAY[square][d] & occupied;
    let (file, rank) = Direction::ALL[d].step();
    if (SIDE as i8) * file + rank > 0 {
        hit & hit.wrapping_neg()
    } else if hit == 0 {
        0
    } else {
        1 << (127 - hit.leading_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slide_slowly(square: usize, d: usize, occupied: Bitboard) -> Bitboard {
        let (mut reach, mut at) = (0, square);
        while let Some(to) = next(at, Direction::ALL[d]) {
            reach |= 1 << to;
            if occupied >> to & 1 != 0 {
                break;
            }
            at = to;
        }
        reach
    }

    fn check<const D: usize>(occupied: Bitboard) {
        for (s, near) in STEP.iter().enumerate() {
            assert_eq!(step::<D>(1 << s), near[D], "step {D} from {s}");
            if D < RAYS {
                let expect = slide_slowly(s, D, occupied);
                assert_eq!(slide::<D>(1 << s, BOARD & !occupied), expect, "slide {D} from {s} on {occupied:x}");
                assert_eq!(first_on_ray(s, D, occupied), expect & occupied, "first {D} from {s} on {occupied:x}");
            }
        }
    }

    proptest! {
        #[test]
        fn fills_agree_with_walks(many: u128, more: u128) {
            let occupied = many & more & BOARD;
            check::<0>(occupied);
            check::<1>(occupied);
            check::<2>(occupied);
            check::<3>(occupied);
            check::<4>(occupied);
            check::<5>(occupied);
            check::<6>(occupied);
            check::<7>(occupied);
            check::<8>(occupied);
            check::<9>(occupied);
        }
    }
}
