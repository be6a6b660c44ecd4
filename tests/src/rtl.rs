//! Conversion of values for RustHDL blocks.

use hayasashi_hdl::movegen::positions::BOARD_WIDTH;
use hayasashi_spec::piece::{CODE_BITS, SQUARES};
use hayasashi_spec::position::{PositionImage, HAND_BITS, IMAGE_BYTES, OWN_HAND_BIT, THEIR_HAND_BIT};
use rust_hdl::prelude::*;

/// A position as the gateware has it inside: planes of the code bits, then the hands.
pub fn board(image: &PositionImage) -> Bits<BOARD_WIDTH> {
    let image_bit = |at: usize| image.bytes[at / 8] >> (at % 8) & 1 != 0;
    let codes = (0..CODE_BITS).flat_map(|bit| (0..SQUARES).map(move |square| CODE_BITS * square + bit));
    let hands = [OWN_HAND_BIT, THEIR_HAND_BIT].into_iter().flat_map(|hand| hand..hand + HAND_BITS);
    let mut bits = [false; BOARD_WIDTH];
    for (bit, at) in bits.iter_mut().zip(codes.chain(hands)) {
        *bit = image_bit(at);
    }
    Bits::Long(bits.into())
}

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

/// A position image on a bus.
pub fn image(bus: &Bits<{ 8 * IMAGE_BYTES }>) -> PositionImage {
    let mut image = PositionImage::default();
    for (i, byte) in image.bytes.iter_mut().enumerate() {
        *byte = (0..8).fold(0, |byte, bit| byte | (bus.get_bit(8 * i + bit) as u8) << bit);
    }
    image
}
