//! The numbers of the techniques: margins in centipawns, depths in plies.
//!
//! Found by matches at fixed nodes (`hayasashi match`); a pawn is 90.

use std::sync::LazyLock;

/// Reductions are counted in parts of a ply.
pub const ONE_PLY: i32 = 1024;
/// Depth of an entry that holds a static evaluation alone.
pub const UNSEARCHED: i8 = -10;
/// Depths are stored in eight bits.
pub const MAX_DEPTH: i32 = 120;

/// Razoring is tried up to this depth.
pub const RAZORING_DEPTH: i32 = 3;
/// How far below alpha the score must be for razoring.
pub fn razoring_margin(depth: i32) -> i32 {
    200 + 220 * depth
}

/// Reverse futility is tried up to this depth.
pub const REVERSE_FUTILITY_DEPTH: i32 = 7;
/// How far above beta the score must be for reverse futility.
pub fn reverse_futility_margin(depth: i32, improving: bool) -> i32 {
    130 * (depth - improving as i32) + 30
}

/// How far below beta the static score itself may be for a null move.
pub fn null_move_margin(depth: i32) -> i32 {
    12 * depth - 60
}
/// Plies less that a null move is searched; `above` is how far the score is above beta.
pub fn null_move_reduction(depth: i32, above: i32) -> i32 {
    3 + depth / 3 + (above / 200).min(3)
}

/// ProbCut is tried from this depth on.
pub const PROB_CUT_DEPTH: i32 = 5;
/// How far above beta a capture must lead.
pub const PROB_CUT_MARGIN: i32 = 220;

/// Futility is tried up to this depth, reductions taken off.
pub const FUTILITY_DEPTH: i32 = 6;
/// How far below alpha the score must be for futility.
pub fn futility_margin(depth: i32) -> i32 {
    140 + 130 * depth
}

/// History that is worth a centipawn of that margin.
pub const HISTORY_PER_CENTIPAWN: i32 = 160;

/// Quiet moves that are searched near the leaves.
pub fn late_move_count(depth: i32, improving: bool) -> i32 {
    (6 + 2 * depth * depth) / (2 - improving as i32)
}

/// Quiet moves whose history is below minus this for each ply are left out.
pub const HISTORY_PRUNING: i32 = 3500;

/// Exchange pruning is tried up to this depth.
pub const EXCHANGE_DEPTH: i32 = 8;
/// Checks may lose so much for each ply left: three plies are enough for a gold to be sacrificed.
pub const EXCHANGE_CHECK: i32 = 360;
/// Captures may lose so much for each ply left.
pub const EXCHANGE_CAPTURE: i32 = 120;
/// Quiet moves may lose so much for each squared ply left, reductions taken off.
pub const EXCHANGE_QUIET: i32 = 30;

/// Singular extension is tried from this depth on.
pub const SINGULAR_DEPTH: i32 = 7;
/// How far below the table's score all other moves must be.
pub fn singular_margin(depth: i32) -> i32 {
    3 * depth
}
/// So much further below it, the extension is two plies.
pub const SINGULAR_DOUBLE: i32 = 40;

/// Checks of the principal variation are extended up to this depth: near the leaves, where quiescence would be next.
pub const CHECK_EXTENSION_DEPTH: i32 = 2;

/// From this depth on it is asked whether a move stands out by its probability.
pub const PROBABLE_DEPTH: i32 = 5;
/// A move with so much of the probability of all stands out.
pub const PROBABLE_PERCENT: u64 = 60;

/// From this depth on plies cost what the choice is wide.
pub const FORCED_DEPTH: i32 = 5;
/// Logarithm of the number of moves whose choice costs a ply, in parts of [`HALVING`](crate::statistics::logarithm::HALVING).
pub const USUAL_FREEDOM: i32 = 3 * 1024;
/// What a line beyond the depth of its iteration may carry on of what it saved.
pub const ABUNDANT_CARRY: i32 = ONE_PLY - 1;

/// SequenceCounts are looked for from this depth on.
pub const MACRO_DEPTH: i32 = 2;
/// A sequence that was played in so many percent of the times that it was begun is a macro.
pub const MACRO_PERCENT: u32 = 40;
/// So much more frequent than by chance, in halvings.
pub const MACRO_ASSOCIATION: i32 = 6 * 1024;
/// Plies by which a macro is deepened.
pub const MACRO_PLIES: i32 = 1;

/// History that makes a ply of reduction less, or more.
pub const HISTORY_PER_PLY: i32 = 14_000;

/// Natural logarithms of 0–255, times the square root of [`ONE_PLY`] over 2.
static LOGARITHMS: LazyLock<[i32; 256]> = LazyLock::new(|| {
    let scale = (ONE_PLY as f64 / 2.0).sqrt();
    std::array::from_fn(|n| (scale * (n.max(1) as f64).ln()) as i32)
});

/// By how much the move number `count` of a node is reduced, in parts of [`ONE_PLY`]: 0.65 plies for each
/// unit of ln(depth) · ln(count).
pub fn late_move_reduction(depth: i32, count: i32) -> i32 {
    let logarithms = &*LOGARITHMS;
    let of = |n: i32| logarithms[n.clamp(0, 255) as usize];
    of(depth) * of(count) * 13 / 10
}

/// In quiescence a capture must bring the score this near to alpha.
pub const QUIESCENCE_FUTILITY: i32 = 180;
/// Plies of quiescence after which only captures on the square of the last move are searched.
pub const RECAPTURES_ONLY: i32 = -7;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_count() {
        for depth in 2..40 {
            for count in 2..200 {
                let r = late_move_reduction(depth, count);
                assert!(r <= late_move_reduction(depth + 1, count) && r <= late_move_reduction(depth, count + 1));
                let exact = 0.65 * (depth as f64).ln() * (count as f64).ln() * ONE_PLY as f64;
                assert!((r as f64 - exact).abs() < 300.0, "{depth} {count}: {r} for {exact}");
            }
        }
    }

    #[test]
    fn margins_grow_with_depth() {
        for depth in 1..10 {
            assert!(razoring_margin(depth) < razoring_margin(depth + 1));
            assert!(futility_margin(depth) < futility_margin(depth + 1));
            assert!(reverse_futility_margin(depth, true) < reverse_futility_margin(depth, false));
            assert!(late_move_count(depth, false) < late_move_count(depth, true));
        }
    }
}
