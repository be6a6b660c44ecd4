//! Checks that may be mate, found without making a move.

use super::attacks::*;
use super::bitboard::Bitboard;
use super::hand::Hand;
use super::legality::dead_squares;
use super::moves::{Move, MoveList};
use super::piece::{Color, PieceKind};
use super::position::Position;
use super::square::Square;
use PieceKind::*;

/// Defences against all checks of a position.
struct Defence<'a> {
    position: &'a Position,
    us: Color,
    king: Square,
    /// The king's neighbours.
    around: Bitboard,
    /// Neighbours that the attacker attacks.
    danger: Bitboard,
    /// Neighbours that the king may step to.
    flights: Bitboard,
    /// All pieces but the king.
    lifted: Bitboard,
    /// The defender can interpose a drop against any distant check.
    interposes: bool,
}

impl Position {
    /// Appends legal checks; if there is a mate in one, one of them mates. Excluded are pawn drops, which must not mate, and
    /// checks that the king can capture or evade or that a drop can block, as far as that is known without making the
    /// move.
    pub fn mating_checks(&self, moves: &mut MoveList) {
        let (us, them) = (self.side, self.side.opponent());
        let Some(king) = self.king_square(them) else { return };
        let occupied = self.occupied();
        let (around, danger) = (KING[king.index()], self.king_danger(them, king, occupied));
        let hand = self.hand(them);
        let defence = Defence {
            position: self,
            us,
            king,
            around,
            danger,
            flights: around.without(self.colors[them.index()] | danger),
            lifted: occupied.without(Bitboard::single(king)),
            interposes: [Silver, Gold, Bishop, Rook].iter().any(|&kind| hand.has(kind)),
        };
        defence.drops(self.hand(us), occupied, moves);
        defence.board_moves(occupied, moves);
    }
}

impl Defence<'_> {
    /// Whether a piece of `kind` that moved from `gone` to `to` leaves the king no square.
    fn takes_flights(&self, kind: PieceKind, to: Square, gone: Bitboard) -> bool {
        self.flights.is_empty()
            || self.flights.without(piece_attacks(self.us, kind, to, self.lifted.without(gone))).is_empty()
    }

    /// Whether a drop can block a single check by a piece of `kind` from `to`.
    fn is_blocked(&self, kind: PieceKind, to: Square) -> bool {
        self.interposes && kind != Knight && !self.around.contains(to)
    }

    fn drops(&self, hand: Hand, occupied: Bitboard, moves: &mut MoveList) {
        if !hand.has_other_than_pawns() {
            return;
        }
        let unprotected = self.around.without(self.danger);
        for kind in [Lance, Knight, Silver, Gold, Bishop, Rook] {
            if !hand.has(kind) {
                continue;
            }
            let squares = piece_attacks(self.us.opponent(), kind, self.king, occupied).without(occupied | unprotected);
            squares.for_each(|to| {
                if !self.is_blocked(kind, to) && self.takes_flights(kind, to, Bitboard::EMPTY) {
                    self.push(Move::drop(kind, to).expect("kinds dropped are hand kinds"), moves);
                }
            });
        }
    }

    fn board_moves(&self, occupied: Bitboard, moves: &mut MoveList) {
        let p = self.position;
        let own = p.pieces_of(self.us);
        let discoverers = p.discoverers(self.us);
        // A step that checks ends next to the king, on a square that the piece already attacks.
        let contact = (self.around & self.danger).without(own);
        let wide = contact | contact.east() | contact.west();
        let near = wide | wide.north() | wide.south();
        let steppers = p.group(Pawn) | p.group(Silver) | p.group(Gold) | p.group(Horse) | p.group(Dragon);
        let far = p.group(Knight) | p.group(Lance) | p.diagonal_sliders() | p.orthogonal_sliders();
        let movers = own & (steppers & near | far | discoverers);
        movers.for_each(|from| {
            let Some(piece) = p.piece_on(from) else { return };
            let kind = piece.kind();
            let open = if discoverers.contains(from) { !line(self.king, from) } else { Bitboard::EMPTY };
            let reached = piece_attacks(self.us, kind, from, occupied).without(own);
            if kind == King {
                return (reached & open).for_each(|to| self.push(Move::board(from, to, false), moves));
            }
            self.one_piece(from, kind, reached.without(dead_squares(self.us, kind)), open, false, moves);
            if kind.is_promotable() {
                let zone = Bitboard::zone(self.us);
                let reached = if zone.contains(from) { reached } else { reached & zone };
                self.one_piece(from, kind, reached, open, true, moves);
            }
        });
    }

    /// Checks by one piece that moves to `reached`; on the squares of `open` it discovers a check.
    fn one_piece(
        &self,
        from: Square,
        kind: PieceKind,
        reached: Bitboard,
        open: Bitboard,
        promote: bool,
        moves: &mut MoveList,
    ) {
        let p = self.position;
        let placed = if promote { kind.promote().unwrap_or(kind) } else { kind };
        let gone = Bitboard::single(from);
        let direct = piece_attacks(self.us.opponent(), placed, self.king, p.occupied());
        (reached & (direct | open)).for_each(|to| {
            let uncovers = open.contains(to);
            if !uncovers && self.is_blocked(placed, to) {
                return;
            }
            let falls = self.around.contains(to) && !self.is_protected(to, gone);
            let steps = !uncovers && !self.opens_lines(from) && !self.takes_flights(placed, to, gone);
            if !falls && !steps {
                self.push(Move::board(from, to, promote), moves);
            }
        });
    }

    /// Whether the attacker protects `to` after a piece has moved there from `gone`.
    fn is_protected(&self, to: Square, gone: Bitboard) -> bool {
        let p = self.position;
        p.attackers_of(to, self.us, self.lifted.without(gone)).without(gone).any()
            || p.king_square(self.us).is_some_and(|own| KING[own.index()].contains(to))
    }

    /// Whether the piece on `from` may block a slider of the attacker.
    fn opens_lines(&self, from: Square) -> bool {
        let p = self.position;
        let sliders = rook_attacks(from, self.lifted) & (p.orthogonal_sliders() | p.group(Lance))
            | bishop_attacks(from, self.lifted) & p.diagonal_sliders();
        (sliders & p.pieces_of(self.us)).any()
    }

    fn push(&self, mv: Move, moves: &mut MoveList) {
        if self.position.is_legal(mv) {
            moves.push(mv);
        }
    }
}
