//! A small backgammon: six points, two checkers a side, a die of three faces.
//!
//! Max moves from point 1 towards 6 and off the board, Min the other way. A throw moves one checker, which must be done
//! if it can be; where two enemy checkers stand it may not land, a single one is hit and begins again from outside the
//! board. Checkers outside go first. Who has both checkers off wins.

use super::{Game, NoPosition, Turn};
use std::{fmt, str::FromStr};

const POINTS: u8 = 6;
const FACES: u8 = 3;
/// Where a checker is that has been borne off: a step beyond the last point.
const OFF: u8 = POINTS + 1;

/// A position; before each move the die is thrown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Backgammon {
    /// Steps made by each side's checkers, Max's first: 0 outside, [`OFF`] borne off; the lesser first.
    steps: [[u8; 2]; 2],
    /// Whose turn it is: 0 for Max.
    side: usize,
    thrown: Option<u8>,
}

impl Default for Backgammon {
    fn default() -> Self {
        Backgammon { steps: [[0, 1]; 2], side: 0, thrown: None }
    }
}

impl FromStr for Backgammon {
    type Err = NoPosition;

    fn from_str(text: &str) -> Result<Self, NoPosition> {
        let refused = || NoPosition {
            game: "backgammon",
            text: text.into(),
            hint: format!(
                "steps made by Max's and Min's checkers and who is to throw, as `01/16 max`: 0 outside, {OFF} off; no \
                 point is shared, and who is to throw is not off"
            ),
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
        Ok(Backgammon { steps, side, thrown: None })
    }
}

/// What happens: a throw, a checker's move, or none that is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The die shows so many.
    Throw(u8),
    /// A checker goes from so many steps to so many.
    Go(u8, u8),
    /// No checker can go.
    Pass,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Event::Throw(n) => write!(f, "die {n}"),
            Event::Go(from, to) if *to == OFF => write!(f, "{from}-off"),
            Event::Go(from, to) => write!(f, "{from}-{to}"),
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
    /// A win; elsewhere the value is the difference of steps still to make.
    const HIGHEST: i32 = 100;

    fn turn(&self) -> Turn {
        match (self.thrown, self.side) {
            (None, _) => Turn::Chance,
            (_, 0) => Turn::Max,
            _ => Turn::Min,
        }
    }

    fn moves(&self) -> Vec<Event> {
        if self.over() {
            return Vec::new();
        }
        let Some(die) = self.thrown else { return (1..=FACES).map(Event::Throw).collect() };
        let own = self.steps[self.side];
        let theirs = self.steps[1 - self.side];
        let blocked = |to: u8| to < OFF && theirs.iter().filter(|&&n| n > 0 && n == OFF - to).count() == 2;
        let mut moves = Vec::new();
        for from in own {
            let to = (from + die).min(OFF);
            let waits = from > 0 && own[0] == 0;
            if from < OFF && !waits && !blocked(to) && !moves.contains(&Event::Go(from, to)) {
                moves.push(Event::Go(from, to));
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
            Event::Throw(n) => {
                next.thrown = Some(n);
                return next;
            }
            Event::Pass => {}
            Event::Go(from, to) => {
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
        next.thrown = None;
        next.side = 1 - self.side;
        next
    }

    fn value(&self) -> i32 {
        let made = self.steps.map(|s| s.iter().map(|&n| n as i32).sum::<i32>());
        match (self.steps[0] == [OFF; 2], self.steps[1] == [OFF; 2]) {
            (true, _) => Self::HIGHEST,
            (_, true) => -Self::HIGHEST,
            _ => made[0] - made[1],
        }
    }
}
