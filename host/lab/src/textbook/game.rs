//! What a search has to know of a game.

use std::fmt::Display;

/// Who decides what comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The player who wants a high value.
    Max,
    /// The player who wants a low value.
    Min,
    /// Dice.
    Chance,
}

/// How a search goes on beyond its depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loud<M> {
    /// The moves to look at.
    pub moves: Vec<M>,
    /// Whether the mover may be content with [`Game::value`] instead.
    pub may_rest: bool,
}

/// A game of two players, perhaps with dice, whose gains are each other's losses.
pub trait Game: Clone {
    /// A move of a player, or what the dice show.
    type Move: Clone + PartialEq + Display;

    /// Who decides.
    fn turn(&self) -> Turn;

    /// The moves, or what the dice may show; none at the end of the game.
    fn moves(&self) -> Vec<Self::Move>;

    /// The position after one of [`Game::moves`].
    fn after(&self, mv: &Self::Move) -> Self;

    /// The value for Max: exact at the end of the game, elsewhere an estimate. Within ±[`Game::HIGHEST`].
    fn value(&self) -> i32;

    /// No value is beyond this.
    const HIGHEST: i32;

    /// How often the dice show this, against the others.
    fn weight(&self, _: &Self::Move) -> u32 {
        1
    }

    /// The moves that make the value of this position an estimate not to be trusted.
    fn loud(&self) -> Loud<Self::Move> {
        Loud { moves: Vec::new(), may_rest: true }
    }
}

/// A game without dice: [`Game::turn`] is never [`Turn::Chance`].
pub trait Deterministic: Game {}
