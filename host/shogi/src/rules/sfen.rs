//! Positions as SFEN text.

use super::bitboard::Bitboard;
use super::hand::Hand;
use super::legality::dead_squares;
use super::piece::{Color, Piece, PieceKind, FULL_SET};
use super::position::Position;
use super::square::{Square, SQUARES};
use std::fmt::Write;
use thiserror::Error;

/// Why a SFEN was not accepted. Each message names the offending part and ends with a hint.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)] // the fields are what the messages quote
pub enum SfenError {
    /// A field is missing.
    #[error("the SFEN has no {field}; it is 'board side hands [move number]', as 'lnsgkgsnl/… b - 1'")]
    Missing { field: &'static str },
    /// Text follows the last field.
    #[error("'{token}' follows the move number; remove it, or write 'moves' before moves")]
    Trailing { token: String },
    /// The board has not nine ranks.
    #[error("the board '{token}' has {ranks} ranks; write nine, separated by '/'")]
    Ranks { token: String, ranks: usize },
    /// A rank has not nine squares.
    #[error("rank '{token}' has {squares} squares; pieces and digits of empty squares must add up to nine")]
    Width { token: String, squares: usize },
    /// A character of the board is no piece.
    #[error("'{letter}' in rank '{token}' is no piece; use PLNSGBRK for Black, plnsgbrk for White, digits 1-9 for empty squares")]
    Letter { letter: char, token: String },
    /// A piece that does not promote is marked as promoted.
    #[error("'+{letter}' in rank '{token}' does not promote; '+' goes before P, L, N, S, B or R")]
    Promotion { letter: String, token: String },
    /// The side to move is neither `b` nor `w`.
    #[error("side to move '{token}' is unknown; use 'b' or 'w'")]
    Side { token: String },
    /// The hands cannot be read.
    #[error("hands '{token}' cannot be read at '{at}'; use '-' or counts and letters, as 'RB2Pgs'")]
    Hands { token: String, at: String },
    /// The move number is no number.
    #[error("move number '{token}' is not a number from 0 to 65535; use 1 if it is unknown")]
    MoveNumber { token: String },
    /// More pieces of a kind than a set has; kinds count unpromoted.
    #[error("{count} pieces of kind {letter} on board and in hands; a set has {full}, remove the others")]
    TooMany { letter: char, count: u32, full: u8 },
    /// A side has several kings.
    #[error("{color:?} has {count} kings; place one at most")]
    Kings { color: Color, count: u32 },
    /// A side has two unpromoted pawns on a file (counted from 1).
    #[error("{color:?} has two unpromoted pawns on file {file}; move or promote one (nifu)")]
    Nifu { color: Color, file: u8 },
    /// A piece stands where it could never move.
    #[error("the {kind:?} of {color:?} on {square} could never move; promote or move it")]
    Dead { color: Color, kind: PieceKind, square: Square },
    /// The side to move could take the king.
    #[error("{color:?} is not to move, but its king on {square} can be taken; change the side to move or the board")]
    KingCapturable { color: Color, square: Square },
}

impl Position {
    /// Reads a SFEN: `board side hands [move number]`. The move number may be missing. Either king may be missing.
    ///
    /// # Errors
    /// Text that is not a SFEN; too many pieces of a kind or kings; two unpromoted pawns of a side on a file; a
    /// piece that could never move; a king that the side to move could take.
    ///
    /// ```
    /// use hayasashi_shogi::rules::Position;
    /// let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    /// assert_eq!(Position::from_sfen(sfen)?.to_sfen(), sfen);
    /// let error = Position::from_sfen("9/9/9 b - 1").unwrap_err();
    /// assert!(error.to_string().starts_with("the board '9/9/9' has 3 ranks"));
    /// # Ok::<(), hayasashi_shogi::rules::SfenError>(())
    /// ```
    pub fn from_sfen(sfen: &str) -> Result<Position, SfenError> {
        let position = Position::from_problem_sfen(sfen)?;
        check_nifu(&position)?;
        Ok(position)
    }

    /// Reads the SFEN of a mate problem: as [`Position::from_sfen`], but a side may have several unpromoted pawns on
    /// a file, as in many problems made by programs. No more can be dropped there.
    ///
    /// # Errors
    /// Those of [`Position::from_sfen`] but nifu.
    pub fn from_problem_sfen(sfen: &str) -> Result<Position, SfenError> {
        let mut tokens = sfen.split_ascii_whitespace();
        let board = parse_board(tokens.next().ok_or(SfenError::Missing { field: "board" })?)?;
        let side = match tokens.next().ok_or(SfenError::Missing { field: "side to move" })? {
            "b" => Color::Black,
            "w" => Color::White,
            token => return Err(SfenError::Side { token: token.into() }),
        };
        let counts = parse_hands(tokens.next().ok_or(SfenError::Missing { field: "hands" })?)?;
        let ply = match tokens.next() {
            None => 1,
            Some(token) => token.parse().map_err(|_| SfenError::MoveNumber { token: token.into() })?,
        };
        if let Some(token) = tokens.next() {
            return Err(SfenError::Trailing { token: token.into() });
        }
        let hands = check_counts(&board, &counts)?;
        let position = Position::from_parts(&board, hands, side, ply);
        check_board(&position)?;
        Ok(position)
    }

