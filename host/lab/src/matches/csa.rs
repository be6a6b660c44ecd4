//! Games as records of the Computer Shogi Association (CSA V2.2), written by the crate `rsshogi`.

use super::{results::GameRecord, MatchError};
use hayasashi_shogi::rules::{Color, PositionCommand};
use rsshogi::{
    records::{
        export_csa, parse_usi_position, RecordAnnotation, RecordMetadata, RecordMetadataKey, SpecialMove,
        SpecialMoveEntry,
    },
    types::GameResult,
};

/// The record of a game between the first engine, `engine`, and `against`.
///
/// # Errors
/// A game that CSA cannot represent.
pub fn record(game: &GameRecord, engine: &str, against: &str) -> Result<String, MatchError> {
    let failed = |reason: String| MatchError::Csa { game: game.game, reason };
    let (black, white) = if game.game.is_multiple_of(2) { (engine, against) } else { (against, engine) };
    let last = PositionCommand::parse(&game.usi).map_err(|e| failed(e.to_string()))?.position;
    let mut record = parse_usi_position(&game.usi).map_err(|e| failed(e.to_string()))?;
    let mut metadata = RecordMetadata::builder();
    metadata.set_standard(RecordMetadataKey::BlackPlayer, Some(black.into()));
    metadata.set_standard(RecordMetadataKey::WhitePlayer, Some(white.into()));
    metadata.set_standard(RecordMetadataKey::Event, Some(format!("game {}", game.game)));
    record.set_metadata(metadata.build());
    let ending = RecordAnnotation::new().with_comment(Some(game.ending.clone()));
    record
        .set_main_terminal_with_annotation(terminal(game, last.side_to_move()), ending)
        .map_err(|e| failed(e.to_string()))?;
    let text = export_csa(&record).map_err(|e| failed(e.to_string()))?;
    // The standard has ` * ` for an empty square; rsshogi 1.7 writes `*  `, in the lines `P1` to `P9` only.
    let board_line = |line: &str| line.starts_with('P') && line.contains("*  ");
    let line = |line: &str| if board_line(line) { line.replace("*  ", " * ") } else { line.to_string() } + "\n";
    Ok(text.lines().map(line).collect())
}

/// The last line of the record. Its comment gives the ending in our words.
fn terminal(game: &GameRecord, side_to_move: Color) -> SpecialMoveEntry {
    let winner = match game.winner.as_str() {
        "black" => Some(Color::Black),
        "white" => Some(Color::White),
        _ => None,
    };
    let of = |black, white, draw| match winner {
        Some(Color::Black) => black,
        Some(Color::White) => white,
        None => draw,
    };
    let won = of(GameResult::BlackWin, GameResult::WhiteWin, GameResult::Paused);
    let (kind, result) = match game.ending.as_str() {
        "no legal move" => (SpecialMove::Mate, won),
        "repetition" => (SpecialMove::RepetitionDraw, GameResult::DrawByRepetition),
        "declaration" if winner.is_some() => (SpecialMove::WinByDeclaration, won),
        "declaration" | "max plies" => (SpecialMove::Impasse, GameResult::DrawByImpasse),
        "time" => (SpecialMove::Timeout, won),
        // The loser has made the last move, or is to move: `%-ILLEGAL_ACTION` or `%ILLEGAL_MOVE`.
        ending if ending.starts_with("illegal move") || ["perpetual check", "wrong declaration"].contains(&ending) => {
            (SpecialMove::LoseByIllegalMove, won)
        }
        // CSA has no marker for a win of the side to move by adjudication.
        _ if winner == Some(side_to_move) => (SpecialMove::Interrupt, GameResult::Paused),
        _ => (SpecialMove::Resign, won),
    };
    SpecialMoveEntry::new(kind, result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(winner: &str, ending: &str, usi: &str) -> GameRecord {
        let (winner, ending, usi) = (winner.into(), ending.into(), usi.into());
        GameRecord { game: 1, opening: 0, half_points: 0, winner, ending, usi }
    }

    fn has_lines(text: &str, lines: &[&str]) {
        for line in lines {
            assert!(text.lines().any(|l| l == *line), "{line} is missing in\n{text}");
        }
    }

    #[test]
    fn a_game_is_written_as_csa_has_it() {
        let game = game("black", "resignation", "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e");
        let text = record(&game, "ours", "theirs").unwrap();
        let moves = ["+7776FU", "-3334FU", "+8822UM", "-3122GI", "+0045KA"];
        has_lines(&text, &["V2.2", "N+theirs", "N-ours", "$EVENT:game 1", "PI", "+", "%TORYO", "'*resignation"]);
        has_lines(&text, &moves);
    }

    #[test]
    fn a_start_position_is_written_with_its_hands() {
        let text = record(&game("black", "time", "sfen 4k4/9/9/9/9/9/9/9/4K4 w G2Pr 1 moves R*5b"), "a", "b");
        assert!(text.is_err_and(|e| e.to_string().contains("game 1")), "Black is to move and cannot have won on time");
        let text = record(&game("draw", "max plies", "sfen 4k4/9/9/9/9/9/9/9/4K4 w G2Pr 1 moves R*5b"), "a", "b");
        has_lines(
            &text.unwrap(),
            &["P1 *  *  *  * -OU *  *  *  * ", "P+00FU00FU00KI", "P-00HI", "-", "-0052HI", "%JISHOGI"],
        );
    }

    #[test]
    fn endings_have_their_markers() {
        let one_move = "startpos moves 7g7f";
        for (winner, ending, marker) in [
            ("black", "no legal move", "%TSUMI"),
            ("draw", "repetition", "%SENNICHITE"),
            ("black", "perpetual check", "%ILLEGAL_MOVE"),
            ("white", "perpetual check", "%+ILLEGAL_ACTION"),
            ("white", "declaration", "%KACHI"),
            ("draw", "declaration", "%JISHOGI"),
            ("black", "time", "%TIME_UP"),
            ("black", "illegal move `9a9z`", "%ILLEGAL_MOVE"),
            ("black", "wrong declaration", "%ILLEGAL_MOVE"),
            ("black", "engine ended", "%TORYO"),
            ("white", "engine ended", "%CHUDAN"),
            ("white", "adjudication by score", "%CHUDAN"),
        ] {
            let text = record(&game(winner, ending, one_move), "a", "b").unwrap();
            has_lines(&text, &[marker, &format!("'*{ending}")]);
        }
    }
}
