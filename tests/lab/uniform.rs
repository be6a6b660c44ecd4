//! Uniform trees with pseudo-random values.

use hayasashi_lab::textbook::{Deterministic, Game, QuiescenceMoves, Turn};
use std::fmt;

/// A tree with a uniform branching factor and pseudo-random values from `seed`.
#[derive(Clone)]
pub struct Uniform {
    /// Without it all values are equal.
    pub seed: Option<u64>,
    pub place: u64,
    /// Plies to the leaves.
    pub depth: u32,
    pub turn: Turn,
    pub moves: u64,
    /// Whether some positions have moves beyond the depth.
    pub loud: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub struct Index(u64);

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Game for Uniform {
    type Move = Index;
    const MAX_VALUE: i32 = 8;

    fn turn(&self) -> Turn {
        self.turn
    }

    fn moves(&self) -> Vec<Index> {
        if self.depth == 0 {
            return Vec::new();
        }
        (0..self.moves).map(Index).collect()
    }

    fn after(&self, mv: &Index) -> Uniform {
        let turn = if self.turn == Turn::Max { Turn::Min } else { Turn::Max };
        Uniform { place: self.place * 7 + mv.0 + 1, depth: self.depth.saturating_sub(1), turn, ..self.clone() }
    }

    fn value(&self) -> i32 {
        let mixed = |seed: u64| (self.place ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
        self.seed.map_or(3, |seed| mixed(seed) as i32 - 8)
    }

    fn quiescence_moves(&self) -> QuiescenceMoves<Index> {
        let some = self.loud && self.place.is_multiple_of(3);
        let moves = if some { self.moves() } else { Vec::new() };
        QuiescenceMoves { moves, may_stand_pat: self.place.is_multiple_of(2) }
    }
}

impl Deterministic for Uniform {}
