//! Declaration of a win by entering kings (nyūgyoku sengen).

use super::bitboard::Bitboard;
use super::piece::{Color, PieceKind};
use super::position::Position;

/// Point rule of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DeclarationRule {
    /// 28 points win for Black, 27 for White (computer shogi tournaments, CSA).
    #[default]
    Points27,
    /// 31 points win, 24 to 30 draw (professional games).
    Points24,
}

/// Result of a declaration by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// The conditions are not met; a declaration would lose.
    NotAllowed,
    /// The game is drawn.
    Draw,
    /// The side to move wins.
    Win,
}

impl Position {
    /// Points of a side for a declaration: five for each rook, bishop, dragon and horse, one for each other piece but
    /// the king; pieces in hand and in the promotion zone count.
    pub fn declaration_points(&self, color: Color) -> u32 {
        let in_zone = self.declaring_pieces(color);
        let big = in_zone & (self.diagonal_sliders() | self.orthogonal_sliders());
        let hand = self.hand(color);
        let held: u32 = hand
            .iter()
            .map(|(kind, count)| match kind {
                PieceKind::Bishop | PieceKind::Rook => 5 * count as u32,
                _ => count as u32,
            })
            .sum();
        in_zone.count() + 4 * big.count() + held
    }

    /// Pieces of a side in its promotion zone, without the king.
    fn declaring_pieces(&self, color: Color) -> Bitboard {
        (self.pieces_of(color) & Bitboard::zone(color)).without(self.pieces(color, PieceKind::King))
    }

    /// Whether the side to move may declare: its king is in the promotion zone and not in check, at least ten
    /// of its other pieces are in the zone, and it has the points.
    pub fn declaration(&self, rule: DeclarationRule) -> Declaration {
        let us = self.side_to_move();
        let entered = self.king_square(us).is_some_and(|king| Bitboard::zone(us).contains(king));
        if !entered || self.declaring_pieces(us).count() < 10 || self.in_check() {
            return Declaration::NotAllowed;
        }
        let points = self.declaration_points(us);
        match (rule, us) {
            (DeclarationRule::Points27, Color::Black) if points >= 28 => Declaration::Win,
            (DeclarationRule::Points27, Color::White) if points >= 27 => Declaration::Win,
            (DeclarationRule::Points24, _) if points >= 31 => Declaration::Win,
            (DeclarationRule::Points24, _) if points >= 24 => Declaration::Draw,
            _ => Declaration::NotAllowed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Declaration::*;

    fn check(sfen: &str, points: u32, by_27: Declaration, by_24: Declaration) {
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(position.declaration_points(position.side_to_move()), points, "{sfen}");
        assert_eq!(position.declaration(DeclarationRule::Points27), by_27, "{sfen}");
        assert_eq!(position.declaration(DeclarationRule::Points24), by_24, "{sfen}");
    }

    #[test]
    fn points_and_conditions() {
        // Ten pieces in the zone: dragon, horse (10 points) and eight others; hands fill up.
        check("K+R+B+P+P+P+P+P+P/+P+P7/9/9/9/9/9/9/4k4 b RB 1", 28, Win, Draw);
        check("K+R+B+P+P+P+P+P+P/+P+P7/9/9/9/9/9/9/4k4 b R4P 1", 27, NotAllowed, Draw);
        check("4K4/9/9/9/9/9/9/7+p+p/k+r+b+p+p+p+p+p+p w r4p 1", 27, Win, Draw);
        check("4K4/9/9/9/9/9/9/7+p+p/k+r+b+p+p+p+p+p+p w r3p 1", 26, NotAllowed, Draw);
        check("K+R+B+P+P+P+P+P+P/+P+P7/9/9/9/9/9/9/4k4 b RB3P 1", 31, Win, Win);
        check("K+R+B+P+P+P+P+P+P/+P+P7/9/9/9/9/9/9/4k4 b R 1", 23, NotAllowed, NotAllowed);
        // Nine pieces in the zone.
        check("K+R+B+P+P+P+P+P+P/+P8/9/9/9/9/9/9/4k4 b RB9P 1", 36, NotAllowed, NotAllowed);
        // The king is outside; the king is in check.
        check("1+R+B+P+P+P+P+P+P/+P+P7/9/K8/9/9/9/9/4k4 b RB3P 1", 31, NotAllowed, NotAllowed);
        check("K+R+B+P+P+P+P+P+P/g+P+P6/9/9/9/9/9/9/4k4 b RB3P 1", 31, NotAllowed, NotAllowed);
        // Pieces outside the zone do not count.
        check("K+R+B+P+P+P+P+P+P/+P+P7/9/4G4/9/9/9/9/4k4 b RB 1", 28, Win, Draw);
    }
}
