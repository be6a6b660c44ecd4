//! The adder trees: weights and material to a score.
//!
//! ```text
//!            +----------+
//!   pairs   =>  Couple  => couples 21 x 19
//!            +----------+
//!                   +--------------+                 +-----------+
//!   own_weights    =>              => differences   =>           => placement 11 x 13
//!   their_weights  =>  Difference  => pieces 6 x 21 =>  Partial  => material 26
//!   couples        =>              => hands 26      =>           |
//!   products       =>              |                 +-----------+
//!   values         =>              |
//!                   +--------------+
//!                +------------+             +---------+         +---------+
//!   placement   =>            => sums      =>         => sum   =>  Clamp  => score 16
//!   material    =>  Placement => material  =>  Score  |         +---------+
//!                +------------+             +---------+
//! ```
//!
//! Latency one clock each, one position per clock. The score is kept within ±30,000.

use super::material::{PRODUCTS, SUM_BITS, VALUES};
use super::pieces::{PAIRS, VALUE_BITS};
use super::weights::WEIGHT_BITS;
use crate::network;
use crate::network::{word::sum, Word};
use hayasashi_spec::table::{SCORE_LIMIT, SLOTS};
use rust_hdl::prelude::*;

/// Layout of the weights of a view.
pub const SLOT_WEIGHTS: &[usize] = &[WEIGHT_BITS; SLOTS];
/// Layout of the values of pairs of squares.
pub const PAIR_VALUES: &[usize] = &[VALUE_BITS; PAIRS];
/// Layout of the values of two pairs each.
pub const COUPLES: &[usize] = &[VALUE_BITS + 1; PAIRS.div_ceil(2)];
/// Layout of our weight less theirs of each slot.
pub const DIFFERENCES: &[usize] = &[WEIGHT_BITS + 1; SLOTS];
/// Layout of the values of four couples each.
pub const PIECES: &[usize] = &[VALUE_BITS + 3; COUPLES.len().div_ceil(4)];
/// Slots added to a group.
const GROUP: usize = 8;
/// Wires of a group's sum, two's complement.
const GROUP_BITS: usize = 13;
/// Layout of the groups' sums.
pub const GROUPS: &[usize] = &[GROUP_BITS; SLOTS / GROUP];
/// Wires of the sum of all groups, two's complement.
const PLACEMENT_BITS: usize = GROUP_BITS + 4;
/// Layout of the sums of four groups each.
pub const PLACEMENTS: &[usize] = &[PLACEMENT_BITS; GROUPS.len().div_ceil(4)];

network! {
    /// Values of couples of pairs.
    Couple = couple {
        in pairs: PAIR_VALUES;
        out couples: COUPLES;
    }
}

network! {
    /// Differences of the weights; material in fewer parts.
    Difference = difference {
        in own_weights: SLOT_WEIGHTS;
        in their_weights: SLOT_WEIGHTS;
        in couples: COUPLES;
        in products: PRODUCTS;
        in values: VALUES;
        out differences: DIFFERENCES;
        out pieces: PIECES;
        out hands: &[SUM_BITS];
    }
}

network! {
    /// Sums of groups of slots, and the material.
    Partial = partial {
        in differences: DIFFERENCES;
        in pieces: PIECES;
        in hands: &[SUM_BITS];
        out placement: GROUPS;
        out material: &[SUM_BITS];
    }
}

network! {
    /// Sums of groups.
    Placement = placement {
        in groups: GROUPS;
        in material: &[SUM_BITS];
        out sums: PLACEMENTS;
        out material_out: &[SUM_BITS];
    }
}

network! {
    /// The sum of everything.
    Score = score {
        in placement: PLACEMENTS;
        in material: &[SUM_BITS];
        out sum: &[SUM_BITS];
    }
}

network! {
    /// The score within its limits.
    Clamp = clamp {
        in sum: &[SUM_BITS];
        out score: &[16];
    }
}

/// Sums of chunks of signed numbers.
fn sums<W: Word>(numbers: &[W], chunk: usize, width: usize) -> Vec<W> {
    let wide: Vec<W> = numbers.iter().map(|n| n.extend_signed(width)).collect();
    wide.chunks(chunk).map(|few| sum(few, width)).collect()
}

fn couple<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    vec![sums(inputs[0], 2, VALUE_BITS + 1)]
}

fn difference<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [own, their, couples, products, values] = *inputs else { panic!("five inputs") };
    let wide = |w: &W| w.extend_signed(WEIGHT_BITS + 1);
    let differences = own.iter().zip(their).map(|(a, b)| wide(a).minus(wide(b), WEIGHT_BITS + 1)).collect();
    let mut hands = products.to_vec();
    hands.push(values[23].extend_signed(SUM_BITS));
    vec![differences, sums(couples, 4, VALUE_BITS + 3), vec![sum(&hands, SUM_BITS)]]
}

fn partial<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [differences, pieces, hands] = *inputs else { panic!("three inputs") };
    let material = [pieces, hands].concat();
    vec![sums(differences, GROUP, GROUP_BITS), sums(&material, material.len(), SUM_BITS)]
}

fn placement<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [groups, material] = *inputs else { panic!("two inputs") };
    vec![sums(groups, 4, PLACEMENT_BITS), material.to_vec()]
}

fn score<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [placement, material] = *inputs else { panic!("two inputs") };
    let terms = [placement, material].concat();
    vec![sums(&terms, terms.len(), SUM_BITS)]
}

fn clamp<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    // A bias makes the comparisons unsigned.
    let middle = 1u128 << (SUM_BITS - 1);
    let constant = |offset: i64| W::constant((middle as i64 + offset) as u128, SUM_BITS);
    let biased = inputs[0][0] ^ W::constant(middle, SUM_BITS);
    let limit = SCORE_LIMIT as i64;
    let low = biased.below(constant(-limit)).choose(constant(-limit), biased);
    let clamped = constant(limit).below(biased).choose(constant(limit), low);
    vec![vec![clamped.slice(0, 16)]]
}
