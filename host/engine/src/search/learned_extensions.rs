//! What game records say of a node's moves: whether one stands out by its probability, among how many the choice is, and
//! what usually follows the last two. Three terms of alpha-beta's depth come of it; the two that weigh all moves are
//! off by default:
//!
//! * `ProbableExtension`: a move more probable than all its siblings together (the only recapture, the only good answer to a
//!   check) is searched a ply deeper. It is asked for after captures and checks. Singular extension asks a search whether a
//!   move is without alternative; here the records of games have answered.
//! * `ForcedLines`: in the manner of alpha-beta-conspiracy search (McAllester and Yuret, 1993; used by KFEnd), a ply
//!   costs as much depth as the choice is wide. What a line has saved by forced moves, or spent by free ones, is carried
//!   from node to node until it makes a whole ply.
//! * `TesujiMacros`: a move that completes a frequent sequence of three ([`crate::statistics::sequences`]) is searched deeper, so
//!   that what is known to be played so does not use up the depth.
//!
//! The probability of a category is shared by the moves of the position that are in it: it says how often one of them was
//! played. Everything is in whole numbers.

use super::{board::SearchBoard, parameters::*, tree::Tree};
use crate::statistics::{
    logarithm::{log2, HALVING},
    sequence_counts::SequenceStatistics,
    sequences::SequencePrefix,
};
use hayasashi_shogi::rules::{Move, MoveList};

/// A probability of 1.
const CERTAIN: u64 = 1 << 24;
/// Whole numbers are taken so many times for logarithms.
const PARTS: u32 = 8;

/// What is known of the moves of a node together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MoveChoice {
    /// The most probable move.
    pub likeliest: Move,
    /// Its part of the probability of all, in percent.
    pub percent: u64,
    /// Logarithm to base 2 of the number of moves among which the choice is, in parts of [`HALVING`]. If all are equally
    /// probable, they are so many; the more one stands out, the fewer (Simpson's index, Hill, 1973).
    pub freedom: i32,
}

impl MoveChoice {
    /// Of moves with their categories' keys and the categories' probabilities, in parts of [`CERTAIN`]. `None` without
    /// moves.
    fn of(moves: &mut [(u32, Move, u64)]) -> Option<MoveChoice> {
        if moves.is_empty() {
            return None;
        }
        // By category, and within one by the move itself: never by the order of generation.
        moves.sort_unstable_by_key(|&(key, mv, _)| (key, mv.bits()));
        let (mut all, mut squares, mut likeliest) = (0, 0, (0, Move::NONE));
        for category in moves.chunk_by(|a, b| a.0 == b.0) {
            let &(_, mv, probability) = category.first()?;
            let each = (probability / category.len() as u64).max(1);
            all += each * category.len() as u64;
            squares += each * each * category.len() as u64;
            likeliest = likeliest.max((each, mv));
        }
        let (each, likeliest) = likeliest;
        let choice = ((all as u128 * all as u128) << PARTS) / squares.max(1) as u128;
        let freedom = log2(choice as u32) - PARTS as i32 * HALVING;
        Some(MoveChoice { likeliest, percent: each * 100 / all, freedom })
    }

    /// The move that stands out, if one does.
    fn standing_out(self) -> Option<Move> {
        (self.percent >= PROBABLE_PERCENT).then_some(self.likeliest)
    }
}

/// What a ply costs a line whose choice is so wide: plies to add to the depth, and what is left to carry on, in parts of
/// a ply.
fn ply_cost(freedom: i32, carried: i32) -> (i32, i32) {
    let saved = (USUAL_FREEDOM - freedom) * ONE_PLY / USUAL_FREEDOM;
    let carried = carried + saved.clamp(-ONE_PLY / 2, ONE_PLY);
    match carried {
        c if c >= ONE_PLY => (1, c - ONE_PLY),
        c if c <= -ONE_PLY => (-1, c + ONE_PLY),
        c => (0, c),
    }
}

/// Whether a sequence is all but sure to go on like this.
fn is_macro(known: SequenceStatistics) -> bool {
    known.played as u64 * 100 >= known.begun as u64 * MACRO_PERCENT as u64 && known.association >= MACRO_ASSOCIATION
}

/// DepthTerms of depth of a node's moves.
pub(super) struct DepthTerms {
    /// A move searched deeper.
    pub probable: Move,
    /// What the last two moves have begun.
    pub begun: Option<SequencePrefix>,
    /// Plies for every move.
    pub plies: i32,
    /// What its children carry on.
    pub carry: i32,
}

