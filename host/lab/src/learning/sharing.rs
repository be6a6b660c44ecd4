//! Weight sharing between parameters.
//!
//! A weight of the table is its start value plus three trained parts: one shared by all king squares (the piece's square), one
//! shared by all squares with the same offset from the king, and the weight's own. A weight that is active in few positions thus
//! follows the shared parts, and only differences with enough evidence go into its own part. Rows of king squares that are their
//! own mirror image (file 5, and no king) are averaged with their mirror image. Both sides' views use the same table.

use super::features::{HEADER, PARAMETERS};
use hayasashi_spec::{
    piece::{mirror, CODES, SIDE, SQUARES},
    table::{weight_index, ROWS, ROW_NO_KING, SLOTS, SLOT_WEIGHTS},
};

/// Index of the first part shared by all king squares.
const BY_SLOT: usize = PARAMETERS;
/// Index of the first part shared by equal offsets from the king.
const BY_OFFSET: usize = BY_SLOT + SLOTS * CODES;
/// Number of file offsets and of rank offsets from a king on files 1–5.
const FILE_OFFSETS: usize = 5 + SIDE - 1;
const RANK_OFFSETS: usize = 2 * SIDE - 1;
/// Number of trained parts; the first [`PARAMETERS`] are the parameters' own.
pub const PARTS: usize = BY_OFFSET + FILE_OFFSETS * RANK_OFFSETS * CODES;
/// First row that is its own mirror image.
const SELF_MIRRORED: usize = 4 * SIDE;

/// Calls `f` with the index of each weight and of its shared parts.
fn for_each_weight(mut f: impl FnMut(usize, usize, Option<usize>)) {
    for slot in 0..SLOTS {
        for row in 0..ROWS {
            let offset = (slot < SQUARES && row != ROW_NO_KING).then(|| {
                let file = slot / SIDE + 4 - row / SIDE;
                let rank = slot % SIDE + SIDE - 1 - row % SIDE;
                BY_OFFSET + (file * RANK_OFFSETS + rank) * CODES
            });
            for code in 1..CODES {
                f(weight_index(slot, row, code), BY_SLOT + slot * CODES + code, offset.map(|offset| offset + code));
            }
        }
    }
}

/// Averages each weight of a self-mirrored row with its mirror image.
fn average(weights: &mut [f32]) {
    for slot in 0..SQUARES {
        let other = mirror(slot);
        if slot < other {
            for i in weight_index(slot, SELF_MIRRORED, 0)..(slot + 1) * SLOT_WEIGHTS {
                let j = i - slot * SLOT_WEIGHTS + other * SLOT_WEIGHTS;
                let mean = 0.5 * (weights[i] + weights[j]);
                (weights[i], weights[j]) = (mean, mean);
            }
        }
    }
}

/// The parameters: start values plus parts.
pub fn compose(start: &[f32], parts: &[f32]) -> Vec<f32> {
    let mut parameters: Vec<f32> = start.iter().zip(parts).map(|(s, p)| s + p).collect();
    for_each_weight(|i, slot, offset| parameters[i] += parts[slot] + offset.map_or(0.0, |offset| parts[offset]));
    average(&mut parameters[..HEADER]);
    parameters
}

/// The gradient in the parts, given that in the parameters (the transpose of [`compose`]).
pub fn distribute(mut gradient: Vec<f32>) -> Vec<f32> {
    average(&mut gradient[..HEADER]);
    gradient.resize(PARTS, 0.0);
    for_each_weight(|i, slot, offset| {
        let slope = gradient[i];
        gradient[slot] += slope;
        if let Some(offset) = offset {
            gradient[offset] += slope;
        }
    });
    gradient
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayasashi_shogi::random::Random;

    fn random(count: usize, seed: u64) -> Vec<f32> {
        let mut random = Random::new(seed, 0);
        (0..count).map(|_| random.below(64) as f32 - 32.0).collect()
    }

    #[test]
    fn distribute_is_the_transpose_of_compose() {
        // Whole numbers below 2^24, and halves: the sums are exact.
        let (parts, gradient) = (random(PARTS, 1), random(PARAMETERS, 2));
        let made = compose(&vec![0.0; PARAMETERS], &parts);
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| *a as f64 * *b as f64).sum::<f64>();
        assert_eq!(dot(&made, &gradient), dot(&parts, &distribute(gradient.clone())));
    }

    #[test]
    fn zero_parts_keep_the_start() {
        let mut start = random(PARAMETERS, 3);
        average(&mut start[..HEADER]);
        assert_eq!(compose(&start, &vec![0.0; PARTS]), start);
        let turned = |slot, code| start[weight_index(slot, 40, code)];
        assert!((0..SQUARES).all(|s| turned(s, 5) == turned(mirror(s), 5)));
    }
}
