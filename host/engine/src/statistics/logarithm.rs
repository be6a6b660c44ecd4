//! Logarithms to base 2 of integers in fixed point, computed in integers, so that every machine has the same results.

/// One halving of a probability.
pub const HALVING: i32 = 1 << BITS;
const BITS: u32 = 10;

/// Logarithm to base 2 in parts of [`HALVING`], rounded down; 0 for 0.
///
/// The integer part is the index of the leading one. The remainder, a number from 1 to 2, is squared for each bit: if
/// the square reaches 2, the bit is one and the square is halved.
pub const fn log2(n: u32) -> i32 {
    if n == 0 {
        return 0;
    }
    let whole = n.ilog2();
    // 1 is represented by 2^31.
    let mut rest = (n as u64) << (31 - whole);
    let mut log = whole as i32;
    let mut bit = 0;
    while bit < BITS {
        rest = (rest * rest) >> 31;
        log <<= 1;
        if rest >> 32 != 0 {
            rest >>= 1;
            log |= 1;
        }
        bit += 1;
    }
    log
}

/// The cost of a probability played/possible in halvings, in parts of [`HALVING`]. A category that is always played
/// costs one halving, as in TACOS; one that is never played counts as half a time.
pub const fn cost(played: u32, possible: u32) -> i32 {
    if played >= possible {
        HALVING
    } else if played == 0 {
        log2(possible) + HALVING
    } else {
        log2(possible) - log2(played)
    }
}

/// The probability of a cost.
pub fn probability(cost: i32) -> f64 {
    (-(cost as f64) / HALVING as f64).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_real_numbers() {
        for n in (1..70_000).chain([1 << 20, u32::MAX - 1, u32::MAX]) {
            let exact = (n as f64).log2() * HALVING as f64;
            let log = log2(n) as f64;
            assert!(log <= exact + 1e-3 && log > exact - 1.001, "{n}: {log} for {exact}");
        }
        assert_eq!((log2(0), log2(1), log2(2), log2(1024)), (0, 0, HALVING, 10 * HALVING));
    }

    #[test]
    fn costs_are_those_of_probabilities() {
        assert_eq!(cost(1, 8), 3 * HALVING);
        assert_eq!((cost(7, 7), cost(0, 4)), (HALVING, 3 * HALVING));
        assert!((probability(cost(3, 40)) - 0.075).abs() < 1e-4);
    }
}
