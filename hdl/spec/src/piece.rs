//! Squares, piece kinds and piece codes.
//!
//! ```text
//!   file  9  8  7  6  5  4  3  2  1
//!        72 63 54 45 36 27 18  9  0   a    <- their camp (promotion zone: ranks a, b, c)
//!        73 64 55 46 37 28 19 10  1   b
//!         :                       :   :
//!        80 71 62 53 44 35 26 17  8   i    <- the mover's camp
//! ```

/// Squares of the board. A square's index is `9 * file + rank`, file 1 = 0, rank a = 0.
pub const SQUARES: usize = 81;
/// Files and ranks of the board.
pub const SIDE: usize = 9;
/// Ranks of the promotion zone: a, b and c.
pub const ZONE_RANKS: usize = 3;

/// No piece.
pub const EMPTY: u8 = 0;
/// Pawn.
pub const PAWN: u8 = 1;
/// Lance.
pub const LANCE: u8 = 2;
/// Knight.
pub const KNIGHT: u8 = 3;
/// Silver general.
pub const SILVER: u8 = 4;
/// Gold general.
pub const GOLD: u8 = 5;
/// Bishop.
pub const BISHOP: u8 = 6;
/// Rook.
pub const ROOK: u8 = 7;
/// King.
pub const KING: u8 = 8;
/// Promoted pawn.
pub const PRO_PAWN: u8 = 9;
/// Promoted lance.
pub const PRO_LANCE: u8 = 10;
/// Promoted knight.
pub const PRO_KNIGHT: u8 = 11;
/// Promoted silver.
pub const PRO_SILVER: u8 = 12;
/// Kind 13 would be a promoted gold: it does not exist and is rejected.
pub const NO_KIND: u8 = 13;
/// Promoted bishop.
pub const HORSE: u8 = 14;
/// Promoted rook.
pub const DRAGON: u8 = 15;

/// Added to a kind by promotion (`kind | PROMOTED`); removed when a piece is captured (`kind & !PROMOTED`).
pub const PROMOTED: u8 = 8;
/// Bit of a piece code that says the piece is not the mover's.
pub const THEIRS: u8 = 16;

/// Bits of a piece code: four of kind, one of owner. Code 16 (an empty square that is theirs) is invalid.
pub const CODE_BITS: usize = 5;
/// Number of piece codes, valid or not.
pub const CODES: usize = 1 << CODE_BITS;

/// Kinds that can be held in hand, [`PAWN`]`..=`[`ROOK`].
pub const HAND_KINDS: usize = 7;
/// Pieces of each hand kind in a full set, [`PAWN`] first; the most that board and hands may hold together.
pub const FULL_SET: [u8; HAND_KINDS] = [18, 4, 4, 4, 4, 2, 2];

/// The square index of a file (0 = file 1) and a rank (0 = rank a).
pub const fn square(file: usize, rank: usize) -> usize {
    SIDE * file + rank
}

/// The same square seen from the other side of the board (a turn by 180°).
pub const fn turn(square: usize) -> usize {
    SQUARES - 1 - square
}

/// The same square with files 1–9 exchanged for 9–1.
pub const fn mirror(square: usize) -> usize {
    SIDE * (SIDE - 1 - square / SIDE) + square % SIDE
}

/// Whether pieces of this kind may promote: pawn, lance, knight, silver, bishop, rook.
pub const fn promotable(kind: u8) -> bool {
    matches!(kind, PAWN | LANCE | KNIGHT | SILVER | BISHOP | ROOK)
}

/// Ranks at the far end where a piece of this kind could never move again: 1 for pawn and lance, 2 for knight.
pub const fn dead_ranks(kind: u8) -> usize {
    match kind {
        PAWN | LANCE => 1,
        KNIGHT => 2,
        _ => 0,
    }
}
