//! Attacks of stepping pieces, rays and lines between squares, for move generation and exchange evaluation.

use super::bitboard::Bitboard;
use super::piece::{Color, PieceKind};
use super::sliders::file_attacks;
pub use super::sliders::{bishop_attacks, rook_attacks};
use super::square::{Square, SQUARES};

type Table = [Bitboard; SQUARES];
type ColorTable = [Table; 2];

/// Squares one of the given steps (file, rank; Black's forward is rank −1) away, turned by 180° for White.
const fn steps(steps: &[(i8, i8)]) -> ColorTable {
    let mut table = [[Bitboard::EMPTY; SQUARES]; 2];
    let mut square = 0;
    while square < SQUARES {
        let mut s = 0;
        while s < steps.len() {
            let mut color = 0;
            while color < 2 {
                let sign = if color == 0 { 1 } else { -1 };
                let (file, rank) = ((square / 9) as i8 + sign * steps[s].0, (square % 9) as i8 + sign * steps[s].1);
                if file >= 0 && file < 9 && rank >= 0 && rank < 9 {
                    let bits = table[color][square].bits() | 1 << (9 * file + rank);
                    table[color][square] = Bitboard::from_bits(bits);
                }
                color += 1;
            }
            s += 1;
        }
        square += 1;
    }
    table
}

/// Squares that a slider of the given directions reaches on an empty board.
const fn rays(directions: &[(i8, i8)]) -> ColorTable {
    let mut all = [[Bitboard::EMPTY; SQUARES]; 2];
    let mut length = 1;
    while length < 9 {
        let mut d = 0;
        while d < directions.len() {
            let one = steps(&[(directions[d].0 * length, directions[d].1 * length)]);
            let mut i = 0;
            while i < 2 * SQUARES {
                let (color, square) = (i / SQUARES, i % SQUARES);
                all[color][square] = Bitboard::from_bits(all[color][square].bits() | one[color][square].bits());
                i += 1;
            }
            d += 1;
        }
        length += 1;
    }
    all
}

