//! The attacker's hand that a proof needs, and the hand up to which a disproof holds.
//!
//! The hand of a proof is the least with which it holds, that of a disproof the greatest (A. Nagai, 2002). The defender
//! may hold what the attacker does not.

use hayasashi_shogi::rules::{attacks::between, attacks::piece_attacks, Bitboard, Hand, Move, PieceKind, Position};

/// The attacker's pieces that the defender, in check and to move, must not get: of the kinds that he does not hold and
/// could interpose.
pub(super) fn kept_from_defender(pos: &Position, attacker: Hand) -> Hand {
    let mut kept = Hand::EMPTY;
    let checkers = pos.checkers();
    let (Some(checker), Some(king)) = (checkers.first(), pos.king_square(pos.side_to_move())) else { return kept };
    if checkers.more_than_one() || between(king, checker).is_empty() {
        return kept;
    }
    let defender = pos.hand(pos.side_to_move());
    for kind in PieceKind::HAND {
        if !defender.has(kind) {
            kept = kept.with_kind_of(kind, attacker);
        }
    }
    kept
}

/// The greatest hand of the attacker, to move, for which he has no new checks: all pieces off the board, except the
/// kinds that he does not hold and that could be dropped with check.
pub(super) fn without_new_checks(pos: &Position) -> Hand {
    let us = pos.side_to_move();
    let (own, them) = (pos.hand(us), us.opponent());
    let mut hand = own.plus(pos.hand(them));
    let Some(king) = pos.king_square(them) else { return hand };
    let empty = !pos.occupied();
    for kind in PieceKind::HAND {
        if own.has(kind) || !hand.has(kind) {
            continue;
        }
        let mut from = piece_attacks(them, kind, king, pos.occupied()) & empty;
        if kind == PieceKind::Pawn && (pos.pieces(us, kind) & Bitboard::file(king.file())).any() {
            from = Bitboard::EMPTY;
        }
        if from.any() {
            hand = hand.with_kind_of(kind, Hand::EMPTY);
        }
    }
    hand
}

/// The hand before the attacker's move that the proof after it needs.
pub(super) fn needed_before(pos: &Position, mv: Move, after: Hand) -> Hand {
    match (mv.dropped(), pos.piece_on(mv.to())) {
        (Some(kind), _) => after.with(kind),
        (None, Some(captured)) => after.without(captured.kind().unpromote()),
        (None, None) => after,
    }
}

/// The hand before the attacker's move up to which the disproof after it holds.
pub(super) fn allowed_before(pos: &Position, mv: Move, after: Hand) -> Hand {
    // A captured piece is held after the move, so the disproof holds for a hand with at least that one.
    needed_before(pos, mv, after)
}

/// The attacker's hand before the defender's move up to which the disproof after it holds.
pub(super) fn allowed_before_defence(pos: &Position, mv: Move, attacker: Hand, after: Hand) -> Hand {
    let all = attacker.plus(pos.hand(pos.side_to_move()));
    // The defender can drop only what the attacker does not hold.
    after.and(mv.dropped().map_or(all, |kind| all.without(kind)))
}
