//! The constants of the search heuristics: margins in centipawns, depths in plies. A pawn is 90.
//!
//! [`Parameters`] has those that can be set, so that `hayasashi match --tune` can find better values. `docs/techniques.md` lists
//! them.

use hayasashi_shogi::text::excerpt;
use std::sync::LazyLock;
use thiserror::Error;

/// The unit of reductions.
pub const ONE_PLY: i32 = 1024;
/// Depth of an entry that has only a static evaluation.
pub const UNSEARCHED: i8 = -10;
/// Greatest depth in the table, which has eight bits.
pub const MAX_DEPTH: i32 = 120;

/// Greatest depth of razoring.
pub const RAZORING_DEPTH: i32 = 3;
/// Greatest depth of reverse futility.
pub const REVERSE_FUTILITY_DEPTH: i32 = 7;
/// Least depth of ProbCut.
pub const PROB_CUT_DEPTH: i32 = 5;
/// Greatest reduced depth of futility.
pub const FUTILITY_DEPTH: i32 = 6;
/// Greatest depth of exchange pruning.
pub const EXCHANGE_DEPTH: i32 = 8;
/// Least depth of the singular extension.
pub const SINGULAR_DEPTH: i32 = 7;
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

/// Quiescence: from this depth on only captures on the square of the last move are searched.
pub const RECAPTURES_ONLY: i32 = -7;

/// A constant that can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, which is that of a USI option.
    pub name: &'static str,
    /// What it is, and its unit.
    pub meaning: &'static str,
    /// The value that the search has without being told.
    pub value: i32,
    /// Least value.
    pub least: i32,
    /// Greatest value.
    pub most: i32,
    /// A change whose effect a match can show.
    pub step: i32,
}

/// A value that a parameter does not accept, or a name that none has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the fields are the values that the messages quote")]
pub enum ParameterError {
    #[error("no parameter of the search `{0}`; hint: docs/techniques.md lists them")]
    Unknown(String),
    #[error("parameter `{name}` cannot be `{value}`; hint: use a whole number from {least} to {most}")]
    Value { name: &'static str, value: String, least: i32, most: i32 },
}

macro_rules! parameters {
    ($($field:ident $name:literal $value:literal, $least:literal, $most:literal, $step:literal; $meaning:literal;)*) => {
        /// The constants of the search that can be set.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $(#[doc = $meaning] pub $field: i32,)*
        }

        impl Default for Parameters {
            fn default() -> Parameters {
                Parameters { $($field: $value,)* }
            }
        }

        impl Parameters {
            /// All of them.
            pub const ALL: &'static [Parameter] = &[
                $(Parameter { name: $name, meaning: $meaning, value: $value, least: $least, most: $most, step: $step },)*
            ];

            fn field(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $($name => Some(&mut self.$field),)*
                    _ => None,
                }
            }
        }
    };
}

impl Parameters {
    /// Sets the parameter of this name.
    ///
    /// # Errors
    /// No parameter has this name, or it does not accept the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParameterError> {
        let unknown = || ParameterError::Unknown(excerpt(name));
        let &Parameter { name, least, most, .. } = Self::ALL.iter().find(|p| p.name == name).ok_or_else(unknown)?;
        let number = value.parse().ok().filter(|number| (least..=most).contains(number));
        let refused = || ParameterError::Value { name, value: excerpt(value), least, most };
        *self.field(name).ok_or_else(unknown)? = number.ok_or_else(refused)?;
        Ok(())
    }
}