    /// The SFEN of this position, move number included.
    pub fn to_sfen(&self) -> String {
        let mut sfen = String::with_capacity(96);
        for rank in 0..9 {
            let mut empty = 0;
            if rank > 0 {
                sfen.push('/');
            }
            for file in (0..9).rev() {
                let square = Square::from_file_rank(file, rank).expect("file and rank are below 9");
                match self.piece_on(square) {
                    None => empty += 1,
                    Some(piece) => {
                        push_count(&mut sfen, empty, 1);
                        empty = 0;
                        if piece.kind().is_promoted() {
                            sfen.push('+');
                        }
                        sfen.push(letter(piece.color(), piece.kind()));
                    }
                }
            }
            push_count(&mut sfen, empty, 1);
        }
        sfen.push_str(if self.side_to_move() == Color::Black { " b " } else { " w " });
        if Color::ALL.iter().all(|&color| self.hand(color).is_empty()) {
            sfen.push('-');
        }
        for color in Color::ALL {
            for kind in PieceKind::HAND.into_iter().rev() {
                let count = self.hand(color).count(kind);
                if count > 0 {
                    push_count(&mut sfen, count, 2);
                    sfen.push(letter(color, kind));
                }
            }
        }
        write!(sfen, " {}", self.ply()).expect("writing to a string succeeds");
        sfen
    }
}

fn letter(color: Color, kind: PieceKind) -> char {
    match color {
        Color::Black => kind.letter(),
        Color::White => kind.letter().to_ascii_lowercase(),
    }
}

fn push_count(sfen: &mut String, count: u8, from: u8) {
    if count >= from {
        write!(sfen, "{count}").expect("writing to a string succeeds");
    }
}

/// Owner and unpromoted kind of a SFEN letter.
fn owned(letter: char) -> Option<(Color, PieceKind)> {
    let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
    Some((color, PieceKind::from_letter(letter)?))
}

fn parse_board(token: &str) -> Result<[Option<Piece>; SQUARES], SfenError> {
    let mut board = [None; SQUARES];
    let ranks = token.split('/').count();
    if ranks != 9 {
        return Err(SfenError::Ranks { token: token.into(), ranks });
    }
    for (rank, text) in token.split('/').enumerate() {
        let mut squares = 0usize;
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            if let digit @ '1'..='9' = letter {
                squares += digit as usize - '0' as usize;
                continue;
            }
            let promoted = letter == '+';
            let letter = if promoted { letters.next() } else { Some(letter) };
            let piece = letter.and_then(owned);
            let piece = match (piece, promoted) {
                (Some((color, kind)), false) => Piece::new(color, kind),
                (Some((color, kind)), true) if kind.promote().is_some() => {
                    Piece::new(color, kind.promote().unwrap_or(kind))
                }
                (_, true) => {
                    let letter = letter.map(String::from).unwrap_or_default();
                    return Err(SfenError::Promotion { letter, token: text.into() });
                }
                (None, false) => return Err(SfenError::Letter { letter: letter.unwrap_or('+'), token: text.into() }),
            };
            if squares < 9 {
                let square = Square::from_file_rank(8 - squares as u8, rank as u8).expect("both are below 9");
                board[square.index()] = Some(piece);
            }
            squares += 1;
        }
        if squares != 9 {
            return Err(SfenError::Width { token: text.into(), squares });
        }
    }
    Ok(board)
}

/// Counts by colour and kind code.
fn parse_hands(token: &str) -> Result<[[u32; 8]; 2], SfenError> {
    let mut counts = [[0u32; 8]; 2];
    if token == "-" {
        return Ok(counts);
    }
    let mut number: Option<u32> = None;
    let error = |at: char| Err(SfenError::Hands { token: token.into(), at: at.into() });
    for letter in token.chars() {
        match (letter.to_digit(10), owned(letter)) {
            (Some(digit), _) => number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(digit)),
            (None, Some((color, kind))) if kind != PieceKind::King && number != Some(0) => {
                let count = &mut counts[color.index()][kind as usize];
                *count = count.saturating_add(number.take().unwrap_or(1));
            }
            _ => return error(letter),
        }
    }
    match number {
        Some(_) => error(token.chars().last().unwrap_or('-')),
        None => Ok(counts),
    }
}

fn check_counts(board: &[Option<Piece>; SQUARES], hands: &[[u32; 8]; 2]) -> Result<[Hand; 2], SfenError> {
    let on_board = |wanted: PieceKind| board.iter().flatten().filter(|p| p.kind().unpromote() == wanted).count() as u32;
    for kind in PieceKind::HAND {
        let code = kind as usize;
        let count = on_board(kind).saturating_add(hands[0][code]).saturating_add(hands[1][code]);
        if count > FULL_SET[code] as u32 {
            return Err(SfenError::TooMany { letter: kind.letter(), count, full: FULL_SET[code] });
        }
    }
    for color in Color::ALL {
        let count = board.iter().flatten().filter(|&&p| p == Piece::new(color, PieceKind::King)).count() as u32;
        if count > 1 {
            return Err(SfenError::Kings { color, count });
        }
    }
    Ok([0, 1].map(|c| Hand::from_counts(hands[c].map(|n| n as u8)).expect("counts are within a full set")))
}

