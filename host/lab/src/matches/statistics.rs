//! Elo estimates and the sequential test, from pairs of games.
//!
//! A pair is one opening played twice with colours swapped. Its score for the first engine is 0, ½, 1, 1½ or 2, and the five
//! counts are the *pentanomial* statistic. The two games of a pair are not independent, because an opening may favour one side;
//! the pairs are independent. Elo is logistic: a difference of `e` means an expected score of 1 / (1 + 10^(−e/400))
//! (A. Elo, 1978).
//!
//! The sequential test is Wald's (1945) with the generalised likelihood ratio: each hypothesis is represented by the
//! maximum-likelihood distribution of pair scores that has its mean (M. Van den Bergh, *Comments on Normalized Elo*, 2020; the
//! method of fishtest).

use statrs::distribution::{ContinuousCDF, Normal};

/// Wins, losses and draws of the first engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WinLossDraw {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
}

impl WinLossDraw {
    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Score per game; ½ if there are no games.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            n => (self.wins as f64 + self.draws as f64 / 2.0) / n as f64,
        }
    }
}

/// Number of pairs by the first engine's score: 0, ½, 1, 1½, 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

/// An Elo difference with its 95 % interval; infinite if all pairs are won or lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Half the width of a two-sided 95 % interval in standard deviations: the normal distribution's quantile of 0.975.
const Z_95: f64 = 1.959_963_984_540_054;

/// Expected score of a player who is `elo` stronger.
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Elo difference of an expected score; infinite at 0 and 1.
pub fn elo(score: f64) -> f64 {
    // The additions of zero turn −0 into 0.
    0.0 - 400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10() + 0.0
}

