//! The rules of shogi on bitboards.
//!
//! [`Position`] is a plain value with incremental Zobrist keys. Generation ([`Position::legal_moves`] and its stages)
//! is fully legal: nifu, dead pieces and pawn-drop mate (uchifuzume) are excluded; every non-promotion is included.
//! Repetition depends on earlier positions, which a [`History`] keeps.
//!
//! ```
//! use hayasashi_shogi::rules::{Move, MoveList, Position};
//! let mut position = Position::startpos();
//! let mv = Move::from_usi("7g7f").unwrap();
//! assert!(position.is_legal(mv));
//! let undo = position.do_move(mv);
//! let mut moves = MoveList::new();
//! position.legal_moves(&mut moves);
//! assert_eq!(moves.len(), 30);
//! position.undo_move(mv, undo);
//! assert_eq!(position, Position::startpos());
//! ```

pub mod attacks;
pub mod bitboard;
mod command;
mod declaration;
mod exchange;
mod hand;
mod legality;
mod mating;
mod movegen;
mod moves;
mod packed;
mod perft;
mod piece;
mod position;
mod repetition;
mod sfen;
mod sink;
mod sliders;
mod square;
pub mod zobrist;

pub use bitboard::Bitboard;
pub use command::{PositionCommand, PositionError};
pub use declaration::{Declaration, DeclarationRule};
pub use exchange::{CheckSquares, ExchangeValues};
pub use hand::Hand;
pub use movegen::Stage;
pub use moves::{Move, MoveList, MAX_MOVES};
pub use packed::PackedPosition;
pub use perft::Leaves;
pub use piece::{Color, Piece, PieceKind, FULL_SET};
pub use position::{Position, Undo, STARTPOS_SFEN};
pub use repetition::{History, Repetition};
pub use sfen::SfenError;
pub use square::{Square, SQUARES};
