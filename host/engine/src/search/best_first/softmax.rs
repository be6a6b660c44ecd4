//! Softmax search (Hara, Igarashi, Morioka and Yamamoto, 2016): the value of a node is the expectation over its
//! children, chosen by Boltzmann's distribution of their values. The leaf with the greatest probability of being
//! reached is expanded next.
//!
//! Proved nodes are excluded from expectations. A child that is lost for its mover wins at once; one that is won is
//! never chosen. So mates and perpetual checks are never averaged with centipawns.

use super::{
    arena::{Arena, Node},
    boltzmann::{distribute, exp},
    workers::{LeafAvailability, LeafResult},
};
use crate::search::{board::SearchBoard, score::INFINITE, tree::Tree};
use hayasashi_shogi::rules::Move;
use std::{cmp::Reverse, collections::BinaryHeap};

/// Steps of the threshold per halving: θ rises by 0.1 from 0.1.
const STEPS_PER_HALVING: u32 = 10;
/// The greatest threshold, in steps: smaller probabilities are indistinguishable.
const LAST: u32 = 120 * STEPS_PER_HALVING;
/// A move this many temperatures below the best one is so improbable (1 : 403) that a bound of its score is enough.
const WIDTH: u32 = 6;

/// The probability at a threshold, in steps.
fn bound(threshold: u32) -> f32 {
    exp(-(threshold as f64) * std::f64::consts::LN_2 / STEPS_PER_HALVING as f64) as f32
}

impl Arena {
    /// Computes the value of a node with children, and their shares.
    fn update_value(&mut self, at: u32, temperature: f64) {
        if self.settle(at) {
            let node = self.node_mut(at);
            node.value = node.settled().unwrap_or(0) as f32;
            return;
        }
        let values = self.children(at).map(|child| self.node(child)).filter(|child| !child.is_won());
        let mut values: Vec<f64> = values.map(|child| -child.value as f64).collect();
        let mean = distribute(&mut values, temperature);
        let mut shares = values.into_iter();
        for child in self.children(at) {
            let child = self.node_mut(child);
            child.share = if child.is_won() { 0.0 } else { shares.next().unwrap_or(0.0) as f32 };
        }
        self.node_mut(at).value = mean as f32;
        self.update_reach(at);
    }

    /// Updates the reach of the ancestors of a leaf, up to `root`.
    #[expect(clippy::needless_collect, reason = "the loop changes the tree")]
    fn reach_up(&mut self, at: u32, root: u32) {
        let above: Vec<u32> = self.upwards(at, root).skip(1).collect();
        above.into_iter().for_each(|node| self.update_reach(node));
    }

    /// Backs up an expansion: values, shares and reaches from a node up to `root`.
    fn back_up(&mut self, at: u32, root: u32, temperature: f64) {
        let path: Vec<u32> = self.upwards(at, root).collect();
        for node in path {
            self.node_mut(node).visits += 1;
            match self.node(node).is_leaf() {
                true => self.node_mut(node).value = self.node(node).settled().unwrap_or(0) as f32,
                false => self.update_value(node, temperature),
            }
        }
    }

    /// The most probable leaf below a node that may be expanded, with its probability from there. The children in
    /// `taken` are skipped.
    fn best_leaf(&self, from: u32, taken: &[Option<u32>]) -> Option<(u32, f32)> {
        let reach = |child: &u32| self.node(*child).share * self.node(*child).reach;
        // Of equal ones the first.
        let best = |children: &mut dyn Iterator<Item = u32>| {
            let best = children.reduce(|best, child| if reach(&child) > reach(&best) { child } else { best });
            best.filter(|child| reach(child) > 0.0)
        };
        if self.node(from).is_leaf() {
            return (self.node(from).reach > 0.0).then_some((from, 1.0));
        }
        let mut at = best(&mut self.children(from).filter(|&child| !taken.contains(&Some(child))))?;
        let mut probability = self.node(at).share;
        while !self.node(at).is_leaf() {
            at = best(&mut self.children(at))?;
            probability *= self.node(at).share;
        }
        Some((at, probability))
    }

    /// The `count` most probable nodes that are not proved, including `root`, the most probable first. No node is more
    /// probable than its parent, so they are connected, and no connected set of the same size has a greater sum.
    pub fn most_probable(&self, root: u32, count: usize) -> Vec<u32> {
        let mut found = Vec::with_capacity(count);
        // The bits of positive numbers have the order of the numbers.
        let mut open = BinaryHeap::from([(1f32.to_bits(), Reverse(root))]);
        while let Some((bits, Reverse(at))) = open.pop().filter(|_| found.len() < count) {
            found.push(at);
            for child in self.children(at) {
                let (node, probability) = (self.node(child), f32::from_bits(bits) * self.node(child).share);
                if node.settled().is_none() && probability > 0.0 {
                    open.push((probability.to_bits(), Reverse(child)));
                }
            }
        }
        found
    }
}

