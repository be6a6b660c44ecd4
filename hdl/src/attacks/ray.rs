//! Rays: the squares that sliding pieces reach in one direction.
//!
//! The ray ripples from file to file (or rank to rank): eight gates deep, one gate for each square. A parallel-prefix
//! network is three levels deep and six times as large; with a register before and behind, the ripple is fast enough.

use crate::network::Word;
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;

/// Squares reached by moving from `pieces` in a ray direction over squares of `through`: each ray ends with the first
/// square that is not in `through`, which it includes.
pub fn ray<W: Word>(direction: Direction, pieces: W, through: W) -> W {
    ray_and_steps(direction, pieces, pieces, through)
}

/// Squares reached in a ray direction by `sliders`, as [`ray`], or in one step by `movers`, of which sliders are some.
pub fn ray_and_steps<W: Word>(direction: Direction, sliders: W, movers: W, through: W) -> W {
    let (files, ranks) = direction.step();
    if files == 0 {
        let [sliders, movers, through] = [sliders, movers, through].map(transpose);
        transpose(ripple(ranks, 0, sliders, movers, through))
    } else {
        ripple(files, ranks, sliders, movers, through)
    }
}

/// Moves from line to line of nine squares in the order of `along` (±1), each time `across` (-1, 0, 1) within the line.
fn ripple<W: Word>(along: i8, across: i8, sliders: W, movers: W, through: W) -> W {
    let line = |plane: W, i: usize| plane.slice(SIDE * i, SIDE);
    let (mut slid, mut lines) = (vec![W::zero(SIDE); SIDE], vec![W::zero(SIDE); SIDE]);
    let order: Vec<usize> = if along > 0 { (0..SIDE).collect() } else { (0..SIDE).rev().collect() };
    for pair in order.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let passing = slid[from] & line(through, from);
        let shifted = |leaving: W| match across {
            0 => leaving,
            1 => W::join(&[W::zero(1), leaving.slice(0, SIDE - 1)]),
            _ => W::join(&[leaving.slice(1, SIDE - 1), W::zero(1)]),
        };
        slid[to] = shifted(line(sliders, from) | passing);
        lines[to] = shifted(line(movers, from) | passing);
    }
    W::join(&lines)
}

/// Files exchanged for ranks.
fn transpose<W: Word>(plane: W) -> W {
    let wires: Vec<u8> = (0..SQUARES).map(|s| square(s % SIDE, s / SIDE) as u8).collect();
    plane.wires(&wires)
}