/// The distribution function of the standard normal distribution.
fn normal_cdf(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

impl Pentanomial {
    /// Counts a pair by the first engine's half points, 0–4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean score per game, and variance of a pair's mean score per game.
    pub fn moments(&self) -> (f64, f64) {
        let pairs = self.pairs().max(1) as f64;
        let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
            self.0.iter().enumerate().map(|(i, &n)| n as f64 * f(i as f64 / 4.0)).sum::<f64>() / pairs
        };
        let mean = sum(&|s| s);
        (mean, sum(&|s| (s - mean) * (s - mean)))
    }

    /// The Elo difference.
    pub fn elo(&self) -> Elo {
        if self.pairs() == 0 {
            return Elo { value: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let (mean, variance) = self.moments();
        let error = Z_95 * (variance / self.pairs() as f64).sqrt();
        Elo { value: elo(mean), low: elo(mean - error), high: elo(mean + error) }
    }

    /// Likelihood that the first engine is stronger.
    pub fn superiority(&self) -> f64 {
        let (mean, variance) = self.moments();
        let error = (variance / self.pairs().max(1) as f64).sqrt();
        match error > 0.0 {
            true => normal_cdf((mean - 0.5) / error),
            false if self.pairs() == 0 || mean == 0.5 => 0.5,
            false => (mean > 0.5) as u8 as f64,
        }
    }

    /// The counts as probabilities, and their sum. A count of 0 becomes 0.001, so that no probability is 0.
    fn distribution(&self) -> ([f64; 5], f64) {
        let counts = self.0.map(|n| (n as f64).max(1e-3));
        let total: f64 = counts.iter().sum();
        (counts.map(|n| n / total), total)
    }
}

/// The maximum-likelihood distribution with mean `score`, given the frequencies `p`: `p[i] / (1 + θ (s[i] − score))`. Bisection
/// finds θ, the root of a decreasing function.
fn with_mean(p: &[f64; 5], score: f64) -> [f64; 5] {
    let off = |i: usize| i as f64 / 4.0 - score;
    // All probabilities are positive between these bounds.
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..200 {
        let theta = (low + high) / 2.0;
        let slope: f64 = (0..5).map(|i| p[i] * off(i) / (1.0 + theta * off(i))).sum();
        if slope > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    let theta = (low + high) / 2.0;
    std::array::from_fn(|i| p[i] / (1.0 + theta * off(i)))
}

/// A sequential test between two hypotheses about the Elo difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// Elo difference of the hypothesis H0.
    pub elo0: f64,
    /// Elo difference of the hypothesis H1; greater than `elo0`.
    pub elo1: f64,
    /// Probability of accepting H1 when H0 is true.
    pub alpha: f64,
    /// Probability of accepting H0 when H1 is true.
    pub beta: f64,
}

/// State of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// More games are needed.
    Open,
    /// H0 is accepted.
    H0,
    /// H1 is accepted.
    H1,
}

impl Sprt {
    /// The bounds of the log-likelihood ratio at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0.
    pub fn log_ratio(&self, results: &Pentanomial) -> f64 {
        if results.pairs() == 0 {
            return 0.0;
        }
        let (p, pairs) = results.distribution();
        let (p0, p1) = (with_mean(&p, expected(self.elo0)), with_mean(&p, expected(self.elo1)));
        pairs * (0..5).map(|i| p[i] * (p1[i] / p0[i]).ln()).sum::<f64>()
    }

    /// The state of the test after these results.
    pub fn verdict(&self, results: &Pentanomial) -> Verdict {
        let (low, high) = self.bounds();
        match self.log_ratio(results) {
            r if r >= high => Verdict::H1,
            r if r <= low => Verdict::H0,
            _ => Verdict::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64, within: f64) {
        assert!((value - expected).abs() <= within, "{value} is not {expected}");
    }

    #[test]
    fn elo_and_scores() {
        // Elo's table: 76 % at 200, 64 % at 100.
        near(expected(200.0), 0.76, 0.005);
        near(expected(100.0), 0.64, 0.005);
        near(elo(0.75), 190.848, 0.001);
        near(elo(expected(-57.0)), -57.0, 1e-9);
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        near(normal_cdf(1.959964), 0.975, 1e-6);
        near(normal_cdf(-1.0), 0.158_655, 1e-6);
    }

    /// A test published by montytest (69d3c8dc7c5b3724e29d2712), which uses fishtest's statistics.
    const PUBLISHED: Pentanomial = Pentanomial([13, 37, 50, 25, 3]);

    #[test]
    fn published_pentanomial() {
        let (mean, variance) = PUBLISHED.moments();
        near(mean, 0.4375, 1e-9);
        near(variance, 0.05762, 5e-6);
        near(PUBLISHED.elo().value, -43.6578, 5e-5);
        near(PUBLISHED.superiority(), 0.00161, 2e-5);
        let e = PUBLISHED.elo();
        // A normal interval about the score, 0.4375 ± 1.96 · √(0.05762 / 128).
        near(e.low, elo(0.395_917), 0.01);
        near(e.high, elo(0.479_083), 0.01);
    }

    #[test]
    fn published_likelihood_ratio() {
        // "Logistic (exact)": −0.53772 between 0 and 2.716 Elo; bounds ±2.9444.
        let sprt = Sprt { elo0: 0.0, elo1: 2.716, alpha: 0.05, beta: 0.05 };
        near(sprt.log_ratio(&PUBLISHED), -0.53772, 2e-4);
        let (low, high) = sprt.bounds();
        near(low, -2.9444, 5e-5);
        near(high, 2.9444, 5e-5);
        assert_eq!(sprt.verdict(&PUBLISHED), Verdict::Open);
    }

    #[test]
    fn tests_end_on_both_sides() {
        let sprt = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };
        assert_eq!(sprt.verdict(&Pentanomial::default()), Verdict::Open);
        assert_eq!(sprt.verdict(&Pentanomial([5, 40, 100, 90, 30])), Verdict::H1);
        assert_eq!(sprt.verdict(&Pentanomial([30, 90, 100, 40, 5])), Verdict::H0);
        // Symmetric results favour neither of two symmetric hypotheses.
        let sprt = Sprt { elo0: -5.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        near(sprt.log_ratio(&Pentanomial([3, 20, 50, 20, 3])), 0.0, 1e-9);
    }

    #[test]
    fn extreme_results_have_no_nan() {
        let all = Pentanomial([0, 0, 0, 0, 9]);
        assert_eq!((all.elo().value, all.superiority()), (f64::INFINITY, 1.0));
        assert!(Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 }.log_ratio(&all).is_finite());
        assert_eq!(Pentanomial::default().superiority(), 0.5);
    }
}
