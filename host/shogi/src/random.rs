//! Pseudo-random numbers that are the same on every machine.

/// A step of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, 2014): the next state and 64 random bits.
pub const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ z >> 31)
}

/// A SplitMix64 generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator in this state.
    pub fn from_state(state: u64) -> Random {
        Random(state)
    }

    /// The generator of a seed. Different values of `stream` give independent numbers for different purposes.
    pub fn new(seed: u64, stream: u64) -> Random {
        let mut random = Random(seed ^ stream.wrapping_mul(0xd134_2543_de82_ef95));
        random.next();
        random
    }

    /// 64 random bits.
    #[allow(clippy::should_implement_trait, reason = "the sequence has no end")]
    pub fn next(&mut self) -> u64 {
        let bits;
        (self.0, bits) = split_mix(self.0);
        bits
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.next() as u128 * bound as u128) >> 64) as usize
    }

    /// Shuffles a list (R. A. Fisher, F. Yates, 1938).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let at = self.below(last + 1);
            list.swap(last, at);
        }
    }
}
