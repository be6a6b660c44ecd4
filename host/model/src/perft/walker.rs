//! Counts the leaves below a position. Mirrors `hdl/src/perft/walker.rs`.

use crate::movegen::{count, generate, make_move};
use crate::position::Position;
use hayasashi_spec::moves::MoveRecord;
use hayasashi_spec::perft::Sums;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// A walk, seen from outside while it is under way: how far it has come, and the wish that it end.
#[derive(Debug, Default)]
pub struct Walk {
    nodes: AtomicU64,
    expansions: AtomicU64,
    cancelled: AtomicBool,
}

impl Walk {
    /// What is counted so far. There are no clocks in a software model.
    pub fn sums(&self) -> Sums {
        Sums { nodes: self.nodes.load(Relaxed), expansions: self.expansions.load(Relaxed), clocks: 0 }
    }

    /// Ends the walk soon.
    pub fn cancel(&self) {
        self.cancelled.store(true, Relaxed);
    }

    /// Whether it was to end early.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }

    /// Counts the leaves `depth` plies (1 or more) below a position, on all of the host's cores; what is counted can be
    /// seen meanwhile.
    ///
    /// ```
    /// use hayasashi_model::{perft::Walk, position::Position};
    /// use hayasashi_spec::{piece, position::PositionImage};
    ///
    /// let mut image = PositionImage::default();
    /// image.set_piece(piece::square(4, 8), piece::KING);
    /// let sums = Walk::default().count(&Position::from(&image), 1);
    /// assert_eq!((sums.nodes, sums.expansions), (5, 1));
    /// ```
    pub fn count(&self, root: &Position, depth: u8) -> Sums {
        assert!(depth > 0, "a walk has at least one ply");
        // Enough subtrees that no core is idle for long.
        let (mut roots, mut plies) = (vec![*root], depth);
        for _ in 0..2 {
            if plies > 2 && !self.is_cancelled() {
                let mut moves = Vec::new();
                roots = roots.iter().flat_map(|position| children(position, &mut moves)).collect();
                plies -= 1;
            }
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let mut moves = Vec::new();
            while let Some(position) = roots.get(next.fetch_add(1, Relaxed)) {
                self.below(position, plies, &mut moves);
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        std::thread::scope(|scope| {
            // A host that is short of threads counts with those it has.
            for _ in 1..cores.min(roots.len()) {
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        self.sums()
    }

    fn below(&self, position: &Position, depth: u8, moves: &mut Vec<MoveRecord>) {
        if self.is_cancelled() {
            return;
        }
        if depth > 2 {
            for child in children(position, moves) {
                self.below(&child, depth - 1, moves);
            }
            return;
        }
        let (nodes, expansions) = match depth {
            1 => (count(position).moves as u64, 1),
            _ => {
                moves.clear();
                generate(position, moves);
                let leaves = moves.iter().map(|record| count(&make_move(position, record.mv)).moves as u64);
                (leaves.sum(), moves.len() as u64)
            }
        };
        self.nodes.fetch_add(nodes, Relaxed);
        self.expansions.fetch_add(expansions, Relaxed);
    }
}

fn children(position: &Position, moves: &mut Vec<MoveRecord>) -> Vec<Position> {
    moves.clear();
    generate(position, moves);
    moves.iter().map(|record| make_move(position, record.mv)).collect()
}
