//! Softmax search of a cluster: the leader keeps the tree, in which values are expectations under Boltzmann's distribution, and
//! members search its leaves. Each member has the most probable leaf below a node that is its own; nodes are reassigned by realization
//! probability (Hara, Igarashi, Morioka and Yamamoto, 2016), as between the threads of one engine.
//!
//! A member searches a leaf with several lines. Their first moves become its children, and their scores the children's values.

use super::{
    job::{self, Found, Job},
    strategy::{Best, Question, Sizes, Strategy},
};
use hayasashi_engine::search::{
    best_first::{
        arena::{backed, Arena, Node},
        softmax::Softmax,
        LeafAvailability,
    },
    score::{LONGEST_MATE, MATE, PERPETUAL},
    GamePath, Repeated,
};
use hayasashi_shogi::rules::Move;
use std::cmp::Ordering;

/// The root of the arena.
const ROOT: u32 = 0;
/// Longest line in the tree.
const LONGEST_LINE: usize = 100;

/// The tree, and the leaves that members search.
pub struct SoftmaxTree {
    question: Question,
    nodes: u64,
    arena: Arena,
    softmax: Softmax,
    completed: u32,
    working_on: Vec<Option<u32>>,
    full: bool,
    /// The root's declaration.
    declares: bool,
}

impl SoftmaxTree {
    /// An empty tree for this question.
    pub fn new(question: Question, sizes: &Sizes) -> SoftmaxTree {
        let mut arena = Arena::new(sizes.tree_bytes);
        arena.clear();
        let softmax = Softmax { temperature: sizes.temperature.into(), assigned: vec![None; question.members] };
        let working_on = vec![None; question.members];
        let nodes = sizes.leaf_nodes;
        SoftmaxTree { question, nodes, arena, softmax, completed: 0, working_on, full: false, declares: false }
    }

    /// The children that a member's lines give a position: their moves, and what they are worth for their own mover.
    fn children(&self, line: &[Move], found: &Found) -> Vec<Node> {
        let mut path = self.question.path(line);
        let mut children = Vec::new();
        for scored in &found.lines {
            let Some(&mv) = scored.pv.first().filter(|&&mv| path.is_legal(mv)) else { continue };
            if children.iter().any(|child: &Node| child.mv == mv) {
                continue;
            }
            let mut child = Node::new(mv);
            child.value = -scored.score as f32;
            if scored.score.abs() > LONGEST_MATE {
                // From here one ply less far away.
                let near = if scored.score > 0 { -scored.score - 1 } else { -scored.score + 1 };
                child.settle(near.clamp(-MATE, MATE));
            } else if let Some(result) = repetition(&mut path, mv, self.question.draw, line.len()) {
                child.settle(result);
                child.value = result as f32;
            }
            children.push(child);
        }
        children
    }

    fn score(&self, child: u32) -> i32 {
        let node = self.arena.node(child);
        node.settled().map_or(-node.value.round() as i32, backed)
    }

    fn best_child(&self, at: u32) -> Option<u32> {
        let rank = |&child: &u32| (self.score(child), -self.arena.node(child).value);
        self.arena.children(at).reduce(|best, child| match rank(&child).partial_cmp(&rank(&best)) {
            Some(Ordering::Greater) => child,
            _ => best,
        })
    }

    /// Sets a member's leaf free, for another member.
    fn release(&mut self, member: usize) {
        if let Some(leaf) = self.working_on[member].take() {
            self.softmax.release(&mut self.arena, ROOT, leaf);
        }
    }
}

/// The proved score of the position after a move for its mover if it repeats one of the game or the line; `ply` is that of the position
/// before. The draw's value is that of the side to move at the root.
pub(super) fn repetition(path: &mut GamePath, mv: Move, draw: i32, ply: usize) -> Option<i32> {
    path.do_move(mv);
    let repeated = path.repeated();
    path.undo_move();
    Some(match repeated? {
        Repeated::Draw if ply.is_multiple_of(2) => -draw,
        Repeated::Draw => draw,
        Repeated::Win => PERPETUAL,
        Repeated::Loss => -PERPETUAL,
    })
}

impl Strategy for SoftmaxTree {
    fn job(&mut self, member: usize) -> Option<Job> {
        let root = self.arena.node(ROOT);
        if self.full || root.settled().is_some() || root.is_leaf() && root.pending > 0 {
            return None;
        }
        let last = self.question.depth.unwrap_or(u32::MAX);
        match self.softmax.availability(&self.arena, ROOT, &mut self.completed, last) {
            LeafAvailability::Available => {}
            LeafAvailability::Busy | LeafAvailability::Exhausted => return None,
        }
        loop {
            let leaf = self.softmax.take_leaf(&mut self.arena, ROOT, member, self.completed)?;
            let line = self.arena.line(ROOT, leaf);
            if line.len() < LONGEST_LINE {
                self.working_on[member] = Some(leaf);
                let only = if leaf == ROOT { self.question.only.clone() } else { Vec::new() };
                return Some(Job { line, only, nodes: Some(self.nodes), ..Job::default() });
            }
            self.softmax.close(&mut self.arena, ROOT, leaf);
        }
    }

