//! Monte-Carlo tree search by predictor and upper confidence bounds (PUCT; Rosin, 2011; Silver and others, 2017)
//! without random playouts: the value of a leaf is the probability of winning at its quiescence score, and moves are
//! visited according to their learned probability and their results.
//!
//! Proved nodes are never visited again (Winands, Björnsson and Saito, 2008): losing moves are not tried, and a winning
//! move ends the search.

use super::{
    arena::{Arena, Node},
    boltzmann::{exp, logistic},
    workers::{LeafAction, LeafResult},
};
use crate::{
    search::{
        board::SearchBoard,
        move_order::Ranked,
        score::{INFINITE, PERPETUAL},
        tree::Tree,
    },
    statistics::logarithm::HALVING,
};
use hayasashi_shogi::rules::{Move, MoveList, Stage};

/// Centipawns that multiply the odds of winning by e.
const SCALE: f64 = 600.0;
/// The weight of exploration.
const EXPLORATION: f32 = 1.0;
/// How much less a move without visits is expected to be worth than the position.
const FIRST_PLAY: f32 = 0.1;

/// The probability of winning at a score, or the result if it is proved.
fn chance(score: i32) -> f32 {
    match score {
        s if s >= PERPETUAL => 1.0,
        s if s <= -PERPETUAL => 0.0,
        s => logistic(s as f64, SCALE) as f32,
    }
}

/// The score in centipawns at a probability of winning.
pub(super) fn centipawns(chance: f32) -> f32 {
    let chance = (chance as f64).clamp(1e-9, 1.0 - 1e-9);
    (SCALE * (chance / (1.0 - chance)).ln()) as f32
}

impl Arena {
    /// The child to visit next. Threads that are working below a child count as losses (virtual loss).
    fn choose(&self, at: u32) -> Option<u32> {
        let parent = self.node(at);
        let visits = (parent.visits + parent.pending as u32).max(1);
        let explored = EXPLORATION * (visits as f32).sqrt();
        let first_play = parent.value - FIRST_PLAY;
        let promise = |child: u32| {
            let node = self.node(child);
            let (tried, pending) = (node.visits as f32, node.pending as f32);
            let worth = match tried + pending {
                0.0 => first_play,
                all => tried * (1.0 - node.value) / all,
            };
            worth + explored * node.share / (1.0 + tried + pending)
        };
        let open = self.children(at).filter(|&child| !self.node(child).is_won());
        // Of equal ones the first.
        let best = open.map(|child| (child, promise(child))).reduce(|a, b| if b.1 > a.1 { b } else { a });
        best.map(|(child, _)| child)
    }

    /// Descends from `root` to the next leaf and marks the nodes on the way. Returns the leaf, and what to do there;
    /// `None` if it is proved.
    pub(super) fn descend(&mut self, root: u32) -> (u32, Option<LeafAction>) {
        let mut at = root;
        loop {
            self.node_mut(at).pending += 1;
            let node = self.node(at);
            if node.settled().is_some() && at != root {
                return (at, None);
            }
            if node.is_leaf() {
                let task = if at == root || node.visits > 0 { LeafAction::Expand } else { LeafAction::Evaluate };
                return (at, Some(task));
            }
            match self.choose(at) {
                Some(child) => at = child,
                None => return (at, None),
            }
        }
    }

    /// Removes the marks.
    #[expect(clippy::needless_collect, reason = "the loop changes the tree")]
    pub(super) fn unmark(&mut self, at: u32, root: u32) {
        let path: Vec<u32> = self.upwards(at, root).collect();
        path.into_iter().for_each(|node| self.node_mut(node).pending -= 1);
    }

    /// Backs up a visit to a node with this value for its mover.
    pub(super) fn count_visit(&mut self, at: u32, value: f32, root: u32) {
        let path: Vec<u32> = self.upwards(at, root).collect();
        let (mut value, mut settled) = (value, true);
        for node in path {
            settled = settled && self.settle(node);
            let node = self.node_mut(node);
            node.visits += 1;
            node.value += (value - node.value) / node.visits as f32;
            if settled {
                node.value = chance(node.settled().unwrap_or(0));
                value = node.value;
            }
            value = 1.0 - value;
        }
    }

    /// Applies an evaluation in centipawns to a node, and returns it as a probability of winning.
    pub(super) fn apply_evaluation(&mut self, at: u32, evaluated: &Node) -> f32 {
        if let Some(score) = evaluated.settled() {
            self.node_mut(at).settle(score);
        }
        chance(evaluated.value as i32)
    }
}

impl<B: SearchBoard> Tree<'_, B> {
    /// Expands the position at `ply`: its moves by learned probability, and an evaluation of the first.
    pub(super) fn expand_by_policy(&mut self, only: &[Move], ply: usize) -> LeafResult {
        let mut list = MoveList::new();
        self.board.moves(Stage::All, &mut list);
        let context = self.context();
        let wanted = list.iter().filter(|&&mv| only.is_empty() || only.contains(&mv));
        let mut ranked: Vec<(Ranked, i32)> = wanted
            .map(|&mv| {
                let cost = self.cost(&context, mv).0;
                (Ranked::new(-cost, mv), cost)
            })
            .collect();
        ranked.sort_unstable_by_key(|&(ranked, _)| std::cmp::Reverse(ranked));
        let halving = std::f64::consts::LN_2 / HALVING as f64;
        let weights: Vec<f64> = ranked.iter().map(|&(_, cost)| exp(-cost as f64 * halving)).collect();
        let sum: f64 = weights.iter().sum();
        let child = |(&(ranked, _), weight): (&(Ranked, i32), f64)| Node {
            share: (weight / sum) as f32,
            ..Node::new(ranked.mv())
        };
        let children: Vec<Node> = ranked.iter().zip(weights).map(child).collect();
        let evaluated = children.first().map(|first| {
            let checks = self.position().gives_check(first.mv);
            self.make(ply, first.mv, checks);
            let evaluated = self.evaluate_leaf(first.mv, INFINITE, ply + 1);
            self.board.unmake();
            evaluated
        });
        LeafResult { children, evaluated, complete: !self.aborted }
    }
}
