//! Keeps positions: those of the nodes, and the last ones that were made.
//!
//! ```text
//!                   +-----------+
//!   clock          ->           => stored 447   the row of the last clock's `from`
//!   from 6         =>           |
//!   write          -> Positions |
//!   row 6          =>           |
//!   board 447      =>           |
//!                   +-----------+
//! ```
//!
//! Handshake: none. Nobody uses what a row gives that is read in the clock in which it is written: a position is read several
//! clocks after it was made.
//! Latency: one clock. Throughput: one row written and one read a clock. Cost: 13 block RAMs of 36 wires.
//! Model: none. Absent: which row is whose (`operation`).

use crate::position::tag::ROW_BITS;
use rust_hdl::prelude::*;

/// Wires of a position.
pub const BOARD_WIDTH: usize = crate::network::width::<crate::position::Board>();

/// Keeps positions.
#[derive(LogicBlock, Default)]
pub struct Positions {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The row that is read.
    pub from: Signal<In, Bits<ROW_BITS>>,
    /// A position is written in this clock.
    pub write: Signal<In, Bit>,
    /// Its row.
    pub row: Signal<In, Bits<ROW_BITS>>,
    /// The position.
    pub board: Signal<In, Bits<BOARD_WIDTH>>,
    /// The row that was read.
    pub stored: Signal<Out, Bits<BOARD_WIDTH>>,
    apart_rows: RAM<Bits<BOARD_WIDTH>, ROW_BITS>,
}

impl Logic for Positions {
    #[hdl_gen]
    fn update(&mut self) {
        self.apart_rows.read_clock.next = self.clock.val();
        self.apart_rows.write_clock.next = self.clock.val();
        self.apart_rows.read_address.next = self.from.val();
        self.apart_rows.write_address.next = self.row.val();
        self.apart_rows.write_data.next = self.board.val();
        self.apart_rows.write_enable.next = self.write.val();
        self.stored.next = self.apart_rows.read_data.val();
    }
}

crate::inputs!(Positions: clock, from, write, row, board);
