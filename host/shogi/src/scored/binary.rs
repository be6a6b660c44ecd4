//! The binary formats. Numbers are little-endian.
//!
//! ```text
//! PackedSfenValue   packed SFEN (32), score (i16), move (u16), ply (u16), result (i8: 1 the side to move wins, -1 it loses), 0 (u8)
//! hcpe              Huffman-coded position (32), score (i16), move (u16), result (i8: 0 draw, 1 Black wins, 2 White wins), 0 (u8)
//! ```
//!
//! A move has the destination in bits 0–6. `PackedSfenValue`: the origin or the dropped kind in bits 7–13, a drop in bit 14, a promotion
//! in bit 15. `hcpe`: the origin, or 80 and the dropped kind, in bits 7–13, a promotion in bit 14. 0 is no move. The crate `rsshogi`
//! codes the positions.

use super::{result_for, Fault, ScoredPosition};
use crate::{
    records::GameResult,
    rules::{Color, Move, PieceKind, Position, Square},
};
use rsshogi::board::{position_from_sfen, HuffmanCodedPos, PackedSfen, Position as CodedPosition};

/// The order of kinds in hand of YaneuraOu and Apery, from 1.
const DROPPED: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Gold,
];

/// The number of a dropped kind in that order.
fn dropped(kind: PieceKind) -> u16 {
    DROPPED.iter().position(|&k| k == kind).map_or(0, |at| at as u16 + 1)
}

/// A board move or a drop from its parts: `from` is a square, or the number of the dropped kind.
fn decoded(to: u16, from: u16, drop: bool, promote: bool) -> Option<Move> {
    let to = Square::new((to & 0x7F) as u8)?;
    match drop {
        false => Some(Move::board(Square::new(from as u8)?, to, promote)),
        true if promote => None,
        true => Move::drop(*DROPPED.get((from as usize).checked_sub(1)?)?, to),
    }
}

/// A move as YaneuraOu codes it.
pub(crate) fn yaneuraou_move(code: u16) -> Option<Move> {
    decoded(code, code >> 7 & 0x7F, code >> 14 & 1 == 1, code >> 15 == 1)
}

fn apery_move(code: u16) -> Option<Move> {
    let from = code >> 7 & 0x7F;
    let drop = from > 80;
    (code >> 15 == 0).then(|| decoded(code, if drop { from - 80 } else { from }, drop, code >> 14 & 1 == 1))?
}

fn to_yaneuraou(mv: Move) -> u16 {
    let to = mv.to().index() as u16;
    match (mv.from(), mv.dropped()) {
        (Some(from), _) => to | (from.index() as u16) << 7 | (mv.is_promotion() as u16) << 15,
        (None, kind) => to | kind.map_or(0, dropped) << 7 | 1 << 14,
    }
}

fn to_apery(mv: Move) -> u16 {
    let to = mv.to().index() as u16;
    match (mv.from(), mv.dropped()) {
        (Some(from), _) => to | (from.index() as u16) << 7 | (mv.is_promotion() as u16) << 14,
        (None, kind) => to | (kind.map_or(0, dropped) + 80) << 7,
    }
}

/// The move of a code; a code other than 0 must be legal.
fn legal(position: &Position, code: u16, mv: Option<Move>) -> Result<Option<Move>, Fault> {
    match mv.filter(|&mv| position.is_legal(mv)) {
        _ if code == 0 => Ok(None),
        Some(mv) => Ok(Some(mv)),
        None => Err(Fault::Move { shown: format!("{code:#06x}"), sfen: position.to_sfen() }),
    }
}

fn word(record: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([record[at], record[at + 1]])
}

/// The first bytes of a record, which has to be whole.
fn packed(record: &[u8], expected: usize) -> Result<[u8; 32], Fault> {
    let cut_off = || Fault::CutOff { found: record.len(), expected };
    if record.len() != expected {
        return Err(cut_off());
    }
    record.first_chunk().copied().ok_or_else(cut_off)
}

