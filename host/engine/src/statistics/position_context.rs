//! What is known of a position before its moves, and the category of each move.

use super::{
    analysers,
    category::{Category, Gain, Kind, Kings, Meaning},
    phase::{near, Phase},
};
use crate::PIECE_VALUES;
use hayasashi_shogi::rules::{
    attacks::{between, piece_attacks},
    Bitboard, CheckSquares, Color, Move, PieceKind, Position, Square, SQUARES,
};

/// Moves of the past that the history analyser looks at.
pub const PAST: usize = 8;

/// A move of the past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PastMove {
    /// The move; [`Move::NONE`] for a pass, and before the first one.
    pub mv: Move,
    /// What it captured.
    pub captured: Option<PieceKind>,
}

impl PastMove {
    /// Before the first move.
    pub const NONE: PastMove = PastMove { mv: Move::NONE, captured: None };
}

/// A position with what its moves are judged by. It is a function of the position and the last [`PAST`] moves.
pub struct PositionContext {
    pub(super) pos: Position,
    pub(super) us: Color,
    pub(super) occupied: Bitboard,
    pub(super) own: Bitboard,
    pub(super) their: Bitboard,
    /// The last moves, the very last first.
    pub(super) past: [PastMove; PAST],
    /// Where the piece stands that moved last.
    last: Option<Square>,
    in_check: bool,
    checks: CheckSquares,
    /// Own pieces that the enemy would win something by capturing, with how much by square ([`Gain`] steps above even).
    in_danger: Bitboard,
    loss: [u8; SQUARES],
    /// Those that the piece that moved last attacks.
    attacked_by_last: Bitboard,
    /// Squares that cut a line to a piece in danger.
    cuts: Bitboard,
    pub(super) lines: analysers::Lines,
    /// The phase.
    pub phase: Phase,
}

impl PositionContext {
    /// Of a position after these moves, the last one first; more than [`PAST`] are not looked at.
    pub fn new(pos: &Position, moves: impl IntoIterator<Item = PastMove>) -> PositionContext {
        let us = pos.side_to_move();
        let mut past = [PastMove::NONE; PAST];
        past.iter_mut().zip(moves).for_each(|(step, mv)| *step = mv);
        let last = (past[0].mv != Move::NONE).then(|| past[0].mv.to());
        let mut context = PositionContext {
            pos: pos.clone(),
            us,
            occupied: pos.occupied(),
            own: pos.pieces_of(us),
            their: pos.pieces_of(us.opponent()),
            past,
            last,
            in_check: pos.in_check(),
            checks: CheckSquares::new(pos),
            in_danger: Bitboard::EMPTY,
            loss: [0; SQUARES],
            attacked_by_last: Bitboard::EMPTY,
            cuts: Bitboard::EMPTY,
            lines: analysers::Lines::new(pos),
            phase: Phase::of(pos),
        };
        context.find_dangers();
        context
    }

    /// Own pieces that would be lost if the mover passed, each judged by the exchange that the cheapest attacker begins.
    fn find_dangers(&mut self) {
        let them = self.us.opponent();
        let mut passed = self.pos.clone();
        passed.do_null_move();
        let zone = Bitboard::zone(them);
        let last = self.last.map_or(Bitboard::EMPTY, Bitboard::single);
        let king = self.pos.king_square(self.us).map_or(Bitboard::EMPTY, Bitboard::single);
        self.own.without(king).for_each(|square| {
            let attackers = self.pos.attackers_to(square, self.occupied) & self.their;
            let Some(from) = cheapest(&self.pos, attackers) else { return };
            let promotable = self.pos.piece_on(from).is_some_and(|p| p.kind().is_promotable());
            let promotes = promotable && (zone.contains(from) || zone.contains(square));
            let gain = exchange(&passed, Move::board(from, square, promotes));
            if gain > 0 {
                self.in_danger |= Bitboard::single(square);
                self.loss[square.index()] = gain as u8;
                if (attackers & last).any() {
                    self.attacked_by_last |= Bitboard::single(square);
                }
                attackers.for_each(|attacker| self.cuts |= between(attacker, square));
            }
        });
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.pos
    }

