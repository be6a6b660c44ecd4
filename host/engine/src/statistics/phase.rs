//! Phases of a game: the probabilities of moves change when kings come under attack.

use hayasashi_shogi::rules::{Bitboard, Color, Piece, PieceKind, Position, Square, SQUARES};

/// A phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Phase {
    /// Opening and middle game.
    Opening,
    /// End game: an attack on a king has begun.
    End,
    /// The final stage, where speed counts more than material.
    Final,
}

impl Phase {
    /// All, in order.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::End, Phase::Final];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::End => "end",
            Phase::Final => "final",
        }
    }

    /// The phase of a position, by the greater [`pressure`] of the two sides.
    pub fn of(pos: &Position) -> Phase {
        let pressure = Color::ALL.map(|side| pressure(pos, side));
        match pressure[0].max(pressure[1]) {
            p if p < END => Phase::Opening,
            p if p < FINAL => Phase::End,
            _ => Phase::Final,
        }
    }
}

const END: u32 = 4;
const FINAL: u32 = 8;

/// How strongly a side attacks the opposing king: 2 for each piece at most two files and two ranks from it, but 3 for a
/// promoted piece and 1 for a pawn; 1 for each piece in hand except pawns. 0 without a king.
pub fn pressure(pos: &Position, side: Color) -> u32 {
    let Some(king) = pos.king_square(side.opponent()) else { return 0 };
    let near = near(king) & pos.pieces_of(side);
    let mut pressure = 0;
    near.for_each(|square| {
        pressure += match pos.piece_on(square).map(Piece::kind) {
            Some(PieceKind::Pawn) => 1,
            Some(kind) if kind.is_promoted() => 3,
            Some(PieceKind::King) | None => 0,
            Some(_) => 2,
        };
    });
    let hand = pos.hand(side).iter().filter(|(kind, _)| *kind != PieceKind::Pawn);
    pressure + hand.map(|(_, count)| count as u32).sum::<u32>()
}

/// The squares at most two files and two ranks from a square, without itself.
pub fn near(square: Square) -> Bitboard {
    NEAR[square.index()]
}

static NEAR: [Bitboard; SQUARES] = {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let (file, rank) = ((square / 9) as i8, (square % 9) as i8);
        let (mut bits, mut other) = (0u128, 0);
        while other < SQUARES {
            let (files, ranks) = ((other / 9) as i8 - file, (other % 9) as i8 - rank);
            if other != square && files.abs() <= 2 && ranks.abs() <= 2 {
                bits |= 1 << other;
            }
            other += 1;
        }
        table[square] = Bitboard::from_bits(bits);
        square += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sfen: &str, phase: Phase) {
        assert_eq!(Phase::of(&Position::from_sfen(sfen).unwrap()), phase, "{sfen}");
    }

    #[test]
    fn phases_by_hand() {
        assert_eq!(Phase::of(&Position::startpos()), Phase::Opening);
        // A dragon beside the king: 3; a silver in hand: 1 more; pawns in hand are none.
        check("2+R1k4/9/9/9/9/9/9/9/4K4 w P 1", Phase::Opening);
        check("2+R1k4/9/9/9/9/9/9/9/4K4 w S 1", Phase::End);
        // A silver beside the king: 2 more.
        check("2+R1k4/5S3/9/9/9/9/9/9/4K4 w 2S 1", Phase::End);
        check("2+R1k4/5S3/9/9/9/9/9/9/4K4 w 2SG 1", Phase::Final);
        // The other side's attack counts as well, and a pawn near the king for 1.
        check("4k4/9/9/9/9/9/9/2+r1p4/4K4 b - 1", Phase::End);
    }

    #[test]
    fn near_squares() {
        let of = |text: &str| near(Square::from_usi(text).unwrap());
        assert_eq!((of("5e").count(), of("1a").count(), of("2b").count()), (24, 8, 15));
        assert!(of("5e").contains(Square::from_usi("7g").unwrap()));
        assert!(!of("5e").contains(Square::from_usi("8e").unwrap()));
    }
}
