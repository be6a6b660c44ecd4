//! Monte-Carlo tree search by predictor and upper confidence bounds (PUCT; Rosin, 2011; Silver and others, 2017) without
//! random play: a leaf is worth the probability of winning at its quiescence score, and moves are tried as often as their
//! history probability and what came of them suggest.
//!
//! Settled nodes are proofs, as in the other search (Winands, Björnsson and Saito, 2008): moves that lose are not tried
//! again, and a move that wins ends the search.

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
/// How much a move that was tried seldom is worth trying.
const EXPLORATION: f32 = 1.0;
/// What a move that was not tried is expected to be worth less than the position.
const FIRST_PLAY: f32 = 0.1;

/// The probability of winning at a score that is settled, or not.
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
    /// The child to try next. Threads that are at work below count as losses.
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

    /// Goes down from `root` to the node to be looked at, and what is to be done there: `None` if it is settled. All nodes
    /// on the way are marked.
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

    /// Takes back the marks.
    pub(super) fn unmark(&mut self, at: u32, root: u32) {
        let path: Vec<u32> = self.upwards(at, root).collect();
        path.into_iter().for_each(|node| self.node_mut(node).pending -= 1);
    }

    /// Counts a visit that ended at a node, which was found to be worth `value` for its mover.
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

    /// A node was evaluated in centipawns: what it is worth as a probability.
    pub(super) fn apply_evaluation(&mut self, at: u32, evaluated: &Node) -> f32 {
        if let Some(score) = evaluated.settled() {
            self.node_mut(at).settle(score);
        }
        chance(evaluated.value as i32)
    }
}

impl<B: SearchBoard> Tree<'_, B> {
    /// Expands the position at `ply`: its moves by history probability, and a judgement of the first.
    pub(super) fn expand_by_policy(&mut self, only: &[Move], ply: usize) -> LeafResult {
        let mut list = MoveList::new();
        if let Err(error) = self.board.moves(Stage::All, &mut list) {
            self.fail(error);
            return LeafResult { children: Vec::new(), evaluated: None, complete: false };
        }
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
