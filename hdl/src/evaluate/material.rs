//! Material: pieces of each kind, ours less theirs, times their values.
//!
//! ```text
//!           +-----------+           +------------+
//!   image  =>  Surplus  => surplus =>  Material  => products 20 x 26
//!           +-----------+ values   =>            |
//!                                   +------------+
//! ```
//!
//! Latency two clocks (one each), one position per clock. Cost of `Material`: 20 multipliers.

use crate::network;
use crate::network::Word;
use crate::position::board::{Board, IMAGE};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Kinds that have a value on the board.
pub const VALUED: [u8; 13] =
    [PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK, PRO_PAWN, PRO_LANCE, PRO_KNIGHT, PRO_SILVER, HORSE, DRAGON];
/// Kinds on the board and in hand.
pub const TERMS: usize = VALUED.len() + HAND_KINDS;
/// Wires of the sums of material.
pub const SUM_BITS: usize = 26;

/// Layout of the surplus: for each term, two's complement.
pub const SURPLUS: &[usize] = &[8; TERMS];
/// Layout of the values in the header of a table: 16 kinds on the board, 7 in hand, tempo.
pub const VALUES: &[usize] = &[16; 24];
/// Layout of the products.
pub const PRODUCTS: &[usize] = &[SUM_BITS; TERMS];

network! {
    /// Pieces of each kind, ours less theirs.
    Surplus = surplus {
        in image: IMAGE;
        out surplus: SURPLUS;
    }
}

network! {
    /// Surplus times value.
    Material = material {
        in surplus: SURPLUS;
        in values: VALUES;
        out products: PRODUCTS;
    }
}

fn surplus<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let board = Board::from_image(inputs[0]);
    let (own, theirs) = (board.own(), board.theirs());
    let on_board = VALUED.iter().map(|&kind| {
        let plane = board.kind(kind);
        (plane & own).popcount().minus((plane & theirs).popcount(), 8)
    });
    let in_hand = (0..HAND_KINDS).map(|k| board.held(0, k).minus(board.held(1, k), 8));
    vec![on_board.chain(in_hand).collect()]
}

fn material<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [surplus, values] = *inputs else { panic!("two inputs") };
    let of_board = VALUED.iter().map(|&kind| values[kind as usize]);
    let of_hand = values[16..16 + HAND_KINDS].iter().copied();
    let values = of_board.chain(of_hand);
    vec![surplus.iter().zip(values).map(|(&count, value)| count.times_signed(value, SUM_BITS)).collect()]
}
