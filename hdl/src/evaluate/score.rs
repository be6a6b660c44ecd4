//! The adder tree: weights and material to a score.
//!
//! ```text
//!                   +-----------+               +---------+
//!   own_weights    =>           => placement   =>         |
//!   their_weights  =>  Partial  => 11 x 13     =>  Score  => score 16
//!   products       =>           => material 26 =>         |
//!   values         =>           |               +---------+
//!                   +-----------+
//! ```
//!
//! Latency two clocks (one each), one position per clock. The score is kept within ±30,000.

use super::material::{PRODUCTS, SUM_BITS, VALUES};
use super::weights::WEIGHT_BITS;
use crate::network;
use crate::network::{word::sum, Word};
use hayasashi_spec::table::{SCORE_LIMIT, SLOTS};
use rust_hdl::prelude::*;

/// Layout of the weights of a view.
pub const SLOT_WEIGHTS: &[usize] = &[WEIGHT_BITS; SLOTS];
/// Slots added in the first stage.
const GROUP: usize = 8;
/// Wires of a group's sum, two's complement.
const GROUP_BITS: usize = 13;
/// Layout of the groups' sums.
pub const GROUPS: &[usize] = &[GROUP_BITS; SLOTS / GROUP];

network! {
    /// Sums of groups of slots, and the material.
    Partial = partial {
        in own_weights: SLOT_WEIGHTS;
        in their_weights: SLOT_WEIGHTS;
        in products: PRODUCTS;
        in values: VALUES;
        out placement: GROUPS;
        out material: &[SUM_BITS];
    }
}

network! {
    /// The score.
    Score = score {
        in placement: GROUPS;
        in material: &[SUM_BITS];
        out score: &[16];
    }
}

fn partial<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [own, their, products, values] = *inputs else { panic!("four inputs") };
    let differences: Vec<W> = own
        .iter()
        .zip(their)
        .map(|(a, b)| a.extend_signed(10).minus(b.extend_signed(10), 10).extend_signed(GROUP_BITS))
        .collect();
    let groups = differences.chunks(GROUP).map(|group| sum(group, GROUP_BITS));
    let mut terms = products.to_vec();
    terms.push(values[23].extend_signed(SUM_BITS));
    vec![groups.collect(), vec![sum(&terms, SUM_BITS)]]
}

fn score<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [placement, material] = *inputs else { panic!("two inputs") };
    let mut terms: Vec<W> = placement.iter().map(|g| g.extend_signed(SUM_BITS)).collect();
    // A bias makes the comparisons unsigned.
    let middle = 1u128 << (SUM_BITS - 1);
    let constant = |offset: i64| W::constant((middle as i64 + offset) as u128, SUM_BITS);
    terms.push(material[0].plus(constant(0), SUM_BITS));
    let biased = sum(&terms, SUM_BITS);
    let limit = SCORE_LIMIT as i64;
    let low = biased.below(constant(-limit)).choose(constant(-limit), biased);
    let clamped = constant(limit).below(biased).choose(constant(limit), low);
    vec![vec![clamped.slice(0, 16)]]
}
