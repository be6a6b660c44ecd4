//! Evaluation tables.
//!
//! # Score
//!
//! A *view* of a position for one side is the position as that side sees it (its own pieces play up the board), with
//! files exchanged when its king stands on files 6–9, so that the king is on files 1–5. The king's *row* is its
//! square index then, 0–44; a side without a king uses row 45 and never exchanges files. With `W` the weights, the
//! placement value of a view is
//!
//! ```text
//! placement(view) = Σ over squares s of W[s][row][code on s] + Σ over hand kinds k of W[81 + k][row][own count of k]
//! ```
//!
//! (`k` counts from 0 for the pawn; only the viewing side's own hand enters). Empty squares enter with code 0. The
//! score for the mover, in centipawns, is
//!
//! ```text
//! score = clamp(material(mover) - material(other) + placement(mover's view) - placement(other's view) + tempo)
//! ```
//!
//! where `material` of a side is the sum of `board_value[kind]` over its pieces on the board and of `hand_value[k]`
//! over those in its hand (an empty square and a king have none, whatever the header says), and `clamp` keeps the score
//! within ±[`SCORE_LIMIT`].
//!
//! # File
//!
//! A [`TableHeader`] of 64 bytes, then the weights as 16-bit signed little-endian numbers within ±255 (nine bits),
//! slot by slot, within a slot row by row, within a row code by code: [`TABLE_BYTES`] in all.
//!
//! # Loading
//!
//! The chip expects parts of any size, odd ones and empty ones too, in order. A part at offset 0 starts over: from
//! then on no table is loaded. Any other part whose offset is not the one expected is answered `TABLE_SEQUENCE` and
//! changes nothing. A wrong magic, format or version, or a weight beyond ±255, is answered `TABLE_CONTENT` at the part
//! that brings its last byte; a wrong checksum at the part that brings the last byte of the table; a part that goes on
//! beyond the table whatever its weights are. After `TABLE_CONTENT` no table is loaded and offset 0 is expected. With its last byte
//! the table is loaded; the next offset expected, and answered, is 0.

use crate::piece::{mirror, turn, CODES, HAND_KINDS, SQUARES};
use bytemuck::{Pod, Zeroable};

/// Slots: one for each square, then one for each hand kind.
pub const SLOTS: usize = SQUARES + HAND_KINDS;
/// Rows of a slot: 45 king squares, then one for a side without a king.
pub const ROWS: usize = 46;
/// Row of a side without a king.
pub const ROW_NO_KING: usize = 45;
/// Weights of a slot.
pub const SLOT_WEIGHTS: usize = ROWS * CODES;
/// Weights of a table.
pub const WEIGHTS: usize = SLOTS * SLOT_WEIGHTS;
/// Weights lie within ± this.
pub const WEIGHT_LIMIT: i16 = 255;
/// Scores lie within ± this.
pub const SCORE_LIMIT: i32 = 30_000;
/// Bytes of a table file.
pub const TABLE_BYTES: usize = core::mem::size_of::<TableHeader>() + 2 * WEIGHTS;
/// Bytes of the offset in front of each part of a table in `LOAD_TABLE`.
pub const OFFSET_BYTES: usize = 4;
/// First word of a table file: the bytes `HYET`.
pub const TABLE_MAGIC: u32 = u32::from_le_bytes(*b"HYET");
/// Version of the format described here; also says how many slots, rows and codes there are.
pub const TABLE_FORMAT: u32 = 1;
/// First byte that the checksum covers.
pub const CHECKSUM_FROM: usize = 12;

/// The first 64 bytes of a table file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct TableHeader {
    /// [`TABLE_MAGIC`].
    pub magic: u32,
    /// [`TABLE_FORMAT`].
    pub format: u32,
    /// CRC-32 (as in frames) of all bytes from [`CHECKSUM_FROM`] on.
    pub checksum: u32,
    /// Version given by whoever made the table; not 0.
    pub version: u32,
    /// Centipawns of a piece on the board by kind; 0 for kinds 0, 8 and 13.
    pub board_value: [i16; 16],
    /// Centipawns of a piece in hand, pawn first.
    pub hand_value: [i16; HAND_KINDS],
    /// Centipawns for having the move.
    pub tempo: i16,
}

const _: () = assert!(core::mem::size_of::<TableHeader>() == 64);

/// The square of a view in which a square of the board lies: by whether the view turns the board by 180° and whether it
/// exchanges the files.
pub static VIEW_SQUARES: [[[u8; SQUARES]; 2]; 2] = {
    let mut views = [[[0; SQUARES]; 2]; 2];
    let mut square = 0;
    while square < SQUARES {
        views[0][0][square] = square as u8;
        views[0][1][square] = mirror(square) as u8;
        views[1][0][square] = turn(square) as u8;
        views[1][1][square] = mirror(turn(square)) as u8;
        square += 1;
    }
    views
};

/// The row of a king on this square, as its own side sees it, and whether its view exchanges the files. `None` is a side
/// without a king.
#[inline(always)]
pub const fn king_row(king: Option<usize>) -> (usize, bool) {
    match king {
        None => (ROW_NO_KING, false),
        Some(square) if square < ROW_NO_KING => (square, false),
        Some(square) => (mirror(square), true),
    }
}

/// The slot of the pieces of a kind in hand; kinds count from 1, the pawn.
#[inline(always)]
pub const fn hand_slot(kind: u8) -> usize {
    SQUARES + kind as usize - 1
}

/// Index of a weight within the table.
pub const fn weight_index(slot: usize, row: usize, code: usize) -> usize {
    slot * SLOT_WEIGHTS + row * CODES + code
}
