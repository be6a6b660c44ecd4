//! Moves that give check.
//!
//! The gateware has no such block: it sends the position after each move through its pipeline.

use crate::attacks::pins::{aligned, direction_between};
use crate::attacks::ray::{jump_south, slide, BOARD, STEP};
use crate::position::{Bitboard, Position};
use hayasashi_spec::moves::*;
use hayasashi_spec::piece::*;
use hayasashi_spec::position::Owner;

/// Squares and pieces that give check to the enemy king.
pub(super) struct Checking {
    /// Their king's square, if they have a king.
    king: Option<usize>,
    /// Squares from which a piece of each kind attacks their king.
    pub(super) squares: [Bitboard; 16],
    /// Own pieces that are the only ones between an own slider and their king.
    shields: Bitboard,
}

/// Squares from which a piece of each kind attacks their king; none without a king.
pub(crate) fn check_squares(position: &Position) -> [Bitboard; 16] {
    let mut squares = [0; 16];
    let their_king = position.their_king();
    if their_king == 0 {
        return squares;
    }
    let king = their_king.trailing_zeros() as usize;
    let empty = BOARD & !position.occupied();

    // A piece that attacks the king in a direction stands on its opposite side.
    for d in Direction::ALL.into_iter().take(RAYS) {
        let near = STEP[king][RAYS - 1 - d as usize];
        for kind in [PAWN, SILVER, GOLD, HORSE, DRAGON] {
            if d.steps(kind) {
                squares[kind as usize] |= near;
            }
        }
    }
    squares[KNIGHT as usize] = jump_south(their_king);
    let south = slide::<7>(their_king, empty);
    let straight =
        south | slide::<0>(their_king, empty) | slide::<3>(their_king, empty) | slide::<4>(their_king, empty);
    let diagonal = slide::<1>(their_king, empty)
        | slide::<2>(their_king, empty)
        | slide::<5>(their_king, empty)
        | slide::<6>(their_king, empty);
    squares[LANCE as usize] = south;
    squares[BISHOP as usize] = diagonal;
    squares[ROOK as usize] = straight;
    squares[HORSE as usize] |= diagonal;
    squares[DRAGON as usize] |= straight;
    for kind in [PRO_PAWN, PRO_LANCE, PRO_KNIGHT, PRO_SILVER] {
        squares[kind as usize] = squares[GOLD as usize];
    }
    squares
}

impl Checking {
    pub(super) fn find(position: &Position) -> Checking {
        let mut checking = Checking { king: None, squares: check_squares(position), shields: 0 };
        let their_king = position.their_king();
        if their_king == 0 {
            return checking;
        }
        let king = their_king.trailing_zeros() as usize;
        checking.king = Some(king);

        let own = position.pieces(Owner::Mover);
        for line in aligned(king, &own, Direction::South) {
            let blockers = line.between & position.occupied();
            if blockers & blockers.wrapping_sub(1) == 0 {
                checking.shields |= blockers & own.all;
            }
        }
        checking
    }

    /// Whether a move from `from` to `to`, after which the piece is of kind `becomes`, gives or discovers check.
    #[inline]
    pub(super) fn by_move(&self, from: usize, to: usize, becomes: u8) -> bool {
        let discovers = || {
            let king = self.king.expect("pieces shield a king");
            direction_between(king, from) != direction_between(king, to)
        };
        self.squares[becomes as usize] >> to & 1 != 0 || self.shields >> from & 1 != 0 && discovers()
    }
}
