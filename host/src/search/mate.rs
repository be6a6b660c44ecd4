//! Mate search: an AND/OR search by checks only, deepened two plies at a time, so that the first mate found is a
//! shortest one. Proofs and refutations are kept by position.

use super::{control::Control, order::Scored, path::Path, source::Source, view};
use crate::{accel::AccelError, rules::Move};
use hayasashi_spec::moves::{Move16, MoveRecord, FLAG_CHECK};
use std::{collections::HashMap, time::Duration};

/// What a mate search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateOutcome {
    /// The mover mates by these moves, whatever the defender does; the longest defence is shown.
    Mate(Vec<Move>),
    /// There is no mate by checks alone.
    NoMate,
    /// Neither was shown within the limits.
    Unknown,
}

/// Limits of a mate search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MateLimits {
    /// Longest mate looked for, in plies.
    pub plies: u32,
    /// Time to use.
    pub time: Option<Duration>,
    /// Moves to make at most.
    pub nodes: u64,
}

impl Default for MateLimits {
    fn default() -> Self {
        MateLimits { plies: 255, time: None, nodes: u64::MAX }
    }
}

/// A position with the attacker to move.
enum Known {
    /// Mated by this line.
    Proof(Vec<Move16>),
    /// No mate within this many plies; [`NEVER`] for none at all.
    None(u32),
}

const NEVER: u32 = u32::MAX;
/// Positions remembered; beyond that new ones are not.
const CAPACITY: usize = 2_000_000;

struct Mates<'a> {
    pos: Path,
    source: &'a mut Source,
    control: &'a Control,
    limits: MateLimits,
    nodes: u64,
    known: HashMap<u64, Known>,
    path: Vec<u64>,
    moves: Vec<Scored>,
}

/// Why a search ends before it has an answer.
enum End {
    Limit,
    Failure(AccelError),
}

/// The attacker's answer: a line, or how deep there is none.
type Answer = Result<Vec<Move16>, u32>;

/// Looks for a mate by the side to move.
pub fn find_mate(
    source: &mut Source,
    pos: &Path,
    limits: MateLimits,
    control: &Control,
) -> (Result<MateOutcome, AccelError>, u64) {
    let mut mates = Mates {
        pos: pos.clone(),
        source,
        control,
        limits,
        nodes: 0,
        known: HashMap::new(),
        path: Vec::new(),
        moves: Vec::new(),
    };
    let mut depth = 1;
    let outcome = loop {
        match mates.attack(depth) {
            Ok(Ok(line)) => {
                let mut color = pos.side_to_move();
                let mut to_move = |mv| {
                    let m = view::to_move(mv, color);
                    color = color.opponent();
                    m
                };
                break Ok(MateOutcome::Mate(line.into_iter().map(&mut to_move).collect()));
            }
            Ok(Err(NEVER)) => break Ok(MateOutcome::NoMate),
            Ok(Err(_)) if depth + 2 > limits.plies => break Ok(MateOutcome::Unknown),
            Ok(Err(_)) => depth += 2,
            Err(End::Limit) => break Ok(MateOutcome::Unknown),
            Err(End::Failure(e)) => break Err(e),
        }
    };
    (outcome, mates.nodes)
}

impl Mates<'_> {
    fn look_at_limits(&self) -> Result<(), End> {
        let late = || self.limits.time.is_some_and(|t| self.control.clock().is_some_and(|c| c >= t));
        let look = !self.source.is_direct() || self.nodes & 127 == 0;
        if self.control.is_stopped() || self.nodes >= self.limits.nodes || look && late() {
            return Err(End::Limit);
        }
        Ok(())
    }

    fn generate(&mut self) -> Result<usize, End> {
        let begin = self.moves.len();
        self.source.generate(&self.pos, &mut self.moves).map_err(End::Failure)?;
        Ok(begin)
    }

    fn make(&mut self, record: MoveRecord) {
        self.nodes += 1;
        let mv = view::to_move(record.mv, self.pos.side_to_move());
        self.pos.do_move_with_check(mv, record.flags & FLAG_CHECK != 0);
    }

    /// The attacker to move, with `depth` (odd) plies to mate in.
    fn attack(&mut self, depth: u32) -> Result<Answer, End> {
        self.look_at_limits()?;
        let key = self.pos.key();
        match self.known.get(&key) {
            Some(Known::Proof(line)) if line.len() <= depth as usize => return Ok(Ok(line.clone())),
            Some(Known::None(plies)) if *plies >= depth => return Ok(Err(*plies)),
            _ => {}
        }
        // Coming back to a position on the path gains nothing; but the refutation holds on this path alone.
        if self.path.contains(&key) {
            return Ok(Err(depth));
        }
        let begin = self.generate()?;
        self.moves_keep_checks(begin);
        self.source.fetch_children(&mut self.pos, &self.moves[begin..]).map_err(End::Failure)?;
        self.path.push(key);
        let mut refuted = NEVER;
        let mut proof = None;
        for at in begin..self.moves.len() {
            let record = self.moves[at].record;
            let mv = record.mv;
            self.make(record);
            let answer = self.defend(depth - 1);
            self.pos.undo_move();
            match answer? {
                Ok(mut line) => {
                    line.insert(0, mv);
                    proof = Some(line);
                    break;
                }
                Err(NEVER) => {}
                Err(_) => refuted = depth,
            }
        }
        self.path.pop();
        self.moves.truncate(begin);
        let answer = proof.ok_or(refuted);
        if self.known.len() < CAPACITY || self.known.contains_key(&key) {
            let known = match &answer {
                Ok(line) => Known::Proof(line.clone()),
                Err(plies) => Known::None(*plies),
            };
            self.known.insert(key, known);
        }
        Ok(answer)
    }

    /// The defender, in check, to move; `Ok` with the rest of the line when all moves lose within `depth` plies.
    fn defend(&mut self, depth: u32) -> Result<Answer, End> {
        let begin = self.generate()?;
        if self.moves.len() == begin {
            return Ok(Ok(Vec::new()));
        }
        if depth == 0 {
            self.moves.truncate(begin);
            return Ok(Err(0));
        }
        self.source.fetch_children(&mut self.pos, &self.moves[begin..]).map_err(End::Failure)?;
        let mut longest: Vec<Move16> = Vec::new();
        let mut refuted = None;
        for at in begin..self.moves.len() {
            let record = self.moves[at].record;
            let mv = record.mv;
            self.make(record);
            let answer = self.attack(depth - 1);
            self.pos.undo_move();
            match answer? {
                Ok(line) => {
                    if line.len() + 1 > longest.len() {
                        longest = std::iter::once(mv).chain(line).collect();
                    }
                }
                Err(plies) => {
                    refuted = Some(plies);
                    break;
                }
            }
        }
        self.moves.truncate(begin);
        Ok(refuted.map_or(Ok(longest), Err))
    }

    fn moves_keep_checks(&mut self, begin: usize) {
        let mut kept = begin;
        for at in begin..self.moves.len() {
            if self.moves[at].record.flags & FLAG_CHECK != 0 {
                self.moves[kept] = self.moves[at];
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }
}
