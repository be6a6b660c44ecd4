//! CSA, KIF, KI2 and JKF, parsed by the crate `rsshogi`. Every move is checked again by the rules of this crate.

use super::{GameResult, RecordedGame};
use crate::{
    rules::{Move, Position},
    text::excerpt,
};
use rsshogi::records::{
    csa::{parse_csa_str, CsaError},
    jkf::{parse_jkf_str, JkfError},
    kif::{parse_ki2_str, parse_kif_str, Ki2Error, KifError},
    Record,
};

/// Format of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Format of the Computer Shogi Association, up to version 3.0.
    Csa,
    /// Kakinoki's format, with the origin square of each move.
    Kif,
    /// Kakinoki's format without origin squares.
    Ki2,
    /// JSON Kifu Format.
    Jkf,
    /// A list of games in USI notation, one on each line.
    Usi,
}

impl Format {
    /// Detects the format from the content.
    pub fn of(text: &str) -> Format {
        if text.trim_start().starts_with('{') {
            return Format::Jkf;
        }
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
            let csa = ["V1", "V2", "V3", "'", "N+", "N-", "$", "PI", "P1", "P+", "P-", "T1", "+", "-", "%"];
            match line {
                // `#` begins a comment in KIF and in lists; the next lines decide.
                _ if line.starts_with('#') => {}
                _ if line.starts_with("手数") => return Format::Kif,
                _ if line.starts_with(['▲', '△', '☗', '☖', '▼', '▽']) => return Format::Ki2,
                _ if csa.iter().any(|start| line.starts_with(start)) => return Format::Csa,
                _ if line.is_ascii() => return Format::Usi,
                _ => {}
            }
        }
        Format::Kif
    }
}

/// A fault of a game.
#[derive(Clone, Debug)]
pub struct GameError {
    /// The ply at fault, from 1, where it is known.
    pub ply: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

impl From<String> for GameError {
    fn from(reason: String) -> GameError {
        GameError { ply: None, reason }
    }
}

/// Reads the games of a text that is not a list, each independently of the others.
pub fn games(text: &str, format: Format) -> Vec<Result<RecordedGame, GameError>> {
    if format != Format::Csa {
        return vec![game(text, format)];
    }
    let mut parts = vec![String::new()];
    for line in text.lines() {
        match (line.trim(), parts.last_mut()) {
            ("/", _) => parts.push(String::new()),
            (_, Some(part)) => *part += &format!("{line}\n"),
            (_, None) => {}
        }
    }
    let has_content = |part: &&String| part.lines().any(|l| !l.trim().is_empty() && !l.starts_with('\''));
    parts.iter().filter(has_content).map(|part| game(part, format)).collect()
}

fn game(text: &str, format: Format) -> Result<RecordedGame, GameError> {
    let record = match format {
        Format::Csa => parse_csa_str(text).map_err(|e| match e {
            CsaError::IllegalMove { index } => illegal(index),
            other => excerpt(&other.to_string()).into(),
        }),
        Format::Kif => parse_kif_str(text).map_err(|e| match e {
            KifError::IllegalMove { index } => illegal(index),
            other => excerpt(&other.to_string()).into(),
        }),
        Format::Ki2 => parse_ki2_str(text).map_err(|e| match e {
            Ki2Error::IllegalMove { index } => illegal(index),
            other => excerpt(&other.to_string()).into(),
        }),
        Format::Jkf | Format::Usi => parse_jkf_str(text).map_err(|e| match e {
            JkfError::IllegalMove { index } => illegal(index),
            other => excerpt(&other.to_string()).into(),
        }),
    }?;
    let game = replay(&record)?;
    match (format, unread_move(text, game.moves.len())) {
        (Format::Kif, Some(line)) => {
            let reason = format!("`{}` has no legal move", excerpt(line));
            Err(GameError { ply: Some(game.moves.len() + 1), reason })
        }
        _ => Ok(game),
    }
}

/// An illegal move after `index` plies.
fn illegal(index: usize) -> GameError {
    GameError { ply: Some(index + 1), reason: "illegal move".into() }
}

/// The numbered line of a KIF after this number of moves, if it is a move or other numbered lines follow it: `rsshogi`
/// takes a move that no piece can make for an unknown end of the game.
fn unread_move(text: &str, moves: usize) -> Option<&str> {
    let main_line = text.lines().map(str::trim).take_while(|line| !line.starts_with("変化"));
    let mut rest = main_line.filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).skip(moves);
    let line = rest.next()?;
    let word = line.split_whitespace().nth(1).unwrap_or("");
    (rest.next().is_some() || word.contains(['(', '打'])).then_some(line)
}

/// Plays a record's main line by the rules of this crate.
fn replay(record: &Record) -> Result<RecordedGame, GameError> {
    let sfen = record.init_position_sfen();
    let start = if sfen == "startpos" { Ok(Position::startpos()) } else { Position::from_sfen(sfen) };
    let start = start.map_err(|e| e.to_string())?;
    let (mut pos, mut moves) = (start.clone(), Vec::new());
    for entry in record.main_moves() {
        let text = entry.mv().to_usi();
        let legal = Move::from_usi(&text).filter(|&mv| pos.is_legal(mv));
        let mv = legal.ok_or_else(|| {
            let reason = format!("illegal move `{text}` in `{}`", pos.to_sfen());
            GameError { ply: Some(moves.len() + 1), reason }
        })?;
        pos.do_move(mv);
        moves.push(mv);
    }
    let result = match record.result() {
        result if result.is_black_win() => Some(GameResult::Black),
        result if result.is_white_win() => Some(GameResult::White),
        result if result.is_draw() => Some(GameResult::Draw),
        _ => None,
    };
    Ok(RecordedGame { start, moves, result, scores: Vec::new() })
}
