//! Networks that correct the score of an evaluation table in searches.
//!
//! ```text
//!   mover's view  --first--> units, clipped to 0..127, squared --.
//!   other's view  --first--> units, clipped to 0..127, squared ---+--last--> correction, in centipawns for the mover
//!                                                      constant --'
//! ```
//!
//! # Correction
//!
//! Views are those of [`crate::table`]. A feature is a slot and a code: a piece on a square of the view, or the number of pieces of
//! a kind in the side's own hand. Empty squares and empty hands have none. Both views share the weights of the first layer. With `a`
//! the sums of a view's units,
//!
//! ```text
//! a[u]       = bias[u] + Σ over the features f of the view of first[f][u]
//! c[u]       = clamp(a[u], 0, 127)²
//! correction = (Σ c_mover[u] · last[0][u] + Σ c_other[u] · last[1][u] + constant · 2^14 + 2^13) >> 14
//! score      = clamp(table's score + correction, ±SCORE_LIMIT)
//! ```
//!
//! A chip with `CAP_NETWORK` takes this score as the static evaluation of `SEARCH` if a network is loaded. `EVALUATE` and `EXPAND`
//! answer the table's score.
//!
//! # File
//!
//! The first [`TABLE_BYTES`] are a table's file with [`NETWORK_FORMAT`] in its header, and the version of the network there. Then
//! follow, as little-endian numbers:
//!
//! | bits of each | numbers | |
//! |---|---|---|
//! | 32 | 1 | units; [`CHIP_UNITS`] for a chip |
//! | 32 | 1 | the version of the table; not 0 |
//! | 16 | units | biases, within ±[`BIAS_LIMIT`] |
//! | 16 | 2 × units | weights of the last layer, the mover's view first, within ±[`LAST_LIMIT`] |
//! | 16 | 1 | the constant, within ±[`CONSTANT_LIMIT`] |
//! | 8 | [`FEATURES`] × units | weights of the first layer, feature by feature, within ±[`FIRST_LIMIT`] |
//!
//! The checksum in the header covers all of it. `LOAD_TABLE` loads the file as it loads a table's; a number out of range is answered
//! `TABLE_CONTENT` at the part that brings its last byte.

use crate::{
    piece::CODES,
    table::{SLOTS, TABLE_BYTES},
};

/// The format in the header of a network's file.
pub const NETWORK_FORMAT: u32 = 2;
/// Features of a view: slot times [`CODES`] plus code.
pub const FEATURES: usize = SLOTS * CODES;
/// The most units. Then no sum of products exceeds 32 bits.
pub const MOST_UNITS: usize = 64;
/// The units of the networks that a chip takes. A host fills up smaller ones by units without weights.
pub const CHIP_UNITS: usize = MOST_UNITS;
/// Weights of the first layer lie within ± this.
pub const FIRST_LIMIT: i16 = 127;
/// A unit's sum at which it saturates.
pub const FULL: i16 = 127;
/// Weights of the last layer lie within ± this.
pub const LAST_LIMIT: i16 = 1000;
/// Biases lie within ± this. Then no sum exceeds 15 bits.
pub const BIAS_LIMIT: i16 = 8000;
/// The constant lies within ± this, in centipawns.
pub const CONSTANT_LIMIT: i16 = 2000;
/// The products are shifted right by this.
pub const SHIFT: u32 = 14;

/// Bytes from the end of the table to the biases.
pub const SIZES_BYTES: usize = 8;
/// Bytes of the sizes, and of the numbers of 16 bits, of a network with so many units.
pub const fn head_bytes(units: usize) -> usize {
    SIZES_BYTES + 2 * (3 * units + 1)
}
/// Bytes of the file of a network with so many units.
pub const fn network_bytes(units: usize) -> usize {
    TABLE_BYTES + head_bytes(units) + FEATURES * units
}

/// The most features of a view: 38 pieces on squares or as many kinds of them in hand, and both kings.
const MOST_FEATURES: i32 = 40;
const _: () = assert!(BIAS_LIMIT as i32 + MOST_FEATURES * (FIRST_LIMIT as i32) < 1 << 14);
const _: () = {
    let products = 2 * MOST_UNITS as i64 * (FULL as i64 * FULL as i64) * LAST_LIMIT as i64;
    assert!(products + ((CONSTANT_LIMIT as i64 + 1) << SHIFT) <= i32::MAX as i64);
};
