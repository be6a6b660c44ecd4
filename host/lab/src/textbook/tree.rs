//! The recorded tree of a search.

use super::{Game, Turn};

/// A visited position.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The move that led to it; empty at the root.
    pub label: String,
    /// Plies from the root.
    pub depth: u32,
    /// Type of the node.
    pub turn: Turn,
    /// The value for Max; with cut-offs it may be a bound.
    pub value: f64,
    /// The window (alpha, beta) on entry, for Max; `None` for searches without a window.
    pub window: Option<(i32, i32)>,
    /// Number of moves skipped by a cut-off.
    pub skipped: usize,
    /// Indices of the children in [`Tree::nodes`].
    pub children: Vec<usize>,
}

/// The visited part of a game tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The nodes in the order of visits, the root first.
    pub nodes: Vec<Node>,
    /// Indices of the nodes from the root to the current one.
    open: Vec<usize>,
    max_nodes: usize,
}

impl Tree {
    /// A tree that records at most `max_nodes` nodes.
    pub fn new(max_nodes: usize) -> Tree {
        Tree { max_nodes, ..Tree::default() }
    }

    /// Whether the limit is reached.
    pub fn full(&self) -> bool {
        self.nodes.len() >= self.max_nodes
    }

    pub(super) fn enter<G: Game>(&mut self, game: &G, mv: Option<&G::Move>, window: Option<(i32, i32)>) {
        if self.full() {
            return self.open.push(usize::MAX);
        }
        let at = self.nodes.len();
        if let Some(parent) = self.open.last().and_then(|&p| self.nodes.get_mut(p)) {
            parent.children.push(at);
        }
        self.nodes.push(Node {
            label: mv.map(ToString::to_string).unwrap_or_default(),
            depth: self.open.len() as u32,
            turn: game.turn(),
            value: 0.0,
            window,
            skipped: 0,
            children: Vec::new(),
        });
        self.open.push(at);
    }

    pub(super) fn leave(&mut self, value: f64, skipped: usize) {
        if let Some(node) = self.open.pop().and_then(|at| self.nodes.get_mut(at)) {
            (node.value, node.skipped) = (value, skipped);
        }
    }
}
