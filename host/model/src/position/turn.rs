//! The board turned by 180° with the sides exchanged. Mirrors `hdl/src/position/turn.rs`, where it is pure wiring.

use super::{Bitboard, Position};
use hayasashi_spec::piece::SQUARES;

/// A set of squares seen from the other side of the board.
#[inline]
pub(crate) fn turn(squares: Bitboard) -> Bitboard {
    squares.reverse_bits() >> (128 - SQUARES)
}

impl Position {
    /// The same position seen by the other side, as if it had the move. Code 16 becomes an empty square.
    #[inline]
    pub fn turned(&self) -> Position {
        let mut planes = self.planes.map(turn);
        planes[4] = !planes[4] & (planes[0] | planes[1] | planes[2] | planes[3]);
        Position { planes, hands: [self.hands[1], self.hands[0]], reserved: self.reserved }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayasashi_spec::piece::{turn as turn_square, DRAGON, KING, THEIRS};
    use hayasashi_spec::position::Owner;

    #[test]
    fn a_turned_position_turns_back() {
        let mut p = Position::default();
        p.set_piece(3, KING);
        p.set_piece(44, DRAGON | THEIRS);
        p.set_hand(Owner::Mover, 1, 18);
        let t = p.turned();
        assert_eq!(t.piece(turn_square(3)), KING | THEIRS);
        assert_eq!(t.piece(turn_square(44)), DRAGON);
        assert_eq!(t.hand(Owner::Theirs, 1), 18);
        assert_eq!(t.turned(), p);
    }
}
