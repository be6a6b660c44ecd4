//! Legality: checkers, pins, squares forbidden to the king, pawn-drop mate.

use super::attacks::*;
use super::bitboard::Bitboard;
use super::moves::Move;
use super::piece::{Color, PieceKind};
use super::position::Position;
use super::square::Square;
use PieceKind::*;

/// Enemy pieces that check a king, and own pieces pinned to it.
#[derive(Clone, Copy)]
pub(super) struct CheckInfo {
    pub checkers: Bitboard,
    pub pinned: Bitboard,
}

impl CheckInfo {
    /// For a side without a king.
    pub const NONE: CheckInfo = CheckInfo { checkers: Bitboard::EMPTY, pinned: Bitboard::EMPTY };
}

impl Position {
    #[inline(always)]
    pub(super) fn group(&self, kind: PieceKind) -> Bitboard {
        self.groups[kind as usize]
    }

    /// Bishops and horses of both sides.
    #[inline(always)]
    pub(super) fn diagonal_sliders(&self) -> Bitboard {
        self.group(Bishop) | self.group(Horse)
    }

    /// Rooks and dragons of both sides.
    #[inline(always)]
    pub(super) fn orthogonal_sliders(&self) -> Bitboard {
        self.group(Rook) | self.group(Dragon)
    }

    /// Pieces of both sides that would check `color`'s king on `king` by a step if they were the opponent's. Without
    /// kings: two kings are never adjacent.
    #[inline(always)]
    fn stepping_checkers(&self, color: Color, king: Square) -> Bitboard {
        let (c, s) = (color.index(), king.index());
        (PAWN[c][s] & self.group(Pawn))
            | (KNIGHT[c][s] & self.group(Knight))
            | (SILVER[c][s] & self.group(Silver))
            | (GOLD[c][s] & self.group(Gold))
            | (ORTHOGONAL_STEPS[s] & self.group(Horse))
            | (DIAGONAL_STEPS[s] & self.group(Dragon))
    }

    /// Sliders of both sides that would attack `color`'s king on `king` if the board were empty.
    #[inline(always)]
    fn snipers(&self, color: Color, king: Square) -> Bitboard {
        let s = king.index();
        (ROOK_RAYS[s] & self.orthogonal_sliders())
            | (BISHOP_RAYS[s] & self.diagonal_sliders())
            | (LANCE_RAYS[color.index()][s] & self.group(Lance))
    }

    /// Checkers of `color`'s king on `king` and the pieces of `color` pinned to it, from one scan: a slider on a ray
    /// of the king checks if no piece is between them, and pins if one piece is.
    #[inline(always)]
    pub(super) fn check_info(&self, color: Color, king: Square) -> CheckInfo {
        let (own, their) = (self.colors[color.index()], self.colors[color.opponent().index()]);
        let occupied = own | their;
        let mut checkers = self.stepping_checkers(color, king) & their;
        let mut pinned = Bitboard::EMPTY;
        (self.snipers(color, king) & their).for_each(|sniper| {
            let blockers = between(king, sniper) & occupied;
            if blockers.is_empty() {
                checkers |= Bitboard::single(sniper);
            } else if !blockers.more_than_one() {
                pinned |= blockers;
            }
        });
        CheckInfo { checkers, pinned: pinned & own }
    }

