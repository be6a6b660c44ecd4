//! Perft: the number of leaves of the tree of legal moves, a test and a benchmark of move generation.

use super::moves::MoveList;
use super::position::Position;

/// Work at the leaves; the count does not depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// Moves at depth 1 are counted as sets (bulk counting).
    Counted,
    /// Moves at depth 1 are written into a list.
    Built,
    /// Every leaf move is made and undone, with its keys.
    Made,
}

impl Position {
    /// Leaves of the tree of legal moves of `depth` plies; 1 at depth 0.
    ///
    /// ```
    /// assert_eq!(hayasashi_shogi::rules::Position::startpos().perft(3), 25_470);
    /// ```
    pub fn perft(&mut self, depth: u32) -> u64 {
        self.perft_with(depth, Leaves::Counted)
    }

    /// [`Position::perft`] with a choice of the work at the leaves.
    pub fn perft_with(&mut self, depth: u32, leaves: Leaves) -> u64 {
        match (depth, leaves) {
            (0, _) => 1,
            (_, Leaves::Counted) => self.perft_counted(depth),
            (_, Leaves::Built) => self.perft_built(depth),
            (_, Leaves::Made) => self.perft_made(depth),
        }
    }

    fn perft_counted(&mut self, depth: u32) -> u64 {
        if depth == 1 {
            return self.count_legal_moves() as u64;
        }
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        let mut nodes = 0;
        for &mv in &moves {
            let undo = self.do_move(mv);
            nodes += self.perft_counted(depth - 1);
            self.undo_move(mv, undo);
        }
        nodes
    }

    fn perft_built(&mut self, depth: u32) -> u64 {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        if depth == 1 {
            return std::hint::black_box(&moves).len() as u64;
        }
        let mut nodes = 0;
        for &mv in &moves {
            let undo = self.do_move(mv);
            nodes += self.perft_built(depth - 1);
            self.undo_move(mv, undo);
        }
        nodes
    }

    fn perft_made(&mut self, depth: u32) -> u64 {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        let mut nodes = 0;
        for &mv in &moves {
            let undo = self.do_move(mv);
            nodes += if depth == 1 {
                // The key is used, so that the compiler keeps the move.
                std::hint::black_box(self.key());
                1
            } else {
                self.perft_made(depth - 1)
            };
            self.undo_move(mv, undo);
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_conventions_agree() {
        for (depth, nodes) in [(0, 1), (1, 30), (2, 900), (3, 25_470), (4, 719_731)] {
            for leaves in [Leaves::Counted, Leaves::Built, Leaves::Made] {
                assert_eq!(Position::startpos().perft_with(depth, leaves), nodes, "{depth} {leaves:?}");
            }
        }
    }
}
