//! Tic-tac-toe.

use super::{Deterministic, Game, ParseError, Turn};
use std::{fmt, str::FromStr};

/// Three in a row wins. Crosses are Max and move first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TicTacToe {
    /// Cells by row: `x`, `o` or `.`.
    cells: [u8; 9],
}

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl TicTacToe {
    fn winner(&self) -> Option<u8> {
        LINES
            .iter()
            .map(|line| line.map(|i| self.cells[i]))
            .find(|l| l[0] != b'.' && l[0] == l[1] && l[1] == l[2])
            .map(|l| l[0])
    }

    fn count(&self, cell: u8) -> usize {
        self.cells.iter().filter(|&&c| c == cell).count()
    }
}

impl Default for TicTacToe {
    fn default() -> Self {
        TicTacToe { cells: [b'.'; 9] }
    }
}

impl FromStr for TicTacToe {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let refused = || ParseError {
            game: "tic-tac-toe",
            text: text.into(),
            hint: "give three rows, for example `xo./.x./o..`, with as many crosses as noughts or one more".into(),
        };
        let cells: Vec<u8> = text.bytes().filter(|&b| b != b'/').collect();
        let cells: [u8; 9] = cells.try_into().map_err(|_| refused())?;
        let game = TicTacToe { cells };
        let (crosses, noughts) = (game.count(b'x'), game.count(b'o'));
        let known = crosses + noughts + game.count(b'.') == 9;
        if known && (crosses == noughts || crosses == noughts + 1) {
            Ok(game)
        } else {
            Err(refused())
        }
    }
}

/// A cell, as `b2`: column, then row from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell(usize);

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", (b'a' + (self.0 % 3) as u8) as char, self.0 / 3 + 1)
    }
}

impl Game for TicTacToe {
    type Move = Cell;
    const MAX_VALUE: i32 = 1;

    fn turn(&self) -> Turn {
        if self.count(b'x') == self.count(b'o') {
            Turn::Max
        } else {
            Turn::Min
        }
    }

    fn moves(&self) -> Vec<Cell> {
        if self.winner().is_some() {
            return Vec::new();
        }
        (0..9).filter(|&i| self.cells[i] == b'.').map(Cell).collect()
    }

    fn after(&self, &Cell(at): &Cell) -> TicTacToe {
        let mut next = self.clone();
        next.cells[at] = if self.turn() == Turn::Max { b'x' } else { b'o' };
        next
    }

    fn value(&self) -> i32 {
        match self.winner() {
            Some(b'x') => 1,
            Some(_) => -1,
            None => 0,
        }
    }
}

impl Deterministic for TicTacToe {}
