//! Extensions and reductions that depend on the probabilities of a node's moves, learned from game records. All are off
//! by default.
//!
//! * `ProbableExtension`: a move more probable than all its siblings together (the only recapture, the only good reply
//!   to a check) is searched one ply deeper. It is tested after captures and checks. Singular extension decides by a
//!   search whether a move has an alternative; this one decides by game records.
//! * `ForcedLines`: as in alpha-beta-conspiracy search (McAllester and Yuret, 1993; used by KFEnd), a ply costs more
//!   depth the more moves are probable. What a line saves by forced moves, or uses for open ones, is carried from node
//!   to node until it is a whole ply.
//! * `TesujiMacros`: a move that completes a frequent sequence of three moves ([`crate::statistics::sequences`]) is
//!   searched deeper, so that known sequences do not use up the depth.
//!
//! The moves of a position that are in one category share its probability, which is that of playing any of them. All
//! arithmetic is in integers.

use super::{board::SearchBoard, parameters::*, tree::Tree};
use crate::statistics::{
    logarithm::{log2, HALVING},
    sequence_counts::SequenceStatistics,
    sequences::SequencePrefix,
};
use hayasashi_shogi::rules::{Move, MoveList};

/// A probability of 1.
const CERTAIN: u64 = 1 << 24;
/// Bits of the fraction in fixed-point numbers of moves.
const PARTS: u32 = 8;

/// The distribution of probability over the moves of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MoveChoice {
    /// The most probable move.
    pub likeliest: Move,
    /// Its share of the probability of all moves, in percent.
    pub percent: u64,
    /// Logarithm to base 2 of the effective number of moves, in parts of [`HALVING`]: the number of moves if all are
    /// equally probable, fewer the more one dominates (Simpson's index; Hill, 1973).
    pub freedom: i32,
}

impl MoveChoice {
    /// Of moves with the keys of their categories and the probabilities of the categories, in parts of [`CERTAIN`].
    /// `None` without moves.
    fn of(moves: &mut [(u32, Move, u64)]) -> Option<MoveChoice> {
        if moves.is_empty() {
            return None;
        }
        // By category and then by move, independent of the order of generation.
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

    /// The move that dominates, if one does.
    fn standing_out(self) -> Option<Move> {
        (self.percent >= PROBABLE_PERCENT).then_some(self.likeliest)
    }
}

/// The cost of a ply for a line with this freedom: plies to add to the depth, and the saving to carry on, in parts of a
/// ply.
fn ply_cost(freedom: i32, carried: i32) -> (i32, i32) {
    let saved = (USUAL_FREEDOM - freedom) * ONE_PLY / USUAL_FREEDOM;
    let carried = carried + saved.clamp(-ONE_PLY / 2, ONE_PLY);
    match carried {
        c if c >= ONE_PLY => (1, c - ONE_PLY),
        c if c <= -ONE_PLY => (-1, c + ONE_PLY),
        c => (0, c),
    }
}

/// Whether a sequence is almost always completed in this way.
fn is_macro(known: SequenceStatistics) -> bool {
    known.played as u64 * 100 >= known.begun as u64 * MACRO_PERCENT as u64 && known.association >= MACRO_ASSOCIATION
}

/// The changes of depth for the moves of a node.
pub(super) struct DepthTerms {
    /// A move that is extended.
    pub probable: Move,
    /// The sequence that the last two moves have started.
    pub begun: Option<SequencePrefix>,
    /// Plies to add for every move.
    pub plies: i32,
    /// The saving that the children carry on.
    pub carry: i32,
}

impl<B: SearchBoard> Tree<'_, B> {
    /// The changes at a node of this depth; none near the leaves, where they cost more than they save.
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

    /// Whether the last move was a check or a capture. After other moves one move seldom dominates, and weighing all
    /// moves takes as long as some tens of nodes.
    fn asks_for_an_answer(&mut self, ply: usize) -> bool {
        let captured = self.board.path().past().next().is_some_and(|step| step.captured.is_some());
        captured || self.frame(ply).in_check
    }

    /// The extension of a move in plies.
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

    /// The distribution over the moves of the position.
    fn choice(&self) -> Option<MoveChoice> {
        let context = self.context();
        let mut legal = MoveList::new();
        self.position().legal_moves(&mut legal);
        let switches = self.switches();
        let weigh = |&mv: &Move| {
            let known = self.shared.moves.look_up(context.category(mv), context.phase, switches);
            let (played, possible) = (known.cell.played as u64, known.cell.possible.max(1) as u64);
            // A category that was never played counts as half a time.
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
        // Four moves share a category of 80 %: 20 % each.
        let shared = of(&[(1, "7g7f", 80), (1, "2g2f", 80), (1, "5g5f", 80), (1, "9g9f", 80)]);
        assert_eq!((shared.freedom, shared.percent), (even.freedom, 25));
        // The order of the moves does not matter; ties go to the move with the greater bits.
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
        // A usual choice costs one ply; a forced move costs nothing; twice the usual costs at most half a ply more.
        assert_eq!(ply_cost(USUAL_FREEDOM, 0), (0, 0));
        assert_eq!(ply_cost(0, 0), (1, 0));
        assert_eq!(ply_cost(2 * USUAL_FREEDOM, 0), (0, -ONE_PLY / 2));
        assert_eq!(ply_cost(2 * USUAL_FREEDOM, -ONE_PLY / 2), (-1, 0));
        let half = ply_cost(USUAL_FREEDOM / 2, 0);
        assert_eq!(ply_cost(USUAL_FREEDOM / 2, half.1).0, 1);
        assert_eq!(ply_cost(USUAL_FREEDOM / 2, -ONE_PLY + 1).0, 0);
    }
}
