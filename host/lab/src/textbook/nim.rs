//! Split nim, known as Kayles. A player takes one stick or two adjacent sticks from a row; the sticks on either side then form
//! separate rows. The player who takes the last stick wins.

use super::{Deterministic, Game, ParseError, Turn};
use std::{fmt, str::FromStr};

/// The rows of sticks. Max moves first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitNim {
    /// Lengths in descending order, none 0.
    rows: Vec<u32>,
    turn: Turn,
}

/// Maximum number of sticks, which bounds the time of a search.
const MAX_STICKS: u32 = 40;

impl Default for SplitNim {
    fn default() -> Self {
        SplitNim { rows: vec![4], turn: Turn::Max }
    }
}

impl FromStr for SplitNim {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let rows: Option<Vec<u32>> = text.split_whitespace().map(|n| n.parse().ok()).collect();
        let sum = rows.iter().flatten().fold(0u32, |sum, &n| sum.saturating_add(n));
        match rows {
            Some(rows) if !rows.is_empty() && sum <= MAX_STICKS => Ok(SplitNim { rows, turn: Turn::Max }.normalised()),
            _ => Err(ParseError {
                game: "split nim",
                text: text.into(),
                hint: format!("give the sticks of each row, for example `4 1`, at most {MAX_STICKS} in total"),
            }),
        }
    }
}

impl SplitNim {
    fn normalised(mut self) -> SplitNim {
        self.rows.retain(|&n| n > 0);
        self.rows.sort_unstable_by(|a, b| b.cmp(a));
        self
    }
}

/// A move: the length of the row and of the two rows that remain of it, written `4>1+2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Take {
    row: u32,
    left: u32,
    right: u32,
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self.left, self.right) {
            (0, right) => write!(f, "{}>{right}", self.row),
            (left, right) => write!(f, "{}>{left}+{right}", self.row),
        }
    }
}

impl Game for SplitNim {
    type Move = Take;
    const MAX_VALUE: i32 = 1;

    fn turn(&self) -> Turn {
        self.turn
    }

    /// Only one of several equal rows, and one of two mirrored moves, is used.
    fn moves(&self) -> Vec<Take> {
        let mut rows = self.rows.clone();
        rows.dedup();
        let takes = rows.into_iter().flat_map(|row| {
            (1..=2.min(row)).flat_map(move |taken| {
                let rest = row - taken;
                (0..=rest / 2).map(move |left| Take { row, left, right: rest - left })
            })
        });
        takes.collect()
    }

    fn after(&self, take: &Take) -> SplitNim {
        let turn = if self.turn == Turn::Max { Turn::Min } else { Turn::Max };
        let mut next = SplitNim { rows: self.rows.clone(), turn };
        if let Some(at) = next.rows.iter().position(|&n| n == take.row) {
            next.rows.swap_remove(at);
        }
        next.rows.extend([take.left, take.right]);
        next.normalised()
    }

    /// The side to move has lost if no stick is left; 0 before that.
    fn value(&self) -> i32 {
        match (self.rows.is_empty(), self.turn) {
            (false, _) => 0,
            (true, Turn::Max) => -1,
            (true, _) => 1,
        }
    }
}

impl Deterministic for SplitNim {}
