//! Material: the values in a table's header applied to pieces on the board and in hand.
//!
//! ```text
//!                +---------+                          +---------+
//!   enable      ->         -> enable_out             ->         -> write_enable
//!   pair 10     =>  Worth  => pair_out 10            =>  Value  => write_address 10
//!   values 384  =>         => worth 2 x 16           =>         => write_data 18
//!                +---------+                          +---------+
//!                +---------+                          +--------------+
//!   image 512   =>  Hands  => surplus 7 x 6          =>  HandsValue  => products 7 x 26
//!                +---------+              values 384 =>              |
//!                                                     +--------------+
//! ```
//!
//! Handshake: `enable` for each pair of piece codes whose value is to be written to [`super::pieces`].
//! Latency: one clock each. Throughput: one pair, or one position, per clock.
//! Absent: weights by square (`weights`).
//! Cost: 43, 29, 42 and 182 flip-flops; 7 multipliers.
//! Method: `Worth` and `Value` compute the value of two piece codes, ours less theirs. They run through all pairs while
//! a table is loaded, so that only the header's values have to be stored. `Hands` and `HandsValue` multiply the pieces
//! in hand of each kind, ours less theirs, by their values.
//! Model: `host/model/src/evaluate/score.rs`.

use super::pieces::{PAIR_BITS, VALUE_BITS};
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::position::{Board, Image};
use crate::{bundle, network};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Wires of the sums of material.
pub const SUM_BITS: usize = 26;
/// Wires of a value in the header of a table, two's complement.
pub const HEADER_VALUE_BITS: usize = 16;
/// Wires of a surplus, two's complement.
const SURPLUS_BITS: usize = 6;

/// Layout of the surplus in hand: for each hand kind.
pub type Surplus = [Wires<SURPLUS_BITS>; HAND_KINDS];
/// Layout of two piece codes.
pub type Pair = [Wires<CODE_BITS>; 2];
/// Layout of what the two are worth.
pub type PairWorth = [Wires<HEADER_VALUE_BITS>; 2];
/// Layout of surplus times value.
pub type Products = [Wires<SUM_BITS>; HAND_KINDS];

bundle! {
    /// The values in the header of a table.
    pub struct HeaderValues {
        /// By kind on the board.
        board: [Wires<HEADER_VALUE_BITS>; 16],
        /// By kind in hand.
        hand: [Wires<HEADER_VALUE_BITS>; HAND_KINDS],
        /// For the side to move.
        tempo: Wires<HEADER_VALUE_BITS>,
    }
}

network! {
    /// What two kinds of piece are worth, whoever owns them.
    Worth = worth(WorthIn) -> WorthOut {
        in enable: Wire;
        in pair: Pair;
        in values: HeaderValues;
        out enable_out: Wire;
        out pair_out: Pair;
        out worth: PairWorth;
    }
}

network! {
    /// The value of two pieces.
    Value = value(ValueIn) -> ValueOut {
        in enable: Wire;
        in pair: Pair;
        in worth: PairWorth;
        out write_enable: Wire;
        out write_address: Wires<PAIR_BITS>;
        out write_data: Wires<VALUE_BITS>;
    }
}

network! {
    /// Pieces in hand of each kind, ours less theirs.
    Hands = hands(HandsIn) -> HandsOut {
        in image: Image;
        out surplus: Surplus;
    }
}

network! {
    /// Surplus times value.
    HandsValue = hands_value(HandsValueIn) -> HandsValueOut {
        in surplus: Surplus;
        in values: HeaderValues;
        out products: Products;
    }
}

fn worth<W: Word>(inputs: WorthIn<W>) -> WorthOut<W> {
    let WorthIn { enable, pair, values } = inputs;
    let worth = |code: W| {
        let valued = (PAWN..=DRAGON).filter(|&k| k != KING && k != NO_KIND);
        or_all(valued.map(|k| values.board[k as usize].when(code.slice(0, 4).is(k as u128))))
    };
    WorthOut { enable_out: enable, pair_out: pair, worth: pair.map(worth) }
}

fn value<W: Word>(inputs: ValueIn<W>) -> ValueOut<W> {
    let ValueIn { enable, pair, worth } = inputs;
    let owned = |i: usize| {
        let worth = worth[i].extend_signed(VALUE_BITS).named_at("wide_worth", i);
        let negative = W::zero(VALUE_BITS).minus(worth, VALUE_BITS).named_at("negative_worth", i);
        pair[i].bit(4).choose(negative, worth).named_at("owned_worth", i)
    };
    ValueOut { write_enable: enable, write_address: W::join(&pair), write_data: owned(0).plus(owned(1), VALUE_BITS) }
}

fn hands<W: Word>(inputs: HandsIn<W>) -> HandsOut<W> {
    let board = Board::from_image(&inputs.image);
    HandsOut { surplus: std::array::from_fn(|k| board.held(0, k).minus(board.held(1, k), SURPLUS_BITS)) }
}

fn hands_value<W: Word>(inputs: HandsValueIn<W>) -> HandsValueOut<W> {
    let HandsValueIn { surplus, values } = inputs;
    HandsValueOut { products: std::array::from_fn(|k| surplus[k].times_signed(values.hand[k], SUM_BITS)) }
}
