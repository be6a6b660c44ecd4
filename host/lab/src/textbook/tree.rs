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
        let at = self.add(self.open.last().copied(), game, mv, window);
        self.open.push(at);
    }

    pub(super) fn leave(&mut self, value: f64, skipped: usize) {
        if let Some(node) = self.open.pop().and_then(|at| self.nodes.get_mut(at)) {
            (node.value, node.skipped) = (value, skipped);
        }
    }

    /// Adds a node below another one. Returns its index, or [`UNRECORDED`] beyond the limit.
    fn add<G: Game>(
        &mut self,
        parent: Option<usize>,
        game: &G,
        mv: Option<&G::Move>,
        window: Option<(i32, i32)>,
    ) -> usize {
        if self.full() {
            return UNRECORDED;
        }
        let at = self.nodes.len();
        let mut depth = 0;
        if let Some(parent) = parent.and_then(|p| self.nodes.get_mut(p)) {
            parent.children.push(at);
            depth = parent.depth + 1;
        }
        let label = mv.map(ToString::to_string).unwrap_or_default();
        self.nodes.push(Node { label, depth, turn: game.turn(), value: 0.0, window, skipped: 0, children: Vec::new() });
        at
    }
}

/// The index of a node beyond the limit.
const UNRECORDED: usize = usize::MAX;

/// Counts and records the visits of a search that does not go depth first.
pub(super) struct Visits<'a> {
    /// Number of visited positions.
    pub nodes: u64,
    tree: Option<&'a mut Tree>,
}

impl<'a> Visits<'a> {
    pub fn new(tree: Option<&'a mut Tree>) -> Visits<'a> {
        Visits { nodes: 0, tree }
    }

    /// Adds a position with `moves` moves, none of which is visited yet. Returns its index for the other functions.
    pub fn add<G: Game>(
        &mut self,
        parent: Option<usize>,
        game: &G,
        mv: Option<&G::Move>,
        window: (i32, i32),
        moves: usize,
    ) -> usize {
        self.nodes += 1;
        let Some(tree) = &mut self.tree else { return UNRECORDED };
        if let Some(parent) = parent.and_then(|p| tree.nodes.get_mut(p)) {
            parent.skipped -= 1;
        }
        let at = tree.add(parent, game, mv, Some(window));
        if let Some(node) = tree.nodes.get_mut(at) {
            (node.value, node.skipped) = (f64::NAN, moves);
        }
        at
    }

    /// Sets the value, or the bound, that is known of a position.
    pub fn set_value(&mut self, at: usize, value: i32) {
        if let Some(node) = self.tree.as_mut().and_then(|tree| tree.nodes.get_mut(at)) {
            node.value = value as f64;
        }
    }
    /// Gives the positions without a value the bound that follows from their visited children.
    pub fn finish(&mut self) {
        let Some(tree) = &mut self.tree else { return };
        for at in (0..tree.nodes.len()).rev() {
            let node = &tree.nodes[at];
            if !node.value.is_nan() {
                continue;
            }
            let below = node.children.iter().map(|&child| tree.nodes[child].value);
            let bound = match node.turn {
                Turn::Min => below.fold(f64::NAN, f64::min),
                _ => below.fold(f64::NAN, f64::max),
            };
            // Without recorded children nothing is known beyond the window.
            let unknown = node.window.map_or(0, |(_, beta)| beta) as f64;
            tree.nodes[at].value = if bound.is_nan() { unknown } else { bound };
        }
    }
}
