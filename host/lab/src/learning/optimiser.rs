//! Adam (Kingma and Ba, 2015) on the learned parts, with the penalties in the loss.
//!
//! The penalty is what keeps a weight that few positions have near its start: at the minimum of mean loss and penalty, a
//! part moves as far as the positions that have it ask for, against a prior of width `1/√(l2 · positions)`.

use super::{
    features::{quantise, HEADER, PARAMETERS},
    sharing::{compose, distribute, PARTS},
};

/// How parts are changed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rates {
    /// Centipawns of a step at first.
    pub step: f32,
    /// What it is multiplied by after each pass.
    pub decay: f32,
    /// Loss of a position for each centipawn of a weight's own part.
    pub l1: f32,
    /// The same, for half its square.
    pub l2: f32,
}

/// Penalties of shared parts and of the header's values are smaller by this: few of them, much seen.
const SHARED: f32 = 0.1;
const MOMENTS: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-12;

/// What is learned, and the optimiser's memory.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Parts, see [`super::sharing`].
    pub parts: Vec<f32>,
    /// Mean slope and mean square slope of each.
    pub moments: [Vec<f32>; 2],
    /// Steps made.
    pub steps: u32,
}

impl Default for State {
    fn default() -> State {
        State { parts: vec![0.0; PARTS], moments: [vec![0.0; PARTS], vec![0.0; PARTS]], steps: 0 }
    }
}

impl State {
    /// The parameters as the chip holds them: the rounding is part of every loss. Slopes go to the unrounded parts.
    pub fn rounded(&self, start: &[f32]) -> Vec<f32> {
        let mut parameters = compose(start, &self.parts);
        quantise(&mut parameters);
        parameters
    }

    /// Makes a step against the slopes of the mean loss in the parameters.
    pub fn step(&mut self, gradient: Vec<f32>, rates: &Rates, pass: u32) {
        self.steps += 1;
        let [mean_decay, square_decay] = MOMENTS;
        let correct = |decay: f32| 1.0 / (1.0 - decay.powi(self.steps.min(100_000) as i32));
        let (of_mean, of_square) = (correct(mean_decay), correct(square_decay));
        let step = rates.step * rates.decay.powi(pass as i32);
        let gradient = distribute(gradient);
        let [means, squares] = &mut self.moments;
        for (i, slope) in gradient.into_iter().enumerate() {
            let part = &mut self.parts[i];
            // What no position has, and nothing pulls back, stays.
            if slope == 0.0 && *part == 0.0 && squares[i] == 0.0 {
                continue;
            }
            let share = if i < HEADER { 1.0 } else { SHARED };
            let tempo_or_value = (HEADER..PARAMETERS).contains(&i);
            let l1 = if tempo_or_value { 0.0 } else { rates.l1 * share };
            let slope = slope + rates.l2 * share * *part;
            means[i] = mean_decay * means[i] + (1.0 - mean_decay) * slope;
            squares[i] = square_decay * squares[i] + (1.0 - square_decay) * slope * slope;
            let rate = step / ((squares[i] * of_square).sqrt() + EPSILON);
            let moved = *part - rate * means[i] * of_mean;
            // L1 by its proximal step: small parts become 0, and so stay the start's.
            *part = moved.signum() * (moved.abs() - rate * l1).max(0.0);
        }
    }
}
