//! Proof-number search as first published (L. V. Allis, M. van der Meulen, H. J. van den Herik, 1994): the whole tree
//! in memory, no table, best leaf first. Slow, and simple enough to trust: tests and benchmarks compare the solver
//! with it.

use hayasashi_shogi::rules::{Move, MoveList, Position};

const INFINITE: u32 = u32::MAX / 4;

struct Node {
    pn: u32,
    dn: u32,
    mv: Move,
    parent: usize,
    /// Children lie together, from here on; none before the first expansion.
    first: usize,
    children: usize,
}

/// Proof-number search in a tree.
pub struct ProofNumberTree {
    nodes: Vec<Node>,
    most: usize,
}

impl ProofNumberTree {
    /// A search that keeps so many positions at most.
    pub fn new(most: usize) -> ProofNumberTree {
        ProofNumberTree { nodes: Vec::new(), most: most.max(1) }
    }

    /// Positions kept by the last search.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the side to move mates by checks; `None` if the tree outgrows its limit.
    pub fn solve(&mut self, pos: &Position) -> Option<bool> {
        self.nodes.clear();
        self.nodes.push(Node { pn: 1, dn: 1, mv: Move::NONE, parent: 0, first: 0, children: 0 });
        while self.nodes[0].pn != 0 && self.nodes[0].dn != 0 {
            if self.nodes.len() >= self.most {
                return None;
            }
            // Down to the leaf that decides most.
            let (mut at, mut attacks) = (0, true);
            let mut pos = pos.clone();
            let mut path = vec![pos.key()];
            while self.nodes[at].children > 0 {
                let node = &self.nodes[at];
                let children = node.first..node.first + node.children;
                let number = |&c: &usize| if attacks { self.nodes[c].pn } else { self.nodes[c].dn };
                at = children.min_by_key(number).expect("there are children");
                pos.do_move(self.nodes[at].mv);
                path.push(pos.key());
                attacks = !attacks;
            }
            self.expand(at, &mut pos, attacks, &path);
            // Back up, as long as something changes.
            loop {
                let (pn, dn) = self.numbers(at, attacks);
                if (pn, dn) == (self.nodes[at].pn, self.nodes[at].dn) {
                    break;
                }
                (self.nodes[at].pn, self.nodes[at].dn) = (pn, dn);
                if at == 0 {
                    break;
                }
                at = self.nodes[at].parent;
                attacks = !attacks;
            }
        }
        Some(self.nodes[0].pn == 0)
    }

    /// Adds the children of a leaf, all checks or all defences. A position of the path again is no mate.
    fn expand(&mut self, parent: usize, pos: &mut Position, attacks: bool, path: &[u64]) {
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        self.nodes[parent].first = self.nodes.len();
        for &mv in &moves {
            let undo = pos.do_move(mv);
            if !attacks || pos.in_check() {
                let mated = attacks && !pos.has_legal_move();
                let (pn, dn) = match (mated, path.contains(&pos.key())) {
                    (true, _) => (0, INFINITE),
                    (false, true) => (INFINITE, 0),
                    (false, false) => (1, 1),
                };
                self.nodes.push(Node { pn, dn, mv, parent, first: 0, children: 0 });
            }
            pos.undo_move(mv, undo);
        }
        self.nodes[parent].children = self.nodes.len() - self.nodes[parent].first;
    }

    fn numbers(&self, at: usize, attacks: bool) -> (u32, u32) {
        let node = &self.nodes[at];
        let children = &self.nodes[node.first..node.first + node.children];
        let least = |f: fn(&Node) -> u32| children.iter().map(f).min().unwrap_or(INFINITE);
        let sum = |f: fn(&Node) -> u32| children.iter().map(f).fold(0, u32::saturating_add).min(INFINITE);
        match attacks {
            true => (least(|c| c.pn), sum(|c| c.dn)),
            false => (sum(|c| c.pn), least(|c| c.dn)),
        }
    }
}
