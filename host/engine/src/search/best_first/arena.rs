//! The tree in memory: nodes of 32 bytes, the children of one lying together behind their parent.
//!
//! ```text
//!  0        1  2  3      …        40 41 42 …
//!  root     children of 0         children of 2          parent < first child, always
//! ```
//!
//! The number of nodes is limited when the arena is made, and it never takes more. Nodes go by sliding the others together
//! ([`Arena::retain`]): when a move is played what is not below it goes, and when the arena is full what is improbable.

use crate::search::score::{LONGEST_MATE, MATE, PERPETUAL};
use hayasashi_shogi::rules::Move;
use std::ops::Range;

/// No node.
const NONE: u32 = u32::MAX;
/// `settled` of a node that is not.
const OPEN: i16 = i16::MIN;

/// A position, by the move that leads to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Worth for its mover: centipawns in softmax search, probability of winning in Monte-Carlo search.
    pub value: f32,
    /// Probability that its move is chosen among its siblings.
    pub share: f32,
    /// Softmax search: the probability of its most probable leaf that may be expanded, seen from here; 0 if none may.
    pub reach: f32,
    /// How often it was looked at: expansions of it and below it, or visits.
    pub visits: u32,
    pub(super) parent: u32,
    pub(super) first: u32,
    /// The move.
    pub mv: Move,
    pub(super) count: u16,
    pub(super) settled: i16,
    /// Threads that are at work below.
    pub pending: u16,
}

const _: () = assert!(size_of::<Node>() == 32);
/// What sliding takes besides, for each node: its new place, and what it is worth keeping.
const BYTES_BESIDES: usize = 8;

impl Node {
    /// A leaf.
    pub fn new(mv: Move) -> Node {
        Node {
            value: 0.0,
            share: 0.0,
            reach: 1.0,
            visits: 0,
            parent: NONE,
            first: NONE,
            mv,
            count: 0,
            settled: OPEN,
            pending: 0,
        }
    }

    /// The score that no search will change: a win or a loss with its distance from here, or a draw.
    pub fn settled(&self) -> Option<i32> {
        (self.settled != OPEN).then_some(self.settled as i32)
    }

    /// Settles it.
    pub fn settle(&mut self, score: i32) {
        (self.settled, self.reach) = (score as i16, 0.0);
    }

    /// Forgets all but the move and how probable it is.
    pub fn reopen(&mut self) {
        (self.value, self.reach, self.visits, self.settled, self.pending) = (0.0, 1.0, 0, OPEN, 0);
    }

    /// Whether its mover is known to lose.
    pub fn is_lost(&self) -> bool {
        self.settled != OPEN && self.settled as i32 <= -PERPETUAL
    }

    /// Whether its mover is known to win.
    pub fn is_won(&self) -> bool {
        self.settled as i32 >= PERPETUAL
    }

    /// Whether it has no children.
    pub fn is_leaf(&self) -> bool {
        self.count == 0
    }
}

/// A settled score of a child, for the mover before it: mates are a ply further away.
pub fn backed(score: i32) -> i32 {
    match -score {
        s if s > LONGEST_MATE => s - 1,
        s if s < -LONGEST_MATE => s + 1,
        s => s,
    }
}

/// A tree of nodes; 0 is the first.
pub struct Arena {
    nodes: Vec<Node>,
    capacity: usize,
}

impl Arena {
    /// An arena that takes so many bytes at most, but has room for a position's children in any case. Memory is taken as
    /// the tree grows.
    pub fn new(bytes: usize) -> Arena {
        let capacity = (bytes / (size_of::<Node>() + BYTES_BESIDES)).clamp(1024, NONE as usize);
        Arena { nodes: Vec::with_capacity(capacity), capacity }
    }

