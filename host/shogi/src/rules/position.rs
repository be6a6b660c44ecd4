//! The position: board, hands and side to move; making and undoing moves.

use super::bitboard::Bitboard;
use super::hand::Hand;
use super::moves::Move;
use super::piece::{Color, Piece, PieceKind};
use super::square::{Square, SQUARES};
use super::zobrist;
use std::fmt;

/// SFEN of the initial position.
pub const STARTPOS_SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Slot of a kind code in [`Position::groups`]: promoted pawns, lances, knights and silvers move as golds.
pub(super) const GROUP: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 5, 5, 5, 5, 0, 14, 15];

/// King square of a side without a king.
const NO_KING: u8 = SQUARES as u8;

/// A shogi position. A plain value: it owns no heap memory, and copying it is cheap.
///
/// Either king may be missing (tsume). The side not to move is never in check, and the board holds no nifu and no
/// dead piece; [`Position::from_sfen`] and legal moves keep it so.
#[derive(Clone, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Position {
    /// Squares of both colours by kind of movement; [`GROUP`] has the slots.
    pub(super) groups: [Bitboard; 16],
    pub(super) colors: [Bitboard; 2],
    /// Piece codes by square, 0 for an empty one.
    pub(super) board: [u8; SQUARES],
    kings: [u8; 2],
    pub(super) side: Color,
    pub(super) hands: [Hand; 2],
    ply: u16,
    board_key: u64,
    hand_key: u64,
}

/// State that [`Position::undo_move`] restores; returned by [`Position::do_move`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undo {
    board_key: u64,
    hand_key: u64,
    hand: Hand,
    captured: u8,
}

impl Undo {
    /// The piece that the move captured.
    #[inline]
    pub fn captured(&self) -> Option<Piece> {
        Piece::from_board_code(self.captured)
    }
}

impl Position {
    /// The initial position.
    pub fn startpos() -> Position {
        Position::from_sfen(STARTPOS_SFEN).expect("the initial position is valid")
    }

    /// A position of pieces that were checked.
    pub(super) fn from_parts(board: &[Option<Piece>; SQUARES], hands: [Hand; 2], side: Color, ply: u16) -> Position {
        let mut position = Position {
            groups: [Bitboard::EMPTY; 16],
            colors: [Bitboard::EMPTY; 2],
            board: [0; SQUARES],
            kings: [NO_KING; 2],
            side,
            hands,
            ply,
            board_key: 0,
            hand_key: 0,
        };
        for square in Square::all() {
            if let Some(piece) = board[square.index()] {
                position.board[square.index()] = piece.code();
                position.groups[GROUP[piece.kind() as usize] as usize] |= Bitboard::single(square);
                position.colors[piece.color().index()] |= Bitboard::single(square);
                if piece.kind() == PieceKind::King {
                    position.kings[piece.color().index()] = square.index() as u8;
                }
            }
        }
        (position.board_key, position.hand_key) = position.recompute_keys();
        position
    }

    /// Board key and hand key computed from scratch; always equal to [`Position::board_key`] and
    /// [`Position::hand_key`], which are updated incrementally.
    pub fn recompute_keys(&self) -> (u64, u64) {
        let mut board_key = if self.side == Color::White { zobrist::WHITE_TO_MOVE } else { 0 };
        for square in self.occupied() {
            board_key ^= zobrist::on_board(self.board[square.index()], square);
        }
        let mut hand_key = 0u64;
        for color in Color::ALL {
            for (kind, count) in self.hand(color).iter() {
                hand_key = hand_key.wrapping_add(zobrist::in_hand(color, kind.code()).wrapping_mul(count as u64));
            }
        }
        (board_key, hand_key)
    }

