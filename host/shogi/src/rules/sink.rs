//! Receivers of generated moves: a counter, lists, a list of checks, and a test for any move.

use super::attacks::*;
use super::bitboard::Bitboard;
use super::hand::Hand;
use super::moves::{Move, MoveList};
use super::piece::PieceKind;
use super::position::Position;
use super::square::{Square, SQUARES};
use PieceKind::*;

/// Receives sets of legal moves. Sets may be empty.
pub(super) trait Sink {
    /// Whether planes may mix pieces of several kinds.
    const MIXED: bool = true;
    /// Whether generation may stop early; see [`Sink::full`].
    const FULL: bool = false;

    /// Moves of the piece of `kind` (before the move) on `from`.
    fn board(&mut self, from: Square, kind: PieceKind, to: Bitboard, promote: bool);

    /// Moves to each of `to` from the square `delta` indices before it. If [`Sink::MIXED`], `kind` is unspecified.
    fn plane(&mut self, delta: i32, kind: PieceKind, to: Bitboard, promote: bool);

    /// Drops of `kind`.
    fn drop(&mut self, kind: PieceKind, to: Bitboard);

    /// Drops of each of silver, gold, bishop and rook that is in hand, on the same squares.
    #[inline(always)]
    fn drops(&mut self, hand: Hand, to: Bitboard) {
        for kind in [Silver, Gold, Bishop, Rook] {
            if hand.has(kind) {
                self.drop(kind, to);
            }
        }
    }

    /// Whether generation may stop.
    fn full(&self) -> bool {
        false
    }
}

/// Counts moves.
pub(super) struct CountSink(pub u32);

impl Sink for CountSink {
    #[inline(always)]
    fn board(&mut self, _: Square, _: PieceKind, to: Bitboard, _: bool) {
        self.0 += to.count();
    }

    #[inline(always)]
    fn plane(&mut self, _: i32, _: PieceKind, to: Bitboard, _: bool) {
        self.0 += to.count();
    }

    #[inline(always)]
    fn drop(&mut self, _: PieceKind, to: Bitboard) {
        self.0 += to.count();
    }

    #[inline(always)]
    fn drops(&mut self, hand: Hand, to: Bitboard) {
        let kinds: u32 = [Silver, Gold, Bishop, Rook].map(|kind| hand.has(kind) as u32).iter().sum();
        self.0 += kinds * to.count();
    }
}

/// Tests whether there is a move.
pub(super) struct ExistsSink(pub bool);

impl Sink for ExistsSink {
    const FULL: bool = true;

    #[inline(always)]
    fn board(&mut self, _: Square, _: PieceKind, to: Bitboard, _: bool) {
        self.0 |= to.any();
    }

    #[inline(always)]
    fn plane(&mut self, _: i32, _: PieceKind, to: Bitboard, _: bool) {
        self.0 |= to.any();
    }

    #[inline(always)]
    fn drop(&mut self, _: PieceKind, to: Bitboard) {
        self.0 |= to.any();
    }

    #[inline(always)]
    fn full(&self) -> bool {
        self.0
    }
}

/// Appends moves to a list.
pub(super) struct ListSink<'a>(pub &'a mut MoveList);

impl Sink for ListSink<'_> {
    #[inline(always)]
    fn board(&mut self, from: Square, _: PieceKind, to: Bitboard, promote: bool) {
        to.for_each(|to| self.0.push(Move::board(from, to, promote)));
    }

    #[inline(always)]
    fn plane(&mut self, delta: i32, _: PieceKind, to: Bitboard, promote: bool) {
        to.for_each(|to| {
            // SAFETY: a plane holds destinations of pieces that stand on the board `delta` before them.
            let from = unsafe { Square::new_unchecked((to.index() as i32 - delta) as u8) };
            self.0.push(Move::board(from, to, promote));
        });
    }

    #[inline(always)]
    fn drop(&mut self, kind: PieceKind, to: Bitboard) {
        to.for_each(|to| self.0.push(Move::drop(kind, to).expect("kinds dropped are hand kinds")));
    }

    /// Unpacks the set once for all kinds; the compiler vectorises the addition of the kind.
    #[inline(always)]
    fn drops(&mut self, hand: Hand, to: Bitboard) {
        let mut squares = [const { Square::FIRST }; SQUARES];
        let mut count = 0;
        to.for_each(|square| {
            squares[count] = square;
            count += 1;
        });
        for kind in [Silver, Gold, Bishop, Rook] {
            if hand.has(kind) {
                self.0.push_drops(kind.code(), &squares[..count]);
            }
        }
    }
}

