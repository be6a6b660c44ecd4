//! The weights of a network in training: the loss of a position, its gradient, and Adam (Kingma and Ba, 2015).
//!
//! One list of numbers: the first layer feature by feature, the biases, the last layer for the mover's view and for the other one,
//! and the constant. A unit saturates at 1; the last layer and the constant are in pawns.

use super::samples::Samples;
use crate::learning::objective::{cross_entropy, sigmoid};
use hayasashi_model::evaluate::network::{Network, NetworkWeights};
use hayasashi_shogi::random::Random;
use hayasashi_spec::network::*;

/// Centipawns of a weight of 1 in the last layer.
const PAWN: f32 = 100.0;
/// Units of the file's numbers in a weight of 1: in the first layer and the biases,
const FIRST_SCALE: f32 = FULL as f32;
/// and in the last layer.
const LAST_SCALE: f32 = PAWN * (1 << SHIFT) as f32 / (FULL as f32 * FULL as f32);
/// Width of the first weights, uniform around 0.
const FIRST_WIDTH: f32 = 0.1;
/// Width of the first weights of the last layer.
const LAST_WIDTH: f32 = 0.05;
/// First bias of a unit.
const BIAS: f32 = 0.3;
const MOMENTS: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

/// Where the parts of the list are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Number of units.
    pub units: usize,
}

impl Layout {
    fn bias(self) -> usize {
        FEATURES * self.units
    }

    fn last(self) -> usize {
        self.bias() + self.units
    }

    fn constant(self) -> usize {
        self.last() + 2 * self.units
    }

    /// Number of weights.
    pub fn weights(self) -> usize {
        self.constant() + 1
    }

    /// Random weights.
    pub fn random(self, seed: u64) -> Vec<f32> {
        let mut random = Random::new(seed, 99);
        let mut value = |width: f32| width * (random.below(2001) as f32 / 1000.0 - 1.0);
        let mut weights: Vec<f32> = (0..self.bias()).map(|_| value(FIRST_WIDTH)).collect();
        weights.extend(std::iter::repeat_n(BIAS, self.units));
        weights.extend((0..2 * self.units).map(|_| value(LAST_WIDTH)));
        weights.push(0.0);
        weights
    }

    /// The scale and the limit of a part of the file's numbers, by the place in the list.
    fn parts(self) -> [(std::ops::Range<usize>, f32, i16); 4] {
        [
            (0..self.bias(), FIRST_SCALE, FIRST_LIMIT),
            (self.bias()..self.last(), FIRST_SCALE, BIAS_LIMIT),
            (self.last()..self.constant(), LAST_SCALE, LAST_LIMIT),
            (self.constant()..self.weights(), PAWN, CONSTANT_LIMIT),
        ]
    }

    /// Rounds weights to what the file can hold.
    pub fn round(self, weights: &[f32], rounded: &mut Vec<f32>) {
        rounded.clear();
        for (part, scale, limit) in self.parts() {
            rounded.extend(weights[part].iter().map(|w| number(*w, scale, limit) / scale));
        }
    }

    /// The weights as the file has them.
    pub fn numbers(self, weights: &[f32]) -> NetworkWeights {
        let [first, bias, last, constant] = self.parts().map(|(part, scale, limit)| {
            weights[part].iter().map(|w| number(*w, scale, limit) as i16).collect::<Vec<i16>>()
        });
        let (own, other) = last.split_at(self.units);
        NetworkWeights { first, bias, last: [own.to_vec(), other.to_vec()], constant: constant[0] }
    }

    /// The weights of a network with as many units.
    pub fn of(self, network: &Network) -> Vec<f32> {
        let first: Vec<i16> = (0..FEATURES).flat_map(|feature| network.first(feature)).copied().collect();
        let lists = [first, network.bias().to_vec(), network.last().concat(), vec![network.constant()]];
        let scaled = |(list, (_, scale, _)): (Vec<i16>, (_, f32, _))| list.into_iter().map(move |w| w as f32 / scale);
        lists.into_iter().zip(self.parts()).flat_map(scaled).collect()
    }
}

/// The file's number of a weight.
#[inline(always)]
fn number(weight: f32, scale: f32, limit: i16) -> f32 {
    (weight * scale).round().clamp(-limit as f32, limit as f32)
}

/// Sums over positions.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Sums {
    /// Of the losses.
    pub loss: f64,
    /// Positions.
    pub positions: u64,
    /// Positions of games that were won or lost.
    pub decided: u64,
    /// Of these, those with the better chance for the winner.
    pub right: u64,
}

impl Sums {
    /// Adds the sums of `other`.
    pub fn add(&mut self, other: &Sums) {
        self.loss += other.loss;
        self.positions += other.positions;
        self.decided += other.decided;
        self.right += other.right;
    }

    /// Mean loss of a position.
    pub fn mean(&self) -> f64 {
        self.loss / self.positions.max(1) as f64
    }