    /// Forgets everything but an empty root.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(Move::NONE));
    }

    /// Nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Nodes at most.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// A node.
    pub fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    /// A node to change.
    pub fn node_mut(&mut self, at: u32) -> &mut Node {
        &mut self.nodes[at as usize]
    }

    /// The node before; `None` for the first.
    pub fn parent(&self, at: u32) -> Option<u32> {
        let parent = self.node(at).parent;
        (parent != NONE).then_some(parent)
    }

    /// Where the children of a node lie.
    pub fn children(&self, at: u32) -> Range<u32> {
        let node = self.node(at);
        match node.count {
            0 => 0..0,
            count => node.first..node.first + count as u32,
        }
    }

    /// The child that a move leads to.
    pub fn child(&self, at: u32, mv: Move) -> Option<u32> {
        self.children(at).find(|&child| self.node(child).mv == mv)
    }

    /// Gives a leaf its children. `false` where there is no room.
    #[must_use]
    pub fn insert(&mut self, at: u32, children: &[Node]) -> bool {
        debug_assert!(self.node(at).is_leaf());
        if self.nodes.len() + children.len() > self.capacity {
            return false;
        }
        let first = self.nodes.len() as u32;
        self.nodes.extend(children.iter().map(|&child| Node { parent: at, ..child }));
        let node = self.node_mut(at);
        (node.first, node.count) = (first, children.len() as u16);
        true
    }

    /// The nodes from one up to another above it, both included.
    pub fn upwards(&self, from: u32, to: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(from), move |&at| if at == to { None } else { self.parent(at) })
    }

    /// The moves from `root` to a node below it.
    pub fn line(&self, root: u32, at: u32) -> Vec<Move> {
        let mut line: Vec<Move> = self.upwards(at, root).filter(|&n| n != root).map(|n| self.node(n).mv).collect();
        line.reverse();
        line
    }

    /// The probability that the line from `root` to a node below it is played.
    pub fn realization(&self, root: u32, at: u32) -> f32 {
        self.upwards(at, root).filter(|&n| n != root).map(|n| self.node(n).share).product()
    }

    /// Finds the reach of a node from those of its children.
    pub fn find_reach(&mut self, at: u32) {
        let reach = |child: u32| self.node(child).share * self.node(child).reach;
        let reach = self.children(at).map(reach).fold(0.0, f32::max);
        let node = self.node_mut(at);
        node.reach = if node.settled().is_none() { reach } else { 0.0 };
    }

    /// Settles a node by its children, if they do: a win as soon as one of them is lost, otherwise when all are settled.
    /// Whether it is settled now.
    pub fn settle(&mut self, at: u32) -> bool {
        let mut best = i32::MIN;
        let mut all = !self.node(at).is_leaf();
        for child in self.children(at) {
            match self.node(child).settled() {
                Some(score) => best = best.max(backed(score)),
                None => all = false,
            }
        }
        if best >= PERPETUAL || all {
            self.node_mut(at).settle(best.max(-MATE));
        }
        self.node(at).settled().is_some()
    }

    /// Makes `root` the first node, and lets go of whatever is not below it; of what is below, nodes where `keeps` says
    /// no lose their children, though not what they are worth. `held` are nodes that follow; those that go are `None`.
    /// A node whose children are kept must have a parent that keeps its own.
    pub fn retain(&mut self, root: u32, keeps: impl Fn(u32) -> bool, held: &mut [Option<u32>]) {
        let begin = root as usize;
        let mut moved = vec![NONE; self.nodes.len() - begin];
        let mut kept = 0;
        for at in begin..self.nodes.len() {
            let parent = self.nodes[at].parent;
            let above = parent != NONE && parent >= root && moved[parent as usize - begin] != NONE && keeps(parent);
            if at == begin || above {
                moved[at - begin] = kept;
                kept += 1;
            }
        }
        let place = |at: u32| moved.get((at as usize).wrapping_sub(begin)).copied().filter(|&to| to != NONE);
        for at in begin..self.nodes.len() {
            let Some(to) = place(at as u32) else { continue };
            let mut node = self.nodes[at];
            node.parent = if to == 0 { NONE } else { place(node.parent).unwrap_or(NONE) };
            match place(node.first).filter(|_| node.count > 0 && keeps(at as u32)) {
                Some(first) => node.first = first,
                None => {
                    (node.first, node.count) = (NONE, 0);
                    node.reach = if node.settled == OPEN && node.pending == 0 { 1.0 } else { 0.0 };
                }
            }
            self.nodes[to as usize] = node;
        }
        self.nodes.truncate(kept as usize);
        for at in (0..kept).rev() {
            if !self.node(at).is_leaf() {
                self.find_reach(at);
            }
        }
        held.iter_mut().for_each(|at| *at = at.and_then(place));
    }

    /// Makes room by letting go of what is worth least: nodes keep their children in the order of `worth`, which must be
    /// no greater than that of the node before, until half of the arena is taken. Those above `held` nodes keep theirs.
    /// Whether there is room for a position's children then.
    pub fn recycle(&mut self, worth: impl Fn(&Arena, u32, f32) -> f32, held: &mut [Option<u32>]) -> bool {
        let mut worths: Vec<f32> = Vec::with_capacity(self.len());
        let mut children = [0u32; BUCKETS];
        for at in 0..self.len() as u32 {
            let before = self.parent(at).map_or(f32::INFINITY, |parent| worths[parent as usize]);
            worths.push(worth(self, at, before));
            children[bucket(worths[at as usize])] += self.node(at).count as u32;
        }
        let mut room = (self.capacity / 2) as u32;
        let mut least = BUCKETS;
        while least > 0 && children[least - 1] <= room {
            least -= 1;
            room -= children[least];
        }
        for at in held.iter().flatten() {
            let mut above = self.parent(*at);
            while let Some(node) = above {
                worths[node as usize] = f32::INFINITY;
                above = self.parent(node);
            }
        }
        worths[0] = f32::INFINITY;
        self.retain(0, |at| bucket(worths[at as usize]) >= least.min(BUCKETS - 1), held);
        self.len() + MOST_CHILDREN <= self.capacity
    }

    /// Part of the room that is taken, in thousandths.
    pub fn permille(&self) -> usize {
        self.len() * 1000 / self.capacity
    }
}