    /// The category of a legal move.
    pub fn category(&self, mv: Move) -> Category {
        let piece = PieceKind::from_code(self.pos.moved_kind(mv)).unwrap_or(PieceKind::Pawn);
        let placed = if mv.is_promotion() { piece.promote().unwrap_or(piece) } else { piece };
        let to = mv.to();
        let left = mv.from().map_or(Bitboard::EMPTY, Bitboard::single);
        let after = self.occupied.without(left) | Bitboard::single(to);
        let attacks = piece_attacks(self.us, placed, to, after);
        let before = mv.from().map_or(Bitboard::EMPTY, |from| piece_attacks(self.us, piece, from, self.occupied));
        let gained = exchange(&self.pos, mv);
        let made = MoveEffect { mv, placed, after, own: self.own.without(left), gained };

        let enemy_king = self.pos.king_square(self.us.opponent());
        let direct = enemy_king.is_some_and(|king| attacks.contains(king));
        let is_near = |side| self.pos.king_square(side).is_some_and(|king| near(king).contains(to));
        let kings = match () {
            _ if direct => Kings::Check,
            _ if self.checks.gives_check(&self.pos, mv) => Kings::Discovered,
            _ if self.in_check => Kings::Evasion,
            _ if is_near(self.us.opponent()) => Kings::NearEnemy,
            _ if is_near(self.us) => Kings::NearOwn,
            _ => Kings::Apart,
        };
        let (meaning, other) = if self.pos.captured_kind(mv) != 0 {
            (if self.last == Some(to) { Meaning::Recapture } else { Meaning::Capture }, 0)
        } else {
            self.meaning(&made, attacks, before, direct)
        };
        let gain = if gained == 0 { other } else { gained };
        let kind = match () {
            _ if mv.is_drop() => Kind::Drop,
            _ if mv.is_promotion() => Kind::Promotion,
            _ => Kind::Step,
        };
        let supported = (piece != PieceKind::King).then(|| (self.pos.attackers_to(to, after) & made.own).any());
        Category {
            piece: (kings != Kings::Discovered).then_some(piece),
            meaning: Some(meaning),
            supported,
            kings: Some(kings),
            kind: Some(kind),
            gain: Some(Gain::ALL[(gain + EVEN) as usize]),
            possibility: Some(analysers::possibility(self, &made)),
            history: Some(analysers::history(self, mv)),
        }
    }

    /// What a move is for that captures nothing, and what it saves or threatens to win.
    fn meaning(&self, made: &MoveEffect, attacks: Bitboard, before: Bitboard, checks: bool) -> (Meaning, i32) {
        let &MoveEffect { mv, placed, after, own, gained } = made;
        let (mut on_last, mut targets, mut threat) = (false, checks as i32, 0);
        let king = self.pos.king_square(self.us.opponent()).map_or(Bitboard::EMPTY, Bitboard::single);
        (attacks & self.their).without(before | king).for_each(|target| {
            on_last |= self.last == Some(target);
            let worth = PIECE_VALUES.swing(self.pos.piece_on(target).map_or(0, |p| p.kind().code()));
            let kept = (self.pos.attackers_to(target, after) & self.their).any();
            let won = if kept { worth - PIECE_VALUES.swing(placed.code()) } else { worth };
            if won > 0 {
                targets += 1;
                threat = threat.max(steps(won));
            }
        });
        let fork = targets >= 2;
        let attack = threat > 0 || on_last;
        let escaped = mv.from().filter(|&from| self.in_danger.contains(from) && gained >= 0);
        let mut saved = escaped.map_or(0, |from| self.loss[from.index()]);
        let safe_cut = gained >= 0 && self.cuts.contains(mv.to());
        (self.in_danger & own).for_each(|square| {
            let protects = attacks.contains(square) && !before.contains(square);
            let cuts = safe_cut && {
                let attackers = self.pos.attackers_to(square, self.occupied) & self.their;
                attackers.into_iter().any(|attacker| between(attacker, square).contains(mv.to()))
            };
            if protects || cuts {
                saved = saved.max(self.loss[square.index()]);
            }
        });
        let meaning = match escaped {
            _ if saved > 0 && (attack || fork) => Meaning::AttackDefence,
            Some(from) if self.attacked_by_last.contains(from) => Meaning::EscapeAttacked,
            Some(_) => Meaning::Escape,
            None if saved > 0 => Meaning::Defence,
            None if fork && on_last => Meaning::ForkLast,
            None if fork => Meaning::Fork,
            None if on_last => Meaning::AttackLast,
            None if attack => Meaning::Attack,
            None => Meaning::Other,
        };
        (meaning, if saved > 0 { saved as i32 } else { threat })
    }
}

/// A move with what it does to the board.
pub(super) struct MoveEffect {
    pub mv: Move,
    /// The piece as it then stands.
    pub placed: PieceKind,
    /// Squares then occupied.
    pub after: Bitboard,
    /// Own pieces but the one moved.
    pub own: Bitboard,
    /// Its exchange in steps of [`Gain`], 0 even.
    pub gained: i32,
}

/// Place of [`Gain::Even`].
const EVEN: i32 = Gain::Even as i32;
/// From how many centipawns the second, third and fourth step of [`Gain`] begin.
const BOUNDS: [i32; 3] = [400, 900, 1400];

/// Steps of a gain, 0 for none.
fn steps(gain: i32) -> i32 {
    (gain > 0) as i32 + BOUNDS.iter().filter(|&&bound| gain >= bound).count() as i32
}

/// Steps that the exchange gains which a move begins, negative where it loses.
fn exchange(pos: &Position, mv: Move) -> i32 {
    let reaches = |threshold| pos.exchange_reaches(mv, threshold, &PIECE_VALUES);
    if reaches(1) {
        1 + BOUNDS.iter().take_while(|&&bound| reaches(bound)).count() as i32
    } else if reaches(0) {
        0
    } else {
        -1 - BOUNDS.iter().take_while(|&&bound| !reaches(1 - bound)).count() as i32
    }
}

/// The piece of a set that is worth least.
fn cheapest(pos: &Position, pieces: Bitboard) -> Option<Square> {
    pieces.into_iter().min_by_key(|&square| PIECE_VALUES.swing(pos.piece_on(square).map_or(0, |p| p.kind().code())))
}