impl<B: SearchBoard> Tree<'_, B> {
    /// The terms of a node with so much depth left; nothing near the leaves, where asking costs more than it may save.
    pub(super) fn terms(&mut self, depth: i32, ply: usize) -> DepthTerms {
        let carried = self.frame(ply).carry;
        let mut terms = DepthTerms { probable: Move::NONE, begun: None, plies: 0, carry: carried };
        if self.techniques.tesuji_macros && depth >= MACRO_DEPTH {
            terms.begun = SequencePrefix::of(self.position(), self.board.path().past());
        }
        let probable = self.techniques.probable_extension && depth >= PROBABLE_DEPTH && self.asks_for_an_answer(ply);
        let forced = self.techniques.forced_lines && depth >= FORCED_DEPTH;
        if !(probable || forced) || self.frame(ply).excluded != Move::NONE {
            return terms;
        }
        let Some(choice) = self.choice() else { return terms };
        if probable {
            terms.probable = choice.standing_out().unwrap_or(Move::NONE);
        }
        if forced {
            (terms.plies, terms.carry) = ply_cost(choice.freedom, carried);
            if terms.plies > 0 && ply as i32 >= self.root_depth {
                (terms.plies, terms.carry) = (0, terms.carry.min(ABUNDANT_CARRY));
            }
        }
        terms
    }

    /// Whether the last move was a check or a capture. One move seldom stands out elsewhere, and to weigh them all takes as
    /// long as some tens of nodes.
    fn asks_for_an_answer(&mut self, ply: usize) -> bool {
        let captured = self.board.path().past().next().is_some_and(|step| step.captured.is_some());
        captured || self.frame(ply).in_check
    }

    /// Plies by which the terms deepen a move.
    pub(super) fn deepens(&self, terms: &DepthTerms, mv: Move) -> i32 {
        if mv == terms.probable {
            return 1;
        }
        let Some(begun) = &terms.begun else { return 0 };
        if !begun.is_tesuji(mv) {
            return 0;
        }
        match self.shared.moves.sequence(begun.with(self.position(), mv)) {
            Some(known) if is_macro(known) => MACRO_PLIES,
            _ => 0,
        }
    }

    /// What the probabilities say of the position.
    fn choice(&self) -> Option<MoveChoice> {
        let context = self.context();
        let mut legal = MoveList::new();
        self.position().legal_moves(&mut legal);
        let switches = self.switches();
        let weigh = |&mv: &Move| {
            let known = self.shared.moves.look_up(context.category(mv), context.phase, switches);
            let (played, possible) = (known.cell.played as u64, known.cell.possible.max(1) as u64);
            // What was never played, as if it had been half a time.
            let probability = if played == 0 { CERTAIN / 2 / possible } else { CERTAIN * played / possible };
            (known.category.key(), mv, probability)
        };
        MoveChoice::of(&mut legal.iter().map(weigh).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(moves: &[(u32, &str, u64)]) -> MoveChoice {
        let read = |&(key, mv, percent): &(u32, &str, u64)| (key, Move::from_usi(mv).unwrap(), CERTAIN * percent / 100);
        MoveChoice::of(&mut moves.iter().map(read).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn the_choice_is_as_wide_as_moves_are_equal() {
        let even = of(&[(1, "7g7f", 20), (2, "2g2f", 20), (3, "5g5f", 20), (4, "9g9f", 20)]);
        assert!((even.freedom - 2 * HALVING).abs() <= 2 && even.percent == 25, "{even:?}");
        // A category of 80 % shared by four moves is 20 % for each.
        let shared = of(&[(1, "7g7f", 80), (1, "2g2f", 80), (1, "5g5f", 80), (1, "9g9f", 80)]);
        assert_eq!((shared.freedom, shared.percent), (even.freedom, 25));
        // In any order; ties go to the move with the greater bits.
        assert_eq!(of(&[(4, "9g9f", 20), (3, "5g5f", 20), (1, "7g7f", 20), (2, "2g2f", 20)]), even);
        let only = of(&[(7, "8h2b+", 3)]);
        assert_eq!((only.freedom, only.percent), (0, 100));
        assert_eq!(MoveChoice::of(&mut []), None);
    }

    #[test]
    fn one_move_stands_out_where_the_others_are_improbable_together() {
        let recapture = of(&[(1, "3a2b", 80), (2, "7g7f", 5), (2, "2g2f", 5), (3, "4a5b", 3)]);
        assert_eq!(recapture.standing_out(), Move::from_usi("3a2b"));
        assert!(recapture.freedom < HALVING / 2, "{recapture:?}");
        // Two ways to recapture.
        assert_eq!(of(&[(1, "3a2b", 80), (1, "3b2b", 80), (2, "7g7f", 5)]).standing_out(), None);
    }

    #[test]
    fn what_is_saved_and_spent_adds_up() {
        // A usual choice costs a ply; no choice costs nothing; twice the usual costs at most half a ply more.
        assert_eq!(ply_cost(USUAL_FREEDOM, 0), (0, 0));
        assert_eq!(ply_cost(0, 0), (1, 0));
        assert_eq!(ply_cost(2 * USUAL_FREEDOM, 0), (0, -ONE_PLY / 2));
        assert_eq!(ply_cost(2 * USUAL_FREEDOM, -ONE_PLY / 2), (-1, 0));
        let half = ply_cost(USUAL_FREEDOM / 2, 0);
        assert_eq!(ply_cost(USUAL_FREEDOM / 2, half.1).0, 1);
        assert_eq!(ply_cost(USUAL_FREEDOM / 2, -ONE_PLY + 1).0, 0);
    }
}