const ORTHOGONAL: [(i8, i8); 4] = [(0, -1), (0, 1), (-1, 0), (1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

pub(super) static PAWN: ColorTable = steps(&[(0, -1)]);
pub(super) static KNIGHT: ColorTable = steps(&[(-1, -2), (1, -2)]);
pub(super) static SILVER: ColorTable = steps(&[(0, -1), (-1, -1), (1, -1), (-1, 1), (1, 1)]);
pub(super) static GOLD: ColorTable = steps(&[(0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1)]);
pub(super) static ORTHOGONAL_STEPS: Table = steps(&ORTHOGONAL)[0];
pub(super) static DIAGONAL_STEPS: Table = steps(&DIAGONAL)[0];
pub(super) static KING: Table = steps(&[(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)])[0];
/// All squares in front of a square, to the edge.
pub(super) static LANCE_RAYS: ColorTable = rays(&[(0, -1)]);
pub(super) static ROOK_RAYS: Table = rays(&ORTHOGONAL)[0];
pub(super) static BISHOP_RAYS: Table = rays(&DIAGONAL)[0];

/// Squares from which a slider of the given directions could attack a neighbour of a square.
const fn zone(rays: &Table) -> Table {
    let neighbours = steps(&[(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)]);
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut left = neighbours[0][square].bits();
        let mut bits = 0;
        while left != 0 {
            bits |= rays[left.trailing_zeros() as usize].bits();
            left &= left - 1;
        }
        table[square] = Bitboard::from_bits(bits);
        square += 1;
    }
    table
}

pub(super) static ROOK_ZONE: Table = zone(&rays(&ORTHOGONAL)[0]);
pub(super) static BISHOP_ZONE: Table = zone(&rays(&DIAGONAL)[0]);

/// For each pair of squares: the squares strictly between them (`LINE` false), or the whole line through both to the
/// edges (`LINE` true); empty if they are not on one file, rank or diagonal.
const fn pairs<const LINE: bool>() -> [Table; SQUARES] {
    let mut table = [[Bitboard::EMPTY; SQUARES]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut d = 0;
        while d < 8 {
            let (df, dr) = if d < 4 { ORTHOGONAL[d] } else { DIAGONAL[d - 4] };
            // The line backwards from this square, itself included.
            let mut before = 0u128;
            let (mut file, mut rank) = ((square / 9) as i8, (square % 9) as i8);
            while file >= 0 && file < 9 && rank >= 0 && rank < 9 {
                before |= 1 << (9 * file + rank);
                (file, rank) = (file - df, rank - dr);
            }
            let mut line = before;
            (file, rank) = ((square / 9) as i8 + df, (square % 9) as i8 + dr);
            while file >= 0 && file < 9 && rank >= 0 && rank < 9 {
                line |= 1 << (9 * file + rank);
                (file, rank) = (file + df, rank + dr);
            }
            let mut between = 0u128;
            (file, rank) = ((square / 9) as i8 + df, (square % 9) as i8 + dr);
            while file >= 0 && file < 9 && rank >= 0 && rank < 9 {
                let other = (9 * file + rank) as usize;
                table[square][other] = Bitboard::from_bits(if LINE { line } else { between });
                between |= 1 << other;
                (file, rank) = (file + df, rank + dr);
            }
            d += 1;
        }
        square += 1;
    }
    table
}

static BETWEEN: [Table; SQUARES] = pairs::<false>();
static LINE: [Table; SQUARES] = pairs::<true>();

/// Squares strictly between two squares of one file, rank or diagonal; empty for other pairs.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole file, rank or diagonal through two squares, both included; empty for other pairs and for `a == b`.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// Squares that a lance attacks, with the first blocker; `occupied` squares block.
#[inline(always)]
pub fn lance_attacks(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    file_attacks(square, occupied) & LANCE_RAYS[color.index()][square.index()]
}

/// Squares that a piece on `square` attacks, with the first blockers of either side; `occupied` squares block.
#[inline]
pub fn piece_attacks(color: Color, kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    use PieceKind::*;
    let (c, s) = (color.index(), square.index());
    match kind {
        Pawn => PAWN[c][s],
        Lance => lance_attacks(color, square, occupied),
        Knight => KNIGHT[c][s],
        Silver => SILVER[c][s],
        Gold | ProPawn | ProLance | ProKnight | ProSilver => GOLD[c][s],
        Bishop => bishop_attacks(square, occupied),
        Rook => rook_attacks(square, occupied),
        King => KING[s],
        Horse => bishop_attacks(square, occupied) | ORTHOGONAL_STEPS[s],
        Dragon => rook_attacks(square, occupied) | DIAGONAL_STEPS[s],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attacks_mirror_between_colours() {
        for kind in PieceKind::ALL {
            for a in Square::all() {
                let black = piece_attacks(Color::Black, kind, a, Bitboard::EMPTY);
                let white = piece_attacks(Color::White, kind, a.turn(), Bitboard::EMPTY);
                assert_eq!(black.count(), white.count());
                for b in black {
                    assert!(white.contains(b.turn()));
                    // A piece attacks a square if and only if the other side's piece there attacks it back.
                    assert!(piece_attacks(Color::White, kind, b, Bitboard::EMPTY).contains(a));
                }
            }
        }
    }

    #[test]
    fn rays_are_attacks_on_an_empty_board() {
        for s in Square::all() {
            assert_eq!(ROOK_RAYS[s.index()], rook_attacks(s, Bitboard::EMPTY));
            assert_eq!(BISHOP_RAYS[s.index()], bishop_attacks(s, Bitboard::EMPTY));
            assert_eq!(LANCE_RAYS[1][s.index()], lance_attacks(Color::White, s, Bitboard::EMPTY));
        }
    }

    #[test]
    fn between_and_line() {
        for a in Square::all() {
            for b in Square::all() {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
                if line(a, b).any() {
                    assert!(line(a, b).contains(a) && line(a, b).contains(b));
                    assert!((between(a, b) & line(a, b)) == between(a, b));
                    let ends = Bitboard::single(a) | Bitboard::single(b);
                    let seen = rook_attacks(a, ends) | bishop_attacks(a, ends);
                    assert!(seen.contains(b));
                }
            }
        }
        let (five_e, five_a) = (Square::from_usi("5e").unwrap(), Square::from_usi("5a").unwrap());
        assert_eq!(between(five_e, five_a).count(), 3);
        assert_eq!(line(five_e, five_a), Bitboard::file(4));
    }
}
