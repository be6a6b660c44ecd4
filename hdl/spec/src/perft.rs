//! The request `PERFT`: leaves of the tree of legal moves.
//!
//! | bytes of the request | contents |
//! |---|---|
//! | 0 | plies, 1 to [`MAX_DEPTH`] |
//! | 1 | clocks between two answers `PROGRESS`: 2 to the power of this, [`MIN_INTERVAL`] to [`MAX_INTERVAL`]; 0 for none |
//! | 2–3 | zero |
//! | 4–67 | the position |
//!
//! | bytes of an answer `OK`, `PROGRESS` or `CANCELLED` | contents |
//! |---|---|
//! | 0–7 | leaves, so far |
//! | 8–15 | expansions: positions one ply above the leaves, whose legal moves were counted; so far |
//! | 16–23 | clocks of the chip since the position was found possible; so far. 0 from a chip without a clock |
//!
//! All numbers are little-endian. Leaves and expansions of an `OK` answer are the same from every chip; those of a
//! `PROGRESS` or `CANCELLED` answer depend on the time. A walk of one ply expands one position.
//!
//! A unit counts at most 593 leaves per clock, so 64 bits do not overflow within years.

use bytemuck::{Pod, Zeroable};

/// Most plies.
pub const MAX_DEPTH: u8 = 8;
/// Most units of a chip that share a walk.
pub const MAX_UNITS: u32 = 4;
/// Least interval of answers `PROGRESS`, as the power of two of its clocks.
pub const MIN_INTERVAL: u8 = 10;
/// Most interval.
pub const MAX_INTERVAL: u8 = 40;
/// Bytes of the request: [`PerftHead`] and a position.
pub const PERFT_BYTES: usize = PERFT_HEAD_BYTES + crate::position::IMAGE_BYTES;
/// Bytes in front of the position.
pub const PERFT_HEAD_BYTES: usize = 4;
/// Bytes of the answer.
pub const SUMS_BYTES: usize = 24;

/// The bytes of a request in front of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct PerftHead {
    /// Plies.
    pub depth: u8,
    /// Power of two of the clocks between two answers `PROGRESS`; 0 for none.
    pub interval: u8,
    /// Zero.
    pub reserved: [u8; 2],
}

/// The answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Sums {
    /// Leaves.
    pub nodes: u64,
    /// Positions one ply above the leaves.
    pub expansions: u64,
    /// Clocks since the walk began.
    pub clocks: u64,
}

const _: () =
    assert!(std::mem::size_of::<PerftHead>() == PERFT_HEAD_BYTES && std::mem::size_of::<Sums>() == SUMS_BYTES);
