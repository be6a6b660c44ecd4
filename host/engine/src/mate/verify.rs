//! Verifies a strategy by the rules of shogi alone: every move of the attacker must be a legal check, every legal defence
//! must have a reply, and every line must end in mate. It is independent of the search.

use super::{
    solution::{place, Strategy},
    table::TableKey,
};
use hayasashi_shogi::rules::{attacks::between, Color, Move, MoveList, Position, Undo};
use std::collections::HashMap;
use thiserror::Error;

/// A verified strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The main line up to the mate, against the longest defence as problems count it.
    pub line: Vec<Move>,
    /// Plies within which every defence is mated.
    pub plies: u32,
    /// Plies of the line as problems count them: without futile interpositions at the end (muda-ai).
    pub counted: u32,
    /// Replayed positions with the attacker to move.
    pub positions: usize,
}

/// An error in a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StrategyError {
    /// A defence has no reply.
    #[error("the mate strategy has no move in `{0}`; hint: report this as an error of the program")]
    Unanswered(String),
    /// A move is illegal.
    #[error("the move `{1}` of the mate strategy is illegal in `{0}`; hint: report this as an error of the program")]
    Illegal(String, Move),
    /// A move does not give check.
    #[error(
        "the move `{1}` of the mate strategy gives no check in `{0}`; hint: report this as an error of the program"
    )]
    NoCheck(String, Move),
    /// A line repeats a position.
    #[error("the mate strategy repeats `{0}`; hint: report this as an error of the program")]
    Circle(String),
}

/// Plies to the mate, from a position with the attacker to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Length {
    counted: u32,
    plies: u32,
}

impl Length {
    /// The greater numbers of two defences.
    fn or(self, other: Length) -> Length {
        Length { counted: self.counted.max(other.counted), plies: self.plies.max(other.plies) }
    }
}

/// A position being replayed: the attacker's move and the defences.
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

/// Verifies a strategy from `root`, where the attacker is to move.
///
/// # Errors
/// The first error of the strategy.
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
            if self.is_mate_after_futile_drops() {
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

    /// Makes the attacker's move and lists the defences.
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

    /// The main line, against the longest defence.
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

    /// Whether the defender, in check, is mated except for futile interpositions: drops that the checking piece captures
    /// with mate.
    fn is_mate_after_futile_drops(&mut self) -> bool {
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
                    let mated = self.pos.in_check() && self.is_mate_after_futile_drops();
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
