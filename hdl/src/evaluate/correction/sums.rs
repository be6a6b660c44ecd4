//! The sums of the units of both views, and their clipped values.
//!
//! ```text
//!                          +------------+
//!   own_weights 4x64x8    =>            => partials 2 x 64 x 10
//!   their_weights 4x64x8  => FeatureSum |
//!                          +------------+
//!                       +--------------+                     +--------+
//!   load               ->              => sums 2x64x15  take ->        => clipped 128 x 7
//!   biases 64 x 14     =>  Accumulate  |      sums 2x64x15  =>  Clip  |
//!   partials 2x64x10   =>              |    clipped_in 128x7 =>        |
//!   sums_in 2 x 64 x 15 =>             |                      +--------+
//!                       +--------------+
//! ```
//!
//! Handshake: `load` begins the sums with the biases, in a clock in which the partials are zero; `sums` goes back to `sums_in`. With `take`
//! the sums are clipped; in other clocks `clipped`, which goes back to `clipped_in`, moves down by [`ROW`] units.
//! Latency: one clock each. Throughput: one row of weights of each group and view a clock.
//! Absent: the weights. Cost: 4,484, 1,920 and 1,056 look-up tables of an XC7A200T; 1,280, 1,920 and 896 flip-flops.
//! Model: `host/model/src/evaluate/network/mod.rs`.

use super::first_layer::{FeatureWeights, WEIGHT_BITS};
use super::products::ROW;
use crate::network;
use crate::network::{word::sum, Wire, Wires, Word};
use hayasashi_spec::network::{BIAS_LIMIT, CHIP_UNITS, FULL};
use rust_hdl::prelude::*;

/// Views of a position.
pub const VIEWS: usize = 2;
/// Wires of a bias, two's complement.
pub const BIAS_BITS: usize = 14;
const _: () = assert!((BIAS_LIMIT as usize) < 1 << (BIAS_BITS - 1));
/// Wires of the sum of the weights of four features.
const PARTIAL_BITS: usize = WEIGHT_BITS + 2;
/// Wires of the sum of a unit, two's complement.
const SUM_BITS: usize = 15;
/// Wires of a clipped sum.
pub const CLIPPED_BITS: usize = 7;
const _: () = assert!(FULL as usize == (1 << CLIPPED_BITS) - 1);

/// Layout of the biases.
pub type Biases = [Wires<BIAS_BITS>; CHIP_UNITS];
/// Layout of what is added in a clock, by view and unit.
pub type Partials = [[Wires<PARTIAL_BITS>; CHIP_UNITS]; VIEWS];
/// Layout of the units' sums.
pub type Sums = [[Wires<SUM_BITS>; CHIP_UNITS]; VIEWS];
/// Layout of the clipped sums: the mover's view first.
pub type Clipped = [Wires<CLIPPED_BITS>; VIEWS * CHIP_UNITS];

network! {
    /// The sum of the weights of a feature of each group.
    FeatureSum = feature_sum(FeatureSumIn) -> FeatureSumOut {
        in own_weights: FeatureWeights;
        in their_weights: FeatureWeights;
        out partials: Partials;
    }
}

network! {
    /// The sums so far.
    Accumulate = accumulate(AccumulateIn) -> AccumulateOut {
        in load: Wire;
        in biases: Biases;
        in partials: Partials;
        in sums_in: Sums;
        out sums: Sums;
    }
}

network! {
    /// The sums between 0 and [`FULL`].
    Clip = clip(ClipIn) -> ClipOut {
        in take: Wire;
        in sums: Sums;
        in clipped_in: Clipped;
        out clipped: Clipped;
    }
}

fn feature_sum<W: Word>(inputs: FeatureSumIn<W>) -> FeatureSumOut<W> {
    let views = [inputs.own_weights, inputs.their_weights];
    let wide = |weight: W| weight.extend_signed(PARTIAL_BITS);
    FeatureSumOut {
        partials: views
            .map(|groups| std::array::from_fn(|unit| sum(&groups.map(|group| wide(group[unit])), PARTIAL_BITS))),
    }
}

fn accumulate<W: Word>(inputs: AccumulateIn<W>) -> AccumulateOut<W> {
    let AccumulateIn { load, biases, partials, sums_in } = inputs;
    AccumulateOut {
        sums: std::array::from_fn(|view| {
            std::array::from_fn(|unit| {
                let before = load.choose(biases[unit].extend_signed(SUM_BITS), sums_in[view][unit]);
                before.plus(partials[view][unit].extend_signed(SUM_BITS), SUM_BITS)
            })
        }),
    }
}

fn clip<W: Word>(inputs: ClipIn<W>) -> ClipOut<W> {
    let ClipIn { take, sums, clipped_in } = inputs;
    let units: Vec<W> = sums.into_iter().flatten().collect();
    ClipOut {
        clipped: std::array::from_fn(|i| {
            let (low, high) =
                (units[i].slice(0, CLIPPED_BITS), units[i].slice(CLIPPED_BITS, SUM_BITS - 1 - CLIPPED_BITS));
            let full = high.any().choose(!W::zero(CLIPPED_BITS), low);
            let below = clipped_in.get(i + ROW).copied().unwrap_or(W::zero(CLIPPED_BITS));
            take.choose(full.when(!units[i].bit(SUM_BITS - 1)), below)
        }),
    }
}
