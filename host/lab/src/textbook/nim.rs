//! Split nim, known as Kayles: rows of sticks, of which a player takes one, or two that are neighbours, from one row;
//! what is left of it on either side is a row by itself. Who takes the last stick wins.

use super::{Deterministic, Game, NoPosition, Turn};
use std::{fmt, str::FromStr};

/// Rows of sticks. Max begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitNim {
    /// Longest first, none empty.
    rows: Vec<u32>,
    turn: Turn,
}

/// More sticks would be no tree to look at, and no search to wait for.
const MOST_STICKS: u32 = 40;

impl Default for SplitNim {
    fn default() -> Self {
        SplitNim { rows: vec![4], turn: Turn::Max }
    }
}

impl FromStr for SplitNim {
    type Err = NoPosition;

    fn from_str(text: &str) -> Result<Self, NoPosition> {
        let rows: Option<Vec<u32>> = text.split_whitespace().map(|n| n.parse().ok()).collect();
        let sum = rows.iter().flatten().fold(0u32, |sum, &n| sum.saturating_add(n));
        match rows {
            Some(rows) if !rows.is_empty() && sum <= MOST_STICKS => Ok(SplitNim { rows, turn: Turn::Max }.tidy()),
            _ => Err(NoPosition {
                game: "split nim",
                text: text.into(),
                hint: format!("sticks of each row as `4 1`, {MOST_STICKS} at most"),
            }),
        }
    }
}

impl SplitNim {
    fn tidy(mut self) -> SplitNim {
        self.rows.retain(|&n| n > 0);
        self.rows.sort_unstable_by(|a, b| b.cmp(a));
        self
    }
}

/// Sticks taken, from a row of which so many are left on either side: `4>1+2`.
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
    const HIGHEST: i32 = 1;

    fn turn(&self) -> Turn {
        self.turn
    }

    /// Of equal rows only one is played in, and of mirrored moves only one is made.
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
        next.tidy()
    }

    /// Who is to move without sticks has lost; before that nothing is said.
    fn value(&self) -> i32 {
        match (self.rows.is_empty(), self.turn) {
            (false, _) => 0,
            (true, Turn::Max) => -1,
            (true, _) => 1,
        }
    }
}

impl Deterministic for SplitNim {}
