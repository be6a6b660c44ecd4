//! What the surface of a move does not show: that a loss pays later (possibility), and that a move goes on with
//! what earlier ones began (history).

use super::{
    category::{History, Possibility},
    position_context::{MoveEffect, PositionContext},
};
use crate::PIECE_VALUES;
use hayasashi_shogi::rules::{
    attacks::{bishop_attacks, lance_attacks, line, piece_attacks, rook_attacks},
    Bitboard, Color, Move, PieceKind, Position, Square,
};

/// Lines of own sliders that an own piece bars from an enemy piece.
pub(super) struct Lines {
    /// The piece that bars, and what it must leave.
    barred: [(Square, Bitboard); Lines::MOST],
    len: usize,
}

impl Lines {
    /// More are forgotten: a side has rarely more than two.
    const MOST: usize = 8;

    /// Of the side to move.
    pub fn new(pos: &Position) -> Lines {
        let us = pos.side_to_move();
        let (own, occupied) = (pos.pieces_of(us), pos.occupied());
        let their = pos.pieces_of(us.opponent());
        let mut lines = Lines { barred: [(Square::new(0).expect("a square"), Bitboard::EMPTY); Lines::MOST], len: 0 };
        for kind in [PieceKind::Rook, PieceKind::Dragon, PieceKind::Bishop, PieceKind::Horse, PieceKind::Lance] {
            pos.pieces(us, kind).for_each(|slider| {
                let seen = ray_attacks(us, kind, slider, occupied);
                (seen & own).for_each(|bar| {
                    let behind = ray_attacks(us, kind, slider, occupied.without(Bitboard::single(bar)));
                    behind.without(seen).for_each(|target| {
                        if their.contains(target) && is_won(pos, us, kind, target) && lines.len < Lines::MOST {
                            lines.barred[lines.len] = (bar, line(slider, bar));
                            lines.len += 1;
                        }
                    });
                });
            });
        }
        lines
    }
}

/// Squares that a slider attacks along its lines, without a horse's and a dragon's steps.
fn ray_attacks(us: Color, kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Rook | PieceKind::Dragon => rook_attacks(square, occupied),
        PieceKind::Bishop | PieceKind::Horse => bishop_attacks(square, occupied),
        _ => lance_attacks(us, square, occupied),
    }
}

/// Whether a piece that a slider comes to attack is worth more than a pawn and may be won: it is not protected, or
/// worth more than the slider.
fn is_won(pos: &Position, us: Color, slider: PieceKind, target: Square) -> bool {
    let worth = worth(pos, target);
    let is_king = pos.king_square(us.opponent()) == Some(target);
    let kept = || (pos.attackers_to(target, pos.occupied()) & pos.pieces_of(us.opponent())).any();
    !is_king
        && worth > PIECE_VALUES.swing(PieceKind::Pawn.code())
        && (worth > PIECE_VALUES.swing(slider.code()) || !kept())
}

fn worth(pos: &Position, square: Square) -> i32 {
    PIECE_VALUES.swing(pos.piece_on(square).map_or(0, |p| p.kind().code()))
}

/// The possibility analyser: what may pay later of a move whose exchange gains nothing.
pub(super) fn possibility(context: &PositionContext, made: &MoveEffect) -> Possibility {
    if made.gained > 0 {
        return Possibility::Nothing;
    }
    let leaves = |&(bar, line): &(Square, Bitboard)| Some(bar) == made.mv.from() && !line.contains(made.mv.to());
    if made.gained < 0 && is_lure(context, made) {
        Possibility::Lure
    } else if context.lines.barred[..context.lines.len].iter().any(leaves) {
        Possibility::Line
    } else {
        Possibility::Nothing
    }
}

/// Whether a sacrifice is a lure (okuri): whatever takes it lets go of another piece that can then be captured for
/// nothing, and is worth about as much as the sacrifice (four fifths and more). Pins are not looked at.
fn is_lure(context: &PositionContext, made: &MoveEffect) -> bool {
    let pos = &context.pos;
    let (to, them) = (made.mv.to(), context.us.opponent());
    let attackers = pos.attackers_to(to, made.after);
    let supported = (attackers & made.own).any();
    let sacrifice = PIECE_VALUES.swing(made.placed.code()) - PIECE_VALUES.swing(pos.captured_kind(made.mv));
    let king = pos.king_square(them).map_or(Bitboard::EMPTY, Bitboard::single);
    let their = context.their.without(Bitboard::single(to));
    // A king takes nothing that is protected.
    let takers = (attackers & their).without(if supported { king } else { Bitboard::EMPTY });
    let falls = |taker: Square, kind: PieceKind, target: Square| {
        let occupied = made.after.without(Bitboard::single(taker));
        let others = their.without(Bitboard::single(taker));
        let attackers = pos.attackers_to(target, occupied);
        (attackers & made.own).any()
            && (attackers & others).is_empty()
            && !piece_attacks(them, kind, to, occupied).contains(target)
    };
    // What falls though the taker stays has nothing to do with it.
    let loose = |target: Square| {
        let attackers = pos.attackers_to(target, made.after);
        (attackers & made.own).any() && (attackers & their).is_empty()
    };
    let pays = |taker: Square| {
        let kind = pos.piece_on(taker).map_or(PieceKind::Pawn, |p| p.kind());
        let targets = their.without(king | Bitboard::single(taker) | pos.pieces(them, PieceKind::Pawn));
        targets
            .into_iter()
            .any(|target| 5 * worth(pos, target) >= 4 * sacrifice && falls(taker, kind, target) && !loose(target))
    };
    takers.any() && takers.into_iter().all(pays)
}

/// The history analyser.
pub(super) fn history(context: &PositionContext, mv: Move) -> History {
    if mv.dropped() != Some(PieceKind::Pawn) {
        return History::Nothing;
    }
    let to = mv.to();
    let ahead = piece_attacks(context.us, PieceKind::Pawn, to, Bitboard::EMPTY);
    let [answer, own, ..] = context.past;
    let taken = answer.mv != Move::NONE && answer.mv.to() == own.mv.to();
    if taken && own.mv.dropped() == Some(PieceKind::Pawn) && ahead.contains(answer.mv.to()) {
        return History::DropAgain;
    }
    let rank = match context.us {
        Color::Black => to.rank(),
        Color::White => 8 - to.rank(),
    };
    // The opponent's moves are those at even places.
    let pushed = context.past.chunks_exact(2).any(|pair| {
        let [answer, own] = pair else { return false };
        !own.mv.is_drop()
            && own.mv.to().file() == to.file()
            && own.mv != Move::NONE
            && answer.mv.to() == own.mv.to()
            && answer.captured == Some(PieceKind::Pawn)
    });
    match pushed && (1..=3).contains(&rank) && (ahead & context.occupied).is_empty() {
        true => History::Dangle,
        false => History::Nothing,
    }
}