/// Whether a promotion of this kind code gains much at once: pawn, bishop, rook.
#[inline(always)]
pub(super) const fn is_major_promotion(kind: u8) -> bool {
    matches!(kind & 15, 1 | 6 | 7)
}

/// Appends captures, and promotions of pawns, bishops and rooks.
pub(super) struct ForcingSink<'a> {
    moves: ListSink<'a>,
    captures: Bitboard,
}

impl<'a> ForcingSink<'a> {
    #[inline(always)]
    pub fn new(position: &Position, moves: &'a mut MoveList) -> ForcingSink<'a> {
        let captures = position.pieces_of(position.side_to_move().opponent());
        ForcingSink { moves: ListSink(moves), captures }
    }

    #[inline(always)]
    fn forcing(&self, kind: PieceKind, to: Bitboard, promote: bool) -> Bitboard {
        if promote && is_major_promotion(kind.code()) {
            to
        } else {
            to & self.captures
        }
    }
}

impl Sink for ForcingSink<'_> {
    #[inline(always)]
    fn board(&mut self, from: Square, kind: PieceKind, to: Bitboard, promote: bool) {
        let to = self.forcing(kind, to, promote);
        self.moves.board(from, kind, to, promote);
    }

    /// Planes of promotions do not mix kinds.
    #[inline(always)]
    fn plane(&mut self, delta: i32, kind: PieceKind, to: Bitboard, promote: bool) {
        let to = self.forcing(kind, to, promote);
        self.moves.plane(delta, kind, to, promote);
    }

    fn drop(&mut self, _: PieceKind, _: Bitboard) {}

    fn drops(&mut self, _: Hand, _: Bitboard) {}
}

/// Appends the moves that check the opponent.
pub(super) struct CheckSink<'a> {
    moves: ListSink<'a>,
    king: Square,
    /// Squares from which each kind would check, by kind code.
    from_squares: [Bitboard; 16],
    discoverers: Bitboard,
}

impl<'a> CheckSink<'a> {
    /// `None` if the opponent has no king.
    pub fn new(position: &Position, moves: &'a mut MoveList) -> Option<CheckSink<'a>> {
        let us = position.side_to_move();
        let king = position.king_square(us.opponent())?;
        let occupied = position.occupied();
        let mut from_squares = [Bitboard::EMPTY; 16];
        for kind in PieceKind::ALL {
            if kind != King {
                from_squares[kind as usize] = piece_attacks(us.opponent(), kind, king, occupied);
            }
        }
        Some(CheckSink { moves: ListSink(moves), king, from_squares, discoverers: position.discoverers(us) })
    }

    fn checking(&self, from: Square, kind: PieceKind, to: Bitboard, promote: bool) -> Bitboard {
        let placed = if promote { kind.promote().unwrap_or(kind) } else { kind };
        let mut checking = self.from_squares[placed as usize];
        // A slider that moves along its own line to the king attacks no more than before, but a piece that leaves the
        // king's line opens it.
        if self.discoverers.contains(from) {
            checking |= !line(self.king, from);
        }
        // The squares are found with the moving piece in place. It blocks squares only on its own line to the king, on
        // which no slider of that line can be.
        checking & to
    }
}

impl Sink for CheckSink<'_> {
    const MIXED: bool = false;

    fn board(&mut self, from: Square, kind: PieceKind, to: Bitboard, promote: bool) {
        let to = self.checking(from, kind, to, promote);
        self.moves.board(from, kind, to, promote);
    }

    fn plane(&mut self, delta: i32, kind: PieceKind, to: Bitboard, promote: bool) {
        to.for_each(|square| {
            // SAFETY: a plane holds destinations of pieces that stand on the board `delta` before them.
            let from = unsafe { Square::new_unchecked((square.index() as i32 - delta) as u8) };
            let to = self.checking(from, kind, Bitboard::single(square), promote);
            self.moves.board(from, kind, to, promote);
        });
    }

    fn drop(&mut self, kind: PieceKind, to: Bitboard) {
        self.moves.drop(kind, to & self.from_squares[kind as usize]);
    }
}
