//! A random number in the static evaluation of each position, by which engines that are otherwise the same differ: for votes among them
//! (Obata, Sugiyama, Hoki and Ito, 2010).

use super::score::LONGEST_MATE;
use hayasashi_shogi::random::Random;

/// Random numbers by position; the same in every run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvalNoise {
    /// Standard deviation in centipawns; 0 for none.
    pub deviation: u32,
    /// Engines with different seeds get different numbers.
    pub seed: u64,
}

/// Standard deviation of the sum of four numbers of 16 bits, each as probable as the others.
const SUM_DEVIATION: i64 = 37_837;
/// The mean of that sum.
const SUM_MEAN: i64 = 2 * 0xffff;

impl EvalNoise {
    /// The evaluation of the position with this key, with its random number.
    #[inline]
    pub(super) fn with(&self, eval: i32, key: u64) -> i32 {
        if self.deviation == 0 {
            return eval;
        }
        let bits = Random::new(self.seed, key).next();
        // The sum of four is nearly normal.
        let sum: i64 = (0..4).map(|part| (bits >> (16 * part) & 0xffff) as i64).sum();
        let noise = (sum - SUM_MEAN) * i64::from(self.deviation) / SUM_DEVIATION;
        (eval + noise as i32).clamp(1 - LONGEST_MATE, LONGEST_MATE - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_deviation_and_depend_on_seed_and_position() {
        let noise = |seed, key| EvalNoise { deviation: 50, seed }.with(0, key);
        let all: Vec<i32> = (0..10_000).map(|key| noise(1, key)).collect();
        let mean = all.iter().sum::<i32>() as f64 / 10_000.0;
        let variance = all.iter().map(|&x| (x as f64 - mean).powi(2)).sum::<f64>() / 10_000.0;
        assert!(mean.abs() < 2.0 && (variance.sqrt() - 50.0).abs() < 2.0, "{mean} {variance}");
        assert_eq!(noise(1, 77), all[77]);
        let same = (0..10_000).filter(|&key| noise(2, key) == all[key as usize]).count();
        assert!(same < 200, "{same}");
        assert_eq!(EvalNoise::default().with(31, 77), 31);
        assert!(EvalNoise { deviation: 10_000, seed: 1 }.with(30_000, 3).abs() < LONGEST_MATE);
    }
}
