//! From the products of the last layer to a score: their sum, and its limits.
//!
//! ```text
//!                     +---------+                    +----------+
//!   products 32x25   => PartSum => parts 8 x 27     =>  RowSum  => row_sum 30
//!                     +---------+                    +----------+
//!                    +----------+                      +-----------+
//!   first           ->          => total 34  table_score =>          => score 16
//!   constant 12     => RowTotal |            total 34 =>  Correct  |
//!   row_sum 30      =>          |                      +-----------+
//!   total_in 34     =>          |
//!                    +----------+
//! ```
//!
//! Handshake: none. With `first` a total begins with the constant; `total` goes back to `total_in`.
//! Latency: one clock each. Throughput: a row of 32 units a clock.
//! Absent: the products (`last_layer`). Cost: 960 and 277 look-up tables of an XC7A200T for the first two; 296 flip-flops.
//! Model: `host/model/src/evaluate/network/mod.rs`.

use super::sums::SIDES;
use crate::evaluate::score::within_limit;
use crate::network;
use crate::network::{word::sum, Wire, Wires, Word};
use hayasashi_spec::network::*;
use rust_hdl::prelude::*;

/// Units of a row.
pub const ROW: usize = 32;
/// Wires of the number of a row.
pub const ROW_BITS: usize = 2;
/// Rows of both views.
pub const ROWS: usize = SIDES * CHIP_UNITS / ROW;
const _: () = assert!(ROWS == 1 << ROW_BITS);
/// Wires of a weight of the last layer, two's complement.
pub const LAST_BITS: usize = 11;
const _: () = assert!((LAST_LIMIT as usize) < 1 << (LAST_BITS - 1));
/// Wires of the constant, two's complement.
pub const CONSTANT_BITS: usize = 12;
const _: () = assert!((CONSTANT_LIMIT as usize) < 1 << (CONSTANT_BITS - 1));
/// Wires of a square times its weight, two's complement.
pub const PRODUCT_BITS: usize = 25;
const _: () = assert!((LAST_LIMIT as usize) * (FULL as usize * FULL as usize) < 1 << (PRODUCT_BITS - 1));
/// Products of a part of a row.
const PART: usize = 4;
const PARTS: usize = ROW / PART;
const PART_BITS: usize = PRODUCT_BITS + 2;
const ROW_SUM_BITS: usize = PART_BITS + 3;
const TOTAL_BITS: usize = 34;
const SCORE_BITS: usize = 16;
const CORRECTED_BITS: usize = TOTAL_BITS - SHIFT as usize;

/// Layout of the products of a row.
pub type RowProducts = [Wires<PRODUCT_BITS>; ROW];
/// Layout of the sums of the parts of a row.
pub type Parts = [Wires<PART_BITS>; PARTS];

network! {
    /// The sums of four products each.
    PartSum = part_sum(PartSumIn) -> PartSumOut {
        in products: RowProducts;
        out parts: Parts;
    }
}

network! {
    /// The sum of a row.
    RowSum = row_sum(RowSumIn) -> RowSumOut {
        in parts: Parts;
        out row_sum: Wires<ROW_SUM_BITS>;
    }
}

network! {
    /// The sum of the rows.
    RowTotal = row_total(RowTotalIn) -> RowTotalOut {
        in first: Wire;
        in constant: Wires<CONSTANT_BITS>;
        in row_sum: Wires<ROW_SUM_BITS>;
        in total_in: Wires<TOTAL_BITS>;
        out total: Wires<TOTAL_BITS>;
    }
}

network! {
    /// The score within its limits.
    Correct = correct(CorrectIn) -> CorrectOut {
        in table_score: Wires<SCORE_BITS>;
        in total: Wires<TOTAL_BITS>;
        out score: Wires<SCORE_BITS>;
    }
}

fn part_sum<W: Word>(inputs: PartSumIn<W>) -> PartSumOut<W> {
    let wide = inputs.products.map(|product| product.extend_signed(PART_BITS));
    PartSumOut { parts: std::array::from_fn(|i| sum(&wide[PART * i..][..PART], PART_BITS)) }
}

fn row_sum<W: Word>(inputs: RowSumIn<W>) -> RowSumOut<W> {
    RowSumOut { row_sum: sum(&inputs.parts.map(|part| part.extend_signed(ROW_SUM_BITS)), ROW_SUM_BITS) }
}

fn row_total<W: Word>(inputs: RowTotalIn<W>) -> RowTotalOut<W> {
    let RowTotalIn { first, constant, row_sum, total_in } = inputs;
    // A half, so that the cut rounds.
    let begin = W::join(&[W::constant(1 << (SHIFT - 1), SHIFT as usize), constant.extend_signed(CORRECTED_BITS)]);
    let before = first.choose(begin, total_in).named("before");
    RowTotalOut { total: before.plus(row_sum.extend_signed(TOTAL_BITS), TOTAL_BITS) }
}

fn correct<W: Word>(inputs: CorrectIn<W>) -> CorrectOut<W> {
    let CorrectIn { table_score, total } = inputs;
    let table_score = table_score.extend_signed(CORRECTED_BITS);
    CorrectOut { score: within_limit(total.slice(SHIFT as usize, CORRECTED_BITS).plus(table_score, CORRECTED_BITS)) }
}
