//! A position of the line: what the pipe answers about it, and its terms that a move updates.

use super::exchange::Attacks;
use super::keys::Keys;
use crate::attacks::legality::Checks;
use crate::attacks::pins::direction_between;
use crate::attacks::ray::{step, BOARD, RANK};
use crate::evaluate::{network::UnitSums, Evaluation, Sums};
use crate::movegen::{check_squares, make_move, origin, Targets};
use crate::position::{Bitboard, Pieces, Position};
use hayasashi_spec::moves::{Direction, Move16, DROP_FROM};
use hayasashi_spec::piece::*;
use hayasashi_spec::position::{Owner, HAND_OFFSET};

/// A position with what is known about it. Planes are computed when they are first asked for, by the methods `find_…`.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The position.
    pub position: Position,
    /// The mover's pieces.
    pub own: Pieces,
    /// Their pieces.
    pub their: Pieces,
    /// Checks and pins.
    pub checks: Checks,
    keys: Keys,
    sums: Sums,
    units: UnitSums,
    has_targets: bool,
    has_attacks: bool,
    has_checking: bool,
    /// The legal moves, and a pawn drop that mates.
    pub targets: Targets,
    /// Attacks of both sides.
    pub attacks: Attacks,
    /// Squares from which a piece of each kind attacks their king.
    pub checking: [Bitboard; 16],
}

/// A legal move with what the order and the pruning ask about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Candidate {
    /// The move.
    pub mv: Move16,
    /// Kind of the piece before the move, or the kind dropped.
    pub moved: u8,
    /// Kind of the captured piece, 0 for none.
    pub captured: u8,
}

impl Candidate {
    /// The kind of the piece after the move.
    pub fn becomes(&self) -> u8 {
        if self.mv.promotes() {
            self.moved | PROMOTED
        } else {
            self.moved
        }
    }

    /// Neither a capture nor a promotion.
    pub fn is_quiet(&self) -> bool {
        self.captured == 0 && !self.mv.promotes()
    }
}

impl Spot {
    /// A position, with the terms of this evaluation.
    pub fn new(evaluation: &Evaluation, position: &Position) -> Spot {
        let (own, their) = (position.pieces(Owner::Mover), position.pieces(Owner::Theirs));
        Spot {
            position: *position,
            checks: Checks::find(&own, &their),
            own,
            their,
            keys: Keys::new(position),
            sums: Sums::new(&evaluation.table, position),
            units: evaluation.network.as_ref().map_or(UnitSums::NONE, |network| UnitSums::new(network, position)),
            has_targets: false,
            has_attacks: false,
            has_checking: false,
            targets: Targets::default(),
            attacks: Attacks::default(),
            checking: [0; 16],
        }
    }

    /// Makes a legal move of a piece of kind `moved`.
    #[inline]
    pub fn make(&self, evaluation: &Evaluation, mv: Move16, moved: u8, after: &mut Spot) {
        let position = make_move(&self.position, mv);
        after.sums = self.sums.make(&evaluation.table, &self.position, mv, moved, &position);
        if let Some(network) = &evaluation.network {
            after.units = self.units.make(network, &self.position, mv, moved, &position);
        }
        after.keys = self.keys.make(&self.position, mv, moved);
        after.enter(position);
    }

    /// Makes a null move.
    pub fn pass(&self, after: &mut Spot) {
        (after.sums, after.units, after.keys) = (self.sums.pass(), self.units.pass(), self.keys.turned());
        after.enter(self.position.turned());
    }

    #[inline]
    fn enter(&mut self, position: Position) {
        (self.own, self.their) = (position.pieces(Owner::Mover), position.pieces(Owner::Theirs));
        self.checks = Checks::find(&self.own, &self.their);
        self.position = position;
        (self.has_targets, self.has_attacks, self.has_checking) = (false, false, false);
    }

    /// Whether the mover is in check.
    pub fn in_check(&self) -> bool {
        self.checks.checkers != 0
    }