/// No position has more legal moves.
const MOST_CHILDREN: usize = 593;
/// Worths are told apart by sign, exponent, and three bits of the mantissa.
const BUCKETS: usize = 1 << 12;

/// The bucket of a worth from 0 to infinity; greater ones are not before it.
fn bucket(worth: f32) -> usize {
    (worth.to_bits() >> 20) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves() -> Vec<Move> {
        ["7g7f", "2g2f", "6i7h", "3i4h"].map(|m| Move::from_usi(m).unwrap()).to_vec()
    }

    fn leaves() -> Vec<Node> {
        moves().into_iter().map(|mv| Node { share: 0.25, ..Node::new(mv) }).collect()
    }

    /// A tree of four levels, in which every node's value is the number it was made with.
    fn tree() -> Arena {
        let mut arena = Arena::new(0);
        arena.clear();
        for at in 0..21 {
            assert!(arena.insert(at, &leaves()));
        }
        for at in 0..arena.len() as u32 {
            arena.node_mut(at).value = at as f32;
        }
        arena
    }

    fn lines(arena: &Arena, root: u32) -> Vec<(Vec<Move>, f32)> {
        let below = |at: u32| {
            let top = std::iter::successors(Some(at), |&at| arena.parent(at)).any(|at| at == root);
            top.then(|| (arena.line(root, at), arena.node(at).value))
        };
        (0..arena.len() as u32).filter_map(below).collect()
    }

    #[test]
    fn what_is_below_a_move_survives_it() {
        let before = tree();
        for root in [1, 4, 7, 30] {
            let mut arena = tree();
            let child = before.children(root).next();
            let mut held = [Some(root), child, Some(3), Some(0)];
            arena.retain(root, |_| true, &mut held);
            assert_eq!(lines(&arena, 0), lines(&before, root), "{root}");
            assert_eq!(held, [Some(0), child.map(|_| 1), None, None]);
            assert!((1..arena.len() as u32).all(|at| arena.children(arena.parent(at).unwrap()).contains(&at)));
        }
    }

    #[test]
    fn a_node_without_its_children_is_a_leaf_again() {
        let mut arena = tree();
        arena.retain(0, |at| at < 4, &mut []);
        assert_eq!(arena.len(), 1 + 4 + 12);
        assert!(arena.node(4).is_leaf() && arena.node(4).reach == 1.0 && arena.node(4).value == 4.0);
    }

    #[test]
    fn recycling_keeps_what_is_worth_most_and_what_is_held() {
        let mut arena = tree();
        arena.capacity = 60;
        // Worth falls with the number; the room is for thirty.
        let held = arena.line(0, 80);
        let mut held_nodes = [Some(80)];
        arena.recycle(|_, at, _| 1.0 / (at + 1) as f32, &mut held_nodes);
        assert!(arena.len() <= 60, "{}", arena.len());
        assert_eq!(arena.line(0, held_nodes[0].unwrap()), held);
        assert!(!arena.node(1).is_leaf() && arena.node(arena.child(1, moves()[3]).unwrap()).is_leaf());
    }

    #[test]
    fn there_is_never_more_than_the_capacity() {
        let mut arena = Arena::new(0);
        arena.clear();
        let mut at = 0;
        while arena.insert(at, &leaves()) {
            at += 1;
        }
        assert!(arena.len() <= arena.capacity() && arena.len() + 4 > arena.capacity());
        assert!(arena.node(at).is_leaf());
    }

    #[test]
    fn settled_children_settle_their_parent() {
        let settled = |scores: &[Option<i32>]| {
            let mut arena = Arena::new(0);
            arena.clear();
            let mut children = leaves();
            children.iter_mut().zip(scores).for_each(|(child, score)| score.iter().for_each(|&s| child.settle(s)));
            assert!(arena.insert(0, &children));
            arena.settle(0);
            arena.node(0).settled()
        };
        // The shortest mate, though a draw and an open move are there too.
        assert_eq!(settled(&[Some(-MATE), Some(-MATE + 2), Some(0), None]), Some(MATE - 1));
        // The longest defence, when all is lost; nothing before.
        assert_eq!(settled(&[Some(MATE - 1), Some(MATE - 5), Some(MATE - 3), None]), None);
        assert_eq!(settled(&[Some(MATE - 1), Some(MATE - 5), Some(MATE - 3), Some(MATE - 3)]), Some(-MATE + 6));
        // A draw rather than a loss, with its sign turned.
        assert_eq!(settled(&[Some(MATE - 1), Some(-30), Some(PERPETUAL), Some(MATE - 3)]), Some(30));
    }
}
