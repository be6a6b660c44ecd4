//! Rays: the squares that sliding pieces reach in one direction.
//!
//! A function, no block. The ray ripples from file to file (or from rank to rank): eight levels of gates, one gate for
//! each square. A parallel-prefix network has three levels and six times the gates; between two registers the ripple is
//! fast enough.
//! Model: `host/model/src/attacks/ray.rs`.

use crate::network::Word;
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;

/// Squares reached by moving from `pieces` in a ray direction over squares of `through`: each ray ends with the first
/// square that is not in `through`, which it includes.
pub fn ray<W: Word>(direction: Direction, pieces: W, through: W) -> W {
    let (files, ranks) = direction.step();
    if files == 0 {
        let (pieces, through) =
            (transpose(pieces).named("pieces_by_rank"), transpose(through).named("through_by_rank"));
        transpose(ripple(ranks, 0, pieces, through).named("ray_by_rank"))
    } else {
        ripple(files, ranks, pieces, through)
    }
}

/// Moves from line to line of nine squares in the order of `along` (±1), each time `across` (-1, 0, 1) within the line.
fn ripple<W: Word>(along: i8, across: i8, pieces: W, through: W) -> W {
    let line = |plane: W, i: usize| plane.slice(SIDE * i, SIDE);
    let mut lines = vec![W::zero(SIDE); SIDE];
    let order: Vec<usize> = if along > 0 { (0..SIDE).collect() } else { (0..SIDE).rev().collect() };
    for pair in order.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let leaving = line(pieces, from) | (lines[from] & line(through, from));
        lines[to] = match across {
            0 => leaving,
            1 => W::join(&[W::zero(1), leaving.slice(0, SIDE - 1)]),
            _ => W::join(&[leaving.slice(1, SIDE - 1), W::zero(1)]),
        };
    }
    W::join(&lines)
}

/// Files exchanged for ranks.
fn transpose<W: Word>(plane: W) -> W {
    let wires: Vec<u8> = (0..SQUARES).map(|s| square(s % SIDE, s / SIDE) as u8).collect();
    plane.wires(&wires)
}
