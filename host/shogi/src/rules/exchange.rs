//! Static exchange evaluation: the gain of a move if both sides continue to capture on its destination, least valuable
//! piece first, as long as it pays (threshold form, M. Reul, 2009). Pins and promotions by later captures are ignored.

use super::attacks::{bishop_attacks, lance_attacks, line, piece_attacks, rook_attacks, KING};
use super::bitboard::Bitboard;
use super::moves::Move;
use super::piece::{Color, PieceKind};
use super::position::Position;
use super::square::Square;
use PieceKind::*;

/// Values of the pieces in an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExchangeValues {
    board: [i32; 16],
    swing: [i32; 16],
}

impl ExchangeValues {
    /// Values by kind code. That of a king should exceed all others.
    pub const fn new(board: [i32; 16]) -> ExchangeValues {
        let mut swing = [0; 16];
        let mut kind = 1;
        while kind < 16 {
            // A captured piece leaves the board and enters the hand unpromoted.
            swing[kind] = board[kind] + if kind == King as usize { 0 } else { board[kind & 7] };
            kind += 1;
        }
        ExchangeValues { board, swing }
    }

    /// Gain by capturing a piece of this kind code; 0 for an empty square.
    #[inline(always)]
    pub const fn swing(&self, kind: u8) -> i32 {
        self.swing[(kind & 15) as usize]
    }

    /// Gain by promoting a piece of this kind code.
    #[inline(always)]
    pub const fn promotion(&self, kind: u8) -> i32 {
        self.board[(kind & 15 | 8) as usize] - self.board[(kind & 15) as usize]
    }
}

impl Position {
    /// Kind code of the moved or dropped piece, before promotion.
    #[inline(always)]
    pub fn moved_kind(&self, mv: Move) -> u8 {
        match mv.from() {
            Some(from) => self.board[from.index()] & 15,
            None => mv.drop_code(),
        }
    }

    /// Kind code of the captured piece, 0 for none.
    #[inline(always)]
    pub fn captured_kind(&self, mv: Move) -> u8 {
        self.board[mv.to().index()] & 15
    }

    /// Immediate gain of a move by capture and promotion.
    #[inline]
    pub fn gain(&self, mv: Move, values: &ExchangeValues) -> i32 {
        let promotion = if mv.is_promotion() { values.promotion(self.moved_kind(mv)) } else { 0 };
        values.swing(self.captured_kind(mv)) + promotion
    }

    /// Whether the exchange after a legal move gains at least `threshold`.
    pub fn exchange_reaches(&self, mv: Move, threshold: i32, values: &ExchangeValues) -> bool {
        let mut balance = self.gain(mv, values) - threshold;
        if balance < 0 {
            return false;
        }
        let placed = self.moved_kind(mv) | if mv.is_promotion() { 8 } else { 0 };
        balance = values.swing(placed) - balance;
        if balance <= 0 {
            return true;
        }
        let to = mv.to();
        let mut occupied = self.occupied() | Bitboard::single(to);
        if let Some(from) = mv.from() {
            occupied ^= Bitboard::single(from);
        }
        let mut attackers = self.attackers_to(to, occupied);
        let mut side = self.side;
        let mut reaches = true;
        loop {
            side = side.opponent();
            attackers &= occupied;
            let own = attackers & self.colors[side.index()];
            let Some(from) = self.cheapest(own, values) else { return reaches };
            reaches = !reaches;
            let kind = self.board[from.index()] & 15;
            if kind == King as u8 {
                // A king may not capture what is protected.
                let protected = (attackers & self.colors[side.opponent().index()]).any();
                return reaches ^ protected;
            }
            balance = values.swing(kind) - balance;
            if balance < reaches as i32 {
                return reaches;
            }
            occupied ^= Bitboard::single(from);
            attackers |= self.uncovered(to, from, occupied);
        }
    }

    /// The least valuable piece of a set; of several the first.
    #[inline(always)]
    fn cheapest(&self, pieces: Bitboard, values: &ExchangeValues) -> Option<Square> {
        let mut best = None;
        let mut least = i32::MAX;
        pieces.for_each(|square| {
            let value = values.swing(self.board[square.index()]);
            if value < least {
                (least, best) = (value, Some(square));
            }
        });
        best
    }

    /// Sliders that attack `to` along the line on which `from` stood before it left `occupied`.
    #[inline(always)]
    fn uncovered(&self, to: Square, from: Square, occupied: Bitboard) -> Bitboard {
        let ray = line(to, from);
        if ray.is_empty() {
            return Bitboard::EMPTY;
        }
        let orthogonal = self.orthogonal_sliders() & ray;
        let diagonal = self.diagonal_sliders() & ray;
        let mut found = Bitboard::EMPTY;
        if orthogonal.any() {
            found |= rook_attacks(to, occupied) & orthogonal;
        }
        if diagonal.any() {
            found |= bishop_attacks(to, occupied) & diagonal;
        }
        let lances = self.group(Lance) & ray;
        if lances.any() && to.file() == from.file() {
            for color in Color::ALL {
                found |= lance_attacks(color.opponent(), to, occupied) & lances & self.colors[color.index()];
            }
        }
        found
    }
}

