//! Games as records of the Computer Shogi Association (CSA V2.2).

use super::results::GameRecord;
use hayasashi_shogi::rules::{Color, Move, Piece, PieceKind, Position, PositionCommand, Square};
use std::fmt::Write;

/// Two-letter names by kind code.
const NAMES: [&str; 16] = ["", "FU", "KY", "KE", "GI", "KI", "KA", "HI", "OU", "TO", "NY", "NK", "NG", "", "UM", "RY"];

/// The record of a game between `engine`, whose results these are, and `against`.
pub fn record(game: &GameRecord, engine: &str, against: &str) -> String {
    let (black, white) = if game.game.is_multiple_of(2) { (engine, against) } else { (against, engine) };
    let mut text = format!("V2.2\nN+{black}\nN-{white}\n$EVENT:game {}\n", game.game);
    // Own results hold legal games.
    let Ok(command) = PositionCommand::parse(&game.usi) else { return text };
    let mut pos = command.start;
    board(&mut text, &pos);
    for mv in command.moves {
        text += &self::mv(&pos, mv);
        text.push('\n');
        pos.do_move(mv);
    }
    let loser_moves = match (game.winner.as_str(), pos.side_to_move()) {
        ("black", Color::White) | ("white", Color::Black) => true,
        ("draw", _) => false,
        _ => false,
    };
    let end = match game.ending.as_str() {
        "no legal move" => "%TSUMI",
        "repetition" | "perpetual check" => "%SENNICHITE",
        "declaration" => "%KACHI",
        "time" => "%TIME_UP",
        "max plies" => "%JISHOGI",
        e if e.starts_with("illegal move") || e == "wrong declaration" => "%ILLEGAL_MOVE",
        _ if loser_moves => "%TORYO",
        _ => "%CHUDAN",
    };
    let _ = writeln!(text, "{end}\n'{}", game.ending);
    text
}

fn name(piece: Piece) -> &'static str {
    NAMES[piece.kind().code() as usize]
}

fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

fn digits(square: Square) -> String {
    format!("{}{}", square.file() + 1, square.rank() + 1)
}

fn board(text: &mut String, pos: &Position) {
    for rank in 0..9 {
        let _ = write!(text, "P{}", rank + 1);
        for file in (0..9).rev() {
            let square = Square::from_file_rank(file, rank).expect("both are below 9");
            match pos.piece_on(square) {
                Some(piece) => {
                    let _ = write!(text, "{}{}", sign(piece.color()), name(piece));
                }
                None => text.push_str(" * "),
            }
        }
        text.push('\n');
    }
    for color in Color::ALL {
        let held: String = pos
            .hand(color)
            .iter()
            .flat_map(|(kind, count)| std::iter::repeat_n(format!("00{}", NAMES[kind.code() as usize]), count as usize))
            .collect();
        if !held.is_empty() {
            let _ = writeln!(text, "P{}{held}", sign(color));
        }
    }
    text.push(sign(pos.side_to_move()));
    text.push('\n');
}

/// A move of the position, as `+7776FU`.
fn mv(pos: &Position, mv: Move) -> String {
    let from = mv.from().map_or("00".into(), digits);
    let moved = mv.from().and_then(|from| pos.piece_on(from)).map(|piece| piece.kind()).or(mv.dropped());
    let kind = moved.map(|kind| if mv.is_promotion() { kind.promote().unwrap_or(kind) } else { kind });
    let code = kind.map_or(0, PieceKind::code) as usize;
    format!("{}{from}{}{}", sign(pos.side_to_move()), digits(mv.to()), NAMES[code])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_written_as_csa_has_it() {
        let game = GameRecord {
            game: 1,
            opening: 0,
            half_points: 0,
            winner: "black".into(),
            ending: "resignation".into(),
            usi: "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e".into(),
        };
        let text = record(&game, "ours", "theirs");
        for line in [
            "N+theirs",
            "N-ours",
            "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY",
            "P2 * -HI *  *  *  *  * -KA * ",
            "P9+KY+KE+GI+KI+OU+KI+GI+KE+KY",
            "+7776FU",
            "-3334FU",
            "+8822UM",
            "-3122GI",
            "+0045KA",
            "%TORYO",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} is missing in\n{text}");
        }
    }

    #[test]
    fn hands_of_a_start_are_written() {
        let mut text = String::new();
        board(&mut text, &Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 w G2Pr 1").unwrap());
        assert!(text.contains("P+00FU00FU00KI\nP-00HI\n-\n"), "{text}");
    }
}
