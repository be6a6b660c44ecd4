//! Games in CSA, KIF, KI2 and JKF, which the crate `rsshogi` reads. Every move is judged again by the engine's own rules.

use super::{GameResult, RecordedGame};
use crate::rules::{Move, Position};
use rsshogi::records::{
    csa::{parse_csa_str, CsaError},
    jkf::{parse_jkf_str, JkfError},
    kif::{parse_ki2_str, parse_kif_str, Ki2Error, KifError},
    Record,
};

/// What a file is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Of the Computer Shogi Association, up to version 3.0.
    Csa,
    /// Of Kakinoki, with the squares that pieces come from.
    Kif,
    /// The same without them.
    Ki2,
    /// JSON.
    Jkf,
    /// Games in USI's notation, one on each line.
    Usi,
}

impl Format {
    /// Tells a format by what is written.
    pub fn of(text: &str) -> Format {
        if text.trim_start().starts_with('{') {
            return Format::Jkf;
        }
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
            let csa = ["V1", "V2", "V3", "'", "N+", "N-", "$", "PI", "P1", "P+", "P-", "T1", "+", "-", "%"];
            match line {
                // A plain `#` begins a comment in KIF and in lists; what follows it decides.
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

/// A fault in a game: at which ply, counted from 1, where that is known, and what.
pub type Wrong = (Option<usize>, String);

/// Reads the games of a text that is not a list; each by itself.
pub fn games(text: &str, format: Format) -> Vec<Result<RecordedGame, Wrong>> {
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
    let written = |part: &&String| part.lines().any(|l| !l.trim().is_empty() && !l.starts_with('\''));
    parts.iter().filter(written).map(|part| game(part, format)).collect()
}

fn game(text: &str, format: Format) -> Result<RecordedGame, Wrong> {
    let illegal = |index: usize| (Some(index + 1), "illegal move".to_string());
    let record = match format {
        Format::Csa => parse_csa_str(text).map_err(|e| match e {
            CsaError::IllegalMove { index } => illegal(index),
            other => (None, other.to_string()),
        }),
        Format::Kif => parse_kif_str(text).map_err(|e| match e {
            KifError::IllegalMove { index } => illegal(index),
            other => (None, other.to_string()),
        }),
        Format::Ki2 => parse_ki2_str(text).map_err(|e| match e {
            Ki2Error::IllegalMove { index } => illegal(index),
            other => (None, other.to_string()),
        }),
        Format::Jkf | Format::Usi => parse_jkf_str(text).map_err(|e| match e {
            JkfError::IllegalMove { index } => illegal(index),
            other => (None, other.to_string()),
        }),
    }?;
    let game = replay(&record)?;
    match (format, unread(text, game.moves.len())) {
        (Format::Kif, Some(line)) => Err((Some(game.moves.len() + 1), format!("illegal or no move: `{line}`"))),
        _ => Ok(game),
    }
}

/// The numbered line of a KIF after so many moves, where it is a move or others follow it: `rsshogi` takes a move that no
/// piece can make for an unknown end of the game.
fn unread(text: &str, moves: usize) -> Option<&str> {
    let main_line = text.lines().map(str::trim).take_while(|line| !line.starts_with("変化"));
    let mut rest = main_line.filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).skip(moves);
    let line = rest.next()?;
    let word = line.split_whitespace().nth(1).unwrap_or("");
    (rest.next().is_some() || word.contains(['(', '打'])).then_some(line)
}

/// A record's main line by the engine's own rules.
fn replay(record: &Record) -> Result<RecordedGame, Wrong> {
    let sfen = record.init_position_sfen();
    let start = if sfen == "startpos" { Ok(Position::startpos()) } else { Position::from_sfen(sfen) };
    let start = start.map_err(|e| (None, e.to_string()))?;
    let (mut pos, mut moves) = (start.clone(), Vec::new());
    for entry in record.main_moves() {
        let (ply, text) = (moves.len() + 1, entry.mv().to_usi());
        let mv = Move::from_usi(&text).filter(|&mv| pos.is_legal(mv));
        let mv = mv.ok_or_else(|| (Some(ply), format!("illegal move {text} in {}", pos.to_sfen())))?;
        pos.do_move(mv);
        moves.push(mv);
    }
    let told = record.result();
    let result = match told {
        _ if told.is_black_win() => Some(GameResult::Black),
        _ if told.is_white_win() => Some(GameResult::White),
        _ if told.is_draw() => Some(GameResult::Draw),
        _ => None,
    };
    Ok(RecordedGame { start, moves, result, scores: Vec::new() })
}
