//! Boltzmann's distribution, and the exponential function for it and for the logistic function. They use only
//! operations that IEEE 754 defines exactly (sums, products, quotients), so every machine searches the same tree.

use std::f64::consts::{LN_2, LOG2_E};

/// e to the power `x`, to one part in 10¹³; 0 below −700, and the value at 700 above it.
///
/// `x` is split into a whole number of halvings and a remainder of at most half of one, for which a Taylor polynomial
/// is used.
pub fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    let x = x.min(700.0);
    let whole = (x * LOG2_E).round();
    let rest = x - whole * LN_2;
    let sum = (1..=13).rev().fold(1.0, |sum, n| 1.0 + sum * rest / n as f64);
    sum * f64::from_bits(((1023 + whole as i64) as u64) << 52)
}

/// The probability of winning at a score; `scale` centipawns multiply the odds by e.
pub fn logistic(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + exp(-score / scale))
}

/// Replaces values by their probabilities at a temperature (Boltzmann; equations 3 and 4 of Kirii, Hara, Igarashi and
/// others): exp(value / temperature) over the sum of all. Returns the expectation of the values (equation 5), 0 for an
/// empty list.
pub fn distribute(values: &mut [f64], temperature: f64) -> f64 {
    let Some(greatest) = values.iter().copied().reduce(f64::max) else { return 0.0 };
    let (mut sum, mut mean) = (0.0, 0.0);
    for value in values.iter_mut() {
        let weight = exp((*value - greatest) / temperature);
        sum += weight;
        mean += weight * *value;
        *value = weight;
    }
    values.iter_mut().for_each(|weight| *weight /= sum);
    mean / sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_those_of_the_standard_library() {
        for n in -70_000..70_000 {
            let x = n as f64 / 100.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-12, "{x}");
        }
        assert_eq!((exp(0.0), exp(-701.0)), (1.0, 0.0));
    }

    #[test]
    fn odds_of_boltzmann() {
        // At temperature 80, a move that is 80 centipawns better is e times as probable.
        let mut values = [100.0, 20.0, 100.0];
        let mean = distribute(&mut values, 80.0);
        assert!((values[0] / values[1] - std::f64::consts::E).abs() < 1e-12 && values[0] == values[2]);
        assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let expected = values[0] * 100.0 + values[1] * 20.0 + values[2] * 100.0;
        assert!((mean - expected).abs() < 1e-9, "{mean}");
        // Cold: the best value only. Hot: all values equally.
        let of = |temperature| {
            let mut values = [0.0, -200.0];
            (distribute(&mut values, temperature), values[0])
        };
        assert!(of(1.0).0.abs() < 1e-9 && of(1.0).1 == 1.0);
        assert!((of(1e6).0 + 100.0).abs() < 0.1 && (of(1e6).1 - 0.5).abs() < 1e-3);
        assert_eq!(distribute(&mut [], 80.0), 0.0);
    }

    #[test]
    fn logistic_is_half_at_nothing_and_symmetric() {
        assert_eq!(logistic(0.0, 600.0), 0.5);
        assert!((logistic(600.0, 600.0) - 0.731_058_578_630_004_9).abs() < 1e-12);
        assert!((logistic(250.0, 600.0) + logistic(-250.0, 600.0) - 1.0).abs() < 1e-12);
    }
}
