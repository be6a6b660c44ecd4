//! Generation of legal moves.
//!
//! Legality is settled before moves are made up: one scan finds checkers and pinned pieces
//! ([`super::legality::CheckInfo`]), which turn into masks of allowed destinations, and the king's moves are masked
//! by the squares the opponent attacks. Nothing generated is ever taken back.
//!
//! What is generated goes into a [`Sink`] as *sets*: the destinations of one piece, of one kind of drop, or of all
//! pieces that travel in one direction (a *plane*). A counter never sees single moves, and a list unpacks each set in
//! one go.

use super::attacks::*;
use super::bitboard::Bitboard;
use super::legality::{dead_squares, CheckInfo};
use super::moves::{Move, MoveList};
use super::piece::{Color, PieceKind};
use super::position::Position;
use super::sink::{is_major_promotion, CheckSink, CountSink, ExistsSink, ForcingSink, ListSink, Sink};
use super::square::Square;
use PieceKind::*;

/// Which legal moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// All of them.
    All,
    /// Moves that capture.
    Captures,
    /// Moves that do not capture: drops and quiet board moves, promotions included.
    Quiets,
    /// Moves that capture, and promotions of pawns, bishops and rooks: those that change the balance at once.
    Forcing,
}

impl Position {
    /// Appends all legal moves: with every non-promotion, without pawn-drop mates.
    ///
    /// ```
    /// use hayasashi_shogi::rules::{MoveList, Position};
    /// let mut moves = MoveList::new();
    /// Position::startpos().legal_moves(&mut moves);
    /// assert_eq!(moves.len(), 30);
    /// ```
    #[inline]
    pub fn legal_moves(&self, moves: &mut MoveList) {
        self.stage_moves(Stage::All, moves);
    }

    /// Appends the legal moves of a stage. [`Stage::Captures`] and [`Stage::Quiets`] together are all legal moves.
    #[inline]
    pub fn stage_moves(&self, stage: Stage, moves: &mut MoveList) {
        match stage {
            Stage::Forcing => self.generate(Stage::Forcing, &mut ForcingSink::new(self, moves)),
            stage => self.generate(stage, &mut ListSink(moves)),
        }
    }

    /// Whether a legal move is one of [`Stage::Forcing`].
    #[inline]
    pub fn is_forcing(&self, mv: Move) -> bool {
        self.board[mv.to().index()] != 0 || mv.is_promotion() && is_major_promotion(self.moved_kind(mv))
    }

    /// Appends the legal moves that capture.
    pub fn captures(&self, moves: &mut MoveList) {
        self.stage_moves(Stage::Captures, moves);
    }

    /// Appends the legal moves that do not capture, drops included.
    pub fn quiets(&self, moves: &mut MoveList) {
        self.stage_moves(Stage::Quiets, moves);
    }

    /// Appends the legal answers to a check, and nothing if the side to move is not in check.
    pub fn evasions(&self, moves: &mut MoveList) {
        if self.in_check() {
            self.stage_moves(Stage::All, moves);
        }
    }

    /// Appends the legal moves that give check, without looking at those that do not.
    pub fn checks(&self, moves: &mut MoveList) {
        if let Some(mut sink) = CheckSink::new(self, moves) {
            self.generate(Stage::All, &mut sink);
        }
    }

    /// Number of legal moves, without making up a single one.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let mut sink = CountSink(0);
        self.generate(Stage::All, &mut sink);
        sink.0 as usize
    }

    /// Whether the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        let mut sink = ExistsSink(false);
        self.generate(Stage::All, &mut sink);
        sink.0
    }

    #[inline(always)]
    pub(super) fn generate<S: Sink>(&self, stage: Stage, sink: &mut S) {
        match self.side {
            Color::Black => Generator::<false, S> { position: self, sink }.run(stage),
            Color::White => Generator::<true, S> { position: self, sink }.run(stage),
        }
    }
}