    /// Share of the decided positions where the winner has the better chance.
    pub fn share_right(&self) -> f64 {
        self.right as f64 / self.decided.max(1) as f64
    }
}

/// Adds the losses of these positions to `sums`, and their gradient to `gradient` if there is one. The weights are rounded.
pub fn losses(
    layout: Layout,
    scale: f32,
    weights: &[f32],
    samples: &Samples,
    positions: impl Iterator<Item = u32>,
    mut gradient: Option<&mut [f32]>,
) -> Sums {
    let units = layout.units;
    let (bias, last) = (&weights[layout.bias()..layout.last()], &weights[layout.last()..layout.constant()]);
    let mut activations = vec![0.0f32; 2 * units];
    let mut slopes = vec![0.0f32; units];
    let mut sums = Sums::default();
    for at in positions {
        let at = at as usize;
        let views = samples.views(at);
        let mut correction = weights[layout.constant()];
        for ((view, sums), last) in views.iter().zip(activations.chunks_exact_mut(units)).zip(last.chunks_exact(units))
        {
            sums.copy_from_slice(bias);
            for &feature in *view {
                add(sums, &weights[feature as usize * units..][..units]);
            }
            correction += sums
                .iter()
                .zip(last)
                .map(|(sum, weight)| {
                    let clipped = sum.clamp(0.0, 1.0);
                    clipped * clipped * weight
                })
                .sum::<f32>();
        }
        let (base, target) = (samples.base[at], samples.target[at]);
        let chance = sigmoid((base + PAWN * correction) / scale);
        sums.loss += cross_entropy(chance, target) as f64;
        sums.positions += 1;
        if let Some(won) = samples.won[at] {
            sums.decided += 1;
            sums.right += ((chance > 0.5) == won) as u64;
        }
        let Some(gradient) = &mut gradient else { continue };
        let slope = (chance - target) * PAWN / scale;
        gradient[layout.constant()] += slope;
        for (side, view) in views.iter().enumerate() {
            let (sums, last) = (&activations[side * units..][..units], &last[side * units..][..units]);
            let of_last = &mut gradient[layout.last() + side * units..][..units];
            for unit in 0..units {
                let clipped = sums[unit].clamp(0.0, 1.0);
                of_last[unit] += slope * clipped * clipped;
                let inside = if sums[unit] > 0.0 && sums[unit] < 1.0 { 2.0 * sums[unit] } else { 0.0 };
                slopes[unit] = slope * last[unit] * inside;
            }
            add(&mut gradient[layout.bias()..layout.last()], &slopes);
            for &feature in *view {
                add(&mut gradient[feature as usize * units..][..units], &slopes);
            }
        }
    }
    sums
}

