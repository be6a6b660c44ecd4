//! Rays: the squares that sliding pieces reach in one direction.
//!
//! Functions, no block. The ray ripples from file to file (or from rank to rank): eight levels of gates, one gate for each
//! square. That is too much for one clock where more follows, so a ray can be made over two: [`near`], then [`rest`]. A
//! parallel-prefix network has three levels and six times the gates.
//! Model: `host/model/src/attacks/ray.rs`.

use crate::network::Word;
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;
use std::ops::Range;

/// Steps of a ray.
const STEPS: usize = SIDE - 1;
/// Steps of its first part.
const NEAR: usize = STEPS / 2;

/// Squares reached by moving from `pieces` in a ray direction over squares of `through`: each ray ends with the first
/// square that is not in `through`, which it includes.
pub fn ray<W: Word>(direction: Direction, pieces: W, through: W) -> W {
    steps(direction, 0..STEPS, W::zero(SQUARES), pieces, through)
}

/// The first part of a ray: its squares on the five lines where it begins.
pub fn near<W: Word>(direction: Direction, pieces: W, through: W) -> W {
    steps(direction, 0..NEAR, W::zero(SQUARES), pieces, through)
}

/// The whole ray, of which the first part is known.
pub fn rest<W: Word>(direction: Direction, near: W, pieces: W, through: W) -> W {
    steps(direction, NEAR..STEPS, near, pieces, through)
}

/// A ray after these steps, of which this is known already.
fn steps<W: Word>(direction: Direction, steps: Range<usize>, known: W, pieces: W, through: W) -> W {
    let (files, ranks) = direction.step();
    if files == 0 {
        let (pieces, through) =
            (transpose(pieces).named("pieces_by_rank"), transpose(through).named("through_by_rank"));
        transpose(ripple([ranks, 0], steps, transpose(known), pieces, through).named("ray_by_rank"))
    } else {
        ripple([files, ranks], steps, known, pieces, through)
    }
}

/// Moves from line to line of nine squares in the order of `along` (±1), each time `across` (-1, 0, 1) within the line.
fn ripple<W: Word>([along, across]: [i8; 2], steps: Range<usize>, known: W, pieces: W, through: W) -> W {
    let line = |plane: W, i: usize| plane.slice(SIDE * i, SIDE);
    let mut lines: Vec<W> = (0..SIDE).map(|i| line(known, i)).collect();
    let order: Vec<usize> = if along > 0 { (0..SIDE).collect() } else { (0..SIDE).rev().collect() };
    for pair in order[steps.start..=steps.end].windows(2) {
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
