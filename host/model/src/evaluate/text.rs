//! Evaluation tables as text, to be read and edited.
//!
//! ```text
//! version 3
//! tempo 2
//! board 0 80 234 …               centipawns of a piece on the board, by kind: 16 numbers
//! hand 175 397 …                 centipawns of a piece in hand, pawn first: 7 numbers
//! 1a king 1a: 0 -50 …            32 weights of square 1a with the king on 1a, by piece code
//! …                              81 squares and 7 kinds in hand, each with 45 squares of the king and `-`, a side without a king
//! hand P king 1a: 0 -3 …         32 weights by the number of pawns in hand
//! ```
//!
//! Squares are those of a view: own pieces play up the board, and the king is on files 1 to 5. Blank lines and lines that begin
//! with `#` are skipped. All lines must be there, in this order, so that a text stands for exactly one table; the checksum follows
//! from the rest.

use super::table::{EvalTable, EvalTableError};
use hayasashi_spec::{
    piece::{CODES, SIDE, SQUARES},
    table::{TableHeader, ROWS, ROW_NO_KING, SLOTS, WEIGHT_LIMIT},
};
use std::{
    fmt::{self, Write},
    str::FromStr,
};
use thiserror::Error;

/// Kinds by code, for the comment: kinds 0 and 13 do not occur.
const KINDS: &str = ".  P  L  N  S  G  B  R  K +P +L +N +S  - +B +R";
const IN_HAND: &str = "PLNSGBR";

/// Why a text is not an evaluation table.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TextTableError {
    /// A line is wrong.
    #[error("line {line}: {reason}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong, with a hint.
        reason: String,
    },
    /// The text ends too early.
    #[error("the text ends after line {line}, before `{expected}`; hint: it is cut off, export the table again")]
    End {
        /// The last line.
        line: usize,
        /// The beginning of the missing line.
        expected: String,
    },
    /// The table as a whole is refused.
    #[error(transparent)]
    Table(#[from] EvalTableError),
}

/// The beginning of a line of weights.
fn label(slot: usize, row: usize) -> String {
    let square = |at: usize| format!("{}{}", at / SIDE + 1, (b'a' + (at % SIDE) as u8) as char);
    let place = match slot.checked_sub(SQUARES) {
        None => square(slot),
        Some(kind) => format!("hand {}", &IN_HAND[kind..kind + 1]),
    };
    let king = if row == ROW_NO_KING { "-".into() } else { square(row) };
    format!("{place} king {king}:")
}

fn joined<T: fmt::Display>(numbers: impl IntoIterator<Item = T>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

impl EvalTable {
    /// The table as text.
    pub fn to_text(&self) -> String {
        let TableHeader { version, board_value, hand_value, tempo, .. } = *self.header();
        let mut text = format!(
            "# Evaluation table of Hayasashi, centipawns. Weights by piece code: 16 own, then 16 of the other side:\n# {KINDS}\n\
             version {version}\ntempo {tempo}\nboard {}\nhand {}\n",
            joined(board_value),
            joined(hand_value)
        );
        for slot in 0..SLOTS {
            for row in 0..ROWS {
                let weights = joined((0..CODES).map(|code| self.weight(slot, row, code)));
                let _ = writeln!(text, "{} {weights}", label(slot, row));
            }
        }
        text
    }

    /// Reads a table from text.
    ///
    /// # Errors
    /// A line that is missing, out of order or superfluous; numbers that are none, too few, too many, or beyond ±255 for weights.
    pub fn from_text(text: &str) -> Result<EvalTable, TextTableError> {
        let mut lines = Lines { text: text.lines().enumerate(), last: 0 };
        let version = lines.numbers("version", 1)?[0];
        let tempo = lines.numbers("tempo", 1)?[0];
        let board = lines.numbers("board", 16)?;
        let hand = lines.numbers("hand", 7)?;
        let mut weights = Vec::with_capacity(SLOTS * ROWS * CODES);
        for slot in 0..SLOTS {
            for row in 0..ROWS {
                let read: Vec<i16> = lines.numbers(&label(slot, row), CODES)?;
                if let Some(weight) = read.iter().find(|weight| !(-WEIGHT_LIMIT..=WEIGHT_LIMIT).contains(*weight)) {
                    return Err(lines.wrong(format!("the weight {weight} is beyond ±{WEIGHT_LIMIT}; hint: clip it")));
                }
                weights.extend(read);
            }
        }
        if let Some((_, line)) = lines.next() {
            return Err(lines.wrong(format!("`{}` follows the last weights; hint: remove it", excerpt(line))));
        }
        let header = TableHeader {
            version,
            tempo,
            board_value: std::array::from_fn(|kind| board[kind]),
            hand_value: std::array::from_fn(|kind| hand[kind]),
            ..bytemuck::Zeroable::zeroed()
        };
        let weight = |slot, row, code| weights[(slot * ROWS + row) * CODES + code];
        Ok(EvalTable::from_weights(header, weight)?)
    }
}

/// The beginning of a text, for messages.
fn excerpt(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    format!("{}{}", short.escape_debug(), if short.len() < text.len() { "…" } else { "" })
}

/// The lines that count, with their numbers.
struct Lines<'a> {
    text: std::iter::Enumerate<std::str::Lines<'a>>,
    /// The number of the last line that was read.
    last: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let counts = |(_, line): &(usize, &str)| !line.trim().is_empty() && !line.trim_start().starts_with('#');
        let (number, line) = self.text.find(counts)?;
        self.last = number + 1;
        Some((number + 1, line.trim()))
    }
}

impl Lines<'_> {
    fn wrong(&self, reason: String) -> TextTableError {
        TextTableError::Line { line: self.last, reason }
    }

    /// The numbers of the next line, which begins with a label.
    fn numbers<T: FromStr>(&mut self, label: &str, count: usize) -> Result<Vec<T>, TextTableError> {
        let Some((_, line)) = self.next() else {
            return Err(TextTableError::End { line: self.last, expected: label.into() });
        };
        let Some(rest) = line.strip_prefix(label).filter(|rest| rest.starts_with(char::is_whitespace)) else {
            let found = excerpt(line);
            return Err(self.wrong(format!("`{found}` instead of `{label} …`; hint: keep all lines in their order")));
        };
        let read = |token: &str| {
            let hint = "hint: write a whole number that fits";
            token.parse().map_err(|_| self.wrong(format!("`{}` is not a number; {hint}", excerpt(token))))
        };
        let numbers = rest.split_whitespace().map(read).collect::<Result<Vec<T>, _>>()?;
        if numbers.len() != count {
            let found = numbers.len();
            return Err(
                self.wrong(format!("{found} numbers after `{label}` instead of {count}; hint: add or remove some"))
            );
        }
        Ok(numbers)
    }
}
