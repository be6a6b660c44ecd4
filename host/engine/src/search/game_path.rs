//! A position with the moves that led to it, for repetition and the history of moves.

use crate::statistics::PastMove;
use hayasashi_shogi::rules::{History, Move, Position, PositionCommand, Repetition, Undo};
use std::ops::Deref;

/// A position, with the moves since the start of the game and the data to take them back.
#[derive(Clone)]
pub struct GamePath {
    pos: Position,
    steps: Vec<(Move, Undo)>,
    history: History,
}

/// The result of a repetition for the side to move.
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
            // The same board with other hands is not a repetition by the rules.
            Repetition::None | Repetition::Superior | Repetition::Inferior => None,
        }
    }
}

impl GamePath {
    /// A game that starts with this position.
    pub fn new(pos: Position) -> GamePath {
        let history = History::starting_at(&pos);
        GamePath { pos, steps: Vec::new(), history }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.pos
    }

    /// The moves made; a null move is [`Move::NONE`].
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.steps.iter().map(|s| s.0)
    }

    /// The last move made.
    pub fn last_move(&self) -> Option<Move> {
        self.steps.last().map(|s| s.0)
    }

    /// The moves made with their captures, the last one first.
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

    /// Makes a legal move; `checks` says whether it gives check.
    pub fn do_move_with_check(&mut self, mv: Move, checks: bool) {
        let undo = self.pos.do_move(mv);
        self.steps.push((mv, undo));
        self.history.push_with_check(&self.pos, checks);
    }

    /// Makes a null move; the mover must not be in check.
    pub fn pass(&mut self) {
        let undo = self.pos.do_null_move();
        self.steps.push((Move::NONE, undo));
        self.history.push_with_check(&self.pos, false);
    }

    /// Takes back the last move or null move; does nothing at the start.
    pub fn undo_move(&mut self) {
        match self.steps.pop() {
            Some((Move::NONE, undo)) => self.pos.undo_null_move(undo),
            Some((mv, undo)) => self.pos.undo_move(mv, undo),
            None => return,
        }
        self.history.pop();
    }

    /// The result of a repetition for a search: the second occurrence of a position counts like the fourth. `None` if the
    /// position is new.
    pub fn repeated(&self) -> Option<Repeated> {
        Repeated::of(self.history.in_search(usize::MAX))
    }

    /// The result of the game if this is the fourth occurrence of the position.
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
