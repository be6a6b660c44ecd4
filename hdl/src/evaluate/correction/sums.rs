//! The sums of the units of both sides, and their clipped values.
//!
//! ```text
//!                       +--------------+                     +--------+
//!   load               ->              => sums 2x64x15  take ->        => clipped 128 x 7
//!   complements 2      =>  Accumulate  |      sums 2x64x15  =>  Clip  |
//!   kept 2 x 64 x 15   =>              |    clipped_in 128x7 =>        |
//!   weights 2x64x8     =>              |                      +--------+
//!   sums_in 2 x 64 x 15 =>             |
//!                       +--------------+
//! ```
//!
//! Handshake: with `load` the kept sums take the place of `sums_in`, to which `sums` goes back. A side's sums are complemented before the
//! weights are added, or not: see `features`. With `take` the sums are clipped; in other clocks `clipped`, which goes back to `clipped_in`,
//! moves down by [`ROW`] units.
//! Latency: one clock each. Throughput: a feature of each side a clock.
//! Cost: 1,920 and 896 flip-flops. Absent: the weights; sums that are kept (`sum_rows`).
//! Model: `host/model/src/evaluate/network/mod.rs`.

use super::first_layer::FeatureWeights;
use super::products::ROW;
use crate::network;
use crate::network::{Wire, Wires, Word};
use hayasashi_spec::network::{CHIP_UNITS, FULL};
use rust_hdl::prelude::*;

/// Sides: the one that moves at even plies, the other one.
pub const SIDES: usize = 2;
/// Wires of the sum of a unit, two's complement.
pub const SUM_BITS: usize = 15;
/// Wires of a clipped sum.
pub const CLIPPED_BITS: usize = 7;
const _: () = assert!(FULL as usize == (1 << CLIPPED_BITS) - 1);

/// Layout of what is added in a clock, by side.
pub type Weights = [FeatureWeights; SIDES];
/// Layout of the sums of a side's units.
pub type SideSums = [Wires<SUM_BITS>; CHIP_UNITS];
/// Layout of both sides' sums.
pub type Sums = [SideSums; SIDES];
/// Layout of the clipped sums.
pub type Clipped = [Wires<CLIPPED_BITS>; SIDES * CHIP_UNITS];

network! {
    /// The sums so far.
    Accumulate = accumulate(AccumulateIn) -> AccumulateOut {
        in load: Wire;
        in complements: [Wire; SIDES];
        in kept: Sums;
        in weights: Weights;
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

fn accumulate<W: Word>(inputs: AccumulateIn<W>) -> AccumulateOut<W> {
    let AccumulateIn { load, complements, kept, weights, sums_in } = inputs;
    let sum = |side: usize, unit: usize| {
        let before = load.choose(kept[side][unit], sums_in[side][unit]);
        let before = before ^ W::join(&[complements[side]; SUM_BITS]);
        before.plus(weights[side][unit].extend_signed(SUM_BITS), SUM_BITS)
    };
    AccumulateOut { sums: std::array::from_fn(|side| std::array::from_fn(|unit| sum(side, unit))) }
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
