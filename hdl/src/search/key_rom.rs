//! The numbers of which keys are made, in block RAM.
//!
//! ```text
//!                +--------+
//!   clock       ->        => number 64   at the last clock's address
//!   address 12  => KeyRom |
//!                +--------+
//! ```
//!
//! Handshake: none. An address is a square, and a piece code below it; behind the last square, a kind in hand (the mover's
//! first, seven each).
//! Latency: one clock. Throughput: one number a clock.
//! Cost: 12 block RAMs of 18 wires.
//! Model: `hdl/spec/src/search_keys.rs`.

use hayasashi_spec::piece::*;
use hayasashi_spec::search_keys::{HAND_KEYS, PIECE_KEYS};
use rust_hdl::core::timing::TimingInfo;
use rust_hdl::prelude::*;
use std::fmt::Write;

/// Wires of an address.
pub const ADDRESS_BITS: usize = 12;
/// Wires of a number.
pub const KEY_BITS: usize = 64;

/// Holds the numbers.
#[derive(LogicBlock, Default)]
pub struct KeyRom {
    /// Clock of the memory.
    pub clock: Signal<In, Clock>,
    /// The number that is read.
    pub address: Signal<In, Bits<ADDRESS_BITS>>,
    /// The number that was read.
    pub number: Signal<Out, Bits<KEY_BITS>>,
}

/// The numbers by address.
fn numbers() -> impl Iterator<Item = u64> {
    PIECE_KEYS.iter().flatten().chain(HAND_KEYS.iter().flatten()).copied()
}

impl Logic for KeyRom {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let address = self.address.val().to_u64() as usize;
            let (square, code) = (address / CODES, address % CODES);
            let number = match PIECE_KEYS.get(square) {
                Some(codes) => codes[code],
                None if square == SQUARES => HAND_KEYS.iter().flatten().nth(code).copied().unwrap_or(0),
                None => 0,
            };
            self.number.next = number.to_bits();
        }
    }

    fn connect(&mut self) {
        self.number.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut text = String::from("reg [63:0] rows [0:4095];\ninteger row;\ninitial begin\n");
        writeln!(text, "    for (row = {}; row < 4096; row = row + 1) rows[row] = 64'h0;", numbers().count())
            .expect("a string");
        text += "    number = 64'h0;\n";
        for (row, number) in numbers().enumerate() {
            // In parts, since yosys' time grows with the square of the statements of a block.
            if row % 256 == 0 {
                text += "end\ninitial begin\n";
            }
            writeln!(text, "    rows[{row}] = 64'h{number:016x};").expect("a string");
        }
        text += "end\nalways @(posedge clock) number <= rows[address];\n";
        Verilog::Custom(text)
    }

    fn timing(&self) -> Vec<TimingInfo> {
        vec![TimingInfo {
            name: "key_rom".into(),
            clock: "clock".into(),
            inputs: vec!["address".into()],
            outputs: vec!["number".into()],
        }]
    }
}