    fn done(&mut self, member: usize, found: &Found, stopped: bool) {
        let Some(leaf) = self.working_on[member] else { return };
        let children = self.children(&self.arena.line(ROOT, leaf), found);
        // A search that is stopped at once still has a move.
        if stopped && (leaf != ROOT || children.is_empty()) {
            return self.release(member);
        }
        self.working_on[member] = None;
        match found.best {
            Some(job::Best::Win) => {
                self.declares |= leaf == ROOT;
                self.arena.node_mut(leaf).settle(MATE);
            }
            _ if children.is_empty() => self.arena.node_mut(leaf).settle(-MATE),
            _ if !self.arena.insert(leaf, &children) => {
                self.full = true;
                return self.softmax.release(&mut self.arena, ROOT, leaf);
            }
            _ => {}
        }
        self.softmax.finish_leaf(&mut self.arena, ROOT, leaf);
    }

    fn lost(&mut self, member: usize) {
        self.release(member);
    }

    fn best(&self) -> Option<Best> {
        let root = self.arena.node(ROOT);
        if self.declares {
            return Some(Best { score: MATE, declares: true, ..Best::default() });
        }
        if root.is_leaf() {
            return root.settled().map(|score| Best { score, ..Best::default() });
        }
        let pv: Vec<u32> = std::iter::successors(self.best_child(ROOT), |&at| self.best_child(at)).collect();
        let score = self.score(pv[0]);
        Some(Best {
            pv: pv.iter().map(|&at| self.arena.node(at).mv).collect(),
            score,
            depth: self.completed,
            declares: false,
        })
    }

    /// A doubling of the tree is an iteration.
    fn iterations(&self) -> u32 {
        u32::BITS - self.arena.node(ROOT).visits.leading_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayasashi_shogi::rules::Position;

    fn tree(members: usize) -> SoftmaxTree {
        let game = GamePath::new(Position::startpos());
        SoftmaxTree::new(Question { game, only: Vec::new(), depth: None, members, draw: 0 }, &Sizes::default())
    }

    fn found(lines: &[&str]) -> Found {
        let mut found = Found::default();
        for (number, line) in lines.iter().enumerate() {
            found.read(&format!("info depth 3 multipv {} score {line}", number + 1));
        }
        found
    }

    #[test]
    fn the_value_is_an_expectation() {
        let mut tree = tree(2);
        assert!(tree.job(0).unwrap().line.is_empty() && tree.job(1).is_none());
        tree.done(0, &found(&["cp 100 pv 7g7f", "cp 20 pv 2g2f"]), false);
        let best = tree.best().unwrap();
        assert_eq!((best.pv[0].to_string(), best.score), ("7g7f".into(), 100));
        // With a temperature of 80 the moves have the odds e to 1.
        let value = f64::from(tree.arena.node(ROOT).value);
        let share = std::f64::consts::E / (1.0 + std::f64::consts::E);
        assert!((value - (100.0 * share + 20.0 * (1.0 - share))).abs() < 0.01, "{value}");
        // The two members search different leaves.
        let lines = [tree.job(0).unwrap().line, tree.job(1).unwrap().line];
        assert!(lines.iter().all(|line| line.len() == 1) && lines[0] != lines[1], "{lines:?}");
        // A good reply makes the other move the best.
        tree.done(0, &found(&["cp 500 pv 3c3d"]), false);
        let best = tree.best().unwrap();
        assert_eq!((best.pv.len(), best.score), (1, 20));
        assert_ne!(best.pv, lines[0]);
    }

    #[test]
    fn a_mate_is_not_averaged() {
        let mut tree = tree(1);
        tree.job(0);
        tree.done(0, &found(&["cp 100 pv 7g7f", "cp 90 pv 2g2f"]), false);
        let line = tree.job(0).unwrap().line;
        tree.done(0, &found(&["mate 5 pv 3c3d", "cp 0 pv 8c8d"]), false);
        let best = tree.best().unwrap();
        assert!(best.pv != line && best.score.abs() < LONGEST_MATE, "{best:?}");
        let other = tree.job(0).unwrap().line;
        assert_ne!(other, line);
        tree.done(0, &found(&["mate -4 pv 3c3d"]), false);
        assert_eq!((tree.best().unwrap().pv[0], tree.best().unwrap().score), (other[0], MATE - 5));
        assert_eq!(tree.job(0), None);
    }

    #[test]
    fn a_lost_leaf_is_searched_by_another() {
        let mut tree = tree(2);
        let root = tree.job(1);
        assert_eq!(tree.job(0), None);
        tree.lost(1);
        assert_eq!(tree.job(0), root);
    }
}
