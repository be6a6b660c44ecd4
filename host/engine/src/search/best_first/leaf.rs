//! From the tree in memory to positions and back: lines are followed, and what is found at their ends is evaluated.

use super::{
    arena::Node,
    workers::{LeafAction, LeafResult, LeafTask},
    Method,
};
use crate::search::{
    board::SearchBoard,
    score::{to_table, INFINITE, MATE, PERPETUAL},
    tree::Tree,
};
use hayasashi_shogi::rules::{Declaration, Move};

impl<B: SearchBoard> Tree<'_, B> {
    /// Does what is wanted at the end of a line from the root, where the board is before and after; `only` limits the
    /// moves of the root (empty: all).
    pub(super) fn process_leaf(&mut self, task: &LeafTask, method: Method, only: &[Move]) -> LeafResult {
        let ply = task.line.len();
        for (at, &mv) in task.line.iter().enumerate() {
            let checks = self.position().gives_check(mv);
            self.follow(at, mv, checks);
        }
        let only = if ply == 0 { only } else { &[] };
        let work = match (task.task, method) {
            (LeafAction::Evaluate, _) => {
                self.nodes += 1;
                let mv = task.line.last().copied().unwrap_or(Move::NONE);
                let evaluated = self.evaluate_leaf(mv, INFINITE, ply);
                LeafResult { children: Vec::new(), evaluated: Some(evaluated), complete: !self.aborted }
            }
            (LeafAction::Expand, Method::Softmax(temperature)) => self.expand_all(only, temperature, ply),
            (LeafAction::Expand, Method::MonteCarlo) => self.expand_by_policy(only, ply),
        };
        for _ in 0..ply {
            self.board.unmake();
        }
        work
    }

    /// A leaf for the position at `ply`, to which `mv` led: what it is worth for its mover in centipawns, exact below
    /// `beta`; settled where the game is over, or decided within quiescence.
    pub(super) fn evaluate_leaf(&mut self, mv: Move, beta: i32, ply: usize) -> Node {
        let mut node = Node::new(mv);
        let declares = |rule| self.position().declaration(rule) == Declaration::Win;
        let ended = match self.shared.settings.declaration.is_some_and(declares) {
            true => Some(MATE - ply as i32),
            false => self.ended(ply),
        };
        let score = match ended {
            Some(score) => score,
            None => self.quiet_score(beta, ply),
        };
        let score = to_table(score, ply) as i32;
        node.value = score as f32;
        if ended.is_some() || score.abs() >= PERPETUAL {
            node.settle(score);
        }
        node
    }

    /// The score by quiescence, exact below `beta`. Whether it is below is asked first, which costs little.
    fn quiet_score(&mut self, beta: i32, ply: usize) -> i32 {
        if beta < INFINITE {
            let score = self.quiescence::<false>(beta - 1, beta, 0, ply);
            if score >= beta || self.aborted {
                return score;
            }
        }
        self.quiescence::<true>(-INFINITE, beta, 0, ply)
    }
}
