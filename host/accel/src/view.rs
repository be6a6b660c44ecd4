//! Conversion between the board and the mover's view on the link: positions to images, moves in both directions.
//!
//! For White the board is turned by 180° and the colours are swapped, as [`hayasashi_spec`] defines.

use crate::AccelError;
use hayasashi_shogi::rules::{Color, Move, PieceKind, Position, Square};
use hayasashi_spec::{
    moves::{Move16, MoveRecord, DROP_FROM},
    opcode::Opcode,
    piece::{turn, CODE_BITS, HAND_KINDS, SQUARES, THEIRS},
    position::{PositionImage, HAND_OFFSET, IMAGE_BYTES, OWN_HAND_BIT, THEIR_HAND_BIT},
};

/// The image of a position as its mover sees it.
pub fn image(pos: &Position) -> PositionImage {
    let mover = pos.side_to_move();
    let mut words = [0u64; IMAGE_BYTES / 8];
    for square in pos.occupied() {
        let Some(piece) = pos.piece_on(square) else { continue };
        let (at, code) = match mover {
            Color::Black => (square.index(), piece.code()),
            Color::White => (turn(square.index()), piece.code() ^ THEIRS),
        };
        put(&mut words, CODE_BITS * at, code as u64);
    }
    for (owner, first) in [(mover, OWN_HAND_BIT), (mover.opponent(), THEIR_HAND_BIT)] {
        let hand = pos.hand(owner);
        let bits = (0..HAND_KINDS).fold(0, |b, k| b | (hand.count(PieceKind::HAND[k]) as u64) << HAND_OFFSET[k]);
        put(&mut words, first, bits);
    }
    let mut image = PositionImage::default();
    for (bytes, word) in image.bytes.chunks_exact_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    image
}

fn put(words: &mut [u64], at: usize, value: u64) {
    let (word, bit) = (at / 64, at % 64);
    words[word] |= value << bit;
    if bit > 64 - 21 && word + 1 < words.len() {
        words[word + 1] |= value >> (64 - bit);
    }
}

/// A move of the link as a move on the board of `mover`; `None` if a field is out of range.
pub fn to_move(mv: Move16, mover: Color) -> Option<Move> {
    let in_view = Move::from_bits(mv.0)?;
    Move::from_bits(turned(in_view.bits(), mover))
}

/// Moves that the chip `target` has listed, as moves on the board of `mover`.
///
/// # Errors
/// [`AccelError::Malformed`] if a field of a move is out of range.
pub fn to_moves(target: &str, records: &[MoveRecord], mover: Color) -> Result<Vec<Move>, AccelError> {
    let out_of_range = |record: &MoveRecord| {
        AccelError::malformed(target, Opcode::Generate, format!("0x{:04X} is not a move", record.mv.0))
    };
    records.iter().map(|record| to_move(record.mv, mover).ok_or_else(|| out_of_range(record))).collect()
}

/// A move on the board of `mover` as a move of the link.
pub fn from_move(mv: Move, mover: Color) -> Move16 {
    Move16(turned(mv.bits(), mover))
}

/// Both formats have the same fields; for White the squares are turned.
fn turned(bits: u16, mover: Color) -> u16 {
    if mover == Color::Black {
        return bits;
    }
    let mv = Move16(bits);
    let to = turn(mv.to() as usize) as u16;
    let from = if mv.from() >= DROP_FROM { mv.from() as u16 } else { turn(mv.from() as usize) as u16 };
    to | from << 7 | (mv.promotes() as u16) << 14
}

/// The square of the board at `index` in the view of `mover`.
pub fn square(index: usize, mover: Color) -> Square {
    debug_assert!(index < SQUARES);
    let index = if mover == Color::Black { index } else { turn(index) };
    Square::new(index as u8).expect("a square of the view is on the board")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_a_move_or_none() {
        for mover in Color::ALL {
            let moves: Vec<Move> = (0..=u16::MAX).filter_map(|bits| to_move(Move16(bits), mover)).collect();
            assert_eq!(moves.len(), 81 * (2 * 81 + 7));
            assert!(moves.iter().all(|&mv| to_move(from_move(mv, mover), mover) == Some(mv)));
        }
    }
}