fn check_nifu(position: &Position) -> Result<(), SfenError> {
    for color in Color::ALL {
        let pawns = position.pieces(color, PieceKind::Pawn);
        if let Some(file) = (0..9).find(|&file| (pawns & Bitboard::file(file)).more_than_one()) {
            return Err(SfenError::Nifu { color, file: file + 1 });
        }
    }
    Ok(())
}

fn check_board(position: &Position) -> Result<(), SfenError> {
    for color in Color::ALL {
        for kind in [PieceKind::Pawn, PieceKind::Lance, PieceKind::Knight] {
            if let Some(square) = (position.pieces(color, kind) & dead_squares(color, kind)).first() {
                return Err(SfenError::Dead { color, kind, square });
            }
        }
    }
    let them = position.side_to_move().opponent();
    if let Some(square) = position.king_square(them) {
        let attackers = position.attackers_to(square, position.occupied());
        if (attackers & position.pieces_of(position.side_to_move())).any() {
            return Err(SfenError::KingCapturable { color: them, square });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sfen: &str, expected: &str) {
        let error = Position::from_sfen(sfen).map(|p| p.to_sfen()).expect_err(sfen).to_string();
        assert!(error.starts_with(expected), "{sfen}: {error}");
    }

    #[test]
    fn faults_are_named() {
        check("", "the SFEN has no board");
        check("9/9/9/9/9/9/9/9/9", "the SFEN has no side to move");
        check("9/9/9/9/9/9/9/9/9 b", "the SFEN has no hands");
        check("9/9/9/9/9/9/9/9/9 x - 1", "side to move 'x'");
        check("9/9/9/9/9/9/9/9 b - 1", "the board '9/9/9/9/9/9/9/9' has 8 ranks");
        check("9/9/9/9/9/9/9/9/9/9 b - 1", "the board");
        check("9/9/9/8/9/9/9/9/9 b - 1", "rank '8' has 8 squares");
        check("9/9/9/9P/9/9/9/9/9 b - 1", "rank '9P' has 10 squares");
        check("9/9/9/99999999999999999999/9/9/9/9/9 b - 1", "rank");
        check("9/9/9/4x4/9/9/9/9/9 b - 1", "'x' in rank '4x4'");
        check("9/9/9/4歩4/9/9/9/9/9 b - 1", "'歩' in rank");
        check("9/9/9/4+G4/9/9/9/9/9 b - 1", "'+G' in rank");
        check("9/9/9/4+K4/9/9/9/9/9 b - 1", "'+K' in rank");
        check("9/9/9/8+/9/9/9/9/9 b - 1", "'+' in rank");
        check("9/9/9/9/9/9/9/9/9 b K 1", "hands 'K' cannot be read at 'K'");
        check("9/9/9/9/9/9/9/9/9 b 2 1", "hands '2'");
        check("9/9/9/9/9/9/9/9/9 b 0P 1", "hands '0P'");
        check("9/9/9/9/9/9/9/9/9 b P- 1", "hands 'P-' cannot be read at '-'");
        check("9/9/9/9/9/9/9/9/9 b 19P 1", "19 pieces of kind P");
        check("9/9/9/9/9/9/9/9/9 b 99999999999999p18P 1", "4294967295 pieces of kind P");
        check("9/9/9/9/9/9/9/9/9 b - one", "move number 'one'");
        check("9/9/9/9/9/9/9/9/9 b - 1 2", "'2' follows the move number");
        check("4k4/9/9/9/9/9/9/9/3KK4 b - 1", "Black has 2 kings");
        check("4k4/9/9/4p4/9/4p4/9/9/4K4 b - 1", "White has two unpromoted pawns on file 5");
        check("P3k4/9/9/9/9/9/9/9/4K4 b - 1", "the Pawn of Black on 9a");
        check("4k4/7N1/9/9/9/9/9/9/4K4 b - 1", "the Knight of Black on 2b");
        check("4k4/9/9/9/9/9/9/9/l3K4 b - 1", "the Lance of White on 9i");
        check("4k4/9/9/9/9/9/9/9/4R3K b - 1", "White is not to move, but its king on 5a");
        check("4k4/4K4/9/9/9/9/9/9/9 b - 1", "White is not to move, but its king on 5a");
    }

    #[test]
    fn tolerant_input() {
        for (sfen, printed) in [
            ("9/9/9/9/9/9/9/9/9 b -", "9/9/9/9/9/9/9/9/9 b - 1"),
            ("  45/9/9/9/9/9/9/9/k8 w PPp2p 0 ", "9/9/9/9/9/9/9/9/k8 w 2P3p 0"),
            ("4k4/9/9/9/9/9/9/9/9 b 18P 7", "4k4/9/9/9/9/9/9/9/9 b 18P 7"),
        ] {
            assert_eq!(Position::from_sfen(sfen).unwrap().to_sfen(), printed);
        }
    }
}
