//! Parameters that share what is learned.
//!
//! A weight of the table is the one it started from plus three learned parts: one that all king's squares share (where
//! the piece stands), one that all positions of a piece relative to the king share, and its own. A weight that few positions
//! have is so told by its relatives; only differences that many positions ask for become its own. King's rows that mirror
//! into themselves (file 5, and no king) are averaged with their mirror image. Both sides' views have the same table.

use super::features::{HEADER, PARAMETERS};
use hayasashi_spec::{
    piece::{mirror, CODES, SIDE, SQUARES},
    table::{weight_index, ROWS, ROW_NO_KING, SLOTS, SLOT_WEIGHTS},
};

const BY_SLOT: usize = PARAMETERS;
const BY_STEP: usize = BY_SLOT + SLOTS * CODES;
/// Files from a king on files 1–5 to a piece, and ranks.
const FILE_STEPS: usize = 5 + SIDE - 1;
const RANK_STEPS: usize = 2 * SIDE - 1;
/// Learned parts in all; the first [`PARAMETERS`] are parameters' own.
pub const PARTS: usize = BY_STEP + FILE_STEPS * RANK_STEPS * CODES;
/// First row that mirrors into itself.
const SELF_MIRRORED: usize = 4 * SIDE;

/// Calls `f` with each weight and its shared parts.
fn for_each_weight(mut f: impl FnMut(usize, usize, Option<usize>)) {
    for slot in 0..SLOTS {
        for row in 0..ROWS {
            let step = (slot < SQUARES && row != ROW_NO_KING).then(|| {
                let file = slot / SIDE + 4 - row / SIDE;
                let rank = slot % SIDE + SIDE - 1 - row % SIDE;
                BY_STEP + (file * RANK_STEPS + rank) * CODES
            });
            for code in 1..CODES {
                f(weight_index(slot, row, code), BY_SLOT + slot * CODES + code, step.map(|step| step + code));
            }
        }
    }
}

/// Averages each weight of a row that mirrors into itself with its mirror image.
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

/// The parameters that the parts make of those at the start.
pub fn compose(start: &[f32], parts: &[f32]) -> Vec<f32> {
    let mut parameters: Vec<f32> = start.iter().zip(parts).map(|(s, p)| s + p).collect();
    for_each_weight(|i, slot, step| parameters[i] += parts[slot] + step.map_or(0.0, |step| parts[step]));
    average(&mut parameters[..HEADER]);
    parameters
}

/// The slopes in the parts, of the slopes in the parameters (the transpose of [`compose`]).
pub fn distribute(mut gradient: Vec<f32>) -> Vec<f32> {
    average(&mut gradient[..HEADER]);
    gradient.resize(PARTS, 0.0);
    for_each_weight(|i, slot, step| {
        let slope = gradient[i];
        gradient[slot] += slope;
        if let Some(step) = step {
            gradient[step] += slope;
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
    fn slopes_of_parts_are_those_of_what_they_make() {
        // Whole numbers below 2^24, and halves: the sums are exact.
        let (parts, gradient) = (random(PARTS, 1), random(PARAMETERS, 2));
        let made = compose(&vec![0.0; PARAMETERS], &parts);
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| *a as f64 * *b as f64).sum::<f64>();
        assert_eq!(dot(&made, &gradient), dot(&parts, &distribute(gradient.clone())));
    }

    #[test]
    fn the_start_stays_where_nothing_is_learned() {
        let mut start = random(PARAMETERS, 3);
        average(&mut start[..HEADER]);
        assert_eq!(compose(&start, &vec![0.0; PARTS]), start);
        let turned = |slot, code| start[weight_index(slot, 40, code)];
        assert!((0..SQUARES).all(|s| turned(s, 5) == turned(mirror(s), 5)));
    }
}
