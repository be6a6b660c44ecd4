//! The adder trees: from weights and material to a score.
//!
//! ```text
//!                 +----------+
//!   pairs 41x18  =>  Couple  => couples 21 x 19
//!                 +----------+
//!                         +--------------+                        +-----------+
//!   own_weights 88 x 9   =>              => differences 88 x 10  =>           => placement 11 x 13
//!   their_weights 88 x 9 =>  Difference  => pieces 6 x 21        =>  Partial  => material 26
//!   couples 21 x 19      =>              => hands 26             =>           |
//!   products 7 x 26      =>              |                        +-----------+
//!   values 384           =>              |
//!                         +--------------+
//!                  +-------------+                  +---------+            +---------+
//!   groups 11x13  =>             => sums 3 x 17    =>         => sum 26   =>  Clamp  => score 16
//!   material 26   =>  Placement  => material_out   =>  Score  |            +---------+
//!                  +-------------+                  +---------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock each. Throughput: one position per clock.
//! Absent: mates and repetitions, which the host's search finds.
//! Cost: 399, 1,032, 169, 77, 26 and 16 flip-flops. The score is kept within ±30,000.
//! Model: `host/model/src/evaluate/score.rs`.

use super::material::{HeaderValues, Products, SUM_BITS};
use super::pieces::{PAIRS, VALUE_BITS};
use super::weights::WEIGHT_BITS;
use crate::network;
use crate::network::{word::sum, Wires, Word};
use hayasashi_spec::table::{SCORE_LIMIT, SLOTS};
use rust_hdl::prelude::*;

/// Couples of pairs of squares.
const COUPLE_COUNT: usize = PAIRS.div_ceil(2);
/// Couples added to one value of pieces.
const COUPLES_ADDED: usize = 4;
/// Slots added to a group.
const GROUP: usize = 8;
/// Groups of slots.
const GROUP_COUNT: usize = SLOTS / GROUP;
/// Groups added to one sum.
const GROUPS_ADDED: usize = 4;
/// Wires of a group's sum, two's complement.
const GROUP_BITS: usize = 13;
/// Wires of the sum of all groups, two's complement.
const PLACEMENT_BITS: usize = GROUP_BITS + 4;

/// Layout of the weights of a view.
pub type SlotWeights = [Wires<WEIGHT_BITS>; SLOTS];
/// Layout of the values of pairs of squares.
pub type PairValues = [Wires<VALUE_BITS>; PAIRS];
/// Layout of the values of two pairs each.
pub type Couples = [Wires<{ VALUE_BITS + 1 }>; COUPLE_COUNT];
/// Layout of our weight less theirs of each slot.
pub type Differences = [Wires<{ WEIGHT_BITS + 1 }>; SLOTS];
/// Layout of the values of four couples each.
pub type PieceSums = [Wires<{ VALUE_BITS + 3 }>; COUPLE_COUNT.div_ceil(COUPLES_ADDED)];
/// Layout of the groups' sums.
pub type Groups = [Wires<GROUP_BITS>; GROUP_COUNT];
/// Layout of the sums of four groups each.
pub type Placements = [Wires<PLACEMENT_BITS>; GROUP_COUNT.div_ceil(GROUPS_ADDED)];
/// Layout of the sum of everything, or of material.
pub type Sum = Wires<SUM_BITS>;

network! {
    /// Values of couples of pairs.
    Couple = couple(CoupleIn) -> CoupleOut {
        in pairs: PairValues;
        out couples: Couples;
    }
}

network! {
    /// Differences of the weights; material in fewer parts.
    Difference = difference(DifferenceIn) -> DifferenceOut {
        in own_weights: SlotWeights;
        in their_weights: SlotWeights;
        in couples: Couples;
        in products: Products;
        in values: HeaderValues;
        out differences: Differences;
        out pieces: PieceSums;
        out hands: Sum;
    }
}

network! {
    /// Sums of groups of slots, and the material.
    Partial = partial(PartialIn) -> PartialOut {
        in differences: Differences;
        in pieces: PieceSums;
        in hands: Sum;
        out placement: Groups;
        out material: Sum;
    }
}

