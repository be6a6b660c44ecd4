//! An experiment: a small neural network on the same features as the table, trained by back-propagation.
//!
//! ```text
//!   mover's view  --W--> h units, clipped to 0..1 --.
//!   other's view  --W--> h units, clipped to 0..1 ---+--> log-odds that the mover wins
//!   values of the header ---------------------------'
//! ```
//!
//! Both views share W, as in the networks of Nasu (2018) and in the table. The network is trained on the quiet leaves that the
//! table finds, one position at a time, by AdaGrad (Duchi, Hazan and Singer, 2011). It does not run on the chip.

use super::{
    features::{Features, HEADER},
    objective::sigmoid,
};
use hayasashi_shogi::random::Random;

/// Scale of the header values in the network's input.
const HEADER_SCALE: f32 = 0.3;
/// Learning rate.
const LEARNING_RATE: f32 = 0.02;

/// The weights of a layer, with the sums of their squared gradients.
struct Layer {
    values: Vec<f32>,
    squares: Vec<f32>,
}

impl Layer {
    fn new(count: usize, width: f32, random: &mut Random) -> Layer {
        let mut value = || width * (random.below(2001) as f32 / 1000.0 - 1.0);
        Layer { values: (0..count).map(|_| value()).collect(), squares: vec![1e-4; count] }
    }

    #[inline]
    fn step(&mut self, i: usize, slope: f32) {
        self.squares[i] += slope * slope;
        self.values[i] -= LEARNING_RATE * slope / self.squares[i].sqrt();
    }
}

/// The network.
pub struct Network {
    hidden: usize,
    /// Weights by table weight and hidden unit.
    first: Layer,
    /// Biases of the hidden units.
    bias: Layer,
    /// Output weights: hidden units of the mover's view, of the opponent's view, then header values.
    last: Layer,
    /// Sums of the hidden units in both views, before clipping.
    units: [Vec<f32>; 2],
}

impl Network {
    /// A network with `hidden` hidden units and random weights.
    pub fn new(hidden: usize, seed: u64) -> Network {
        let mut random = Random::new(seed, 99);
        let header = Features::default().header.len();
        Network {
            hidden,
            first: Layer::new(HEADER * hidden, 0.05, &mut random),
            bias: Layer::new(hidden, 0.3, &mut random),
            last: Layer::new(2 * hidden + header, 0.1, &mut random),
            units: [vec![0.0; hidden], vec![0.0; hidden]],
        }
    }

    /// Log-odds of a win of the side to move.
    pub fn odds(&mut self, features: &Features) -> f32 {
        let Network { hidden, first, bias, last, units } = self;
        for (units, list) in units.iter_mut().zip([&features.own, &features.other]) {
            units.copy_from_slice(&bias.values);
            for &i in list {
                let row = &first.values[i as usize * *hidden..][..*hidden];
                units.iter_mut().zip(row).for_each(|(u, w)| *u += w);
            }
        }
        let sums = units.iter().flatten().zip(&last.values).map(|(u, w)| u.clamp(0.0, 1.0) * w);
        let header = features.header.iter().zip(&last.values[2 * *hidden..]);
        sums.sum::<f32>() + header.map(|(&n, w)| HEADER_SCALE * n as f32 * w).sum::<f32>()
    }

    /// Calls `each` with the non-zero components of the loss's gradient, as `(layer, index, slope)`; returns the loss.
    fn gradient(&mut self, features: &Features, goal: f32, mut each: impl FnMut(usize, usize, f32)) -> f32 {
        let chance = sigmoid(self.odds(features));
        let slope = chance - goal;
        for (side, list) in [&features.own, &features.other].into_iter().enumerate() {
            for unit in 0..self.hidden {
                let (sum, weight) = (self.units[side][unit], self.last.values[side * self.hidden + unit]);
                each(2, side * self.hidden + unit, slope * sum.clamp(0.0, 1.0));
                if sum > 0.0 && sum < 1.0 {
                    each(1, unit, slope * weight);
                    list.iter().for_each(|&i| each(0, i as usize * self.hidden + unit, slope * weight));
                }
            }
        }
        for (i, &n) in features.header.iter().enumerate().filter(|(_, &n)| n != 0) {
            each(2, 2 * self.hidden + i, slope * HEADER_SCALE * n as f32);
        }
        cross_entropy(chance, goal)
    }

    /// Makes one training step; returns the loss before it.
    pub fn learn(&mut self, features: &Features, goal: f32) -> f32 {
        let mut steps = Vec::with_capacity(2 * self.hidden * (features.own.len() + 2));
        let loss = self.gradient(features, goal, |layer, i, slope| steps.push((layer, i, slope)));
        for (layer, i, slope) in steps {
            [&mut self.first, &mut self.bias, &mut self.last][layer].step(i, slope);
        }
        loss
    }

    /// The loss of one position.
    pub fn loss(&mut self, features: &Features, goal: f32) -> f32 {
        cross_entropy(sigmoid(self.odds(features)), goal)
    }
}

/// Cross-entropy of a predicted chance and its target.
pub fn cross_entropy(chance: f32, goal: f32) -> f32 {
    -(goal * chance.max(1e-7).ln() + (1.0 - goal) * (1.0 - chance).max(1e-7).ln())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayasashi_shogi::rules::Position;

    #[test]
    fn back_propagation_gives_the_gradient_of_the_loss() {
        let pos = Position::from_sfen("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1").unwrap();
        let mut features = Features::default();
        features.read(&pos);
        let mut network = Network::new(8, 1);
        let mut slopes = std::collections::BTreeMap::new();
        network.gradient(&features, 0.2, |layer, i, slope| *slopes.entry((layer, i)).or_insert(0.0) += slope);
        assert!(slopes.len() > 100, "{}", slopes.len());
        for (&(layer, i), &computed) in slopes.iter().step_by(7) {
            let mut loss = |by: f32| {
                [&mut network.first, &mut network.bias, &mut network.last][layer].values[i] += by;
                let loss = network.loss(&features, 0.2);
                [&mut network.first, &mut network.bias, &mut network.last][layer].values[i] -= by;
                loss
            };
            let measured = (loss(1e-2) - loss(-1e-2)) / 2e-2;
            assert!(
                (measured - computed).abs() < 2e-3 + 0.05 * computed.abs(),
                "{layer} {i}: {measured} and {computed}"
            );
        }
    }

    #[test]
    fn training_reduces_the_loss() {
        let mut features = Features::default();
        features.read(&Position::startpos());
        let mut network = Network::new(4, 2);
        let first = network.learn(&features, 1.0);
        for _ in 0..50 {
            network.learn(&features, 1.0);
        }
        assert!(network.loss(&features, 1.0) < 0.5 * first);
    }
}
