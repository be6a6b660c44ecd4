//! A block RAM whose rows are zero at first.
//!
//! ```text
//!                  +-------------+
//!   clock         ->             => read_data      the row at the last clock's `read_address`
//!   read_address  => RowsOfZeros |
//!   write         ->             |
//!   write_address =>             |
//!   write_data    =>             |
//!                  +-------------+
//! ```
//!
//! Handshake: none. Nobody uses what a row gives that is read in the clock in which it is written. Of an address only the wires for the rows count.
//! Latency: one clock. Throughput: one row written and one read a clock.
//! Cost: that of the memory. Absent: what a row means.

use rust_hdl::core::timing::TimingInfo;
use rust_hdl::prelude::*;

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

/// Keeps rows of so many wires, which have addresses of so many wires.
#[derive(LogicBlock)]
pub struct RowsOfZeros<const ADDRESS_BITS: usize, const WIDTH: usize> {
    /// Clock of the memory.
    pub clock: Signal<In, Clock>,
    /// The row that is read.
    pub read_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// A row is written.
    pub write: Signal<In, Bit>,
    /// The row that is written.
    pub write_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// Its contents.
    pub write_data: Signal<In, Bits<WIDTH>>,
    /// The row that was read.
    pub read_data: Signal<Out, Bits<WIDTH>>,
    _rows: Vec<Bits<WIDTH>>,
    /// The row that is read has changed, or the address.
    _stale: bool,
}

impl<const ADDRESS_BITS: usize, const WIDTH: usize> RowsOfZeros<ADDRESS_BITS, WIDTH> {
    /// So many rows, as a power of two.
    ///
    /// # Panics
    /// If there are more than addresses.
    pub fn new(bits: usize) -> Self {
        assert!(bits <= ADDRESS_BITS, "2^{bits} rows have no addresses of {ADDRESS_BITS} wires");
        RowsOfZeros {
            clock: Default::default(),
            read_address: Default::default(),
            write: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            read_data: Default::default(),
            _rows: vec![0.into(); 1 << bits],
            _stale: true,
        }
    }
}

impl<const ADDRESS_BITS: usize, const WIDTH: usize> Default for RowsOfZeros<ADDRESS_BITS, WIDTH> {
    fn default() -> Self {
        RowsOfZeros::new(ADDRESS_BITS)
    }
}

impl<const ADDRESS_BITS: usize, const WIDTH: usize> Logic for RowsOfZeros<ADDRESS_BITS, WIDTH> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let row = |address: Bits<ADDRESS_BITS>| address.to_u64() as usize % self._rows.len();
            let (read, written) = (row(self.read_address.val()), row(self.write_address.val()));
            if self._stale {
                self._stale = false;
                self.read_data.next = self._rows[read];
            }
            if self.write.val() {
                self._rows[written] = self.write_data.val();
                self._stale = true;
            }
        }
        self._stale |= self.read_address.changed;
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        let rows = self._rows.len();
        let (memory, top) = (memory_of_zeros(WIDTH, rows), rows.trailing_zeros() - 1);
        Verilog::Custom(format!(
            "{memory}\
             initial read_data = 0;\n\
             always @(posedge clock) begin\n    read_data <= memory[read_address[{top}:0]];\n    \
             if (write) memory[write_address[{top}:0]] <= write_data;\nend\n"
        ))
    }

    fn timing(&self) -> Vec<TimingInfo> {
        vec![TimingInfo {
            name: "rows_of_zeros".into(),
            clock: "clock".into(),
            inputs: vec!["read_address".into(), "write".into(), "write_address".into(), "write_data".into()],
            outputs: vec!["read_data".into()],
        }]
    }
}
