//! Softmax search (Hara, Igarashi, Morioka and Yamamoto, 2016): a node is worth the expectation over its children, chosen by
//! Boltzmann's distribution of their values; the leaf that is reached with the greatest probability is expanded next.
//!
//! Settled nodes have no part in this. A child that is lost for its mover wins at once; one that is won is never
//! chosen. So no mate, and no perpetual check, is ever averaged with centipawns.

use super::{
    arena::{Arena, Node},
    boltzmann::{distribute, exp},
    workers::{LeafAvailability, LeafResult},
};
use crate::search::{board::SearchBoard, score::INFINITE, tree::Tree};
use hayasashi_shogi::rules::Move;
use std::{cmp::Reverse, collections::BinaryHeap};

/// Parts of a halving by which the threshold is raised: θ goes from 0.1 by 0.1.
const STEPS_PER_HALVING: u32 = 10;
/// The greatest threshold, in steps: beyond it probabilities are too small to be told apart.
const LAST: u32 = 120 * STEPS_PER_HALVING;
/// A move so many temperatures below the best one is improbable enough (1 : 403) not to be scored exactly.
const WIDTH: u32 = 6;

/// The probability at a threshold, in steps.
fn bound(threshold: u32) -> f32 {
    exp(-(threshold as f64) * std::f64::consts::LN_2 / STEPS_PER_HALVING as f64) as f32
}

impl Arena {
    /// Gives a node with children its value, and them their shares.
    fn expect(&mut self, at: u32, temperature: f64) {
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
        self.find_reach(at);
    }

    /// A leaf may be expanded or no longer: tells the nodes above, up to `root`.
    fn reach_up(&mut self, at: u32, root: u32) {
        let above: Vec<u32> = self.upwards(at, root).skip(1).collect();
        above.into_iter().for_each(|node| self.find_reach(node));
    }

    /// After an expansion: values, shares and reaches from a node up to `root`.
    fn back_up(&mut self, at: u32, root: u32, temperature: f64) {
        let path: Vec<u32> = self.upwards(at, root).collect();
        for node in path {
            self.node_mut(node).visits += 1;
            match self.node(node).is_leaf() {
                true => self.node_mut(node).value = self.node(node).settled().unwrap_or(0) as f32,
                false => self.expect(node, temperature),
            }
        }
    }

    /// The most probable leaf that may be expanded below a node, with its probability seen from there; none below the
    /// node's children that are `taken`.
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

