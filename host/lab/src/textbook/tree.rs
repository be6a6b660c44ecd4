//! What a search visited, kept to be looked at.

use super::{Game, Turn};

/// A position that was visited.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The move that leads to it; empty at the root.
    pub label: String,
    /// Plies from the root.
    pub depth: u32,
    /// Who decides.
    pub turn: Turn,
    /// What the search found for Max; with cut-offs it may be a bound.
    pub value: f64,
    /// What was already sure when it was entered: Max has at least the first, Min at most the second. None for searches without
    /// window.
    pub window: Option<(i32, i32)>,
    /// Moves that were not looked at after a cut-off.
    pub skipped: usize,
    /// Places of what was visited below, among [`Tree::nodes`].
    pub children: Vec<usize>,
}

/// The visited part of a game tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The root first, then as visited.
    pub nodes: Vec<Node>,
    open: Vec<usize>,
    most: usize,
}

impl Tree {
    /// A tree that keeps so many nodes at most.
    pub fn new(most: usize) -> Tree {
        Tree { most, ..Tree::default() }
    }

    /// Whether a node was left out for the limit.
    pub fn full(&self) -> bool {
        self.nodes.len() >= self.most
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
            label: mv.map(|mv| mv.to_string()).unwrap_or_default(),
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
