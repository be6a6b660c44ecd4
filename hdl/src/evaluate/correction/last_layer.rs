//! The last layer: the square of each clipped sum times its weight, looked up in block RAM.
//!
//! ```text
//!                    +-------------+
//!   clock           ->             => products 32 x 25
//!   row 2           =>             |
//!   clipped 32 x 7  =>             |
//!   write           ->  LastLayer  |
//!   write_column 5  =>             |
//!   write_address 9 =>             |
//!   write_data 25   =>             |
//!                    +-------------+
//! ```
//!
//! Handshake: none. A row has the units that are looked up at once, each in a column of its own. An address is a row and, below it, a
//! clipped sum. Nobody reads while a network is loaded.
//! Latency: one clock. Throughput: one row a clock.
//! Cost: 32 memories of 512 x 25, each half a block RAM of an XC7A200T (computed). Multipliers would be 5,060 look-up tables there,
//! since the tools have no delays for the device's own.
//! Model: `host/model/src/evaluate/network/mod.rs`. Absent: the contents (`product_writer`).

use super::products::{RowProducts, PRODUCT_BITS, ROW, ROW_BITS};
use super::sums::CLIPPED_BITS;
use crate::network::width;
use rust_hdl::core::timing::TimingInfo;
use rust_hdl::prelude::*;
use std::fmt::Write;

/// Wires of the number of a column.
pub const COLUMN_BITS: usize = 5;
const _: () = assert!(ROW == 1 << COLUMN_BITS);
/// Wires of an address.
pub const ADDRESS_BITS: usize = ROW_BITS + CLIPPED_BITS;
const WORDS: usize = 1 << ADDRESS_BITS;
const ROW_WIDTH: usize = ROW * CLIPPED_BITS;
const PRODUCTS_WIDTH: usize = width::<RowProducts>();

/// Memory of the last layer.
#[derive(LogicBlock)]
pub struct LastLayer {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The row that is looked up.
    pub row: Signal<In, Bits<ROW_BITS>>,
    /// Its clipped sums.
    pub clipped: Signal<In, Bits<ROW_WIDTH>>,
    /// A product is written in this clock.
    pub write: Signal<In, Bit>,
    /// Its column.
    pub write_column: Signal<In, Bits<COLUMN_BITS>>,
    /// Its row and its clipped sum.
    pub write_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// The product.
    pub write_data: Signal<In, Bits<PRODUCT_BITS>>,
    /// The products of a row, one clock later.
    pub products: Signal<Out, Bits<PRODUCTS_WIDTH>>,
    /// By column and address.
    _memory: Vec<u32>,
    _stale: bool,
}

impl Default for LastLayer {
    fn default() -> Self {
        LastLayer {
            clock: Default::default(),
            row: Default::default(),
            clipped: Default::default(),
            write: Default::default(),
            write_column: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            products: Default::default(),
            _memory: vec![0; ROW * WORDS],
            _stale: true,
        }
    }
}

impl Logic for LastLayer {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            if self._stale {
                self._stale = false;
                let (row, clipped) = (self.row.val().to_u8() as usize, self.clipped.val());
                let mut out = [false; PRODUCTS_WIDTH];
                for (column, wires) in out.chunks_exact_mut(PRODUCT_BITS).enumerate() {
                    let value = (0..CLIPPED_BITS)
                        .fold(0, |v, bit| v | (clipped.get_bit(CLIPPED_BITS * column + bit) as usize) << bit);
                    let product = self._memory[column * WORDS + (row << CLIPPED_BITS) + value];
                    wires.iter_mut().enumerate().for_each(|(bit, wire)| *wire = product >> bit & 1 != 0);
                }
                self.products.next = Bits::Long(out.into());
            }
            if self.write.val() {
                let (column, address) = (self.write_column.val().to_u8(), self.write_address.val().to_u16());
                self._memory[column as usize * WORDS + address as usize] = self.write_data.val().to_u32();
                self._stale = true;
            }
        }
        self._stale |= self.row.changed | self.clipped.changed;
    }

    fn connect(&mut self) {
        self.products.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut text = String::from("initial products = 0;\n");
        for column in 0..ROW {
            let (low, sum) = (column * PRODUCT_BITS, column * CLIPPED_BITS);
            writeln!(
                text,
                "(* no_rw_check *) reg [{}:0] memory{column} [0:{last}];\n\
                 integer word{column};\n\
                 initial for (word{column} = 0; word{column} <= {last}; word{column} = word{column} + 1) \
                 memory{column}[word{column}] = 0;\n\
                 always @(posedge clock) begin\n    \
                 if (write && write_column == {column}) memory{column}[write_address] <= write_data;\n    \
                 products[{}:{low}] <= memory{column}[{{row, clipped[{}:{sum}]}}];\nend",
                PRODUCT_BITS - 1,
                low + PRODUCT_BITS - 1,
                sum + CLIPPED_BITS - 1,
                last = WORDS - 1,
            )
            .expect("writing to a string");
        }
        Verilog::Custom(text)
    }

    fn timing(&self) -> Vec<TimingInfo> {
        let inputs = ["row", "clipped", "write", "write_column", "write_address", "write_data"];
        vec![TimingInfo {
            name: "last_layer".into(),
            clock: "clock".into(),
            inputs: inputs.map(Into::into).into(),
            outputs: vec!["products".into()],
        }]
    }
}
