//! Textbook game-tree searches, generic over a small trait. They are the reference for the engine's search, and `hayasashi tree`
//! draws their trees.
//!
//! | search | cut-offs | values | source |
//! |---|---|---|---|
//! | [`Method::Minimax`] | none | for Max | Shannon 1950 |
//! | [`Method::AlphaBeta`] | fail-hard: values stay within the window | for Max | Knuth and Moore 1975 |
//! | [`Method::AlphaBetaSoft`] | fail-soft: values may be bounds outside the window | for Max | Fishburn 1983 |
//! | [`Method::Negamax`] | none | for the side to move | Knuth and Moore 1975 |
//! | [`Method::NegaAlpha`] | fail-hard | for the side to move | Knuth and Moore 1975 |
//! | [`Method::SssStar`] | all but the parts of the best solution trees, which it keeps in a list | for Max | Stockman 1979 |
//! | [`Method::MtSssStar`], [`Method::MtdF`] | null windows, with a memory | for Max | Plaat et al. 1996 |
//! | [`expectiminimax`] | none | for Max; the mean at chance nodes | Michie 1966 |
//!
//! Each search stops at a depth, continues with [`Game::quiescence_moves`], and returns the principal variation of its value. On the
//! same tree all of them return the same value, and those with cut-offs visit no more nodes.

mod animal;
mod backgammon;
mod draw;
mod expect;
mod game;
mod memory;
mod nim;
mod search;
mod shogi;
mod state_space;
mod text;
mod tictactoe;
mod tree;

pub use animal::{Animal, AnimalGameMove};
pub use backgammon::Backgammon;
pub use draw::svg;
pub use expect::expectiminimax;
pub use game::{Deterministic, Game, QuiescenceMoves, Turn};
pub use nim::SplitNim;
pub use search::{search, Method, SearchResult, TreeLimits};
pub use shogi::Shogi;
pub use text::{signed, text};
pub use tictactoe::TicTacToe;
pub use tree::{Node, Tree};

use hayasashi_shogi::text::excerpt;
use thiserror::Error;

/// A position that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{text}` is not a position of {game}; hint: {hint}", text = excerpt(text))]
pub struct ParseError {
    game: &'static str,
    text: String,
    hint: String,
}
