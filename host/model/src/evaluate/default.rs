//! The built-in evaluation table, learned from games (`docs/learning.md`).

use super::EvalTable;

/// Checksum of [`default_table`]; a different table plays differently.
pub const DEFAULT_TABLE_CHECKSUM: u32 = 0x14AE_93DA;

static BYTES: &[u8] = include_bytes!("default.hyet");

/// The built-in table.
pub fn default_table() -> EvalTable {
    EvalTable::from_bytes(BYTES).expect("the built-in table was checked when it was built in")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::first_table;
    use hayasashi_spec::{
        piece::{mirror, CODES, SQUARES},
        table::{ROWS, WEIGHT_LIMIT},
    };

    #[test]
    fn the_default_table_is_the_one_that_was_measured() {
        let checksum = default_table().header().checksum;
        assert_eq!(checksum, DEFAULT_TABLE_CHECKSUM, "another table: set DEFAULT_TABLE_CHECKSUM to {checksum:#010x}");
        assert_ne!(default_table(), first_table());
    }

    #[test]
    fn the_default_table_is_symmetric_where_no_files_are_exchanged() {
        let table = default_table();
        for row in 36..ROWS {
            for s in 0..SQUARES {
                for code in 0..CODES {
                    let (one, other) = (table.weight(s, row, code), table.weight(mirror(s), row, code));
                    assert_eq!(one, other, "{s} {row} {code}");
                    assert!(one.abs() <= WEIGHT_LIMIT);
                }
            }
        }
    }
}
