//! A small backgammon: six points, two checkers per side, a die with three faces.
//!
//! Max moves from point 1 to point 6 and off the board, Min in the other direction. A roll moves one checker and must be played if
//! possible. A point with two enemy checkers is blocked; a single enemy checker is hit and has to enter again. Checkers outside
//! the board move first. The side that bears off both checkers wins.

use super::{Game, ParseError, Turn};
use std::{fmt, str::FromStr};

const POINTS: u8 = 6;
const FACES: u8 = 3;
/// Steps of a checker that has been borne off: one beyond the last point.
const OFF: u8 = POINTS + 1;

/// A position. The die is rolled before each move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Backgammon {
    /// Steps of each side's checkers in ascending order, Max's first: 0 outside the board, [`OFF`] borne off.
    steps: [[u8; 2]; 2],
    /// The side to move: 0 for Max.
    side: usize,
    /// The roll, once the die has been rolled.
    rolled: Option<u8>,
}

impl Default for Backgammon {
    fn default() -> Self {
        Backgammon { steps: [[0, 1]; 2], side: 0, rolled: None }
    }
}

impl FromStr for Backgammon {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let refused = || {
            ParseError {
            game: "backgammon",
            text: text.into(),
            hint: format!(
                "give the steps of Max's and Min's checkers and the side to roll, for example `01/16 max`: 0 is outside the \
                 board, {OFF} is borne off; the sides must not share a point, and only one side may be off"
            ),
        }
        };
        let (checkers, side) = text.trim().split_once(' ').ok_or_else(refused)?;
        let side = ["max", "min"].iter().position(|&s| s == side.trim()).ok_or_else(refused)?;
        let &[a, b, b'/', c, d] = checkers.as_bytes() else { return Err(refused()) };
        let [a, b, c, d] = [a, b, c, d].map(|digit| digit.wrapping_sub(b'0'));
        let steps = [[a.min(b), a.max(b)], [c.min(d), c.max(d)]];
        let on_board = |n: &u8| (1..=POINTS).contains(n);
        let shared = steps[0].iter().filter(|n| on_board(n)).any(|n| steps[1].contains(&(OFF - n)));
        if steps.as_flattened().iter().any(|&n| n > OFF)
            || shared
            || steps.iter().filter(|s| **s == [OFF; 2]).count() > 1
        {
            return Err(refused());
        }
        Ok(Backgammon { steps, side, rolled: None })
    }
}

/// A roll, a move of a checker, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A roll of the die.
    Roll(u8),
    /// A checker moves from one number of steps to another.
    Move(u8, u8),
    /// No checker can move.
    Pass,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Event::Roll(n) => write!(f, "die {n}"),
            Event::Move(from, to) if *to == OFF => write!(f, "{from}-off"),
            Event::Move(from, to) => write!(f, "{from}-{to}"),
            Event::Pass => write!(f, "pass"),
        }
    }
}

impl Backgammon {
    fn over(&self) -> bool {
        self.steps.contains(&[OFF; 2])
    }
}

impl Game for Backgammon {
    type Move = Event;
    /// The value of a win. Other positions have the difference of the steps made.
    const MAX_VALUE: i32 = 100;

    fn turn(&self) -> Turn {
        match (self.rolled, self.side) {
            (None, _) => Turn::Chance,
            (_, 0) => Turn::Max,
            _ => Turn::Min,
        }
    }

    fn moves(&self) -> Vec<Event> {
        if self.over() {
            return Vec::new();
        }
        let Some(die) = self.rolled else { return (1..=FACES).map(Event::Roll).collect() };
        let own = self.steps[self.side];
        let theirs = self.steps[1 - self.side];
        let blocked = |to: u8| to < OFF && theirs.iter().filter(|&&n| n > 0 && n == OFF - to).count() == 2;
        let mut moves = Vec::new();
        for from in own {
            let to = (from + die).min(OFF);
            let waits = from > 0 && own[0] == 0;
            if from < OFF && !waits && !blocked(to) && !moves.contains(&Event::Move(from, to)) {
                moves.push(Event::Move(from, to));
            }
        }
        if moves.is_empty() {
            moves.push(Event::Pass);
        }
        moves
    }

    fn after(&self, event: &Event) -> Backgammon {
        let mut next = self.clone();
        match *event {
            Event::Roll(n) => {
                next.rolled = Some(n);
                return next;
            }
            Event::Pass => {}
            Event::Move(from, to) => {
                let [own, theirs] = match self.side {
                    0 => [0, 1],
                    _ => [1, 0],
                };
                if let Some(checker) = next.steps[own].iter_mut().find(|n| **n == from) {
                    *checker = to;
                }
                if to < OFF {
                    next.steps[theirs].iter_mut().filter(|n| **n == OFF - to).for_each(|n| *n = 0);
                }
                next.steps.iter_mut().for_each(|s| s.sort_unstable());
            }
        }
        next.rolled = None;
        next.side = 1 - self.side;
        next
    }

    fn value(&self) -> i32 {
        let made = self.steps.map(|s| s.iter().map(|&n| n as i32).sum::<i32>());
        match (self.steps[0] == [OFF; 2], self.steps[1] == [OFF; 2]) {
            (true, _) => Self::MAX_VALUE,
            (_, true) => -Self::MAX_VALUE,
            _ => made[0] - made[1],
        }
    }
}
