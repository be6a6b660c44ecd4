//! From clipped sums to a score: squares, products with the last layer, and their sum.
//!
//! ```text
//!                   +----------+                    +------------+                     +----------+
//!   clipped 128x7  =>           => squares 16x14   =>             => products 16x25   =>           => row_sum 29
//!                  |   Square   |   weights 16x11  =>  Multiply   |                   |   RowSum   |
//!                   +----------+                    +------------+                     +----------+
//!                    +----------+                      +-----------+
//!   first           ->          => total 34             =>           => score 16
//!   table_score 16  =>          |            total 34   =>  Correct  |
//!   constant 12     => RowTotal |                       +-----------+
//!   row_sum 29      =>          |
//!   total_in 34     =>          |
//!                    +----------+
//! ```
//!
//! Handshake: none. With `first` a total begins with the constant and the table's score; `total` goes back to `total_in`.
//! Latency: one clock each. Throughput: a row of 16 units a clock.
//! Absent: the weights (`last_layer`).
//! Cost: 448, 5,060 and 847 look-up tables of an XC7A200T for the first three, without its multipliers; 703 flip-flops.
//! Model: `host/model/src/evaluate/network/mod.rs`.

use super::sums::{Clipped, CLIPPED_BITS, VIEWS};
use crate::evaluate::score::within_limit;
use crate::network;
use crate::network::{word::sum, Wire, Wires, Word};
use hayasashi_spec::network::*;
use rust_hdl::prelude::*;

/// Units of a row.
pub const ROW: usize = 16;
/// Wires of the number of a row.
pub const ROW_BITS: usize = 3;
/// Rows of both views.
pub const ROWS: usize = VIEWS * CHIP_UNITS / ROW;
const _: () = assert!(ROWS == 1 << ROW_BITS);
/// Wires of a weight of the last layer, two's complement.
pub const LAST_BITS: usize = 11;
const _: () = assert!((LAST_LIMIT as usize) < 1 << (LAST_BITS - 1));
/// Wires of the constant, two's complement.
pub const CONSTANT_BITS: usize = 12;
const _: () = assert!((CONSTANT_LIMIT as usize) < 1 << (CONSTANT_BITS - 1));
const SQUARE_BITS: usize = 2 * CLIPPED_BITS;
const PRODUCT_BITS: usize = SQUARE_BITS + LAST_BITS;
const ROW_SUM_BITS: usize = PRODUCT_BITS + 4;
const TOTAL_BITS: usize = 34;
const SCORE_BITS: usize = 16;
const CORRECTED_BITS: usize = TOTAL_BITS - SHIFT as usize;

/// Layout of the squares of a row.
pub type Squares = [Wires<SQUARE_BITS>; ROW];
/// Layout of the weights of a row.
pub type LastWeights = [Wires<LAST_BITS>; ROW];
/// Layout of the products of a row.
pub type RowProducts = [Wires<PRODUCT_BITS>; ROW];

network! {
    /// The squares of the lowest row.
    Square = square(SquareIn) -> SquareOut {
        in clipped: Clipped;
        out squares: Squares;
    }
}

network! {
    /// The squares times their weights.
    Multiply = multiply(MultiplyIn) -> MultiplyOut {
        in squares: Squares;
        in weights: LastWeights;
        out products: RowProducts;
    }
}

network! {
    /// The sum of a row.
    RowSum = row_sum(RowSumIn) -> RowSumOut {
        in products: RowProducts;
        out row_sum: Wires<ROW_SUM_BITS>;
    }
}

network! {
    /// The sum of the rows.
    RowTotal = row_total(RowTotalIn) -> RowTotalOut {
        in first: Wire;
        in table_score: Wires<SCORE_BITS>;
        in constant: Wires<CONSTANT_BITS>;
        in row_sum: Wires<ROW_SUM_BITS>;
        in total_in: Wires<TOTAL_BITS>;
        out total: Wires<TOTAL_BITS>;
    }
}

network! {
    /// The score within its limits.
    Correct = correct(CorrectIn) -> CorrectOut {
        in total: Wires<TOTAL_BITS>;
        out score: Wires<SCORE_BITS>;
    }
}

fn square<W: Word>(inputs: SquareIn<W>) -> SquareOut<W> {
    SquareOut {
        squares: std::array::from_fn(|i| {
            let clipped = inputs.clipped[i].extend(CLIPPED_BITS + 1);
            clipped.times_signed(clipped, SQUARE_BITS)
        }),
    }
}

fn multiply<W: Word>(inputs: MultiplyIn<W>) -> MultiplyOut<W> {
    let MultiplyIn { squares, weights } = inputs;
    MultiplyOut {
        products: std::array::from_fn(|i| squares[i].extend(SQUARE_BITS + 1).times_signed(weights[i], PRODUCT_BITS)),
    }
}

fn row_sum<W: Word>(inputs: RowSumIn<W>) -> RowSumOut<W> {
    RowSumOut { row_sum: sum(&inputs.products.map(|product| product.extend_signed(ROW_SUM_BITS)), ROW_SUM_BITS) }
}

fn row_total<W: Word>(inputs: RowTotalIn<W>) -> RowTotalOut<W> {
    let RowTotalIn { first, table_score, constant, row_sum, total_in } = inputs;
    let points = table_score.extend_signed(CORRECTED_BITS).plus(constant.extend_signed(CORRECTED_BITS), CORRECTED_BITS);
    // A half, so that the cut rounds.
    let begin = W::join(&[W::constant(1 << (SHIFT - 1), SHIFT as usize), points]);
    let before = first.choose(begin, total_in).named("before");
    RowTotalOut { total: before.plus(row_sum.extend_signed(TOTAL_BITS), TOTAL_BITS) }
}

fn correct<W: Word>(inputs: CorrectIn<W>) -> CorrectOut<W> {
    CorrectOut { score: within_limit(inputs.total.slice(SHIFT as usize, CORRECTED_BITS)) }
}
