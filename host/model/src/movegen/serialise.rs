//! The legal moves one by one in canonical order. Mirrors `hdl/src/movegen/serialise.rs`.

use super::count::Count;
use super::targets::Targets;
use crate::attacks::pins::{aligned, direction_between};
use crate::attacks::rays::{first_on_ray, jump_south, slide, squares, BOARD, STEP};
use crate::position::{Bitboard, Position};
use hayasashi_spec::moves::*;
use hayasashi_spec::piece::*;
use hayasashi_spec::position::Owner;

/// Adds the legal moves of a position to `moves` in canonical order; answers their number and the `RESULT_…` bits.
pub fn generate(position: &Position, moves: &mut Vec<MoveRecord>) -> Count {
    let targets = Targets::find(position);
    let count = targets.count();
    moves.reserve(count.moves as usize);
    let (own, their) = (position.pieces(Owner::Mover), position.pieces(Owner::Theirs));
    let occupied = own.all | their.all;
    let checking = Checking::find(position);
    let codes = position.codes();
    let kind = |square: usize| codes[square] & !THEIRS;

    let classes = [
        (&targets.promote, their.all, FLAG_PROMOTE | FLAG_CAPTURE),
        (&targets.plain, their.all, FLAG_CAPTURE),
        (&targets.promote, !their.all, FLAG_PROMOTE),
        (&targets.plain, !their.all, 0),
    ];
    for (planes, class, flags) in classes {
        for (d, plane) in planes.iter().enumerate() {
            for to in squares(plane & class) {
                let from = origin(to, d, occupied);
                let moved = kind(from);
                let captured = if flags & FLAG_CAPTURE != 0 { kind(to) } else { 0 };
                let promotes = flags & FLAG_PROMOTE != 0;
                let becomes = if promotes { moved | PROMOTED } else { moved };
                let check = checking.by_move(from, to, becomes);
                moves.push(MoveRecord {
                    mv: Move16::board(from as u8, to as u8, promotes),
                    flags: flags | if check { FLAG_CHECK } else { 0 },
                    kinds: moved | captured << 4,
                });
            }
        }
    }
    for (kind, plane) in (PAWN..).zip(targets.drops) {
        for to in squares(plane) {
            let check = checking.squares[kind as usize] >> to & 1 != 0;
            moves.push(MoveRecord {
                mv: Move16::drop(kind, to as u8),
                flags: FLAG_DROP | if check { FLAG_CHECK } else { 0 },
                kinds: kind,
            });
        }
    }
    count
}

/// Where the piece comes from that arrives on `to` in direction `d`.
#[inline]
fn origin(to: usize, d: usize, occupied: Bitboard) -> usize {
    let back = if d < RAYS {
        first_on_ray(to, RAYS - 1 - d, occupied)
    } else {
        // A knight's jump is two ranks north and one file east or west.
        1 << if d == Direction::KnightEast as usize { to + SIDE + 2 } else { to + 2 - SIDE }
    };
    back.trailing_zeros() as usize
}

/// What gives check to the enemy king.
struct Checking {
    /// Their king's square, if they have a king.
    king: Option<usize>,
    /// Squares from which a piece of each kind attacks their king.
    squares: [Bitboard; 16],
    /// Own pieces that alone stand between an own slider and their king.
    shields: Bitboard,
}

impl Checking {
    fn find(position: &Position) -> Checking {
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
    fn by_move(&self, from: usize, to: usize, becomes: u8) -> bool {
        let discovers = || {
            let king = self.king.expect("pieces shield a king");
            direction_between(king, from) != direction_between(king, to)
        };
        self.squares[becomes as usize] >> to & 1 != 0 || self.shields >> from & 1 != 0 && discovers()
    }
}
