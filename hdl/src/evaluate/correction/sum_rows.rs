//! The sums of a side's units, by walker and ply, in block RAM.
//!
//! A layout, no block: the memory is [`crate::rows_of_zeros`].
//! Cost: 14 block RAMs of 512 x 72 (computed). Absent: what a row belongs to (`accumulator`).
//! Model: none; the model has the sums beside the position.

use super::sums::SideSums;
use crate::network::width;
use crate::rows_of_zeros::RowsOfZeros;

/// Wires of the number of a row: a ply, then a walker.
pub const ROW_BITS: usize = 8;

/// Keeps sums.
pub type SumRows = RowsOfZeros<ROW_BITS, { width::<SideSums>() }>;
