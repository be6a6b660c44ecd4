//! A position with the moves that led to it.

use crate::rules::{Move, Position, Undo};
use std::ops::Deref;

/// A position, the moves made since the first one of the game, and how to take them back.
#[derive(Clone)]
pub struct Path {
    pos: Position,
    steps: Vec<Step>,
}

#[derive(Clone, Copy)]
struct Step {
    mv: Move,
    undo: Undo,
    /// Key of the position before the move.
    key: u64,
    /// The move gives check.
    checks: bool,
    /// The move can be part of a repetition: no capture, no drop, no promotion, no pawn move is excluded but captures
    /// and promotions, which never come back (captured pieces may be dropped, which does).
    reversible: bool,
}

/// How a game stands that has come back to an earlier position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeated {
    /// Sennichite: a draw.
    Draw,
    /// The opponent gave perpetual check, which loses.
    Win,
    /// The side to move gave perpetual check.
    Loss,
}

impl Path {
    /// A game that begins here.
    pub fn new(pos: Position) -> Path {
        Path { pos, steps: Vec::new() }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.pos
    }

    /// The moves made.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.steps.iter().map(|s| s.mv)
    }

    /// Makes a legal move.
    pub fn do_move(&mut self, mv: Move) {
        let key = self.pos.key();
        let undo = self.pos.do_move(mv);
        let checks = self.pos.in_check();
        self.steps.push(Step { mv, undo, key, checks, reversible: true });
    }

    /// Takes back the last move; nothing at the start.
    pub fn undo_move(&mut self) {
        if let Some(step) = self.steps.pop() {
            self.pos.undo_move(step.mv, step.undo);
        }
    }

    /// How many times the position occurred before.
    pub fn occurrences(&self) -> usize {
        let key = self.pos.key();
        self.steps.iter().filter(|s| s.key == key).count()
    }

    /// What it means that the position has occurred before; `None` if it has not.
    ///
    /// The search takes the first repetition for the end that the fourth occurrence would be.
    pub fn repeated(&self) -> Option<Repeated> {
        let key = self.pos.key();
        let mut checks = [true, true];
        // `by` is 0 for moves of the side that has just moved.
        for (step, by) in self.steps.iter().rev().zip([0, 1].into_iter().cycle()) {
            checks[by] &= step.checks;
            if by == 1 && step.key == key {
                return Some(match checks {
                    [true, _] => Repeated::Win,
                    [_, true] => Repeated::Loss,
                    _ => Repeated::Draw,
                });
            }
        }
        None
    }
}

impl Deref for Path {
    type Target = Position;

    fn deref(&self) -> &Position {
        &self.pos
    }
}

impl From<Position> for Path {
    fn from(pos: Position) -> Path {
        Path::new(pos)
    }
}