    /// The side to move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// Number of the next move, 1 at the start of a game (the SFEN move counter).
    #[inline]
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        Piece::from_board_code(self.board[square.index()])
    }

    /// The pieces a side holds.
    #[inline(always)]
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color.index()]
    }

    /// The square of a side's king, if it has one.
    #[inline(always)]
    pub fn king_square(&self, color: Color) -> Option<Square> {
        Square::new(self.kings[color.index()])
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Squares of one side's pieces.
    #[inline(always)]
    pub fn pieces_of(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// Squares of all pieces that move as golds: golds and promoted pawns, lances, knights and silvers.
    #[inline(always)]
    pub fn golds(&self) -> Bitboard {
        self.groups[PieceKind::Gold as usize]
    }

    /// Squares of one side's pieces of a kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        use PieceKind::*;
        let group = self.groups[GROUP[kind as usize] as usize] & self.colors[color.index()];
        match kind {
            Gold | ProPawn | ProLance | ProKnight | ProSilver => {
                let mut squares = Bitboard::EMPTY;
                group.for_each(|square| {
                    if self.board[square.index()] & 15 == kind as u8 {
                        squares |= Bitboard::single(square);
                    }
                });
                squares
            }
            _ => group,
        }
    }

    /// Zobrist key of board, hands and side to move.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.board_key ^ self.hand_key
    }

    /// Zobrist key of the board and the side to move, without the hands.
    #[inline(always)]
    pub fn board_key(&self) -> u64 {
        self.board_key
    }

    /// Zobrist key of both hands; 0 if they are empty.
    #[inline(always)]
    pub fn hand_key(&self) -> u64 {
        self.hand_key
    }

    /// The key after a move, without making it: for prefetching a transposition table entry.
    pub fn key_after(&self, mv: Move) -> u64 {
        let (us, to) = (self.side, mv.to());
        let (mut board_key, mut hand_key) = (self.board_key ^ zobrist::WHITE_TO_MOVE, self.hand_key);
        match mv.from() {
            None => {
                let code = mv.drop_code();
                board_key ^= zobrist::on_board(code | (us as u8) << 4, to);
                hand_key = hand_key.wrapping_sub(zobrist::in_hand(us, code));
            }
            Some(from) => {
                let code = self.board[from.index()];
                board_key ^=
                    zobrist::on_board(code, from) ^ zobrist::on_board(code | (mv.is_promotion() as u8) << 3, to);
                let captured = self.board[to.index()];
                if captured != 0 {
                    board_key ^= zobrist::on_board(captured, to);
                    hand_key = hand_key.wrapping_add(zobrist::in_hand(us, captured));
                }
            }
        }
        board_key ^ hand_key
    }

    #[inline(always)]
    fn group_mut(&mut self, code: u8) -> &mut Bitboard {
        &mut self.groups[(GROUP[(code & 15) as usize] & 15) as usize]
    }

    /// Makes a legal move. Moves are undone in reverse order, each with its own [`Undo`].
    ///
    /// An illegal move leaves an unspecified position (memory stays safe). Test moves of unknown origin with
    /// [`Position::is_legal`].
    #[inline]
    pub fn do_move(&mut self, mv: Move) -> Undo {
        let us = self.side;
        let (own, them) = (us.index(), us.opponent());
        let to = mv.to();
        let to_bit = Bitboard::single(to);
        let mut undo = Undo { board_key: self.board_key, hand_key: self.hand_key, hand: self.hands[own], captured: 0 };
        let mut board_key = self.board_key ^ zobrist::WHITE_TO_MOVE;
        match mv.from() {
            None => {
                let kind = mv.drop_code();
                let code = kind | (us as u8) << 4;
                self.board[to.index()] = code;
                *self.group_mut(kind) ^= to_bit;
                self.colors[own] ^= to_bit;
                self.hands[own].remove(kind);
                self.hand_key = self.hand_key.wrapping_sub(zobrist::in_hand(us, kind));
                board_key ^= zobrist::on_board(code, to);
            }
            Some(from) => {
                let code = self.board[from.index()];
                debug_assert!(code != 0 && code >> 4 == us as u8, "{mv} moves no piece of the side to move");
                let placed = code | (mv.is_promotion() as u8) << 3;
                let captured = self.board[to.index()];
                let from_bit = Bitboard::single(from);
                self.board[from.index()] = 0;
                self.board[to.index()] = placed;
                if mv.is_promotion() {
                    *self.group_mut(code) ^= from_bit;
                    *self.group_mut(placed) ^= to_bit;
                } else {
                    *self.group_mut(code) ^= from_bit | to_bit;
                }
                self.colors[own] ^= from_bit | to_bit;
                board_key ^= zobrist::on_board(code, from) ^ zobrist::on_board(placed, to);
                if captured != 0 {
                    *self.group_mut(captured) ^= to_bit;
                    self.colors[them.index()] ^= to_bit;
                    self.hands[own].add(captured);
                    self.hand_key = self.hand_key.wrapping_add(zobrist::in_hand(us, captured));
                    board_key ^= zobrist::on_board(captured, to);
                    undo.captured = captured;
                }
                if code & 15 == PieceKind::King as u8 {
                    self.kings[own] = to.index() as u8;
                }
            }
        }
        self.board_key = board_key;
        self.side = them;
        self.ply = self.ply.wrapping_add(1);
        undo
    }

    /// Undoes `mv`, the last move made, with the value that [`Position::do_move`] returned.
    #[inline]
    pub fn undo_move(&mut self, mv: Move, undo: Undo) {
        let us = self.side.opponent();
        let own = us.index();
        let to = mv.to();
        let to_bit = Bitboard::single(to);
        match mv.from() {
            None => {
                self.board[to.index()] = 0;
                *self.group_mut(mv.drop_code()) ^= to_bit;
                self.colors[own] ^= to_bit;
            }
            Some(from) => {
                let from_bit = Bitboard::single(from);
                let placed = self.board[to.index()];
                let code = placed & !((mv.is_promotion() as u8) << 3);
                self.board[from.index()] = code;
                self.board[to.index()] = undo.captured;
                if mv.is_promotion() {
                    *self.group_mut(placed) ^= to_bit;
                    *self.group_mut(code) ^= from_bit;
                } else {
                    *self.group_mut(code) ^= from_bit | to_bit;
                }
                self.colors[own] ^= from_bit | to_bit;
                if undo.captured != 0 {
                    *self.group_mut(undo.captured) ^= to_bit;
                    self.colors[self.side.index()] ^= to_bit;
                }
                if code & 15 == PieceKind::King as u8 {
                    self.kings[own] = from.index() as u8;
                }
            }
        }
        self.hands[own] = undo.hand;
        self.board_key = undo.board_key;
        self.hand_key = undo.hand_key;
        self.side = us;
        self.ply = self.ply.wrapping_sub(1);
    }

    /// Passes the turn, for null-move pruning. Only when the side to move is not in check.
    pub fn do_null_move(&mut self) -> Undo {
        let undo = Undo {
            board_key: self.board_key,
            hand_key: self.hand_key,
            hand: self.hands[self.side.index()],
            captured: 0,
        };
        self.board_key ^= zobrist::WHITE_TO_MOVE;
        self.side = self.side.opponent();
        self.ply = self.ply.wrapping_add(1);
        undo
    }

    /// Undoes [`Position::do_null_move`].
    pub fn undo_null_move(&mut self, undo: Undo) {
        self.board_key = undo.board_key;
        self.side = self.side.opponent();
        self.ply = self.ply.wrapping_sub(1);
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::startpos()
    }
}

impl fmt::Display for Position {
    /// The SFEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_sfen())
    }
}

impl fmt::Debug for Position {
    /// The SFEN, between quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_sfen())
    }
}