network! {
    /// Sums of groups.
    Placement = placement(PlacementIn) -> PlacementOut {
        in groups: Groups;
        in material: Sum;
        out sums: Placements;
        out material_out: Sum;
    }
}

network! {
    /// The sum of everything.
    Score = score(ScoreIn) -> ScoreOut {
        in placement: Placements;
        in material: Sum;
        out sum: Sum;
    }
}

network! {
    /// The score within its limits.
    Clamp = clamp(ClampIn) -> ClampOut {
        in sum: Sum;
        out score: Wires<16>;
    }
}

/// The sum of signed numbers.
fn signed_sum<W: Word>(numbers: &[W], width: usize) -> W {
    let wide: Vec<W> = numbers.iter().map(|number| number.extend_signed(width)).collect();
    sum(&wide, width)
}

/// Sums of chunks of signed numbers; the last chunk may be shorter.
fn chunk_sums<W: Word, const N: usize>(numbers: &[W], chunk: usize, width: usize) -> [W; N] {
    assert_eq!(numbers.len().div_ceil(chunk), N, "number of chunks");
    std::array::from_fn(|i| signed_sum(&numbers[chunk * i..numbers.len().min(chunk * (i + 1))], width))
}

fn couple<W: Word>(inputs: CoupleIn<W>) -> CoupleOut<W> {
    CoupleOut { couples: chunk_sums(&inputs.pairs, 2, VALUE_BITS + 1) }
}

fn difference<W: Word>(inputs: DifferenceIn<W>) -> DifferenceOut<W> {
    let DifferenceIn { own_weights, their_weights, couples, products, values } = inputs;
    let wide = |weight: W| weight.extend_signed(WEIGHT_BITS + 1);
    let mut hands = products.to_vec();
    hands.push(values.tempo.extend_signed(SUM_BITS));
    DifferenceOut {
        differences: std::array::from_fn(|slot| {
            wide(own_weights[slot]).minus(wide(their_weights[slot]), WEIGHT_BITS + 1)
        }),
        pieces: chunk_sums(&couples, COUPLES_ADDED, VALUE_BITS + 3),
        hands: sum(&hands, SUM_BITS),
    }
}

fn partial<W: Word>(inputs: PartialIn<W>) -> PartialOut<W> {
    let PartialIn { differences, pieces, hands } = inputs;
    let material = [&pieces[..], &[hands]].concat();
    PartialOut { placement: chunk_sums(&differences, GROUP, GROUP_BITS), material: signed_sum(&material, SUM_BITS) }
}

fn placement<W: Word>(inputs: PlacementIn<W>) -> PlacementOut<W> {
    let PlacementIn { groups, material } = inputs;
    PlacementOut { sums: chunk_sums(&groups, GROUPS_ADDED, PLACEMENT_BITS), material_out: material }
}

fn score<W: Word>(inputs: ScoreIn<W>) -> ScoreOut<W> {
    let ScoreIn { placement, material } = inputs;
    ScoreOut { sum: signed_sum(&[&placement[..], &[material]].concat(), SUM_BITS) }
}

fn clamp<W: Word>(inputs: ClampIn<W>) -> ClampOut<W> {
    ClampOut { score: within_limit(inputs.sum) }
}

/// A two's complement number as a score of 16 wires, kept within ±[`SCORE_LIMIT`].
pub fn within_limit<W: Word>(number: W) -> W {
    // A bias makes the comparisons unsigned.
    let middle = 1u128 << (number.width() - 1);
    let constant = |offset: i64| W::constant((middle as i64 + offset) as u128, number.width());
    let biased = (number ^ W::constant(middle, number.width())).named("biased");
    let limit = SCORE_LIMIT as i64;
    let not_above = constant(limit).below(biased).choose(constant(limit), biased).named("not_above");
    let clamped = biased.below(constant(-limit)).choose(constant(-limit), not_above).named("clamped");
    clamped.slice(0, 16)
}
