//! The textbook's game-tree searches, generic over a small trait: what the engine's search is measured against, and
//! what `hayasashi tree` draws.
//!
//! | search | cut-offs | values | source |
//! |---|---|---|---|
//! | [`Method::Minimax`] | none | for Max | Shannon 1950 |
//! | [`Method::AlphaBeta`] | fail-hard: within the window | for Max | Knuth and Moore 1975 |
//! | [`Method::AlphaBetaSoft`] | fail-soft: a bound beyond the window where one is known | for Max | Fishburn 1983 |
//! | [`Method::Negamax`] | none | for the mover | Knuth and Moore 1975 |
//! | [`Method::NegaAlpha`] | fail-hard | for the mover | Knuth and Moore 1975 |
//! | [`expectiminimax`] | none | for Max, the mean where dice fall | Michie 1966 |
//!
//! Each stops at a depth, goes on where a game says that its value is not to be trusted ([`Game::loud`]), and gives the
//! line that its value is from. On the same tree all give the same value, and those with cut-offs visit no more nodes.

mod backgammon;
mod draw;
mod expect;
mod game;
mod nim;
mod search;
mod shogi;
mod text;
mod tictactoe;
mod tree;

pub use backgammon::Backgammon;
pub use draw::svg;
pub use expect::expectiminimax;
pub use game::{Deterministic, Game, Loud, Turn};
pub use nim::SplitNim;
pub use search::{search, Found, Method, TreeLimits};
pub use shogi::Shogi;
pub use text::{signed, text};
pub use tictactoe::TicTacToe;
pub use tree::{Node, Tree};

use thiserror::Error;

/// A position that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{text}` is no position of {game}; hint: {hint}")]
pub struct NoPosition {
    game: &'static str,
    text: String,
    hint: String,
}
