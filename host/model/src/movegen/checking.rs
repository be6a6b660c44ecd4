//! Moves that give check.
//!
//! The gateware has no such block: it sends the position after each move through its pipeline.

use crate::attacks::pins::{aligned, direction_between};
use crate::attacks::ray::{jump_south, slide, BOARD, STEP};
use crate::position::{Bitboard, Position};
use hayasashi_spec::moves::*;
use hayasashi_spec::piece::*;
use hayasashi_spec::position::Owner;

/// What gives check to the enemy king.
pub(super) struct Checking {
    /// Their king's square, if they have a king.
    king: Option<usize>,
    /// Squares from which a piece of each kind attacks their king.
    pub(super) squares: [Bitboard; 16],
    /// Own pieces that alone stand between an own slider and their king.
    shields: Bitboard,
}

impl Checking {
    pub(super) fn find(position: &Position) -> Checking {
        let mut checking = Checking { king: None, squares: [0; 16], shields: 0 };
        let their_king = position.their_king();
        if their_king == 0 {
            return checking;
        }
        let king = their_king.trailing_zeros() as usize;
        checking.king = Some(king);
        let empty = BOARD & !position.occupied();

        // A piece that attacks in a direction stands in the opposite one, seen from the king.
        for d in Direction::ALL.into_iter().take(RAYS) {
            let near = STEP[king][RAYS - 1 - d as usize];
            for kind in [PAWN, SILVER, GOLD, HORSE, DRAGON] {
                if d.steps(kind) {
                    checking.squares[kind as usize] |= near;
                }
            }
        }
        checking.squares[KNIGHT as usize] = jump_south(their_king);
        let south = slide::<7>(their_king, empty);
        let straight =
            south | slide::<0>(their_king, empty) | slide::<3>(their_king, empty) | slide::<4>(their_king, empty);
        let diagonal = slide::<1>(their_king, empty)
            | slide::<2>(their_king, empty)
            | slide::<5>(their_king, empty)
            | slide::<6>(their_king, empty);
        checking.squares[LANCE as usize] = south;
        checking.squares[BISHOP as usize] = diagonal;
        checking.squares[ROOK as usize] = straight;
        checking.squares[HORSE as usize] |= diagonal;
        checking.squares[DRAGON as usize] |= straight;
        for kind in [PRO_PAWN, PRO_LANCE, PRO_KNIGHT, PRO_SILVER] {
            checking.squares[kind as usize] = checking.squares[GOLD as usize];
        }

        let own = position.pieces(Owner::Mover);
        for line in aligned(king, &own, Direction::South) {
            let blockers = line.between & position.occupied();
            if blockers & blockers.wrapping_sub(1) == 0 {
                checking.shields |= blockers & own.all;
            }
        }
        checking
    }

    /// Whether the move of a piece to `to`, where it is of kind `becomes`, gives check by itself or discovers one.
    #[inline]
    pub(super) fn by_move(&self, from: usize, to: usize, becomes: u8) -> bool {
        let discovers = || {
            let king = self.king.expect("pieces shield a king");
            direction_between(king, from) != direction_between(king, to)
        };
        self.squares[becomes as usize] >> to & 1 != 0 || self.shields >> from & 1 != 0 && discovers()
    }
}