/// The position of an SFEN whose move number is replaced.
fn position(sfen: &str, ply: u16) -> Result<Position, Fault> {
    let fields: Vec<&str> = sfen.split(' ').take(3).collect();
    Ok(Position::from_sfen(&format!("{} {ply}", fields.join(" ")))?)
}

pub(super) fn read_packed_sfen_value(record: &[u8]) -> Result<ScoredPosition, Fault> {
    let packed = PackedSfen::from_bytes(packed(record, 40)?);
    let sfen = CodedPosition::sfen_unpack(&packed).map_err(|error| Fault::Code(error.to_string()))?;
    let position = position(&sfen, word(record, 36))?;
    let code = word(record, 34);
    let best = legal(&position, code, yaneuraou_move(code))?;
    let result = match (record[38] as i8, position.side_to_move()) {
        (0, _) => GameResult::Draw,
        (1, Color::Black) | (-1, Color::White) => GameResult::Black,
        (1, Color::White) | (-1, Color::Black) => GameResult::White,
        (other, _) => {
            let known = "1 is a win of the side to move, -1 a loss, 0 a draw";
            return Err(Fault::Result { shown: other.to_string(), known });
        }
    };
    Ok(ScoredPosition { position, score: word(record, 32) as i16, best, result })
}

pub(super) fn read_hcpe(record: &[u8]) -> Result<ScoredPosition, Fault> {
    let packed = HuffmanCodedPos { data: packed(record, 38)? };
    let sfen = CodedPosition::huffman_coded_pos_unpack(&packed).map_err(|error| Fault::Code(error.to_string()))?;
    let position = position(&sfen, 1)?;
    let code = word(record, 34);
    let best = legal(&position, code, apery_move(code))?;
    let result = match record[36] {
        0 => GameResult::Draw,
        1 => GameResult::Black,
        2 => GameResult::White,
        other => {
            let known = "0 is a draw, 1 a win of Black, 2 a win of White";
            return Err(Fault::Result { shown: other.to_string(), known });
        }
    };
    Ok(ScoredPosition { position, score: word(record, 32) as i16, best, result })
}

/// The position as `rsshogi` has it.
fn coded(record: &ScoredPosition) -> Result<(String, CodedPosition), Fault> {
    let sfen = record.position.to_sfen();
    match position_from_sfen(&sfen) {
        Ok(position) => Ok((sfen, position)),
        Err(error) => Err(Fault::NoCode { sfen, reason: error.to_string() }),
    }
}

pub(super) fn packed_sfen_value(record: &ScoredPosition) -> Result<[u8; 40], Fault> {
    let (sfen, position) = coded(record)?;
    let packed = position.try_to_packed_sfen();
    let packed = packed.map_err(|error| Fault::NoCode { sfen, reason: error.to_string() })?;
    let mut bytes = [0; 40];
    bytes[..32].copy_from_slice(packed.as_bytes());
    bytes[32..34].copy_from_slice(&record.score.to_le_bytes());
    bytes[34..36].copy_from_slice(&record.best.map_or(0, to_yaneuraou).to_le_bytes());
    bytes[36..38].copy_from_slice(&record.position.ply().to_le_bytes());
    bytes[38] = result_for(record.result, record.position.side_to_move()) as u8;
    Ok(bytes)
}

pub(super) fn hcpe(record: &ScoredPosition) -> Result<[u8; 38], Fault> {
    let (sfen, position) = coded(record)?;
    let packed = position.try_to_huffman_coded_pos();
    let packed = packed.map_err(|error| Fault::NoCode { sfen, reason: error.to_string() })?;
    let mut bytes = [0; 38];
    bytes[..32].copy_from_slice(&packed.data);
    bytes[32..34].copy_from_slice(&record.score.to_le_bytes());
    bytes[34..36].copy_from_slice(&record.best.map_or(0, to_apery).to_le_bytes());
    bytes[36] = match record.result {
        GameResult::Draw => 0,
        GameResult::Black => 1,
        GameResult::White => 2,
    };
    Ok(bytes)
}
