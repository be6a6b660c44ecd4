//! Position images to bit planes and back. In the gateware this is wiring (`IMAGE` in `hdl/src/position/board.rs`).

use super::Position;
use hayasashi_spec::piece::{CODE_BITS, SQUARES};
use hayasashi_spec::position::{PositionImage, HAND_BITS, IMAGE_BYTES, OWN_HAND_BIT, THEIR_HAND_BIT};

const WORDS: usize = IMAGE_BYTES / 8;
/// Words that hold piece codes.
const CODE_WORDS: usize = (CODE_BITS * SQUARES).div_ceil(64);
/// Squares, filled up to whole words.
pub(crate) const CODES_PADDED: usize = SQUARES.next_multiple_of(8);
const HAND_MASK: u32 = (1 << HAND_BITS) - 1;

/// For each plane and each word of the image, the bits of the word that belong to the plane.
static PLANE_BITS: [[u64; CODE_WORDS]; CODE_BITS] = {
    let mut bits = [[0; CODE_WORDS]; CODE_BITS];
    let mut at = 0;
    while at < CODE_BITS * SQUARES {
        bits[at % CODE_BITS][at / 64] |= 1 << (at % 64);
        at += 1;
    }
    bits
};

/// For each word of the image, the bits that must be zero.
static RESERVED_BITS: [u64; WORDS] = {
    let mut bits = [u64::MAX; WORDS];
    let mut at = 0;
    while at < 64 * WORDS {
        let used = at < CODE_BITS * SQUARES
            || at >= OWN_HAND_BIT && at < OWN_HAND_BIT + HAND_BITS
            || at >= THEIR_HAND_BIT && at < THEIR_HAND_BIT + HAND_BITS;
        if used {
            bits[at / 64] &= !(1 << (at % 64));
        }
        at += 1;
    }
    bits
};

/// Gathers the bits of `word` under `mask` at the low end (the `pext` instruction where there is one).
#[inline]
fn gather(word: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    // SAFETY: the target has BMI2.
    return unsafe { core::arch::x86_64::_pext_u64(word, mask) };
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    gather_bit_by_bit(word, mask)
}

/// Scatters the low bits of `bits` to the places of `mask` (the `pdep` instruction where there is one).
#[inline]
fn scatter(bits: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    // SAFETY: the target has BMI2.
    return unsafe { core::arch::x86_64::_pdep_u64(bits, mask) };
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    scatter_bit_by_bit(bits, mask)
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn gather_bit_by_bit(word: u64, mut mask: u64) -> u64 {
    let (mut out, mut at) = (0, 0);
    while mask != 0 {
        out |= (word >> mask.trailing_zeros() & 1) << at;
        mask &= mask - 1;
        at += 1;
    }
    out
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn scatter_bit_by_bit(bits: u64, mut mask: u64) -> u64 {
    let (mut out, mut at) = (0, 0);
    while mask != 0 {
        out |= (bits >> at & 1) << mask.trailing_zeros();
        mask &= mask - 1;
        at += 1;
    }
    out
}

impl Position {
    /// The piece code of every square; the last seven entries are zero.
    #[inline]
    pub(crate) fn codes(&self) -> [u8; CODES_PADDED] {
        const LOWEST_BITS: u64 = 0x0101_0101_0101_0101;
        let mut codes = [0; CODES_PADDED];
        for (eight, bytes) in codes.chunks_exact_mut(8).enumerate() {
            let of_plane = |b: usize| scatter((self.planes[b] >> (8 * eight)) as u64, LOWEST_BITS) << b;
            bytes.copy_from_slice(&(0..CODE_BITS).fold(0, |all, b| all | of_plane(b)).to_le_bytes());
        }
        codes
    }
}

impl From<&PositionImage> for Position {
    fn from(image: &PositionImage) -> Position {
        let words: [u64; WORDS] =
            std::array::from_fn(|w| u64::from_le_bytes(image.bytes[8 * w..8 * w + 8].try_into().unwrap()));
        let mut planes = [0; CODE_BITS];
        for (plane, masks) in planes.iter_mut().zip(&PLANE_BITS) {
            let mut at = 0;
            for (&word, &mask) in words.iter().zip(masks) {
                *plane |= (gather(word, mask) as u128) << at;
                at += mask.count_ones();
            }
        }
        let hands = [OWN_HAND_BIT, THEIR_HAND_BIT].map(|at| {
            let two = words[at / 64] as u128 | (words.get(at / 64 + 1).copied().unwrap_or(0) as u128) << 64;
            (two >> (at % 64)) as u32 & HAND_MASK
        });
        let reserved = words.iter().zip(&RESERVED_BITS).fold(0, |bad, (w, r)| bad | w & r) != 0;
        Position { planes, hands, reserved }
    }
}

impl From<&Position> for PositionImage {
    /// The image of a position. Reserved bits are zero, also where the position came from an image with others.
    fn from(position: &Position) -> PositionImage {
        let mut words = [0u64; WORDS];
        for (&plane, masks) in position.planes.iter().zip(&PLANE_BITS) {
            let mut left = plane;
            for (word, &mask) in words.iter_mut().zip(masks) {
                *word |= scatter(left as u64, mask);
                left >>= mask.count_ones();
            }
        }
        for (at, hand) in [OWN_HAND_BIT, THEIR_HAND_BIT].into_iter().zip(position.hands) {
            let two = (hand as u128) << (at % 64);
            words[at / 64] |= two as u64;
            if let Some(next) = words.get_mut(at / 64 + 1) {
                *next |= (two >> 64) as u64;
            }
        }
        let mut image = PositionImage::default();
        for (bytes, word) in image.bytes.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        image
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayasashi_spec::position::Owner;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_are_gathered_and_scattered_alike_on_all_machines(word: u64, mask: u64) {
            prop_assert_eq!(gather_bit_by_bit(word, mask), gather(word, mask));
            prop_assert_eq!(scatter_bit_by_bit(word, mask), scatter(word, mask));
        }

        #[test]
        fn any_image_is_read_as_the_contract_reads_it(bytes in proptest::array::uniform32(any::<u8>()),
                                                      more in proptest::array::uniform32(any::<u8>())) {
            let mut image = PositionImage::default();
            image.bytes[..32].copy_from_slice(&bytes);
            image.bytes[32..].copy_from_slice(&more);
            let position = Position::from(&image);
            for s in 0..SQUARES {
                prop_assert_eq!(position.piece(s), image.piece(s));
                prop_assert_eq!(position.codes()[s], image.piece(s));
            }
            let mut again = PositionImage::default();
            for s in 0..SQUARES {
                again.set_piece(s, image.piece(s));
            }
            for owner in [Owner::Mover, Owner::Theirs] {
                for kind in 1..=7 {
                    prop_assert_eq!(position.hand(owner, kind), image.hand(owner, kind));
                    again.set_hand(owner, kind, image.hand(owner, kind));
                }
            }
            prop_assert_eq!(PositionImage::from(&position), again);
            prop_assert_eq!(position.reserved, again != image);
        }
    }
}
