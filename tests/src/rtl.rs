//! Conversion of values for RustHDL blocks.

use rust_hdl::prelude::*;

/// Bytes as a bus, bit 0 of byte 0 first.
///
/// # Panics
/// If there are fewer than `N` bits.
pub fn bus<const N: usize>(bytes: &[u8]) -> Bits<N> {
    const { assert!(N > 32) };
    let mut bits = [false; N];
    for (i, bit) in bits.iter_mut().enumerate() {
        *bit = bytes[i / 8] >> (i % 8) & 1 != 0;
    }
    Bits::Long(bits.into())
}