/// The state of the search below the root.
pub struct Softmax {
    /// Centipawns.
    pub temperature: f64,
    /// The nodes assigned to the threads by realization probability.
    pub assigned: Vec<Option<u32>>,
}

impl Softmax {
    /// Raises the threshold, of which `completed` steps are done, until a leaf is within it.
    pub fn availability(&self, arena: &Arena, root: u32, completed: &mut u32, last: u32) -> LeafAvailability {
        let reach = arena.node(root).reach;
        if reach == 0.0 {
            return LeafAvailability::Busy;
        }
        while reach <= bound(*completed + 1) {
            *completed += 1;
            if *completed >= last.min(LAST) {
                return LeafAvailability::Exhausted;
            }
        }
        LeafAvailability::Available
    }

    /// Chooses the leaf that a thread expands and marks it: the most probable one below its assigned node, or of all if
    /// that is beyond the threshold.
    pub fn take_leaf(&mut self, arena: &mut Arena, root: u32, worker: usize, completed: u32) -> Option<u32> {
        self.assign(arena, root);
        let bound = bound(completed + 1);
        let own = self.assigned[worker].and_then(|at| {
            let (leaf, probability) = arena.best_leaf(at, &self.assigned)?;
            (arena.realization(root, at) * probability > bound).then_some(leaf)
        });
        let leaf = own.or_else(|| Some(arena.best_leaf(root, &[])?.0))?;
        let node = arena.node_mut(leaf);
        (node.pending, node.reach) = (1, 0.0);
        arena.reach_up(leaf, root);
        Some(leaf)
    }

    /// Assigns the most probable nodes to the threads, one each. A thread has the leaves below its node that are not
    /// below the node of another thread (the "others" of the paper). A thread keeps its node while that is one of the
    /// most probable; the other threads get the free ones, the most probable first.
    pub fn assign(&mut self, arena: &Arena, root: u32) {
        let mut free = arena.most_probable(root, self.assigned.len());
        for own in &mut self.assigned {
            *own = own.filter(|at| free.contains(at));
            free.retain(|&at| Some(at) != *own);
        }
        let without = self.assigned.iter_mut().filter(|own| own.is_none());
        without.zip(free).for_each(|(own, at)| *own = Some(at));
    }

    /// Releases a leaf that was not expanded.
    pub fn release(&self, arena: &mut Arena, root: u32, leaf: u32) {
        let node = arena.node_mut(leaf);
        (node.pending, node.reach) = (0, if node.settled().is_none() { 1.0 } else { 0.0 });
        arena.reach_up(leaf, root);
    }

    /// Excludes a leaf from expansion because its line is too long.
    pub fn close(&self, arena: &mut Arena, root: u32, leaf: u32) {
        let node = arena.node_mut(leaf);
        (node.pending, node.reach) = (0, 0.0);
        arena.reach_up(leaf, root);
    }

    /// Backs up a leaf that has been expanded or proved.
    pub fn finish_leaf(&self, arena: &mut Arena, root: u32, leaf: u32) {
        arena.node_mut(leaf).pending = 0;
        arena.back_up(leaf, root, self.temperature);
    }
}

impl<B: SearchBoard> Tree<'_, B> {
    /// Expands the position at `ply`: all its moves, each evaluated by quiescence. Moves far below the best one get a
    /// bound.
    pub(super) fn expand_all(&mut self, only: &[Move], temperature: f64, ply: usize) -> LeafResult {
        let width = match ply == 0 && self.shared.settings.lines > 1 {
            true => 2 * INFINITE,
            false => (temperature * WIDTH as f64) as i32,
        };
        let ranked = self.ranked(only);
        let mut children: Vec<Node> = Vec::with_capacity(ranked.len());
        let mut best = -INFINITE;
        for (at, &move_of) in ranked.iter().enumerate() {
            self.board.look_ahead(&ranked[at..], at);
            let mv = move_of.mv();
            let checks = self.position().gives_check(mv);
            self.make(ply, mv, checks);
            let node = self.evaluate_leaf(mv, -(best - width).max(-INFINITE), ply + 1);
            self.board.unmake();
            if self.aborted {
                break;
            }
            best = best.max(-node.value as i32);
            children.push(node);
        }
        // A search that is stopped at once still has a move.
        if let (0, true, Some(first)) = (ply, children.is_empty(), ranked.first()) {
            children.push(Node::new(first.mv()));
        }
        LeafResult { children, evaluated: None, complete: !self.aborted }
    }
}

#[cfg(test)]
mod tests;