/// Squares from which pieces of the side to move would check the enemy king, to test many moves of one position for
/// check.
#[derive(Clone, Copy)]
pub struct CheckSquares {
    king: Option<Square>,
    squares: [Bitboard; 16],
    discoverers: Bitboard,
}

impl CheckSquares {
    /// The check squares of a position.
    pub fn new(position: &Position) -> CheckSquares {
        let us = position.side_to_move();
        let mut squares = [Bitboard::EMPTY; 16];
        let king = position.king_square(us.opponent());
        if let Some(king) = king {
            let occupied = position.occupied();
            let seen = |kind| piece_attacks(us.opponent(), kind, king, occupied);
            for kind in [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook] {
                squares[kind as usize] = seen(kind);
            }
            for kind in [ProPawn, ProLance, ProKnight, ProSilver] {
                squares[kind as usize] = squares[Gold as usize];
            }
            squares[Horse as usize] = squares[Bishop as usize] | KING[king.index()];
            squares[Dragon as usize] = squares[Rook as usize] | KING[king.index()];
        }
        CheckSquares { king, squares, discoverers: position.discoverers(us) }
    }

    /// Whether a legal move of the position checks.
    #[inline]
    pub fn gives_check(&self, position: &Position, mv: Move) -> bool {
        let placed = position.moved_kind(mv) | if mv.is_promotion() { 8 } else { 0 };
        if self.squares[placed as usize].contains(mv.to()) {
            return true;
        }
        match (mv.from(), self.king) {
            (Some(from), Some(king)) => self.discoverers.contains(from) && !line(king, from).contains(mv.to()),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::MoveList;

    const VALUES: ExchangeValues =
        ExchangeValues::new([0, 100, 300, 400, 500, 600, 900, 1000, 100_000, 600, 600, 600, 600, 0, 1100, 1300]);

    /// Reference implementation: minimax over legal captures on the square, least valuable piece first.
    fn slow(pos: &Position, to: Square) -> i32 {
        let mut moves = MoveList::new();
        pos.captures(&mut moves);
        let order = |mv: &Move| (VALUES.swing(pos.moved_kind(*mv)), mv.from().map(Square::index));
        let Some(mv) = moves.iter().copied().filter(|m| m.to() == to && !m.is_promotion()).min_by_key(order) else {
            return 0;
        };
        let mut after = pos.clone();
        after.do_move(mv);
        (VALUES.swing(pos.captured_kind(mv)) - slow(&after, to)).max(0)
    }

    fn value(pos: &Position, mv: Move) -> i32 {
        let mut after = pos.clone();
        after.do_move(mv);
        pos.gain(mv, &VALUES) - slow(&after, mv.to())
    }

    fn check(sfen: &str, mv: &str, gain: i32) {
        let pos = Position::from_sfen(sfen).unwrap();
        let mv = Move::from_usi(mv).unwrap();
        assert_eq!(value(&pos, mv), gain, "{sfen} {mv}: the reference");
        assert!(pos.exchange_reaches(mv, gain, &VALUES), "{sfen} {mv} gains {gain}");
        assert!(!pos.exchange_reaches(mv, gain + 1, &VALUES), "{sfen} {mv} gains no more than {gain}");
    }

    #[test]
    fn exchanges_by_hand() {
        // A free pawn; a protected one taken by a rook; the same with a lance behind the rook.
        check("4k4/9/9/9/4p4/9/9/4R4/4K4 b - 1", "5h5e", 200);
        check("4k4/9/9/4g4/4p4/9/9/4R4/4K4 b - 1", "5h5e", 200 - 2000);
        check("4k4/9/9/4g4/4p4/9/4L4/9/K8 b - 1", "5g5e", 200 - 600);
        // Two lances on one file against one gold: lance takes pawn, gold takes lance, lance takes gold.
        check("4k4/9/9/4g4/4p4/9/4L4/4L4/K8 b - 1", "5g5e", 200);
        // A drop in front of a gold loses the piece, unless it is protected.
        check("4k4/9/9/4g4/9/9/9/9/K8 b S 1", "S*5e", -1000);
        check("4k4/9/9/4g4/9/4L4/9/9/K8 b P 1", "P*5e", 0);
        // A king takes what is not protected, and does not take what is.
        check("9/4k4/4p4/9/9/9/9/4R4/K8 b - 1", "5h5c", 200 - 2000);
        check("9/4k4/4p4/9/9/9/4L4/4R4/K8 b - 1", "5g5c", 200);
        // Promotion counts.
        check("8k/9/9/9/9/9/9/4R4/K8 b - 1", "5h5c+", 300);
    }

    #[test]
    fn checks_are_those_of_the_rules() {
        let sfens = include_str!("../../../../tests/data/rules/sampled_positions.sfen");
        for line in sfens.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
            let pos = Position::from_sfen(line.split('\t').next().unwrap()).unwrap();
            let squares = CheckSquares::new(&pos);
            let mut moves = MoveList::new();
            pos.legal_moves(&mut moves);
            for &mv in &moves {
                assert_eq!(squares.gives_check(&pos, mv), pos.gives_check(mv), "{line} {mv}");
            }
        }
    }
}
