//! The tuned constants of the search heuristics: margins in centipawns, depths in plies.
//!
//! They were tuned by matches at fixed nodes (`hayasashi match`). A pawn is 90.

use std::sync::LazyLock;

/// The unit of reductions.
pub const ONE_PLY: i32 = 1024;
/// Depth of an entry that has only a static evaluation.
pub const UNSEARCHED: i8 = -10;
/// Greatest depth in the table, which has eight bits.
pub const MAX_DEPTH: i32 = 120;

/// Greatest depth of razoring.
pub const RAZORING_DEPTH: i32 = 3;
/// Razoring: how far the score must be below alpha.
pub fn razoring_margin(depth: i32) -> i32 {
    200 + 220 * depth
}

/// Greatest depth of reverse futility.
pub const REVERSE_FUTILITY_DEPTH: i32 = 7;
/// Reverse futility: how far the score must be above beta.
pub fn reverse_futility_margin(depth: i32, improving: bool) -> i32 {
    130 * (depth - improving as i32) + 30
}

/// Null move: how far the static evaluation may be below beta.
pub fn null_move_margin(depth: i32) -> i32 {
    12 * depth - 60
}
/// Null move: the reduction in plies; `above` is how far the score is above beta.
pub fn null_move_reduction(depth: i32, above: i32) -> i32 {
    3 + depth / 3 + (above / 200).min(3)
}

/// Least depth of ProbCut.
pub const PROB_CUT_DEPTH: i32 = 5;
/// ProbCut: how far above beta the score of a capture must be.
pub const PROB_CUT_MARGIN: i32 = 220;

/// Greatest reduced depth of futility.
pub const FUTILITY_DEPTH: i32 = 6;
/// Futility: how far the score must be below alpha.
pub fn futility_margin(depth: i32) -> i32 {
    140 + 130 * depth
}

/// History that changes the futility margin by one centipawn.
pub const HISTORY_PER_CENTIPAWN: i32 = 160;

/// Late move pruning: the number of moves that are searched.
pub fn late_move_count(depth: i32, improving: bool) -> i32 {
    (6 + 2 * depth * depth) / (2 - improving as i32)
}

/// Quiet moves whose history is below minus this per ply of depth are pruned.
pub const HISTORY_PRUNING: i32 = 3500;

/// Greatest depth of exchange pruning.
pub const EXCHANGE_DEPTH: i32 = 8;
/// Exchange pruning: what a check may lose per ply of depth; at three plies it may sacrifice a gold.
pub const EXCHANGE_CHECK: i32 = 360;
/// Exchange pruning: what a capture may lose per ply of depth.
pub const EXCHANGE_CAPTURE: i32 = 120;
/// Exchange pruning: what a quiet move may lose per squared ply of reduced depth.
pub const EXCHANGE_QUIET: i32 = 30;

/// Least depth of the singular extension.
pub const SINGULAR_DEPTH: i32 = 7;
/// Singular extension: how far all other moves must be below the table's score.
pub fn singular_margin(depth: i32) -> i32 {
    3 * depth
}
/// Singular extension: if the other moves are this much further below, the extension is two plies.
pub const SINGULAR_DOUBLE: i32 = 40;

/// Greatest depth of the check extension.
pub const CHECK_EXTENSION_DEPTH: i32 = 2;

/// Least depth of the probable extension.
pub const PROBABLE_DEPTH: i32 = 5;
/// Probable extension: the move's least share of the probability of all moves, in percent.
pub const PROBABLE_PERCENT: u64 = 60;

/// Least depth of forced lines.
pub const FORCED_DEPTH: i32 = 5;
/// Forced lines: logarithm of the number of moves at which a node costs one ply, in parts of
/// [`HALVING`](crate::statistics::logarithm::HALVING).
pub const USUAL_FREEDOM: i32 = 3 * 1024;
/// Forced lines: the greatest saving that a line carries on beyond the depth of the iteration.
pub const ABUNDANT_CARRY: i32 = ONE_PLY - 1;

/// Least depth of tesuji macros.
pub const MACRO_DEPTH: i32 = 2;
/// Tesuji macros: how often the sequence was completed once started, in percent.
pub const MACRO_PERCENT: u32 = 40;
/// Tesuji macros: least association of the sequence, in parts of a halving.
pub const MACRO_ASSOCIATION: i32 = 6 * 1024;
/// Tesuji macros: the extension in plies.
pub const MACRO_PLIES: i32 = 1;

/// History that changes a reduction by one ply.
pub const HISTORY_PER_PLY: i32 = 14_000;

/// Natural logarithms of 0–255, times the square root of half of [`ONE_PLY`].
static LOGARITHMS: LazyLock<[i32; 256]> = LazyLock::new(|| {
    let scale = (ONE_PLY as f64 / 2.0).sqrt();
    std::array::from_fn(|n| (scale * (n.max(1) as f64).ln()) as i32)
});

/// The reduction of move number `count` of a node, in parts of [`ONE_PLY`]: 0.65 plies · ln(depth) · ln(count).
pub fn late_move_reduction(depth: i32, count: i32) -> i32 {
    let logarithms = &*LOGARITHMS;
    let of = |n: i32| logarithms[n.clamp(0, 255) as usize];
    of(depth) * of(count) * 13 / 10
}

/// Quiescence: how far below alpha the score after a capture may be.
pub const QUIESCENCE_FUTILITY: i32 = 180;
/// Quiescence: from this depth on only captures on the square of the last move are searched.
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