parameters! {
    razoring_base "RazoringBase" 200, 0, 800, 40; "Razoring: how far the score must be below alpha, centipawns";
    razoring_slope "RazoringSlope" 220, 0, 600, 30; "the same for each ply of depth";
    reverse_futility_base "ReverseFutilityBase" 30, -200, 300, 15; "Reverse futility: how far the score must be above beta, centipawns";
    reverse_futility_slope "ReverseFutilitySlope" 130, 20, 400, 15; "the same for each ply of depth, one less if the score improves";
    null_move_base "NullMoveBase" 60, -400, 400, 30; "Null move: how far the static evaluation must be above beta, centipawns";
    null_move_slope "NullMoveSlope" 12, -50, 100, 6; "the same, less for each ply of depth";
    null_move_reduction "NullMoveReduction" 3072, 1024, 7168, 256; "Null move: the reduction, in parts of a ply (1024)";
    null_move_reduction_slope "NullMoveReductionSlope" 342, 0, 800, 48; "the same for each ply of depth";
    null_move_score "NullMoveScore" 200, 40, 1000, 30; "Null move: centipawns above beta that reduce by one ply, at most three";
    prob_cut_margin "ProbCutMargin" 220, 40, 600, 25; "ProbCut: how far above beta the score of a capture must be, centipawns";
    futility_base "FutilityBase" 140, 0, 600, 20; "Futility: how far the score must be below alpha, centipawns";
    futility_slope "FutilitySlope" 130, 20, 400, 14; "the same for each ply of reduced depth";
    futility_history "FutilityHistory" 160, 40, 800, 24; "Futility: history that changes the margin by one centipawn";
    late_move_base "LateMoveBase" 60, 10, 300, 10; "Late move pruning: tenths of moves that are searched, half as many if the score does not improve";
    late_move_slope "LateMoveSlope" 20, 4, 80, 3; "the same for each squared ply of depth";
    history_pruning "HistoryPruning" 3500, 500, 14000, 500; "Quiet moves whose history is below minus this for each ply of depth are pruned";
    exchange_check "ExchangeCheck" 360, 0, 900, 40; "Exchange pruning: what a check may lose for each ply of depth, centipawns";
    exchange_capture "ExchangeCapture" 120, 0, 500, 16; "Exchange pruning: what a capture may lose for each ply of depth, centipawns";
    exchange_quiet "ExchangeQuiet" 30, 0, 150, 5; "Exchange pruning: what a quiet move may lose for each squared ply of reduced depth, centipawns";
    singular_margin "SingularMargin" 30, 4, 150, 5; "Singular extension: how far the others must be below the table's score, tenths of a centipawn for each ply of depth";
    singular_double "SingularDouble" 40, 4, 300, 8; "Singular extension: how much further for two plies, centipawns";
    reduction_product "ReductionProduct" 130, 40, 300, 8; "Late move reductions: percent of half of ln(depth) · ln(number of the move), in plies";
    reduction_base "ReductionBase" 0, -2048, 2048, 128; "Late move reductions: added to each, in parts of a ply";
    reduction_not_improving "ReductionNotImproving" 512, -512, 2048, 128; "the same if the score does not improve";
    reduction_cut "ReductionCut" 1024, -1024, 3072, 160; "the same where a cut-off is expected";
    reduction_capture "ReductionCapture" 1024, -1024, 3072, 160; "the same for a quiet move where the table's move captures";
    reduction_open "ReductionOpen" -512, -3072, 1024, 128; "the same in a node that was in the principal variation";
    reduction_pv "ReductionPv" -1024, -3072, 1024, 160; "the same in the principal variation";
    reduction_check "ReductionCheck" -1024, -3072, 1024, 160; "the same for a check";
    reduction_evasion "ReductionEvasion" -1024, -3072, 1024, 160; "the same in check";
    reduction_forcing "ReductionForcing" -1024, -3072, 1024, 160; "the same for a capture or a promotion";
    reduction_history "ReductionHistory" 14000, 3000, 60000, 1500; "Late move reductions: history that changes a reduction by one ply";
    quiescence_futility "QuiescenceFutility" 180, 0, 600, 20; "Quiescence: how far below alpha the score after a capture may be, centipawns";
    aspiration_window "AspirationWindow" 30, 5, 200, 5; "Aspiration: half the width of the first window, centipawns";
}

impl Parameters {
    /// Razoring: how far the score must be below alpha.
    pub fn razoring_margin(&self, depth: i32) -> i32 {
        self.razoring_base + self.razoring_slope * depth
    }

