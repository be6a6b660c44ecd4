//! The counters of quiet moves, in block RAM that is read for two at once.
//!
//! ```text
//!                      +-------------+
//!   clock             ->             => picked 27    the row at the last clock's `pick_address`
//!   pick_address 13   => HistoryRows => learned 27   the row at the last clock's `learn_address`
//!   learn_address 13  =>             |
//!   write             ->             |
//!   write_data 27     =>             |
//!                      +-------------+
//! ```
//!
//! Handshake: none. What is written goes to `learn_address`. Nobody uses what a row gives that is read in the clock in which it is written.
//! Latency: one clock. Throughput: two rows read, one of them written, a clock.
//! Cost: of the 18 kbit block RAMs of an ECP5, 12; of the 36 kbit ones of an XC7A200T, 6 (computed).
//! Model: `host/model/src/search/history.rs`. Absent: what a row means (`history`).

use super::history::{ADDRESS_BITS, ROW_WIDTH};
use crate::rows_of_zeros::memory_of_zeros;
use rust_hdl::core::timing::TimingInfo;
use rust_hdl::prelude::*;

/// Keeps rows.
#[derive(LogicBlock)]
pub struct HistoryRows {
    /// Clock of the memory.
    pub clock: Signal<In, Clock>,
    /// The row that the picker reads.
    pub pick_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// The row that is read and written.
    pub learn_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// It is written.
    pub write: Signal<In, Bit>,
    /// Its contents.
    pub write_data: Signal<In, Bits<ROW_WIDTH>>,
    /// The row that the picker has read.
    pub picked: Signal<Out, Bits<ROW_WIDTH>>,
    /// The other row.
    pub learned: Signal<Out, Bits<ROW_WIDTH>>,
    _rows: Vec<Bits<ROW_WIDTH>>,
}

impl Default for HistoryRows {
    fn default() -> Self {
        HistoryRows {
            clock: Default::default(),
            pick_address: Default::default(),
            learn_address: Default::default(),
            write: Default::default(),
            write_data: Default::default(),
            picked: Default::default(),
            learned: Default::default(),
            _rows: vec![0.into(); 1 << ADDRESS_BITS],
        }
    }
}

impl Logic for HistoryRows {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let row = |address: Bits<ADDRESS_BITS>| address.to_u64() as usize;
            let (picked, learned) = (row(self.pick_address.val()), row(self.learn_address.val()));
            self.picked.next = self._rows[picked];
            self.learned.next = self._rows[learned];
            if self.write.val() {
                self._rows[learned] = self.write_data.val();
            }
        }
    }

    fn connect(&mut self) {
        self.picked.connect();
        self.learned.connect();
    }

    fn hdl(&self) -> Verilog {
        let memory = memory_of_zeros(ROW_WIDTH, self._rows.len());
        Verilog::Custom(format!(
            "{memory}\
             initial picked = 0;\ninitial learned = 0;\n\
             always @(posedge clock) begin\n    picked <= memory[pick_address];\n    \
             learned <= memory[learn_address];\n    if (write) memory[learn_address] <= write_data;\nend\n"
        ))
    }

    fn timing(&self) -> Vec<TimingInfo> {
        let inputs = ["pick_address", "learn_address", "write", "write_data"];
        vec![TimingInfo {
            name: "history_rows".into(),
            clock: "clock".into(),
            inputs: inputs.map(Into::into).to_vec(),
            outputs: vec!["picked".into(), "learned".into()],
        }]
    }
}