    /// The key of the position.
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.key()
    }

    /// The static evaluation.
    #[inline]
    pub fn score(&self, evaluation: &Evaluation) -> i32 {
        let score = self.sums.score(&evaluation.table) as i32;
        evaluation.network.as_ref().map_or(score, |network| network.corrected_by(&self.units, score))
    }

    /// Finds `targets`.
    #[inline]
    pub fn find_targets(&mut self) {
        if !self.has_targets {
            self.targets = Targets::with_pawn_drop_mate(&self.position, &self.own, &self.their, &self.checks);
            self.has_targets = true;
        }
    }

    /// Finds `attacks`.
    #[inline]
    pub fn find_attacks(&mut self) {
        if !self.has_attacks {
            self.attacks = Attacks::find(&self.own, &self.their);
            self.has_attacks = true;
        }
    }

    /// Finds `checking`.
    #[inline]
    pub fn find_checking(&mut self) {
        if !self.has_checking {
            self.checking = check_squares(&self.position);
            self.has_checking = true;
        }
    }

    /// Squares with a piece.
    pub fn occupied(&self) -> Bitboard {
        self.own.all | self.their.all
    }

    /// Whether there is a legal move or a pawn drop that mates.
    #[inline]
    pub fn has_move(&mut self) -> bool {
        if self.checks.checkers == 0 {
            let pawns = self.own.pawn & !self.checks.pinned;
            let golds_on = HAND_OFFSET[GOLD as usize - 1];
            let anywhere = self.position.hands[0] >> HAND_OFFSET[SILVER as usize - 1] & 7 != 0
                || self.position.hands[0] >> golds_on != 0;
            if step::<0>(pawns) & !self.own.all != 0 || anywhere && self.occupied() != BOARD {
                return true;
            }
        }
        self.find_targets();
        !self.targets.none()
    }

    /// Kind of the own piece on a square.
    #[inline]
    pub fn kind(&self, square: usize) -> u8 {
        self.position.piece(square) & !THEIRS
    }

    /// The arrival in direction `d` on `to`.
    #[inline]
    pub fn arrival(&self, d: usize, to: usize, promotes: bool) -> Candidate {
        let from = origin(to, d, self.occupied());
        let captured = if self.their.all >> to & 1 != 0 { self.kind(to) } else { 0 };
        Candidate { mv: Move16::board(from as u8, to as u8, promotes), moved: self.kind(from), captured }
    }

    /// The move with what is known about it, if it is legal here. Needs the targets.
    pub fn legal(&self, mv: Move16) -> Option<Candidate> {
        let (from, to) = (mv.from() as usize, mv.to() as usize);
        if mv.0 == 0 || to >= SQUARES || from >= DROP_FROM as usize + HAND_KINDS {
            return None;
        }
        if let Some(kind) = mv.dropped() {
            let legal = !mv.promotes() && self.targets.drops[kind as usize - 1] >> to & 1 != 0;
            return legal.then_some(Candidate { mv, moved: kind, captured: 0 });
        }
        if self.own.all >> from & 1 == 0 {
            return None;
        }
        let jumps = (from as i32 - to as i32, self.own.knight >> from & 1 != 0);
        let d = match jumps {
            (11, true) => Direction::KnightEast as usize,
            (-7, true) => Direction::KnightWest as usize,
            _ => direction_between(from, to)?,
        };
        let planes = if mv.promotes() { &self.targets.promote } else { &self.targets.plain };
        if planes[d] >> to & 1 == 0 || origin(to, d, self.occupied()) != from {
            return None;
        }
        Some(self.arrival(d, to, mv.promotes()))
    }

    /// Whether the piece attacks their king from where the move puts it. Needs the squares of checks.
    #[inline]
    pub fn checks(&self, candidate: &Candidate) -> bool {
        self.checking[candidate.becomes() as usize] >> candidate.mv.to() & 1 != 0
    }

    /// Whether the move leaves out a promotion that is never worse: of a pawn, a bishop, a rook, or a lance that could
    /// move once more.
    #[inline]
    pub fn spurns_promotion(&self, candidate: &Candidate, d: usize) -> bool {
        let to = candidate.mv.to() as usize;
        let always =
            matches!(candidate.moved, PAWN | BISHOP | ROOK) || candidate.moved == LANCE && RANK[1] >> to & 1 != 0;
        always && !candidate.mv.promotes() && self.targets.promote[d] >> to & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::generate;
    use hayasashi_spec::moves::MoveRecord;
    use hayasashi_spec::position::PositionImage;
    use hayasashi_spec::search_keys;

    /// The initial position, and one with all pieces but pawns in the hands.
    fn starts() -> [PositionImage; 2] {
        let mut start = PositionImage::default();
        for file in 0..SIDE {
            let back = [LANCE, KNIGHT, SILVER, GOLD, KING, GOLD, SILVER, KNIGHT, LANCE][file];
            for (rank, kind) in [(8, back), (6, PAWN)] {
                start.set_piece(square(file, rank), kind);
                start.set_piece(turn(square(file, rank)), kind | THEIRS);
            }
        }
        for (square, kind) in [(square(1, 7), ROOK), (square(7, 7), BISHOP)] {
            start.set_piece(square, kind);
            start.set_piece(turn(square), kind | THEIRS);
        }
        let mut hands = PositionImage::default();
        hands.set_piece(square(4, 8), KING);
        hands.set_piece(square(4, 0), KING | THEIRS);
        for (kind, count) in (LANCE..=ROOK).zip([2, 2, 2, 2, 1, 1]) {
            hands.set_hand(Owner::Mover, kind, count);
            hands.set_hand(Owner::Theirs, kind, count);
        }
        hands.set_hand(Owner::Mover, PAWN, 9);
        [start, hands]
    }

    #[test]
    fn walks_keep_what_is_known_about_a_position() {
        let evaluation = Evaluation::default();
        assert!(evaluation.network.is_some());
        let mut random = 1u64;
        for image in starts() {
            for _ in 0..30 {
                let mut spot = Spot::new(&evaluation, &Position::from(&image));
                for _ in 0..100 {
                    let mut moves: Vec<MoveRecord> = Vec::new();
                    let count = generate(&spot.position, &mut moves);
                    assert_eq!(spot.has_move(), count.moves > 0 || count.excludes_pawn_drop_mate());
                    assert_eq!(spot.in_check(), count.in_check());
                    check_moves(&mut spot, &moves);
                    if moves.is_empty() {
                        break;
                    }
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let record = moves[(random >> 33) as usize % moves.len()];
                    let mut after = spot.clone();
                    spot.make(&evaluation, record.mv, record.moved(), &mut after);
                    let anew = Spot::new(&evaluation, &after.position);
                    assert_eq!((after.keys, after.sums), (anew.keys, anew.sums), "{:?}", record.mv);
                    assert_eq!(after.units, anew.units, "{:?}", record.mv);
                    let table_score = evaluation.table.score(&after.position) as i32;
                    assert_eq!(after.score(&evaluation), evaluation.corrected(table_score, &after.position));
                    assert_eq!(after.key(), search_keys::key(&PositionImage::from(&after.position)));
                    spot = after;
                }
            }
        }
    }

    /// Exactly the generated moves are legal, whatever bits a move has, and their records are right.
    fn check_moves(spot: &mut Spot, moves: &[MoveRecord]) {
        spot.find_targets();
        spot.find_checking();
        let mut found = Vec::new();
        for bits in 0..1 << 15 {
            if let Some(candidate) = spot.legal(Move16(bits)) {
                let record = moves.iter().find(|record| record.mv == candidate.mv);
                // A pawn drop that mates is the only one that is not generated.
                match record {
                    Some(r) => assert_eq!((r.moved(), r.captured()), (candidate.moved, candidate.captured)),
                    None => assert!(candidate.mv.dropped() == Some(PAWN) && spot.checks(&candidate)),
                }
                found.push(candidate.mv);
            }
        }
        assert!(moves.iter().all(|record| found.contains(&record.mv)) && found.len() <= moves.len() + 1);
    }
}
