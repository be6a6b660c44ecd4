//! Material: what the values in a table's header make of pieces on the board and in hand.
//!
//! ```text
//!              +---------+                          +---------+
//!   enable 1  =>         => enable_out, pair_out    =>         => write_enable
//!   pair 10   =>  Worth  => worth 2 x 16            =>  Value  => write_address
//!   values    =>         |                          |          => write_data 18
//!              +---------+                          +---------+
//!              +---------+                          +---------+
//!   image     =>  Hands  => surplus                 =>  Hands' => products 7 x 26
//!              +---------+  values                  =>  Value  |
//!                                                    +---------+
//! ```
//!
//! One clock each. `Worth` and `Value` compute what [`super::pieces`] holds for two piece codes: the value of ours, less
//! that of theirs. They run through all pairs of codes while a table is being loaded, so that no values but the header's
//! are kept. `Hands` and `HandsValue`: pieces in hand of each kind, ours less theirs, times their values. Cost: 7
//! multipliers.

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
/// Layout of two piece codes.
pub const PAIR: &[usize] = &[CODE_BITS; 2];
/// Layout of what the two are worth.
pub const WORTH: &[usize] = &[16; 2];
/// Layout of the products.
pub const PRODUCTS: &[usize] = &[SUM_BITS; HAND_KINDS];

network! {
    /// What two kinds of piece are worth, whoever owns them.
    Worth = worth {
        in enable: &[1];
        in pair: PAIR;
        in values: VALUES;
        out enable_out: &[1];
        out pair_out: PAIR;
        out worth: WORTH;
    }
}

network! {
    /// The value of two pieces.
    Value = value {
        in enable: &[1];
        in pair: PAIR;
        in worth: WORTH;
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

fn worth<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [enable, pair, values] = *inputs else { panic!("three inputs") };
    let worth = |code: &W| {
        let valued = (PAWN..=DRAGON).filter(|&k| k != KING && k != NO_KIND);
        or_all(valued.map(|k| values[k as usize].when(code.slice(0, 4).is(k as u128))))
    };
    vec![enable.to_vec(), pair.to_vec(), pair.iter().map(worth).collect()]
}

fn value<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [enable, pair, worth] = *inputs else { panic!("three inputs") };
    let owned = |i: usize| {
        let worth = worth[i].extend_signed(VALUE_BITS);
        pair[i].bit(4).choose(W::zero(VALUE_BITS).minus(worth, VALUE_BITS), worth)
    };
    let both = owned(0).plus(owned(1), VALUE_BITS);
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