struct Generator<'a, const WHITE: bool, S> {
    position: &'a Position,
    sink: &'a mut S,
}

impl<const WHITE: bool, S: Sink> Generator<'_, WHITE, S> {
    const US: Color = if WHITE { Color::White } else { Color::Black };
    const THEM: Color = Self::US.opponent();
    /// Change of square index of one step forward.
    const FORWARD: i32 = if WHITE { 1 } else { -1 };
    const ZONE: Bitboard = Bitboard::zone(Self::US);

    #[inline(always)]
    fn run(&mut self, stage: Stage) {
        let p = self.position;
        let own = p.colors[Self::US.index()];
        let occupied = p.occupied();
        let mut targets = match stage {
            Stage::All | Stage::Forcing => !(own | p.group(King)),
            Stage::Captures => p.colors[Self::THEM.index()].without(p.group(King)),
            Stage::Quiets => !occupied,
        };
        let drops = !matches!(stage, Stage::Captures | Stage::Forcing);
        let mut empty = if drops { !occupied } else { Bitboard::EMPTY };
        let mut info = CheckInfo::NONE;
        if let Some(king) = p.king_square(Self::US) {
            info = p.check_info(Self::US, king);
            let steps = KING[king.index()] & targets;
            if steps.any() {
                let safe = steps.without(p.king_danger(Self::US, king, occupied));
                self.sink.board(king, King, safe, false);
            }
            if let Some(checker) = info.checkers.first() {
                if info.checkers.more_than_one() {
                    return;
                }
                let line = between(king, checker);
                targets &= line | info.checkers;
                empty &= line;
            }
            // A pinned piece keeps to its line; in check it cannot help, for the line holds no checker.
            if info.pinned.any() && info.checkers.is_empty() {
                info.pinned.for_each(|from| self.any_piece(from, occupied, targets & line(king, from)));
            }
        }
        if S::FULL && self.sink.full() {
            return;
        }
        self.pieces(own.without(info.pinned), occupied, targets);
        if empty.any() {
            self.drops(empty);
        }
    }

    /// Moves of one piece of any kind but a king.
    fn any_piece(&mut self, from: Square, occupied: Bitboard, targets: Bitboard) {
        let kind = PieceKind::of_piece_code(self.position.board[from.index()]);
        let to = piece_attacks(Self::US, kind, from, occupied) & targets;
        self.sink.board(from, kind, to.without(dead_squares(Self::US, kind)), false);
        if kind.is_promotable() {
            self.promotions(from, kind, to);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, from: Square, kind: PieceKind, to: Bitboard) {
        let to = if Self::ZONE.contains(from) { to } else { to & Self::ZONE };
        self.sink.board(from, kind, to, true);
    }

    /// Moves of the pieces `own`, none of them pinned; kings are skipped.
    #[inline(always)]
    fn pieces(&mut self, own: Bitboard, occupied: Bitboard, targets: Bitboard) {
        let p = self.position;
        let f = Self::FORWARD;
        let forward = |set: Bitboard| set.forward(Self::US);
        let backward = |set: Bitboard| set.forward(Self::THEM);
        let east = |set: Bitboard| set.east();
        let west = |set: Bitboard| set.west();

        let pawns = forward(p.group(Pawn) & own) & targets;
        self.sink.plane(f, Pawn, pawns & Self::ZONE, true);
        self.sink.plane(f, Pawn, pawns.without(dead_squares(Self::US, Pawn)), false);

        let knights = forward(forward(p.group(Knight) & own));
        for (to, delta) in [(east(knights) & targets, 2 * f - 9), (west(knights) & targets, 2 * f + 9)] {
            self.sink.plane(delta, Knight, to & Self::ZONE, true);
            self.sink.plane(delta, Knight, to.without(dead_squares(Self::US, Knight)), false);
        }

        let silvers = p.group(Silver) & own;
        if S::MIXED {
            let golds = p.group(Gold) & own;
            let (horses, dragons) = (p.group(Horse) & own, p.group(Dragon) & own);
            let orthogonal = golds | horses;
            let ahead = forward(silvers | golds | dragons);
            let behind = backward(silvers | dragons);
            self.sink.plane(f, Gold, forward(silvers | orthogonal) & targets, false);
            self.sink.plane(f - 9, Gold, east(ahead) & targets, false);
            self.sink.plane(f + 9, Gold, west(ahead) & targets, false);
            self.sink.plane(-9, Gold, east(orthogonal) & targets, false);
            self.sink.plane(9, Gold, west(orthogonal) & targets, false);
            self.sink.plane(-f, Gold, backward(orthogonal) & targets, false);
            self.sink.plane(-f - 9, Gold, east(behind) & targets, false);
            self.sink.plane(-f + 9, Gold, west(behind) & targets, false);
        } else {
            silvers.for_each(|from| {
                self.sink.board(from, Silver, SILVER[Self::US.index()][from.index()] & targets, false)
            });
            (p.group(Gold) & own).for_each(|from| {
                let kind = PieceKind::of_piece_code(p.board[from.index()]);
                self.sink.board(from, kind, GOLD[Self::US.index()][from.index()] & targets, false);
            });
            (p.group(Horse) & own)
                .for_each(|from| self.sink.board(from, Horse, ORTHOGONAL_STEPS[from.index()] & targets, false));
            (p.group(Dragon) & own)
                .for_each(|from| self.sink.board(from, Dragon, DIAGONAL_STEPS[from.index()] & targets, false));
        }
        (silvers & Bitboard::far_ranks(Self::US, 4)).for_each(|from| {
            self.promotions(from, Silver, SILVER[Self::US.index()][from.index()] & targets);
        });

        (p.group(Lance) & own).for_each(|from| {
            let to = lance_attacks(Self::US, from, occupied) & targets;
            self.sink.board(from, Lance, to & Self::ZONE, true);
            self.sink.board(from, Lance, to.without(dead_squares(Self::US, Lance)), false);
        });
        (p.diagonal_sliders() & own).for_each(|from| {
            let to = bishop_attacks(from, occupied) & targets;
            let kind = PieceKind::of_piece_code(p.board[from.index()]);
            self.sink.board(from, kind, to, false);
            if kind == Bishop {
                self.promotions(from, Bishop, to);
            }
        });
        (p.orthogonal_sliders() & own).for_each(|from| {
            let to = rook_attacks(from, occupied) & targets;
            let kind = PieceKind::of_piece_code(p.board[from.index()]);
            self.sink.board(from, kind, to, false);
            if kind == Rook {
                self.promotions(from, Rook, to);
            }
        });
    }

    /// Drops on the squares `empty`.
    #[inline(always)]
    fn drops(&mut self, empty: Bitboard) {
        let p = self.position;
        let hand = p.hand(Self::US);
        if hand.is_empty() {
            return;
        }
        if hand.has(Pawn) {
            let pawns = p.group(Pawn) & p.colors[Self::US.index()];
            let mut to = (empty & pawns.open_files()).without(dead_squares(Self::US, Pawn));
            if let Some(king) = p.king_square(Self::THEM) {
                let checking = PAWN[Self::THEM.index()][king.index()] & to;
                if let Some(square) = checking.first() {
                    if p.pawn_drop_mates(square, king) {
                        to ^= checking;
                    }
                }
            }
            self.sink.drop(Pawn, to);
        }
        if hand.has_other_than_pawns() {
            if hand.has(Lance) {
                self.sink.drop(Lance, empty.without(dead_squares(Self::US, Lance)));
            }
            if hand.has(Knight) {
                self.sink.drop(Knight, empty.without(dead_squares(Self::US, Knight)));
            }
            self.sink.drops(hand, empty);
        }
    }
}
