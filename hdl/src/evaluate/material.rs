//! Material: what the values in a table's header make of pieces on the board and in hand.
//!
//! ```text
//!              +---------+                        +---------+           +---------+
//!   enable 1  =>         => write_enable  image  =>  Hands  => surplus =>  Hands' => products 7 x 26
//!   pair 10   =>  Value  => write_address         +---------+  values  =>  Value  |
//!   values    =>         => write_data 18                               +---------+
//!              +---------+
//! ```
//!
//! One clock each. `Value` computes what [`super::pieces`] holds for two piece codes: the value of ours, less that of
//! theirs. It runs through all pairs of codes while a table is being loaded, so that no values but the header's are kept.
//! `Hands` and `HandsValue`: pieces in hand of each kind, ours less theirs, times their values. Cost: 7 multipliers.

use super::pieces::{PAIR_BITS, VALUE_BITS};
use crate::network;
use crate::network::{word::or_all, Word};
use crate::position::board::{Board, IMAGE};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Wires of the sums of material.
pub const SUM_BITS: usize = 26;

/// Layout of the surplus: for each hand kind, two's complement.
pub const SURPLUS: &[usize] = &[6; HAND_KINDS];
/// Layout of the values in the header of a table: 16 kinds on the board, 7 in hand, tempo.
pub const VALUES: &[usize] = &[16; 24];
/// Layout of the products.
pub const PRODUCTS: &[usize] = &[SUM_BITS; HAND_KINDS];

network! {
    /// The value of two pieces.
    Value = value {
        in enable: &[1];
        in pair: &[CODE_BITS, CODE_BITS];
        in values: VALUES;
        out write_enable: &[1];
        out write_address: &[PAIR_BITS];
        out write_data: &[VALUE_BITS];
    }
}

network! {
    /// Pieces in hand of each kind, ours less theirs.
    Hands = hands {
        in image: IMAGE;
        out surplus: SURPLUS;
    }
}

network! {
    /// Surplus times value.
    HandsValue = hands_value {
        in surplus: SURPLUS;
        in values: VALUES;
        out products: PRODUCTS;
    }
}

fn value<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [enable, pair, values] = *inputs else { panic!("three inputs") };
    let worth = |code: W| {
        let (kind, theirs) = (code.slice(0, 4), code.bit(4));
        let valued = (PAWN..=DRAGON).filter(|&k| k != KING && k != NO_KIND);
        let value = or_all(valued.map(|k| values[k as usize].when(kind.is(k as u128)))).extend_signed(VALUE_BITS);
        theirs.choose(W::zero(VALUE_BITS).minus(value, VALUE_BITS), value)
    };
    let both = worth(pair[0]).plus(worth(pair[1]), VALUE_BITS);
    vec![enable.to_vec(), vec![W::join(pair)], vec![both]]
}

fn hands<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let board = Board::from_image(inputs[0]);
    vec![(0..HAND_KINDS).map(|k| board.held(0, k).minus(board.held(1, k), 6)).collect()]
}

fn hands_value<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [surplus, values] = *inputs else { panic!("two inputs") };
    let values = &values[16..16 + HAND_KINDS];
    vec![surplus.iter().zip(values).map(|(&count, &value)| count.times_signed(value, SUM_BITS)).collect()]
}
