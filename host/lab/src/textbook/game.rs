//! The interface between a game and the searches.

use std::fmt::Display;

/// The type of a node: who chooses the next move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The player who maximises the value.
    Max,
    /// The player who minimises the value.
    Min,
    /// The dice.
    Chance,
}

/// The moves of a search beyond its depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuiescenceMoves<M> {
    /// The moves to search.
    pub moves: Vec<M>,
    /// Whether the side to move may take [`Game::value`] instead of a move.
    pub may_stand_pat: bool,
}

/// A zero-sum game of two players, optionally with dice.
pub trait Game: Clone {
    /// A move of a player, or a roll of the dice.
    type Move: Clone + PartialEq + Display;

    /// The type of this node.
    fn turn(&self) -> Turn;

    /// The moves or the possible rolls; empty at the end of the game.
    fn moves(&self) -> Vec<Self::Move>;

    /// The position after one of [`Game::moves`].
    fn after(&self, mv: &Self::Move) -> Self;

    /// The value for Max, within ±[`Game::MAX_VALUE`]: exact at the end of the game, an estimate elsewhere.
    fn value(&self) -> i32;

    /// Bound of the absolute value.
    const MAX_VALUE: i32;

    /// Relative frequency of a roll.
    fn weight(&self, _: &Self::Move) -> u32 {
        1
    }

    /// The moves that a search follows beyond its depth, because they can change the value much.
    fn quiescence_moves(&self) -> QuiescenceMoves<Self::Move> {
        QuiescenceMoves { moves: Vec::new(), may_stand_pat: true }
    }
}

/// A game without dice: [`Game::turn`] never returns [`Turn::Chance`].
pub trait Deterministic: Game {}