#[inline(always)]
fn add(to: &mut [f32], from: &[f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

/// The weights in training, with the optimiser's state.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Unrounded.
    pub weights: Vec<f32>,
    /// Moving averages of each weight's gradient and of its square.
    pub moments: [Vec<f32>; 2],
    /// Number of steps.
    pub steps: u32,
}

impl State {
    /// Before the first step.
    pub fn new(weights: Vec<f32>) -> State {
        let zero = || vec![0.0; weights.len()];
        State { moments: [zero(), zero()], weights, steps: 0 }
    }

    /// Makes a step of this size with the gradient of the mean loss, which is the sum of `parts` times `share`.
    pub fn step(&mut self, layout: Layout, parts: &[Vec<f32>], share: f32, rate: f32, threads: usize) {
        self.steps += 1;
        let [mean_decay, square_decay] = MOMENTS;
        let correct = |decay: f32| 1.0 / (1.0 - decay.powi(self.steps.min(100_000) as i32));
        let (of_mean, of_square) = (correct(mean_decay), correct(square_decay));
        let length = layout.weights().div_ceil(threads);
        let [means, squares] = &mut self.moments;
        std::thread::scope(|scope| {
            let lists = self.weights.chunks_mut(length).zip(means.chunks_mut(length).zip(squares.chunks_mut(length)));
            for (number, (weights, (means, squares))) in lists.enumerate() {
                scope.spawn(move || {
                    for i in 0..weights.len() {
                        let at = number * length + i;
                        let slope = share * parts.iter().map(|part| part[at]).sum::<f32>();
                        means[i] = mean_decay * means[i] + (1.0 - mean_decay) * slope;
                        squares[i] = square_decay * squares[i] + (1.0 - square_decay) * slope * slope;
                        weights[i] -= rate * means[i] * of_mean / ((squares[i] * of_square).sqrt() + EPSILON);
                        if at < layout.bias() {
                            // What is clipped in the file would never come back.
                            weights[i] = weights[i].clamp(-1.0, 1.0);
                        }
                    }
                });
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Source, BLOCK};
    use super::*;
    use hayasashi_accel::view::image;
    use hayasashi_engine::search::accumulator::Weights;
    use hayasashi_model::{evaluate::default_table, position::Position as ModelPosition};
    use hayasashi_shogi::rules::Position;
    use std::{ops::ControlFlow, sync::Arc};

    const LAYOUT: Layout = Layout { units: 8 };
    const SCALE: f32 = 600.0;

    const SFENS: [&str; 3] = [
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "4k4/9/4P4/9/9/9/9/9/4K4 b RB2G2S 1",
    ];

    /// Three positions.
    fn samples() -> Samples {
        let folder = std::env::temp_dir().join(format!(
            "hayasashi-samples-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        ));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("positions.tsv");
        let lines: String =
            SFENS.iter().zip([-300, 0, 900]).map(|(sfen, score)| format!("{sfen}\t{score}\t-\tblack\n")).collect();
        std::fs::write(&file, lines).unwrap();
        let source = Source { files: vec![file], scale: SCALE, blend: 0.5, lambda: 0.0, held_out: 1.0, block: BLOCK };
        let weights = Weights::new(Arc::new(default_table()));
        let mut found = Samples::default();
        let counts = source.blocks(&weights, false, &mut |fault| panic!("{fault}"), &mut |block| {
            found = block.clone();
            Ok(ControlFlow::Continue(()))
        });
        assert_eq!(counts.unwrap().used, 3);
        std::fs::remove_dir_all(&folder).unwrap();
        found
    }

    fn rounded(weights: &[f32]) -> Vec<f32> {
        let mut rounded = Vec::new();
        LAYOUT.round(weights, &mut rounded);
        rounded
    }

    #[test]
    fn targets_blend_score_and_result() {
        let samples = samples();
        let expected = [(-300.0f32, 0.0), (0.0, 1.0), (900.0, 1.0)];
        for (target, (score, points)) in samples.target.iter().zip(expected) {
            assert!((target - 0.5 * (points + 1.0 / (1.0 + (-score / SCALE).exp()))).abs() < 1e-6, "{target}");
        }
        assert_eq!(samples.won, [Some(false), Some(true), Some(true)]);
    }

    #[test]
    fn back_propagation_gives_the_gradient_of_the_loss() {
        let samples = samples();
        let weights = LAYOUT.random(3);
        let mut gradient = vec![0.0; LAYOUT.weights()];
        losses(LAYOUT, SCALE, &weights, &samples, 0..3, Some(&mut gradient));
        let mut touched = 0;
        for i in (0..LAYOUT.weights()).filter(|i| gradient[*i] != 0.0).step_by(3) {
            let loss = |by: f32| {
                let mut changed = weights.clone();
                changed[i] += by;
                losses(LAYOUT, SCALE, &changed, &samples, 0..3, None).loss as f32
            };
            let measured = (loss(1e-2) - loss(-1e-2)) / 2e-2;
            assert!(
                (measured - gradient[i]).abs() < 2e-4 + 0.05 * gradient[i].abs(),
                "{i}: {measured} and {}",
                gradient[i]
            );
            touched += 1;
        }
        assert!(touched > 100, "{touched}");
    }

    /// The engine's integers give what training computes, but for what the last shift rounds.
    #[test]
    fn the_engine_evaluates_as_training_does() {
        let samples = samples();
        let table = Arc::new(default_table());
        for seed in 1..6 {
            // Large enough that units saturate at both ends.
            let weights: Vec<f32> = LAYOUT.random(seed).iter().map(|w| 4.0 * w).collect();
            let network = Network::new(table.clone(), 1, LAYOUT.numbers(&weights)).unwrap();
            let weights = rounded(&weights);
            assert_eq!(LAYOUT.of(&network), weights);
            for (at, sfen) in SFENS.iter().enumerate() {
                let pos = Position::from_sfen(sfen).unwrap();
                let score = network.corrected(samples.base[at] as i32, &ModelPosition::from(&image(&pos))) as f32;
                let mut only = samples.clone();
                only.target[at] = 1.0;
                let loss = losses(LAYOUT, SCALE, &weights, &only, at as u32..at as u32 + 1, None).loss;
                let expected = -((-loss).exp().recip() - 1.0).ln() * SCALE as f64;
                assert!((score as f64 - expected).abs() < 1.5, "{sfen}: {score} and {expected}");
            }
        }
    }

    #[test]
    fn training_reduces_the_loss() {
        let samples = samples();
        let mut state = State::new(LAYOUT.random(1));
        let loss = |state: &State| losses(LAYOUT, SCALE, &rounded(&state.weights), &samples, 0..3, None).mean();
        let first = loss(&state);
        let entropy: f32 = samples.target.iter().map(|t| cross_entropy(*t, *t)).sum::<f32>() / 3.0;
        for _ in 0..1000 {
            let mut gradient = vec![0.0; LAYOUT.weights()];
            losses(LAYOUT, SCALE, &rounded(&state.weights), &samples, 0..3, Some(&mut gradient));
            state.step(LAYOUT, &[gradient], 1.0 / 3.0, 0.01, 2);
        }
        let excess = |loss: f64| loss - entropy as f64;
        assert!(excess(loss(&state)) < 0.1 * excess(first), "{first} {} {entropy}", loss(&state));
    }
}
