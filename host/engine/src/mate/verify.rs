//! Replays a solution by the rules of shogi alone: every answer of the attacker must be a legal check, every legal
//! defence must be answered, and all must end in mate. It knows nothing of how the solution was found.

use super::{
    solution::{place, Strategy},
    table::TableKey,
};
use hayasashi_shogi::rules::{attacks::between, Color, Move, MoveList, Position, Undo};
use std::collections::HashMap;
use thiserror::Error;

/// A solution that was found to be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The moves against the defence that holds out longest as problems count, up to the mate.
    pub line: Vec<Move>,
    /// Plies in which every defence is mated.
    pub plies: u32,
    /// Plies of the line as problems count them: without the interpositions at the end that only feed the checking piece
    /// (muda-ai).
    pub counted: u32,
    /// Positions with the attacker to move that were replayed.
    pub positions: usize,
}

/// What is wrong with a solution.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StrategyError {
    /// A defence is not answered.
    #[error("no answer in `{0}`; hint: the solution is incomplete, please report the problem")]
    Unanswered(String),
    /// An answer breaks the rules.
    #[error("`{1}` is not legal in `{0}`; hint: the solution is wrong, please report the problem")]
    Illegal(String, Move),
    /// An answer does not check.
    #[error("`{1}` does not check in `{0}`; hint: the solution is wrong, please report the problem")]
    NoCheck(String, Move),
    /// The answers go round in a circle.
    #[error("the answers lead back to `{0}`; hint: the solution is wrong, please report the problem")]
    Circle(String),
}

/// Plies to the mate, from a position with the attacker to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Length {
    counted: u32,
    plies: u32,
}

impl Length {
    /// Of two moves of the defence: the greater numbers of both.
    fn or(self, other: Length) -> Length {
        Length { counted: self.counted.max(other.counted), plies: self.plies.max(other.plies) }
    }
}

/// A position being replayed: the attacker's answer, and the defences to it.
struct Step {
    here: TableKey,
    mv: Move,
    undo: Undo,
    defences: Vec<Move>,
    next: usize,
    longest: Length,
    /// The defence that is being replayed.
    made: Option<(Move, Undo)>,
}

/// Replays the whole solution from `root`, where the side to move attacks.
pub fn verify(root: &Position, strategy: &Strategy) -> Result<Verified, StrategyError> {
    let mut replay = Replay { pos: root.clone(), attacker: root.side_to_move(), strategy, lengths: HashMap::new() };
    let length = replay.all()?;
    let line = replay.line(length);
    Ok(Verified { line, plies: length.plies, counted: length.counted, positions: replay.lengths.len() })
}

struct Replay<'a> {
    pos: Position,
    attacker: Color,
    strategy: &'a Strategy,
    /// `None` while the position is on the path.
    lengths: HashMap<TableKey, Option<Length>>,
}

impl Replay<'_> {
    fn all(&mut self) -> Result<Length, StrategyError> {
        let mut steps = vec![self.answer()?];
        loop {
            let step = steps.last_mut().expect("the root ends the loop");
            if let Some((mv, undo)) = step.made.take() {
                self.pos.undo_move(mv, undo);
            }
            if let Some(&defence) = step.defences.get(step.next) {
                step.next += 1;
                step.made = Some((defence, self.pos.do_move(defence)));
                match self.lengths.get(&place(&self.pos, self.attacker)) {
                    Some(Some(length)) => step.longest = step.longest.or(after_defence(*length)),
                    Some(None) => return Err(StrategyError::Circle(self.pos.to_sfen())),
                    None => {
                        let next = self.answer()?;
                        steps.push(next);
                    }
                }
                continue;
            }
            let mut longest = step.longest;
            if self.is_mate_but_for_fodder() {
                longest.counted = 0;
            }
            let length = Length { counted: longest.counted + 1, plies: longest.plies + 1 };
            let step = steps.pop().expect("as above");
            self.pos.undo_move(step.mv, step.undo);
            self.lengths.insert(step.here, Some(length));
            match steps.last_mut() {
                None => return Ok(length),
                Some(before) => before.longest = before.longest.or(after_defence(length)),
            }
        }
    }

    /// Makes the attacker's answer and lists the defences.
    fn answer(&mut self) -> Result<Step, StrategyError> {
        let here = place(&self.pos, self.attacker);
        let Some(mv) = self.strategy.answer(&self.pos) else {
            return Err(StrategyError::Unanswered(self.pos.to_sfen()));
        };
        if !self.pos.is_legal(mv) {
            return Err(StrategyError::Illegal(self.pos.to_sfen(), mv));
        }
        let undo = self.pos.do_move(mv);
        if !self.pos.in_check() {
            self.pos.undo_move(mv, undo);
            return Err(StrategyError::NoCheck(self.pos.to_sfen(), mv));
        }
        self.lengths.insert(here, None);
        let mut defences = MoveList::new();
        self.pos.legal_moves(&mut defences);
        let defences = defences.to_vec();
        Ok(Step { here, mv, undo, defences, next: 0, longest: Length::default(), made: None })
    }

    /// The line against the longest defence.
    fn line(&self, length: Length) -> Vec<Move> {
        let mut pos = self.pos.clone();
        let mut line = Vec::with_capacity(length.plies as usize);
        while let Some(mv) = self.strategy.answer(&pos) {
            line.push(mv);
            pos.do_move(mv);
            let mut defences = MoveList::new();
            pos.legal_moves(&mut defences);
            let length = |&&defence: &&Move| {
                let mut next = pos.clone();
                next.do_move(defence);
                self.lengths.get(&place(&next, self.attacker)).copied().flatten()
            };
            let Some(&longest) = defences.iter().rev().max_by_key(length) else { break };
            line.push(longest);
            pos.do_move(longest);
        }
        line
    }

    /// Whether the defender, in check, is mated, or has nothing but drops that the checking piece takes with mate
    /// again, and so on.
    fn is_mate_but_for_fodder(&mut self) -> bool {
        let mut defences = MoveList::new();
        self.pos.legal_moves(&mut defences);
        if defences.is_empty() {
            return true;
        }
        let checkers = self.pos.checkers();
        let king = self.pos.king_square(self.pos.side_to_move());
        let (Some(checker), Some(king), false) = (checkers.first(), king, checkers.more_than_one()) else {
            return false;
        };
        let between = between(king, checker);
        if !defences.iter().all(|m| m.is_drop() && between.contains(m.to())) {
            return false;
        }
        defences.iter().all(|&defence| {
            let undo = self.pos.do_move(defence);
            let captures = [false, true].map(|promote| Move::board(checker, defence.to(), promote));
            let taken = captures.into_iter().any(|capture| {
                self.pos.is_legal(capture) && {
                    let undo = self.pos.do_move(capture);
                    let mated = self.pos.in_check() && self.is_mate_but_for_fodder();
                    self.pos.undo_move(capture, undo);
                    mated
                }
            });
            self.pos.undo_move(defence, undo);
            taken
        })
    }
}

fn after_defence(length: Length) -> Length {
    Length { counted: length.counted + 1, plies: length.plies + 1 }
}
