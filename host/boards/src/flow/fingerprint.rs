//! Whether the inputs of a stage have changed.

use std::fmt;

/// FNV-1a of 128 bits (Fowler, Noll, Vo, 1991) over named parts. It guards against change, not against malice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint(u128);

impl Fingerprint {
    /// Of nothing.
    pub fn new() -> Fingerprint {
        Fingerprint(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    /// Adds a part; parts do not run together.
    pub fn add(mut self, part: impl AsRef<[u8]>) -> Fingerprint {
        let part = part.as_ref();
        for byte in part.iter().copied().chain((part.len() as u64).to_le_bytes()) {
            self.0 = (self.0 ^ byte as u128).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
        self
    }
}

impl Default for Fingerprint {
    fn default() -> Self {
        Fingerprint::new()
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        let of = |parts: &[&str]| parts.iter().fold(Fingerprint::new(), |f, p| f.add(p)).to_string();
        assert_eq!(of(&["ab", "c"]), of(&["ab", "c"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["ab"]), of(&["ab", ""]));
        assert_eq!(of(&["x"]).len(), 32);
    }
}