    /// Reverse futility: how far the score must be above beta.
    pub fn reverse_futility_margin(&self, depth: i32, improving: bool) -> i32 {
        self.reverse_futility_slope * (depth - improving as i32) + self.reverse_futility_base
    }

    /// Null move: how far the static evaluation must be above beta.
    pub fn null_move_margin(&self, depth: i32) -> i32 {
        self.null_move_base - self.null_move_slope * depth
    }

    /// Null move: the reduction in plies; `above` is how far the score is above beta.
    pub fn null_move_plies(&self, depth: i32, above: i32) -> i32 {
        (self.null_move_reduction + self.null_move_reduction_slope * depth) / ONE_PLY
            + (above / self.null_move_score).min(3)
    }

    /// Futility: how far the score must be below alpha.
    pub fn futility_margin(&self, depth: i32) -> i32 {
        self.futility_base + self.futility_slope * depth
    }

    /// Late move pruning: the number of moves that are searched.
    pub fn late_move_count(&self, depth: i32, improving: bool) -> i32 {
        (self.late_move_base + self.late_move_slope * depth * depth) / 10 / (2 - improving as i32)
    }

    /// Singular extension: how far all other moves must be below the table's score.
    pub fn singular_margin(&self, depth: i32) -> i32 {
        self.singular_margin * depth / 10
    }

    /// The reduction of move number `count` of a node, in parts of [`ONE_PLY`]: 0.65 plies · ln(depth) · ln(count).
    pub fn late_move_reduction(&self, depth: i32, count: i32) -> i32 {
        let logarithms = &*LOGARITHMS;
        let of = |n: i32| logarithms[n.clamp(0, 255) as usize];
        of(depth) * of(count) * self.reduction_product / 100
    }
}

/// Natural logarithms of 0–255, times the square root of half of [`ONE_PLY`].
static LOGARITHMS: LazyLock<[i32; 256]> = LazyLock::new(|| {
    let scale = (ONE_PLY as f64 / 2.0).sqrt();
    std::array::from_fn(|n| (scale * (n.max(1) as f64).ln()) as i32)
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_count() {
        let p = Parameters::default();
        let scale = p.reduction_product as f64 / 200.0;
        for depth in 2..40 {
            for count in 2..200 {
                let r = p.late_move_reduction(depth, count);
                let deeper = p.late_move_reduction(depth + 1, count);
                assert!(r <= deeper && r <= p.late_move_reduction(depth, count + 1));
                let exact = scale * (depth as f64).ln() * (count as f64).ln() * ONE_PLY as f64;
                assert!((r as f64 - exact).abs() < 300.0, "{depth} {count}: {r} for {exact}");
            }
        }
    }

    #[test]
    fn margins_grow_with_depth() {
        let p = Parameters::default();
        for depth in 1..10 {
            assert!(p.razoring_margin(depth) < p.razoring_margin(depth + 1));
            assert!(p.futility_margin(depth) < p.futility_margin(depth + 1));
            assert!(p.reverse_futility_margin(depth, true) < p.reverse_futility_margin(depth, false));
            assert!(p.late_move_count(depth, false) < p.late_move_count(depth, true));
        }
    }

    #[test]
    fn every_parameter_has_its_own_field_and_range() {
        let mut p = Parameters::default();
        for &Parameter { name, value, least, most, step, .. } in Parameters::ALL {
            assert!(least <= value && value <= most && step > 0 && step < most - least, "{name}");
            p.set(name, &most.to_string()).unwrap();
            assert_eq!(p.field(name), Some(&mut { most }));
            let error = p.set(name, &(most + 1).to_string()).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(&format!("to {most}")), "{error}");
            assert!(p.set(name, "x").is_err() && p.set(name, "").is_err());
            p.set(name, &value.to_string()).unwrap();
        }
        assert_eq!(p, Parameters::default());
        assert!(p.set("razoringbase", "1").unwrap_err().to_string().contains("`razoringbase`"));
    }
}