    /// Pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.king_square(self.side).map_or(Bitboard::EMPTY, |king| self.check_info(self.side, king).checkers)
    }

    /// Whether the side to move is in check; false for a side without a king.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.king_square(self.side).is_some_and(|king| self.is_attacked(king, self.side.opponent(), self.occupied()))
    }

    /// Pieces of `color` pinned to its own king.
    #[inline]
    pub fn pinned(&self, color: Color) -> Bitboard {
        self.king_square(color).map_or(Bitboard::EMPTY, |king| self.check_info(color, king).pinned)
    }

    /// Pieces of `color` that discover a check on the opponent's king by leaving their line.
    pub fn discoverers(&self, color: Color) -> Bitboard {
        let Some(king) = self.king_square(color.opponent()) else { return Bitboard::EMPTY };
        let (own, occupied) = (self.colors[color.index()], self.occupied());
        let mut found = Bitboard::EMPTY;
        (self.snipers(color.opponent(), king) & own).for_each(|sniper| {
            let blockers = between(king, sniper) & occupied;
            if !blockers.more_than_one() {
                found |= blockers & own;
            }
        });
        found
    }

    /// Pieces of both sides that attack a square, kings included; `occupied` squares block. The result has pieces outside
    /// `occupied` too; exchange evaluation masks those that are already captured.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let s = square.index();
        let mut attackers = Bitboard::EMPTY;
        for color in Color::ALL {
            let o = color.opponent().index();
            let steps = (PAWN[o][s] & self.group(Pawn))
                | (KNIGHT[o][s] & self.group(Knight))
                | (SILVER[o][s] & self.group(Silver))
                | (GOLD[o][s] & self.group(Gold))
                | (LANCE_RAYS[o][s] & self.group(Lance) & file_line(square, occupied));
            attackers |= steps & self.colors[color.index()];
        }
        attackers
            | (KING[s] & (self.group(King) | self.group(Horse) | self.group(Dragon)))
            | (bishop_attacks(square, occupied) & self.diagonal_sliders())
            | (rook_attacks(square, occupied) & self.orthogonal_sliders())
    }

    /// Pieces of `by` that attack a square, without its king; `occupied` squares block.
    #[inline(always)]
    pub(super) fn attackers_of(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let mut attackers = self.stepping_checkers(by.opponent(), square);
        (self.snipers(by.opponent(), square) & self.colors[by.index()]).for_each(|sniper| {
            if (between(square, sniper) & occupied).is_empty() {
                attackers |= Bitboard::single(sniper);
            }
        });
        attackers & self.colors[by.index()]
    }

    /// Whether `by` attacks a square, without its king; `occupied` squares block.
    #[inline(always)]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        self.attackers_of(square, by, occupied).any()
    }

    /// All squares that `color`'s pieces attack by steps, including those of horses and dragons, without rays. Steps are
    /// shifts of whole boards: first to the attacked rank, then to both neighbouring files.
    #[inline(always)]
    pub(super) fn step_attacks(&self, color: Color) -> Bitboard {
        let own = self.colors[color.index()];
        let [pawns, knights, silvers, golds] = [Pawn, Knight, Silver, Gold].map(|kind| self.group(kind) & own);
        let [kings, horses, dragons] = [King, Horse, Dragon].map(|kind| self.group(kind) & own);
        let orthogonal = golds | horses | kings;
        let backward_diagonal = silvers | dragons | kings;
        let forward_diagonal = golds | backward_diagonal;
        let forward = |set: Bitboard| set.forward(color);
        let backward = |set: Bitboard| set.forward(color.opponent());
        let sideways = forward(forward_diagonal | forward(knights)) | orthogonal | backward(backward_diagonal);
        forward(pawns | silvers | orthogonal) | backward(orthogonal) | sideways.east() | sideways.west()
    }

    /// Squares around `color`'s king on `king` that the opponent attacks after the king has left its square; only the
    /// king's neighbours are correct. The king is removed from `occupied`, because it does not block rays any more.
    #[inline(always)]
    pub(super) fn king_danger(&self, color: Color, king: Square, occupied: Bitboard) -> Bitboard {
        let s = king.index();
        let their = self.colors[color.opponent().index()];
        let occupied = occupied.without(Bitboard::single(king));
        let mut danger = self.step_attacks(color.opponent());
        (self.orthogonal_sliders() & their & ROOK_ZONE[s]).for_each(|from| danger |= rook_attacks(from, occupied));
        (self.diagonal_sliders() & their & BISHOP_ZONE[s]).for_each(|from| danger |= bishop_attacks(from, occupied));
        (self.group(Lance) & their & ROOK_ZONE[s])
            .for_each(|from| danger |= lance_attacks(color.opponent(), from, occupied));
        danger
    }

    /// Whether the drop of a pawn of the side to move on `to`, an empty square from which it checks the king on
    /// `king`, is mate (uchifuzume).
    #[cold]
    #[inline(never)]
    pub(super) fn pawn_drop_mates(&self, to: Square, king: Square) -> bool {
        let (us, them) = (self.side, self.side.opponent());
        let to_bit = Bitboard::single(to);
        let occupied = self.occupied() | to_bit;
        // The king takes the pawn.
        let king_attacks_pawn = self.king_square(us).is_some_and(|own| KING[own.index()].contains(to));
        if !king_attacks_pawn && !self.is_attacked(to, us, occupied) {
            return false;
        }
        // The king steps aside.
        let escapes = KING[king.index()].without(self.colors[them.index()] | to_bit);
        if escapes.any() && escapes.without(self.king_danger(them, king, occupied)).any() {
            return false;
        }
        // Another piece takes the pawn, unless it is pinned to another line.
        let takers = self.attackers_of(to, them, occupied);
        if takers.is_empty() {
            return true;
        }
        let own = self.colors[us.index()];
        let mut pinned = Bitboard::EMPTY;
        (self.snipers(them, king) & own).for_each(|sniper| {
            let blockers = between(king, sniper) & occupied;
            if !blockers.more_than_one() {
                pinned |= blockers;
            }
        });
        !takers.into_iter().any(|from| !pinned.contains(from) || line(king, from).contains(to))
    }

    /// Whether a move is legal here. Any move may be asked for, also one of another position.
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side;
        let (own, to) = (self.colors[us.index()], mv.to());
        let to_bit = Bitboard::single(to);
        let king = self.king_square(us);
        let info = king.map_or(CheckInfo::NONE, |king| self.check_info(us, king));
        let answers = match (info.checkers.first(), king) {
            (Some(checker), Some(king)) if !info.checkers.more_than_one() => between(king, checker) | info.checkers,
            (None, _) | (_, None) => Bitboard::ALL,
            _ => Bitboard::EMPTY,
        };
        match (mv.from(), mv.dropped()) {
            (None, Some(kind)) => {
                self.hand(us).has(kind)
                    && (to_bit & answers).without(self.occupied() | dead_squares(us, kind)).any()
                    && (kind != Pawn || self.pawn_drop_is_legal(to))
            }
            (Some(from), _) => {
                let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else { return false };
                let kind = piece.kind();
                if (piece_attacks(us, kind, from, self.occupied()) & to_bit).without(own | self.group(King)).is_empty()
                {
                    return false;
                }
                if mv.is_promotion() {
                    let zone = Bitboard::zone(us);
                    if !kind.is_promotable() || ((to_bit | Bitboard::single(from)) & zone).is_empty() {
                        return false;
                    }
                } else if dead_squares(us, kind).contains(to) {
                    return false;
                }
                match king {
                    None => true,
                    Some(king) if from == king => !self.king_danger(us, king, self.occupied()).contains(to),
                    Some(king) => {
                        answers.contains(to) && (!info.pinned.contains(from) || line(king, from).contains(to))
                    }
                }
            }
            _ => false,
        }
    }

    /// Nifu and pawn-drop mate.
    fn pawn_drop_is_legal(&self, to: Square) -> bool {
        let us = self.side;
        if !(self.group(Pawn) & self.colors[us.index()]).open_files().contains(to) {
            return false;
        }
        match self.king_square(us.opponent()) {
            Some(king) if PAWN[us.index()][to.index()].contains(king) => !self.pawn_drop_mates(to, king),
            _ => true,
        }
    }

    /// Whether a legal move checks the opponent.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side;
        let Some(king) = self.king_square(us.opponent()) else { return false };
        let to = mv.to();
        let Some(from) = mv.from() else {
            return mv.dropped().is_some_and(|kind| piece_attacks(us, kind, to, self.occupied()).contains(king));
        };
        let Some(piece) = self.piece_on(from) else { return false };
        let kind = if mv.is_promotion() { piece.kind().promote().unwrap_or(piece.kind()) } else { piece.kind() };
        let from_bit = Bitboard::single(from);
        let occupied = self.occupied().without(from_bit) | Bitboard::single(to);
        if piece_attacks(us, kind, to, occupied).contains(king) {
            return true;
        }
        let sliders = (self.snipers(us.opponent(), king) & self.colors[us.index()]).without(from_bit);
        line(king, from).any()
            && sliders
                .into_iter()
                .any(|sniper| between(king, sniper).contains(from) && (between(king, sniper) & occupied).is_empty())
    }
}

/// The file of a square up to the first `occupied` squares.
#[inline(always)]
fn file_line(square: Square, occupied: Bitboard) -> Bitboard {
    super::sliders::file_attacks(square, occupied)
}

/// Squares where an unpromoted piece of this kind has no further move.
#[inline(always)]
pub(super) const fn dead_squares(color: Color, kind: PieceKind) -> Bitboard {
    match kind {
        Pawn | Lance => Bitboard::far_ranks(color, 1),
        Knight => Bitboard::far_ranks(color, 2),
        _ => Bitboard::EMPTY,
    }
}
