//! Positions with a score, a move and the result of their game: what evaluation functions are learned from, in the formats of the
//! field.
//!
//! | format | bytes a record | made by |
//! |---|---|---|
//! | [`Format::PackedSfenValue`] (`.bin`) | 40 | YaneuraOu, elmo, nnue-pytorch |
//! | [`Format::Hcpe`] (`.hcpe`) | 38 | Apery, dlshogi |
//! | [`Format::Text`] (`.tsv`) | a line | this program: SFEN, score, move or `-`, `black`, `white` or `draw`, with tabs between them |
//!
//! Scores are for the side to move. [`Reader`] and [`Writer`] hold one record in memory.

mod binary;
mod text;

pub(crate) use binary::yaneuraou_move;

use crate::{
    records::GameResult,
    rules::{Color, Move, Position},
    text::excerpt,
};
use std::{
    io::{self, BufRead, Read, Write},
    path::Path,
};
use thiserror::Error;

/// A position with what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredPosition {
    /// The position. `hcpe` has no move number; it is then 1.
    pub position: Position,
    /// The score for the side to move, in the units of the program that made it (mostly centipawns).
    pub score: i16,
    /// The best move or the one that was played.
    pub best: Option<Move>,
    /// The result of the game.
    pub result: GameResult,
}

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `PackedSfenValue`: packed SFEN, score, move, ply, result for the side to move.
    PackedSfenValue,
    /// `HuffmanCodedPosAndEval`: Huffman-coded position, score, move, result.
    Hcpe,
    /// Lines of text.
    Text,
}

impl Format {
    /// The format that the ending of a file's name stands for.
    pub fn of(file: &Path) -> Option<Format> {
        match file.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "bin" | "psv" => Some(Format::PackedSfenValue),
            "hcpe" => Some(Format::Hcpe),
            "tsv" | "txt" => Some(Format::Text),
            _ => None,
        }
    }

    /// Bytes of a record; `None` for text.
    pub fn record_bytes(self) -> Option<usize> {
        match self {
            Format::PackedSfenValue => Some(40),
            Format::Hcpe => Some(38),
            Format::Text => None,
        }
    }
}

/// What is wrong with a record.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages name the fields")]
pub enum Fault {
    /// The file ends within a record.
    #[error("it has {found} of {expected} bytes; hint: the file is cut off, or of another format")]
    CutOff { found: usize, expected: usize },
    /// The position cannot be decoded.
    #[error("the position cannot be decoded: {0}; hint: the file is damaged, or of another format")]
    Code(String),
    /// The position breaks the rules.
    #[error(transparent)]
    Position(#[from] crate::rules::SfenError),
    /// The move is none of the position.
    #[error("the move {shown} is not legal in `{sfen}`; hint: the file is damaged, or of another format", shown = excerpt(shown))]
    Move { shown: String, sfen: String },
    /// The result is unknown.
    #[error("the result {shown} is unknown; hint: {known}", shown = excerpt(shown))]
    Result { shown: String, known: &'static str },
    /// The score is no number of 16 bits.
    #[error("the score `{token}` is not a number from -32768 to 32767; hint: clip it", token = excerpt(token))]
    Score { token: String },
    /// A line has other fields.
    #[error("{found} fields instead of 4; hint: write SFEN, score, move or `-`, and result with tabs between them")]
    Fields { found: usize },
    /// A binary format has no code for the position.
    #[error("`{sfen}` has no code: {reason}; hint: the binary formats need both kings")]
    NoCode { sfen: String, reason: String },
}

/// Why a file of scored positions cannot be read or written.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages name the fields")]
pub enum ScoredError {
    /// A record, or a line, counted from 1.
    #[error("record {number}: {fault}")]
    Record { number: u64, fault: Fault },
    /// The stream fails.
    #[error("record {number} cannot be read or written: {reason}; hint: check the permissions of its folder and the free space")]
    Stream { number: u64, reason: io::Error },
}

/// Reads records one after another.
pub struct Reader<R> {
    stream: R,
    format: Format,
    number: u64,
    room: Vec<u8>,
}

impl<R: BufRead> Reader<R> {
    /// Reads from a stream.
    pub fn new(stream: R, format: Format) -> Reader<R> {
        Reader { stream, format, number: 0, room: Vec::new() }
    }

    /// The next record; `None` at the end. After a [`ScoredError::Record`] the next one may be read.
    #[allow(clippy::should_implement_trait, reason = "an iterator would end at the first error for most callers")]
    pub fn next(&mut self) -> Option<Result<ScoredPosition, ScoredError>> {
        self.number += 1;
        let read = match self.format.record_bytes() {
            Some(bytes) => self.record(bytes),
            None => self.line(),
        };
        let number = self.number;
        match read {
            Err(reason) => Some(Err(ScoredError::Stream { number, reason })),
            Ok(false) => None,
            Ok(true) => {
                let found = match self.format {
                    Format::PackedSfenValue => binary::read_packed_sfen_value(&self.room),
                    Format::Hcpe => binary::read_hcpe(&self.room),
                    Format::Text => text::read(&String::from_utf8_lossy(&self.room)),
                };
                Some(found.map_err(|fault| ScoredError::Record { number, fault }))
            }
        }
    }

    /// Reads so many bytes, fewer at the end. Returns whether there were any.
    fn record(&mut self, bytes: usize) -> io::Result<bool> {
        self.room.clear();
        (&mut self.stream).take(bytes as u64).read_to_end(&mut self.room)?;
        Ok(!self.room.is_empty())
    }

    /// Reads a line that is neither blank nor a comment.
    fn line(&mut self) -> io::Result<bool> {
        loop {
            self.room.clear();
            if self.stream.read_until(b'\n', &mut self.room)? == 0 {
                return Ok(false);
            }
            let text = self.room.trim_ascii();
            if !text.is_empty() && !text.starts_with(b"#") {
                return Ok(true);
            }
            self.number += 1;
        }
    }
}

/// Writes records one after another.
pub struct Writer<W> {
    stream: W,
    format: Format,
    number: u64,
}

impl<W: Write> Writer<W> {
    /// Writes to a stream.
    pub fn new(stream: W, format: Format) -> Writer<W> {
        Writer { stream, format, number: 0 }
    }

    /// Writes a record.
    ///
    /// # Errors
    /// A position without a code: a binary format needs both kings.
    pub fn write(&mut self, record: &ScoredPosition) -> Result<(), ScoredError> {
        self.number += 1;
        let number = self.number;
        let bytes = match self.format {
            Format::PackedSfenValue => binary::packed_sfen_value(record).map(Vec::from),
            Format::Hcpe => binary::hcpe(record).map(Vec::from),
            Format::Text => Ok(text::write(record).into_bytes()),
        };
        let bytes = bytes.map_err(|fault| ScoredError::Record { number, fault })?;
        self.stream.write_all(&bytes).map_err(|reason| ScoredError::Stream { number, reason })
    }

    /// The stream, when all is written.
    pub fn into_inner(self) -> W {
        self.stream
    }
}

/// The result for a side: 1 won, 0 drawn, −1 lost.
fn result_for(result: GameResult, side: Color) -> i8 {
    match (result, side) {
        (GameResult::Draw, _) => 0,
        (GameResult::Black, Color::Black) | (GameResult::White, Color::White) => 1,
        _ => -1,
    }
}
