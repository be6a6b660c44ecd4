//! Sliders aligned with a king, and the squares between. Mirrors a part of `hdl/src/attacks/rays.rs`.

use super::ray::{squares, RAY};
use crate::position::{Bitboard, Pieces};
use hayasashi_spec::moves::{Direction, RAYS};
use hayasashi_spec::piece::SQUARES;

/// Axes of the board: the files, two diagonals and the ranks.
pub const AXES: usize = RAYS / 2;

/// The axis of a ray direction; the same for its opposite.
#[inline]
pub const fn axis(direction: usize) -> usize {
    if direction < AXES {
        direction
    } else {
        RAYS - 1 - direction
    }
}

/// The ray direction from one square to another, [`RAYS`] where they are not aligned.
static DIRECTION: [[u8; SQUARES]; SQUARES] = {
    let mut table = [[RAYS as u8; SQUARES]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut to = 0;
        while to < SQUARES {
            let mut d = 0;
            while d < RAYS {
                if RAY[from][d] >> to & 1 != 0 {
                    table[from][to] = d as u8;
                }
                d += 1;
            }
            to += 1;
        }
        from += 1;
    }
    table
};

/// Squares in line with each square along ranks and files, and along diagonals.
static LINES: [[Bitboard; 2]; SQUARES] = {
    use Direction::*;
    let mut table = [[0; 2]; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        let ray = &RAY[s];
        table[s] = [
            ray[North as usize] | ray[South as usize] | ray[East as usize] | ray[West as usize],
            ray[NorthEast as usize] | ray[NorthWest as usize] | ray[SouthEast as usize] | ray[SouthWest as usize],
        ];
        s += 1;
    }
    table
};

/// The ray direction from one square to another, if they are aligned.
#[inline]
pub fn direction_between(from: usize, to: usize) -> Option<usize> {
    let d = DIRECTION[from][to] as usize;
    (d < RAYS).then_some(d)
}

/// A slider that would attack a king on an empty board.
#[derive(Clone, Copy, Debug)]
pub struct Aligned {
    /// The slider's square.
    pub slider: usize,
    /// The ray direction from the king to the slider.
    pub direction: usize,
    /// The squares between king and slider.
    pub between: Bitboard,
}

/// The sliders among `pieces` aligned with the king on `king`. Lances come from `lances_from` (seen from the king).
#[inline]
pub fn aligned(king: usize, pieces: &Pieces, lances_from: Direction) -> impl Iterator<Item = Aligned> {
    let [straight, diagonal] = LINES[king];
    let sliders = straight & (pieces.rook | pieces.dragon)
        | diagonal & (pieces.bishop | pieces.horse)
        | RAY[king][lances_from as usize] & pieces.lance;
    squares(sliders).map(move |slider| {
        let direction = DIRECTION[king][slider] as usize;
        Aligned { slider, direction, between: RAY[king][direction] & RAY[slider][RAYS - 1 - direction] }
    })
}
