//! Values of the pieces on the board: block RAMs that hold the value of two squares at a time.
//!
//! ```text
//!                      +----------+
//!   image 512         =>          => pairs 41 x 18   value for the mover of the pieces on squares 2i and 2i + 1
//!   write_enable      ->  Pieces  |
//!   write_address 10  =>          |
//!   write_data 18     =>          |
//!                      +----------+
//! ```
//!
//! Handshake: a write goes to all block RAMs, which hold the same, and replaces the reads of that clock.
//! Latency: one clock. Throughput: one position per clock.
//! Model: `host/model/src/evaluate/score.rs`. Absent: values that depend on the square (`weights`).
//! Cost: 21 block RAMs of 1024 x 18. An address is two piece codes; square 80 is paired with an empty square. The
//! values come from [`super::material`].

use hayasashi_spec::piece::*;
use rust_hdl::core::timing::TimingInfo;
use rust_hdl::prelude::*;
use std::fmt::Write;

/// Pairs of squares.
pub const PAIRS: usize = SQUARES.div_ceil(2);
/// Bits of the address: two codes.
pub const PAIR_BITS: usize = 2 * CODE_BITS;
/// Bits of the value of a pair.
pub const VALUE_BITS: usize = 18;
/// Wires of all pairs' values.
pub const PAIRS_WIDTH: usize = PAIRS * VALUE_BITS;

/// Memory of the values of pairs of pieces.
#[derive(LogicBlock)]
pub struct Pieces {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The position.
    pub image: Signal<In, Bits<512>>,
    /// A pair's value is written in this clock.
    pub write_enable: Signal<In, Bits<1>>,
    /// The pair: two piece codes.
    pub write_address: Signal<In, Bits<PAIR_BITS>>,
    /// The sum of their values in centipawns.
    pub write_data: Signal<In, Bits<VALUE_BITS>>,
    /// The values of all pairs of squares, one clock later.
    pub pairs: Signal<Out, Bits<PAIRS_WIDTH>>,
    _memory: Vec<u32>,
    _stale: bool,
}

impl Default for Pieces {
    fn default() -> Self {
        Pieces {
            clock: Default::default(),
            image: Default::default(),
            write_enable: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            pairs: Default::default(),
            _memory: vec![0; 1 << PAIR_BITS],
            _stale: true,
        }
    }
}

/// Wires of the image that a pair's address takes.
fn wires(pair: usize) -> std::ops::Range<usize> {
    PAIR_BITS * pair..(PAIR_BITS * (pair + 1)).min(CODE_BITS * SQUARES)
}

impl Logic for Pieces {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            if self._stale {
                self._stale = false;
                let image = self.image.val();
                let mut out = [false; PAIRS_WIDTH];
                for pair in 0..PAIRS {
                    let address = wires(pair).rev().fold(0, |a, wire| a << 1 | image.get_bit(wire) as usize);
                    for bit in 0..VALUE_BITS {
                        out[VALUE_BITS * pair + bit] = self._memory[address] >> bit & 1 != 0;
                    }
                }
                self.pairs.next = Bits::Long(out.into());
            }
            if self.write_enable.val().any() {
                self._memory[self.write_address.val().to_u16() as usize] = self.write_data.val().to_u32();
                self._stale = true;
            }
        }
        self._stale |= self.image.changed;
    }

    fn connect(&mut self) {
        self.pairs.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut text = String::new();
        for pair in 0..PAIRS {
            let (memory, own) = (pair / 2, wires(pair));
            let codes = format!("image[{}:{}]", own.end - 1, own.start);
            let codes = if own.len() < PAIR_BITS { format!("{{5'd0, {codes}}}") } else { codes };
            let (low, high) = (VALUE_BITS * pair, VALUE_BITS * (pair + 1) - 1);
            if pair % 2 == 0 {
                // The first port of a memory writes too; while it does, what either port reads is not defined.
                writeln!(
                    text,
                    "(* no_rw_check *) reg [{}:0] memory{memory} [0:{}];\n\
                     wire [{}:0] address{pair} = write_enable ? write_address : {codes};\n\
                     always @(posedge clock) if (write_enable) memory{memory}[address{pair}] <= write_data; \
                     else pairs[{high}:{low}] <= memory{memory}[address{pair}];",
                    VALUE_BITS - 1,
                    (1 << PAIR_BITS) - 1,
                    PAIR_BITS - 1,
                )
            } else {
                writeln!(text, "always @(posedge clock) pairs[{high}:{low}] <= memory{memory}[{codes}];")
            }
            .expect("writing to a string");
        }
        Verilog::Custom(format!("{text}wire unused = &{{1'h0, image[511:{}]}};\n", wires(PAIRS - 1).end))
    }

    fn timing(&self) -> Vec<TimingInfo> {
        vec![TimingInfo {
            name: "pieces".into(),
            clock: "clock".into(),
            inputs: ["image", "write_enable", "write_address", "write_data"].map(Into::into).into(),
            outputs: vec!["pairs".into()],
        }]
    }
}
