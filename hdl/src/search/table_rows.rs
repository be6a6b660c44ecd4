//! The rows of a search's table, in block RAM; how many there are is a setting of the chip.
//!
//! A layout, no block: the memory is [`crate::rows_of_zeros`].
//! Cost: of the 18 kbit block RAMs of an ECP5, 9 for 2^11 entries, 18 for 2^12, 81 for 2^14 (computed).
//! Of the 36 kbit ones of an XC7A200T, 41 for 2^14, 161 for 2^16 (computed).
//! Model: `host/model/src/search/table.rs`. Absent: what a row means (`table`).

use super::table::ROW_WIDTH;
use crate::rows_of_zeros::RowsOfZeros;

/// Wires of the address of a row, of which each has two entries; a chip may have fewer rows.
pub const ADDRESS_BITS: usize = 15;
/// Most entries of a chip's table, as a power of two.
pub const MOST_TABLE_BITS: u8 = ADDRESS_BITS as u8 + 1;

/// Keeps rows.
pub type TableRows = RowsOfZeros<ADDRESS_BITS, ROW_WIDTH>;
