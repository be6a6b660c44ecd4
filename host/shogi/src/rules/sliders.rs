//! Attacks of sliding pieces.
//!
//! The occupancy of a line is gathered into a dense index by `PEXT` (BMI2; a loop elsewhere) from the two words of
//! the bitboard and looks up the attacks in a table computed at compile time. The edges of the board never block, so
//! a line has at most seven squares that matter and a bishop at most twelve. A rook's file and rank are looked up
//! apart (2 × 162 KiB instead of 7.6 MiB); a bishop's two diagonals together (316 KiB).

use super::bitboard::Bitboard;
use super::square::{Square, SQUARES};

/// Which lines a table covers, as (file, rank) steps.
type Steps = &'static [(i8, i8)];
const FILE_STEPS: Steps = &[(0, -1), (0, 1)];
const RANK_STEPS: Steps = &[(-1, 0), (1, 0)];
const DIAGONAL_STEPS: Steps = &[(-1, -1), (1, 1), (-1, 1), (1, -1)];

/// Where the squares that matter for one square lie, and where its attacks begin in the table.
#[derive(Clone, Copy)]
struct Lookup {
    low: u64,
    high: u64,
    /// Number of bits taken from the low word.
    low_bits: u32,
    offset: u32,
}

/// Squares attacked along `steps` from `square`, stopped by `occupied`. With `relevant`, each ray ends one square
/// before the edge and nothing blocks: the squares whose occupancy matters.
const fn walk(square: usize, steps: Steps, occupied: u128, relevant: bool) -> u128 {
    let mut bits = 0;
    let mut s = 0;
    while s < steps.len() {
        let (df, dr) = steps[s];
        let (mut file, mut rank) = ((square / 9) as i8 + df, (square % 9) as i8 + dr);
        while file >= 0 && file < 9 && rank >= 0 && rank < 9 {
            let (next_file, next_rank) = (file + df, rank + dr);
            if relevant && !(next_file >= 0 && next_file < 9 && next_rank >= 0 && next_rank < 9) {
                break;
            }
            let bit = 1u128 << (9 * file + rank);
            bits |= bit;
            if occupied & bit != 0 {
                break;
            }
            (file, rank) = (next_file, next_rank);
        }
        s += 1;
    }
    bits
}

const fn lookups(steps: Steps) -> [Lookup; SQUARES] {
    let mut table = [Lookup { low: 0, high: 0, low_bits: 0, offset: 0 }; SQUARES];
    let mut offset = 0;
    let mut square = 0;
    while square < SQUARES {
        let relevant = walk(square, steps, 0, true);
        let low = relevant as u64;
        table[square] = Lookup { low, high: (relevant >> 64) as u64, low_bits: low.count_ones(), offset };
        offset += 1 << relevant.count_ones();
        square += 1;
    }
    table
}

const fn entries(steps: Steps) -> usize {
    let mut total = 0;
    let mut square = 0;
    while square < SQUARES {
        total += 1 << walk(square, steps, 0, true).count_ones();
        square += 1;
    }
    total
}

const fn attacks<const N: usize>(steps: Steps, lookups: &[Lookup; SQUARES]) -> [Bitboard; N] {
    let mut table = [Bitboard::EMPTY; N];
    let mut square = 0;
    while square < SQUARES {
        let at = &lookups[square];
        let relevant = at.low as u128 | (at.high as u128) << 64;
        // All subsets of the mask in increasing order, which is the order of their PEXT (carry-rippler).
        let (mut subset, mut index) = (0u128, at.offset as usize);
        loop {
            table[index] = Bitboard::from_bits(walk(square, steps, subset, false));
            index += 1;
            subset = subset.wrapping_sub(relevant) & relevant;
            if subset == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

static FILE_LOOKUP: [Lookup; SQUARES] = lookups(FILE_STEPS);
static RANK_LOOKUP: [Lookup; SQUARES] = lookups(RANK_STEPS);
static BISHOP_LOOKUP: [Lookup; SQUARES] = lookups(DIAGONAL_STEPS);
const FILE_ENTRIES: usize = entries(FILE_STEPS);
const RANK_ENTRIES: usize = entries(RANK_STEPS);
const BISHOP_ENTRIES: usize = entries(DIAGONAL_STEPS);
#[allow(long_running_const_eval)]
static FILE_ATTACKS: [Bitboard; FILE_ENTRIES] = attacks(FILE_STEPS, &lookups(FILE_STEPS));
#[allow(long_running_const_eval)]
static RANK_ATTACKS: [Bitboard; RANK_ENTRIES] = attacks(RANK_STEPS, &lookups(RANK_STEPS));
#[allow(long_running_const_eval)]
static BISHOP_ATTACKS: [Bitboard; BISHOP_ENTRIES] = attacks(DIAGONAL_STEPS, &lookups(DIAGONAL_STEPS));

/// Gathers the bits of `word` selected by `mask` at the low end.
#[inline(always)]
fn gather(word: u64, mask: u64) -> usize {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: BMI2 is available at compile time.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) as usize }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        gather_portable(word, mask)
    }
}

/// [`gather`] bit by bit.
#[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), allow(dead_code))]
fn gather_portable(word: u64, mut mask: u64) -> usize {
    let (mut index, mut bit) = (0, 1);
    while mask != 0 {
        if word & mask & mask.wrapping_neg() != 0 {
            index |= bit;
        }
        bit <<= 1;
        mask &= mask - 1;
    }
    index
}

#[inline(always)]
fn look_up(lookup: &[Lookup; SQUARES], table: &[Bitboard], square: Square, occupied: Bitboard) -> Bitboard {
    let at = &lookup[square.index()];
    let (low, high) = occupied.words();
    let index = gather(low, at.low) | gather(high, at.high) << at.low_bits;
    table[at.offset as usize + index]
}

/// Squares attacked along the file of `square`, in both directions.
#[inline(always)]
pub(super) fn file_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&FILE_LOOKUP, &FILE_ATTACKS, square, occupied)
}

/// Squares a rook attacks from `square` when `occupied` squares block, the first blocker of each line included.
#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    file_attacks(square, occupied) | look_up(&RANK_LOOKUP, &RANK_ATTACKS, square, occupied)
}

/// Squares a bishop attacks from `square` when `occupied` squares block, the first blocker of each line included.
#[inline(always)]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&BISHOP_LOOKUP, &BISHOP_ATTACKS, square, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn look_ups_agree_with_walking() {
        let mut random = Random::from_state(1);
        let mut random = || random.next();
        for round in 0..200 {
            let mut bits = random() as u128 | (random() as u128) << 64;
            for _ in 0..round % 3 {
                bits &= random() as u128 | (random() as u128) << 64;
            }
            let occupied = Bitboard::from_bits(bits);
            for square in Square::all() {
                let walked = |steps| Bitboard::from_bits(walk(square.index(), steps, occupied.bits(), false));
                assert_eq!(rook_attacks(square, occupied), walked(FILE_STEPS) | walked(RANK_STEPS));
                assert_eq!(bishop_attacks(square, occupied), walked(DIAGONAL_STEPS));
                assert_eq!(file_attacks(square, occupied), walked(FILE_STEPS));
            }
        }
    }

    #[test]
    fn portable_gather_is_pext() {
        let mut random = Random::from_state(2);
        for _ in 0..64 {
            let (word, mask) = (random.next(), random.next());
            assert_eq!(gather(word, mask), gather_portable(word, mask));
        }
    }
}
