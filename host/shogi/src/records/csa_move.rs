//! Moves as the Computer Shogi Association writes them: `+7776FU`, `-0055KA`.

use crate::rules::{Color, Move, Piece, PieceKind, Position, Square};

/// The names of the pieces, by kind.
const NAMES: [(PieceKind, &str); 14] = [
    (PieceKind::Pawn, "FU"),
    (PieceKind::Lance, "KY"),
    (PieceKind::Knight, "KE"),
    (PieceKind::Silver, "GI"),
    (PieceKind::Gold, "KI"),
    (PieceKind::Bishop, "KA"),
    (PieceKind::Rook, "HI"),
    (PieceKind::King, "OU"),
    (PieceKind::ProPawn, "TO"),
    (PieceKind::ProLance, "NY"),
    (PieceKind::ProKnight, "NK"),
    (PieceKind::ProSilver, "NG"),
    (PieceKind::Horse, "UM"),
    (PieceKind::Dragon, "RY"),
];

fn name(kind: PieceKind) -> &'static str {
    NAMES.iter().find(|(of, _)| *of == kind).expect("every kind has a name").1
}

/// The legal move that this text writes, with the colour that makes it.
pub fn from_csa(pos: &Position, text: &str) -> Option<Move> {
    let bytes = text.as_bytes();
    let sign = if pos.side_to_move() == Color::Black { b'+' } else { b'-' };
    if bytes.len() != 7 || bytes[0] != sign || !text.is_ascii() {
        return None;
    }
    let kind = NAMES.iter().find(|(_, name)| *name == &text[5..])?.0;
    let square = |at: usize| {
        let digit = |b: u8| (b'1'..=b'9').contains(&b).then(|| b - b'1');
        Square::from_file_rank(digit(bytes[at])?, digit(bytes[at + 1])?)
    };
    let to = square(3)?;
    let mv = match &text[1..3] {
        "00" => Move::drop(kind, to)?,
        _ => {
            let from = square(1)?;
            let moved = pos.piece_on(from)?.kind();
            let promotes = moved != kind;
            if promotes && moved.promote() != Some(kind) {
                return None;
            }
            Move::board(from, to, promotes)
        }
    };
    pos.is_legal(mv).then_some(mv)
}

/// The text of a legal move.
pub fn to_csa(pos: &Position, mv: Move) -> String {
    let sign = if pos.side_to_move() == Color::Black { '+' } else { '-' };
    let square = |s: Square| format!("{}{}", s.file() + 1, s.rank() + 1);
    let moved = mv.from().and_then(|from| pos.piece_on(from)).map(Piece::kind).or(mv.dropped());
    let kind = moved.map(|kind| if mv.is_promotion() { kind.promote().unwrap_or(kind) } else { kind });
    let from = mv.from().map_or("00".into(), square);
    format!("{sign}{from}{}{}", square(mv.to()), kind.map_or("", name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{random::Random, rules::MoveList};

    #[test]
    fn every_legal_move_is_written_and_read() {
        let mut random = Random::new(5, 1);
        for _ in 0..20 {
            let mut pos = Position::startpos();
            for _ in 0..150 {
                let mut moves = MoveList::new();
                pos.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                for &mv in &moves {
                    let text = to_csa(&pos, mv);
                    assert_eq!(from_csa(&pos, &text), Some(mv), "{text} {mv} {}", pos.to_sfen());
                }
                pos.do_move(moves[random.below(moves.len())]);
            }
        }
    }

    #[test]
    fn moves_of_the_standard() {
        let start = Position::startpos();
        assert_eq!(to_csa(&start, Move::from_usi("7g7f").unwrap()), "+7776FU");
        for bad in ["-7776FU", "+7775FU", "+7776TO", "+7776XX", "+0055FU", "+7776F", "7776FU", "", "+77７FU", "+0a76FU"]
        {
            assert_eq!(from_csa(&start, bad), None, "{bad}");
        }
        let pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 w G2Pr 1").unwrap();
        assert_eq!(to_csa(&pos, Move::from_usi("R*5b").unwrap()), "-0052HI");
        let pos = Position::from_sfen("4k4/2P6/9/9/9/9/9/9/4K4 b - 1").unwrap();
        assert_eq!(to_csa(&pos, Move::from_usi("7b7a+").unwrap()), "+7271TO");
        assert_eq!(from_csa(&pos, "+7271FU"), None);
    }
}
