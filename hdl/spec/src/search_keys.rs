//! Keys of positions, for the table and the repetitions of a search (A. L. Zobrist, 1970).
//!
//! The key of a position in the mover's view is the exclusive or of a number for each piece (by square and code) and the sum,
//! modulo 2^64, of a number for each piece in hand (by owner and kind). Positions that differ only by colour have the same key.
//! A walker keeps the keys of both sides' views, so that a move changes few terms of each and the turn of the board exchanges
//! them.
//!
//! The numbers are the outputs of SplitMix64 (Steele, Lea and Flood, 2014) from the seed [`SEED`]: first those of the squares,
//! 32 codes each, then those of the hands, the mover's first, seven kinds each.

use crate::{
    piece::*,
    position::{Owner, PositionImage},
};

/// The seed: the bytes `Hayasash`.
pub const SEED: u64 = u64::from_le_bytes(*b"Hayasash");

const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// Output number `n` of SplitMix64, from 0.
const fn number(n: u64) -> u64 {
    let mut z = SEED.wrapping_add(GAMMA.wrapping_mul(n + 1));
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// By square and piece code.
pub static PIECE_KEYS: [[u64; CODES]; SQUARES] = {
    let mut keys = [[0; CODES]; SQUARES];
    let mut i = 0;
    while i < SQUARES * CODES {
        keys[i / CODES][i % CODES] = number(i as u64);
        i += 1;
    }
    keys
};

/// By owner (the mover first) and hand kind (the pawn first); added once for each piece held.
pub static HAND_KEYS: [[u64; HAND_KINDS]; 2] = {
    let mut keys = [[0; HAND_KINDS]; 2];
    let mut i = 0;
    while i < 2 * HAND_KINDS {
        keys[i / HAND_KINDS][i % HAND_KINDS] = number((SQUARES * CODES + i) as u64);
        i += 1;
    }
    keys
};

/// The key of a position.
pub fn key(image: &PositionImage) -> u64 {
    let pieces = (0..SQUARES).map(|s| (s, image.piece(s))).filter(|&(_, code)| code != EMPTY);
    let board = pieces.fold(0, |key, (s, code)| key ^ PIECE_KEYS[s][code as usize]);
    let mut hands = 0u64;
    for (owner, keys) in [Owner::Mover, Owner::Theirs].into_iter().zip(&HAND_KEYS) {
        for (kind, key) in (PAWN..=ROOK).zip(keys) {
            hands = hands.wrapping_add(key.wrapping_mul(image.hand(owner, kind) as u64));
        }
    }
    board ^ hands
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs for the seed 0 are published with the algorithm.
    #[test]
    fn numbers_are_those_of_splitmix() {
        assert_eq!(number(0u64.wrapping_sub(SEED.wrapping_mul(0xF1DE_83E1_9937_733D))), 0xE220_A839_7B1D_CDAF);
    }

    #[test]
    fn keys_are_distinct() {
        let mut keys: Vec<u64> = PIECE_KEYS.iter().flatten().chain(HAND_KEYS.iter().flatten()).copied().collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), SQUARES * CODES + 2 * HAND_KINDS);
    }
}
