//! A hash of the inputs of a stage, to detect that they have changed.

use std::fmt;

/// FNV-1a of 128 bits (Fowler, Noll, Vo, 1991) over a sequence of parts. It detects changes; it is not a cryptographic hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputHash(u128);

impl InputHash {
    /// The hash of no parts.
    pub fn new() -> InputHash {
        InputHash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    /// Adds a part and its length, so that `ab`, `c` differs from `a`, `bc`.
    pub fn add(mut self, part: impl AsRef<[u8]>) -> InputHash {
        let part = part.as_ref();
        for byte in part.iter().copied().chain((part.len() as u64).to_le_bytes()) {
            self.0 = (self.0 ^ byte as u128).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
        self
    }
}

impl Default for InputHash {
    fn default() -> Self {
        InputHash::new()
    }
}

impl fmt::Display for InputHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_of_parts_count() {
        let of = |parts: &[&str]| parts.iter().fold(InputHash::new(), InputHash::add).to_string();
        assert_eq!(of(&["ab", "c"]), of(&["ab", "c"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["ab"]), of(&["ab", ""]));
        assert_eq!(of(&["x"]).len(), 32);
    }
}