    /// So many of the most probable nodes that are not settled, `root` included, the most probable first. As no node is more
    /// probable than the one before it they hang together, and no others have a greater sum.
    pub fn most_probable(&self, root: u32, count: usize) -> Vec<u32> {
        let mut found = Vec::with_capacity(count);
        // Positive numbers are in the order of their bits.
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

/// The search of a tree whose root is `root`.
pub(super) struct Softmax {
    /// Centipawns.
    pub temperature: f64,
    /// Nodes that the threads have by realization probability.
    pub assigned: Vec<Option<u32>>,
}

impl Softmax {
    /// Raises the threshold, of which `completed` steps are done, until there is a leaf within it.
    pub fn ready(&self, arena: &Arena, root: u32, completed: &mut u32, last: u32) -> LeafAvailability {
        let reach = arena.node(root).reach;
        if reach == 0.0 {
            return LeafAvailability::Wait;
        }
        while reach <= bound(*completed + 1) {
            *completed += 1;
            if *completed >= last.min(LAST) {
                return LeafAvailability::Done;
            }
        }
        LeafAvailability::Go
    }

    /// The leaf that a thread expands: the most probable one of those it is assigned, or of all where these lie beyond the
    /// threshold. Nobody else takes it meanwhile.
    pub fn take(&mut self, arena: &mut Arena, root: u32, worker: usize, completed: u32) -> Option<u32> {
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

    /// Assigns the most probable nodes to the threads, one each: a thread has what is below its node but not below
    /// another's (the "others" of the paper). Whose node is still among them keeps it; the rest are moved on to those that
    /// nobody has, the most probable first.
    pub fn assign(&mut self, arena: &Arena, root: u32) {
        let mut free = arena.most_probable(root, self.assigned.len());
        for own in &mut self.assigned {
            *own = own.filter(|at| free.contains(at));
            free.retain(|&at| Some(at) != *own);
        }
        let without = self.assigned.iter_mut().filter(|own| own.is_none());
        without.zip(free).for_each(|(own, at)| *own = Some(at));
    }

    /// A leaf was not expanded after all.
    pub fn release(&self, arena: &mut Arena, root: u32, leaf: u32) {
        let node = arena.node_mut(leaf);
        (node.pending, node.reach) = (0, if node.settled().is_none() { 1.0 } else { 0.0 });
        arena.reach_up(leaf, root);
    }

    /// A leaf may be expanded no more, without being settled: the line is too long.
    pub fn close(&self, arena: &mut Arena, root: u32, leaf: u32) {
        let node = arena.node_mut(leaf);
        (node.pending, node.reach) = (0, 0.0);
        arena.reach_up(leaf, root);
    }

    /// A leaf has its children now, or is settled.
    pub fn give(&self, arena: &mut Arena, root: u32, leaf: u32) {
        arena.node_mut(leaf).pending = 0;
        arena.back_up(leaf, root, self.temperature);
    }
}

impl<B: SearchBoard> Tree<'_, B> {
    /// Expands the position at `ply`: all its moves, each scored for its opponent by quiescence. What is far below the
    /// best is scored by a bound.
    pub(super) fn expand_all(&mut self, only: &[Move], temperature: f64, ply: usize) -> LeafResult {
        let width = match ply == 0 && self.shared.settings.lines > 1 {
            true => 2 * INFINITE,
            false => (temperature * WIDTH as f64) as i32,
        };
        let ranked = self.ranked(only);
        let mut children: Vec<Node> = Vec::with_capacity(ranked.len());
        let mut best = -INFINITE;
        for (at, &move_of) in ranked.iter().enumerate() {
            if let Err(error) = self.board.look_ahead(&ranked[at..], at) {
                self.fail(error);
                break;
            }
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
        // A search that was stopped at once has a move all the same.
        if let (0, true, Some(first)) = (ply, children.is_empty(), ranked.first()) {
            children.push(Node::new(first.mv()));
        }
        LeafResult { children, evaluated: None, complete: !self.aborted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::MATE;

    /// Children by value for their mover.
    fn leaves(values: &[f32]) -> Vec<Node> {
        let moves = ["7g7f", "2g2f", "6i7h", "3i4h", "1g1f"].map(|m| Move::from_usi(m).unwrap());
        values.iter().zip(moves).map(|(&value, mv)| Node { value, ..Node::new(mv) }).collect()
    }

    const TEMPERATURE: f64 = 80.0;

    fn expand(arena: &mut Arena, at: u32, values: &[f32]) {
        assert!(arena.insert(at, &leaves(values)));
        arena.back_up(at, 0, TEMPERATURE);
    }

    fn tree() -> Arena {
        let mut arena = Arena::new(0);
        arena.clear();
        expand(&mut arena, 0, &[0.0, 40.0, 400.0]);
        let best = arena.best_leaf(0, &[]).unwrap().0;
        expand(&mut arena, best, &[-10.0, 30.0]);
        arena
    }

    #[test]
    fn a_value_is_the_expectation_with_boltzmanns_odds() {
        let arena = tree();
        let shares: Vec<f64> = arena.children(0).map(|c| arena.node(c).share as f64).collect();
        // The first child was the best; its own children are worth 10 and −30 to its mover.
        let weight = |value: f64| (value / 80.0).exp();
        let below = (10.0 * weight(10.0) - 30.0 * weight(-30.0)) / (weight(10.0) + weight(-30.0));
        let sum = weight(-below) + weight(-40.0) + weight(-400.0);
        let expected = [-below, -40.0, -400.0].map(|v| weight(v) / sum);
        assert!(shares.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{shares:?} {expected:?}");
        let value = expected[0] * -below + expected[1] * -40.0 + expected[2] * -400.0;
        assert!((arena.node(0).value as f64 - value).abs() < 1e-3);
        assert!((arena.node(1).value as f64 - below).abs() < 1e-3);
    }

    #[test]
    fn the_leaf_taken_has_the_greatest_product_of_shares() {
        let mut arena = tree();
        for _ in 0..30 {
            let leaves: Vec<u32> = (0..arena.len() as u32).filter(|&at| arena.node(at).is_leaf()).collect();
            let greatest = leaves.iter().map(|&at| arena.realization(0, at)).fold(0.0, f32::max);
            let (leaf, probability) = arena.best_leaf(0, &[]).unwrap();
            assert!((arena.realization(0, leaf) - greatest).abs() < 1e-6 * greatest);
            assert!((probability - greatest).abs() < 1e-6 && (arena.node(0).reach - greatest).abs() < 1e-6);
            let value = arena.node(leaf).value;
            expand(&mut arena, leaf, &[-value, -value + 25.0, -value + 60.0]);
        }
    }

    #[test]
    fn thresholds_rise_by_a_tenth_of_a_halving() {
        assert_eq!((bound(0), bound(10), bound(30)), (1.0, 0.5, 0.125));
        assert!((bound(1) - 0.933_033).abs() < 1e-6);
        let (mut arena, search) = (tree(), Softmax { temperature: TEMPERATURE, assigned: vec![None] });
        let (mut completed, mut expansions) = (0, 0);
        let ready = loop {
            let before = completed;
            let ready = search.ready(&arena, 0, &mut completed, 35);
            // All that lies within the steps done has been expanded.
            let reach = arena.node(0).reach;
            assert!(completed == before || reach <= bound(completed), "{completed}: {reach}");
            if ready != LeafAvailability::Go {
                break ready;
            }
            assert!(reach > bound(completed + 1), "{completed}: {reach}");
            let leaf = arena.best_leaf(0, &[]).unwrap().0;
            let value = arena.node(leaf).value;
            expand(&mut arena, leaf, &[-value, -value]);
            expansions += 1;
        };
        assert!(ready == LeafAvailability::Done && completed == 35 && expansions > 10, "{completed} {expansions}");
        assert!(arena.node(0).reach <= bound(35));
    }

    #[test]
    fn wins_and_losses_are_not_averaged() {
        let mut arena = tree();
        // The second child wins for its mover: it is out of the question.
        arena.node_mut(2).settle(MATE - 3);
        arena.node_mut(2).value = (MATE - 3) as f32;
        arena.back_up(2, 0, TEMPERATURE);
        let root = *arena.node(0);
        assert!(root.settled().is_none() && root.value.abs() < 100.0 && arena.node(2).share == 0.0, "{root:?}");
        // Nothing is expanded below what is settled, though its leaves are open.
        assert!(arena.node(arena.children(1).start).reach == 1.0);
        let mut others = tree();
        others.node_mut(1).settle(MATE - 5);
        others.back_up(2, 0, TEMPERATURE);
        assert_eq!(others.best_leaf(0, &[Some(2), Some(3)]), None);
        // The third is lost for its mover: that is a win, whatever the others are.
        arena.node_mut(3).settle(-MATE + 2);
        arena.back_up(3, 0, TEMPERATURE);
        assert_eq!((arena.node(0).settled(), arena.node(0).value), (Some(MATE - 3), (MATE - 3) as f32));
        assert_eq!(arena.node(0).reach, 0.0);
    }

    /// Sums over all sets of the same size that hang together.
    #[test]
    fn threads_have_the_nodes_of_the_greatest_sum() {
        let mut arena = tree();
        expand(&mut arena, 2, &[-40.0, -30.0]);
        let probabilities: Vec<f32> = (0..arena.len() as u32).map(|at| arena.realization(0, at)).collect();
        for count in 1..=5 {
            let greatest = (0u32..1 << arena.len()).filter(|set| set.count_ones() as usize == count && set & 1 == 1);
            let greatest = greatest
                .filter(|set| (1..arena.len() as u32).all(|at| set >> at & 1 <= set >> arena.parent(at).unwrap() & 1))
                .map(|set| (0..arena.len()).filter(|at| set >> at & 1 == 1).map(|at| probabilities[at]).sum::<f32>())
                .fold(0.0, f32::max);
            let found = arena.most_probable(0, count);
            let sum: f32 = found.iter().map(|&at| probabilities[at as usize]).sum();
            assert!(found.len() == count && (sum - greatest).abs() < 1e-6, "{count}: {found:?}");
        }
    }

    #[test]
    fn threads_take_leaves_below_their_own_nodes_and_none_twice() {
        let mut arena = tree();
        let mut search = Softmax { temperature: TEMPERATURE, assigned: vec![None; 3] };
        search.assign(&arena, 0);
        let replies = arena.children(1);
        assert_eq!(search.assigned, [Some(0), Some(1), Some(replies.start)]);
        let taken: Vec<u32> = (0..3).map(|worker| search.take(&mut arena, 0, worker, LAST - 1).unwrap()).collect();
        // The first has the "others" of the root, the second those of the best move, the third a leaf itself.
        assert_eq!(taken, [2, replies.start + 1, replies.start]);
        assert!(taken.iter().all(|&leaf| arena.node(leaf).reach == 0.0 && arena.node(leaf).pending == 1));
        search.release(&mut arena, 0, replies.start);
        assert_eq!(search.take(&mut arena, 0, 2, LAST - 1), Some(replies.start));
        // Within 1.4 halvings there is nothing among the others of the root, and the first helps the third.
        taken.into_iter().for_each(|leaf| search.release(&mut arena, 0, leaf));
        assert_eq!(search.take(&mut arena, 0, 0, 13), Some(replies.start));
    }

    #[test]
    fn threads_follow_what_becomes_probable() {
        let mut arena = tree();
        let mut search = Softmax { temperature: TEMPERATURE, assigned: vec![None; 3] };
        let mut moved = 0;
        for _ in 0..12 {
            let before = search.assigned.clone();
            search.assign(&arena, 0);
            let mut wanted = arena.most_probable(0, 3);
            // Whose node is still wanted keeps it.
            let keeps =
                |(old, new): (&Option<u32>, &Option<u32>)| old == new || old.is_none_or(|at| !wanted.contains(&at));
            assert!(before.iter().zip(&search.assigned).all(keeps), "{before:?} {:?}", search.assigned);
            moved += before.iter().zip(&search.assigned).filter(|(old, new)| old.is_some() && old != new).count();
            let mut all: Vec<u32> = search.assigned.iter().flatten().copied().collect();
            all.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(all, wanted);
            // Each line turns out worse than it looked.
            let leaf = arena.best_leaf(0, &[]).unwrap().0;
            let value = arena.node(leaf).value;
            expand(&mut arena, leaf, &[-value - 90.0, -value]);
        }
        assert!(moved > 2, "{moved}");
    }

    #[test]
    fn a_thread_whose_node_fell_out_of_the_tree_is_moved_on() {
        let mut arena = tree();
        expand(&mut arena, 2, &[-40.0, -30.0]);
        let mut search = Softmax { temperature: TEMPERATURE, assigned: vec![None; 4] };
        search.assign(&arena, 0);
        let before = search.assigned.clone();
        assert!(before.contains(&Some(1)) && before.contains(&Some(2)));
        // The first move is played: its node is the root, and its thread keeps it.
        let owner = before.iter().position(|&at| at == Some(1)).unwrap();
        arena.retain(1, |_| true, &mut search.assigned);
        assert_eq!(search.assigned[owner], Some(0));
        search.assign(&arena, 0);
        assert_eq!(search.assigned[owner], Some(0));
        let mut all: Vec<u32> = search.assigned.iter().flatten().copied().collect();
        all.sort_unstable();
        // Three nodes are left, which three of the threads have.
        assert_eq!(all, [0, 1, 2]);
    }
}
