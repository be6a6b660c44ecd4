//! Lines of text: SFEN, score, move or `-`, result.

use super::{Fault, ScoredPosition};
use crate::{
    records::GameResult,
    rules::{Move, Position},
};

pub(super) fn read(line: &str) -> Result<ScoredPosition, Fault> {
    let fields: Vec<&str> = line.trim_end_matches(['\r', '\n']).split('\t').map(str::trim).collect();
    let &[sfen, score, best, result] = fields.as_slice() else { return Err(Fault::Fields { found: fields.len() }) };
    let position = Position::from_sfen(sfen)?;
    let score = score.parse().map_err(|_| Fault::Score { token: score.into() })?;
    let best = match best {
        "-" => None,
        usi => {
            let mv = Move::from_usi(usi).filter(|&mv| position.is_legal(mv));
            Some(mv.ok_or_else(|| Fault::Move { shown: format!("`{usi}`"), sfen: position.to_sfen() })?)
        }
    };
    let result = match result {
        "black" => GameResult::Black,
        "white" => GameResult::White,
        "draw" => GameResult::Draw,
        other => return Err(Fault::Result { shown: format!("`{other}`"), known: "write `black`, `white` or `draw`" }),
    };
    Ok(ScoredPosition { position, score, best, result })
}

pub(super) fn write(record: &ScoredPosition) -> String {
    let best = record.best.map_or_else(|| "-".into(), |mv| mv.to_string());
    let result = match record.result {
        GameResult::Black => "black",
        GameResult::White => "white",
        GameResult::Draw => "draw",
    };
    format!("{}\t{}\t{best}\t{result}\n", record.position.to_sfen(), record.score)
}
