//! Rays: the squares that sliding pieces reach in one direction.
//!
//! A function, no block. The ray ripples from file to file (or from rank to rank), in two halves at the same time: pieces of
//! the far half give its rays as if nothing came from the near half, and what comes from there is added where all squares up to
//! it are free. That is five levels of gates instead of eight, and half as many gates more; which squares are free is the same
//! for all rays in a direction. A parallel-prefix network has three levels and six times the gates.
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
    let step = |leaving: W| match across {
        0 => leaving,
        1 => W::join(&[W::zero(1), leaving.slice(0, SIDE - 1)]),
        _ => W::join(&[leaving.slice(1, SIDE - 1), W::zero(1)]),
    };
    let mut lines = vec![W::zero(SIDE); SIDE];
    let order: Vec<usize> = if along > 0 { (0..SIDE).collect() } else { (0..SIDE).rev().collect() };
    let (near, far) = (&order[..=SIDE / 2], &order[SIDE / 2..]);
    for pair in near.windows(2) {
        lines[pair[1]] = step(line(pieces, pair[0]) | (lines[pair[0]] & line(through, pair[0])));
    }
    // From pieces of the far half; from the near half; and where squares are free since then.
    let (mut own, mut comes, mut free) = (W::zero(SIDE), lines[far[0]], !W::zero(SIDE));
    for pair in far.windows(2) {
        own = step(line(pieces, pair[0]) | (own & line(through, pair[0])));
        free = step(free & line(through, pair[0]));
        comes = step(comes);
        lines[pair[1]] = own | (comes & free);
    }
    W::join(&lines)
}

/// Files exchanged for ranks.
fn transpose<W: Word>(plane: W) -> W {
    let wires: Vec<u8> = (0..SQUARES).map(|s| square(s % SIDE, s / SIDE) as u8).collect();
    plane.wires(&wires)
}
