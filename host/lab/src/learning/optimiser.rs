//! Adam (Kingma and Ba, 2015) on the trained parts, with L1 and L2 penalties in the loss.
//!
//! The penalties keep weights that occur in few positions near their start values: at the minimum, a part is balanced between the
//! loss of its positions and a Gaussian prior of width `1/√(l2 · positions)`.

use super::{
    features::{quantise, HEADER, PARAMETERS},
    sharing::{compose, distribute, PARTS},
};
use std::fmt;

/// Step sizes and penalties.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rates {
    /// Initial step size in centipawns.
    pub step: f32,
    /// Factor of the step size after each pass.
    pub decay: f32,
    /// L1 penalty: loss per position and centipawn of a weight's own part.
    pub l1: f32,
    /// L2 penalty: loss per position and half the square of that part.
    pub l2: f32,
}

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}, decay {}, l1 {}, l2 {}", self.step, self.decay, self.l1, self.l2)
    }
}

/// Factor of the penalties of shared parts and header values, which occur in many positions.
const SHARED: f32 = 0.1;
const MOMENTS: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-12;

/// The trained parts and the optimiser's state.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The parts of [`super::sharing`].
    pub parts: Vec<f32>,
    /// Moving averages of each part's gradient and of its square.
    pub moments: [Vec<f32>; 2],
    /// Number of steps.
    pub steps: u32,
}

impl Default for State {
    fn default() -> State {
        State { parts: vec![0.0; PARTS], moments: [vec![0.0; PARTS], vec![0.0; PARTS]], steps: 0 }
    }
}

impl State {
    /// The parameters rounded to the chip's format. Losses use these; gradients are applied to the unrounded parts.
    pub fn rounded(&self, start: &[f32]) -> Vec<f32> {
        let mut parameters = compose(start, &self.parts);
        quantise(&mut parameters);
        parameters
    }

    /// Makes a step; `gradient` is that of the mean loss in the parameters.
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
            // Skip parts that were never active.
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
            // The proximal step of the L1 penalty sets small parts to 0.
            *part = moved.signum() * (moved.abs() - rate * l1).max(0.0);
        }
    }
}
