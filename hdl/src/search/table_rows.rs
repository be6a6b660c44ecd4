//! The rows of a search's table, in block RAM; how many there are is a setting of the chip.
//!
//! ```text
//!                    +-----------+
//!   clock           ->           => read_data 161   the row at the last clock's `read_address`
//!   read_address 15 => TableRows |
//!   write           ->           |
//!   write_address 15=>           |
//!   write_data 161  =>           |
//!                    +-----------+
//! ```
//!
//! Handshake: none. Nobody uses what a row gives that is read in the clock in which it is written. Of an address only the wires for the rows count.
//! Latency: one clock. Throughput: one row written and one read a clock.
//! Cost: of the 18 kbit block RAMs of an ECP5, 9 for 2^11 entries, 18 for 2^12, 81 for 2^14 (computed).
//! Of the 36 kbit ones of an XC7A200T, 41 for 2^14, 161 for 2^16 (computed).
//! Model: `host/model/src/search/table.rs`. Absent: what a row means (`table`).

use super::table::ROW_WIDTH;
use rust_hdl::core::timing::TimingInfo;
use rust_hdl::prelude::*;

/// Wires of the address of a row, of which each has two entries; a chip may have fewer rows.
pub const ADDRESS_BITS: usize = 15;
/// Most entries of a chip's table, as a power of two.
pub const MOST_TABLE_BITS: u8 = ADDRESS_BITS as u8 + 1;

/// The Verilog of a `memory` of so many rows, as a power of two, which are zero at first.
pub fn memory_of_zeros(width: usize, rows: usize) -> String {
    let (high, last) = (width - 1, rows - 1);
    // In parts, since yosys' time grows with the square of the statements of a block: for 2^14 rows 10 seconds, and not 280.
    let part = rows.min(256);
    format!(
        "(* no_rw_check *) reg [{high}:0] memory [0:{last}];\ngenvar part;\ngenerate\n    \
         for (part = 0; part < {rows}; part = part + {part}) begin : zeros\n        integer row;\n        \
         initial for (row = part; row < part + {part}; row = row + 1) memory[row] = 0;\n    end\nendgenerate\n"
    )
}

/// Keeps rows.
#[derive(LogicBlock)]
pub struct TableRows {
    /// Clock of the memory.
    pub clock: Signal<In, Clock>,
    /// The row that is read.
    pub read_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// A row is written.
    pub write: Signal<In, Bit>,
    /// The row that is written.
    pub write_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// Its contents.
    pub write_data: Signal<In, Bits<ROW_WIDTH>>,
    /// The row that was read.
    pub read_data: Signal<Out, Bits<ROW_WIDTH>>,
    _rows: Vec<Bits<ROW_WIDTH>>,
}

impl TableRows {
    /// Rows for so many entries, as a power of two.
    ///
    /// # Panics
    /// If there are more than addresses.
    pub fn new(bits: u8) -> Self {
        assert!(bits <= MOST_TABLE_BITS, "2^{bits} entries are more than 2^{MOST_TABLE_BITS}");
        TableRows {
            clock: Default::default(),
            read_address: Default::default(),
            write: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            read_data: Default::default(),
            _rows: vec![0.into(); 1 << (bits - 1)],
        }
    }
}

impl Logic for TableRows {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let row = |address: Bits<ADDRESS_BITS>| address.to_u64() as usize % self._rows.len();
            let (read, written) = (row(self.read_address.val()), row(self.write_address.val()));
            self.read_data.next = self._rows[read];
            if self.write.val() {
                self._rows[written] = self.write_data.val();
            }
        }
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        let rows = self._rows.len();
        let (memory, top) = (memory_of_zeros(ROW_WIDTH, rows), rows.trailing_zeros() - 1);
        Verilog::Custom(format!(
            "{memory}\
             initial read_data = 0;\n\
             always @(posedge clock) begin\n    read_data <= memory[read_address[{top}:0]];\n    \
             if (write) memory[write_address[{top}:0]] <= write_data;\nend\n"
        ))
    }

    fn timing(&self) -> Vec<TimingInfo> {
        vec![TimingInfo {
            name: "table_rows".into(),
            clock: "clock".into(),
            inputs: vec!["read_address".into(), "write".into(), "write_address".into(), "write_data".into()],
            outputs: vec!["read_data".into()],
        }]
    }
}
