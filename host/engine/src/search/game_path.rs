//! A position with the moves that led to it.

use crate::statistics::PastMove;
use hayasashi_shogi::rules::{History, Move, Position, PositionCommand, Repetition, Undo};
use std::ops::Deref;

/// A position, the moves made since the first one of the game, and how to take them back.
#[derive(Clone)]
pub struct GamePath {
    pos: Position,
    steps: Vec<(Move, Undo)>,
    history: History,
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

impl Repeated {
    fn of(repetition: Repetition) -> Option<Repeated> {
        match repetition {
            Repetition::Draw => Some(Repeated::Draw),
            Repetition::Win => Some(Repeated::Win),
            Repetition::Loss => Some(Repeated::Loss),
            // The same board with other hands is no repetition by the rules.
            Repetition::None | Repetition::Superior | Repetition::Inferior => None,
        }
    }
}

impl GamePath {
    /// A game that begins here.
    pub fn new(pos: Position) -> GamePath {
        let history = History::starting_at(&pos);
        GamePath { pos, steps: Vec::new(), history }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.pos
    }

    /// The moves made; a pass is [`Move::NONE`].
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.steps.iter().map(|s| s.0)
    }

    /// The last move made.
    pub fn last_move(&self) -> Option<Move> {
        self.steps.last().map(|s| s.0)
    }

    /// The moves made, the last one first.
    pub fn past(&self) -> impl Iterator<Item = PastMove> + '_ {
        let step = |&(mv, undo): &(Move, Undo)| PastMove { mv, captured: undo.captured().map(|piece| piece.kind()) };
        self.steps.iter().rev().map(step)
    }

    /// Makes a legal move.
    pub fn do_move(&mut self, mv: Move) {
        let undo = self.pos.do_move(mv);
        self.steps.push((mv, undo));
        self.history.push(&self.pos);
    }

    /// Makes a legal move of which it is known whether it gives check.
    pub fn do_move_with_check(&mut self, mv: Move, checks: bool) {
        let undo = self.pos.do_move(mv);
        self.steps.push((mv, undo));
        self.history.push_with_check(&self.pos, checks);
    }

    /// Passes, which only a search does; not in check.
    pub fn pass(&mut self) {
        let undo = self.pos.do_null_move();
        self.steps.push((Move::NONE, undo));
        self.history.push_with_check(&self.pos, false);
    }

    /// Takes back the last move or pass; nothing at the start.
    pub fn undo_move(&mut self) {
        match self.steps.pop() {
            Some((Move::NONE, undo)) => self.pos.undo_null_move(undo),
            Some((mv, undo)) => self.pos.undo_move(mv, undo),
            None => return,
        }
        self.history.pop();
    }

    /// What a repetition of the position means to a search, which takes the first for the end that the fourth
    /// occurrence would be; `None` if there is none.
    pub fn repeated(&self) -> Option<Repeated> {
        Repeated::of(self.history.in_search(usize::MAX))
    }

    /// How the game has ended by the fourth occurrence of the position, if it has.
    pub fn game_end(&self) -> Option<Repeated> {
        Repeated::of(self.history.game_verdict())
    }
}

impl Deref for GamePath {
    type Target = Position;

    fn deref(&self) -> &Position {
        &self.pos
    }
}

impl From<PositionCommand> for GamePath {
    fn from(command: PositionCommand) -> GamePath {
        let mut path = GamePath::new(command.start);
        command.moves.into_iter().for_each(|mv| path.do_move(mv));
        path
    }
}

impl From<Position> for GamePath {
    fn from(pos: Position) -> GamePath {
        GamePath::new(pos)
    }
}
