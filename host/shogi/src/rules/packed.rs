//! A position in eight words, for tables and messages.

use super::{
    hand::Hand,
    piece::{Color, Piece},
    position::Position,
    square::SQUARES,
};

/// Squares in each of the first seven words.
const SQUARES_PER_WORD: usize = 12;
/// Bits of a square: the code of its piece, 0 if it is empty.
const CODE_BITS: usize = 5;
/// Bits of a hand, as [`Hand`] packs it.
const HAND_BITS: usize = 28;

/// A position without its move number.
///
/// | words | contents |
/// |---|---|
/// | 0–6 | twelve squares each in the order of [`super::Square`], the first in the lowest five bits |
/// | 7 | Black's hand in bits 0–27, White's in bits 28–55, bit 56: White to move |
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedPosition(pub [u64; 8]);

impl Position {
    /// The position without its move number.
    pub fn pack(&self) -> PackedPosition {
        let mut words = [0; 8];
        for (word, squares) in words.iter_mut().zip(self.board.chunks(SQUARES_PER_WORD)) {
            *word = squares.iter().rev().fold(0, |word, &code| word << CODE_BITS | code as u64);
        }
        let [black, white] = self.hands.map(|hand| hand.bits() as u64);
        words[7] = black | white << HAND_BITS | (self.side as u64) << (2 * HAND_BITS);
        PackedPosition(words)
    }
}

impl PackedPosition {
    /// The position, with move number 1. `None` if a code is not of a piece, or a hand has more than there are.
    pub fn unpack(&self) -> Option<Position> {
        let mut board = [None; SQUARES];
        for (squares, mut word) in board.chunks_mut(SQUARES_PER_WORD).zip(self.0) {
            for square in squares {
                let code = (word & 31) as u8;
                *square = match code {
                    0 => None,
                    _ => Some(piece(code)?),
                };
                word >>= CODE_BITS;
            }
        }
        let last = self.0[7];
        let hand = |bits: u64| Hand::from_bits((bits & ((1 << HAND_BITS) - 1)) as u32);
        let hands = [hand(last)?, hand(last >> HAND_BITS)?];
        let side = if last >> (2 * HAND_BITS) & 1 == 0 { Color::Black } else { Color::White };
        Some(Position::from_parts(&board, hands, side, 1))
    }
}

/// The piece of a code.
fn piece(code: u8) -> Option<Piece> {
    // Kind code 13 is free.
    let is_kind = !matches!(code & 15, 0 | 13);
    Piece::from_board_code(code).filter(|_| is_kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{random::Random, rules::MoveList};

    #[test]
    fn positions_of_games_are_unpacked_as_they_were() {
        let mut random = Random::from_state(11);
        for _ in 0..20 {
            let mut position = Position::startpos();
            for _ in 0..200 {
                let mut moves = MoveList::new();
                position.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                position.do_move(moves[random.below(moves.len())]);
                let unpacked = position.pack().unpack().unwrap();
                assert_eq!((unpacked.key(), unpacked.pack()), (position.key(), position.pack()));
                // But for the move number.
                let text = |position: &Position| position.to_sfen().rsplit_once(' ').unwrap().0.to_string();
                assert_eq!(text(&unpacked), text(&position));
            }
        }
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let good = Position::startpos().pack();
        for code in [13, 16, 29] {
            let mut bad = good;
            bad.0[3] = bad.0[3] & !31 | code;
            assert_eq!(bad.unpack(), None, "{code}");
        }
        let mut bad = good;
        bad.0[7] |= 31;
        assert_eq!(bad.unpack(), None);
    }
}
