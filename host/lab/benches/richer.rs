//! The value of a richer static evaluation: attacks near the kings, mobility and threats in addition to the built-in table.
//!
//! `cargo bench -p hayasashi-lab --bench richer -- --games RECORDS… [--step N] [--nodes N]`. RECORDS are those of `learn eval`, with
//! results. Every `--step`-th position (default 3) is replaced by its quiet leaf by the built-in table. The features of
//! `learning/richer.rs` there and the table's score are the inputs of a logistic regression of the game's result, and of the score of
//! a deeper search (from the records of self-play, or with `--nodes` from a search of the position).
//!
//! All losses are cross-validated by games: five parts, each predicted from the other four, one quarter of which selects the ridge
//! penalty. `gain` is the reduction of the loss compared with the table's score alone, fitted in the same way, in thousandths, with a
//! 95 % interval from 1,000 bootstrap samples of the games (Efron, 1979). For comparison, the bench also reports the gain from new
//! piece values, which measures how much comes from fitting to these players, and the loss of the hand-made table.

use hayasashi_accel::{open, BackendSpec};
use hayasashi_engine::search::{
    accumulator::{Accumulator, Weights},
    GamePath, MoveSource, SearchLimits, Searcher,
};
use hayasashi_engine::Control;
use hayasashi_lab::learning::{
    features::Features,
    objective::{cross_entropy, sigmoid},
    quiescence::{leaf, QuiescenceSearch, LOST},
    richer::{features, FEATURES, GROUPS},
};
use hayasashi_model::evaluate::{default_table, first_table};
use hayasashi_shogi::{
    random::Random,
    records::{self, RecordedGame},
};
use std::{ops::Range, path::PathBuf, sync::Arc};

/// Scale of the logistic function in centipawns, as in `learn eval`.
const SCALE: f64 = 600.0;
/// Limit of the absolute score, and opening plies, as in `learn eval`.
const MAX_ABS_SCORE: i32 = 2000;
const OPENING_PLIES: usize = 8;
/// Candidate ridge penalties, on half the square of a coefficient of a normalised input.
const RIDGES: [f64; 4] = [0.01, 0.1, 1.0, 10.0];
/// Parts of the cross-validation.
const FOLDS: usize = 5;
/// Number of bootstrap samples.
const BOOTSTRAP_SAMPLES: usize = 1000;

/// Inputs of a leaf: 1, the table's score, the hand-made table's score, piece counts, the features, and the number of attacked
/// squares in the rings.
const TABLE: usize = 1;
const HAND_MADE: usize = 2;
const PIECES: Range<usize> = 3..26;
const COUNTED: usize = PIECES.end;
const ATTACKED: usize = COUNTED + FEATURES;
const NUMBERS: usize = ATTACKED + 1;

/// A quiet leaf, for its side to move.
struct Sample {
    game: usize,
    numbers: [f32; NUMBERS],
    /// Targets: the points of the game, and the chance by a deeper search.
    targets: [Option<f64>; 2],
}

fn chance(score: f64) -> f64 {
    sigmoid((score / SCALE) as f32) as f64
}

/// Adds the samples of a game; `search` gives the score of a position without one.
fn sample(
    game: &RecordedGame,
    number: usize,
    step: usize,
    [table, hand_made]: &[Weights; 2],
    quiet: &mut QuiescenceSearch,
    search: &mut dyn FnMut(&GamePath) -> Option<i32>,
    samples: &mut Vec<Sample>,
) {
    let (mut table_features, mut positions) = (Features::default(), game.positions());
    while let Some((pos, _, ply)) = positions.next() {
        let record_score = game.scores.get(ply).copied().flatten().map(i32::from);
        if ply < OPENING_PLIES || ply % step != number % step || record_score.is_some_and(|s| s.abs() > MAX_ABS_SCORE) {
            continue;
        }
        let (score, line) = quiet.search(pos, -32_000, 32_000);
        if score.abs() > MAX_ABS_SCORE.min(-LOST) {
            continue;
        }
        let (at, own) = (leaf(pos, line), line.len().is_multiple_of(2));
        if at.in_check() {
            continue;
        }
        let turned = |target: f64| if own { target } else { 1.0 - target };
        let searched =
            record_score.or_else(|| search(&GamePath::new(pos.clone()))).filter(|s| s.abs() <= MAX_ABS_SCORE);
        table_features.read(&at);
        let mut numbers = [0.0; NUMBERS];
        let score = |weights| Accumulator::new(weights, &at).score(weights, at.side_to_move()) as f32 / SCALE as f32;
        (numbers[0], numbers[TABLE], numbers[HAND_MADE]) = (1.0, score(table), score(hand_made));
        // The tempo is left out: it equals the constant 1.
        let pieces = table_features.header.iter().map(|&n| n as i16).take(PIECES.len());
        numbers[PIECES.start..]
            .iter_mut()
            .zip(pieces.chain(features(&at)))
            .for_each(|(n, feature)| *n = feature as f32);
        numbers[ATTACKED] = numbers[COUNTED..][GROUPS[1].1.clone()].iter().sum();
        let points = game.result.map(|r| turned(r.points(pos.side_to_move()) as f64));
        samples.push(Sample { game: number, numbers, targets: [points, searched.map(|s| turned(chance(s as f64)))] });
    }
}

/// Solves `a x = b` in place, where `a` is symmetric and positive definite (Cholesky).
fn solve(a: &mut [Vec<f64>], b: &mut [f64]) {
    let n = b.len();
    for i in 0..n {
        for j in 0..=i {
            let (row, other) = (&a[i], &a[j]);
            let sum = row[j] - row[..j].iter().zip(&other[..j]).map(|(x, y)| x * y).sum::<f64>();
            a[i][j] = if i == j { sum.sqrt() } else { sum / a[j][j] };
        }
        b[i] = (b[i] - (0..i).map(|k| a[i][k] * b[k]).sum::<f64>()) / a[i][i];
    }
    for i in (0..n).rev() {
        b[i] = (b[i] - (i + 1..n).map(|k| a[k][i] * b[k]).sum::<f64>()) / a[i][i];
    }
}

/// A regression: the columns of its inputs, and the standard deviations of all inputs.
struct Fit<'a> {
    columns: &'a [usize],
    deviations: &'a [f64],
}

impl Fit<'_> {
    /// The coefficients with the least penalised loss (Newton's method).
    fn with(&self, ridge: f64, samples: &[(&Sample, f64)]) -> Vec<f64> {
        let n = self.columns.len();
        let (mut found, mut x) = (vec![0.0; n], vec![0.0; n]);
        for _ in 0..8 {
            let (mut matrix, mut slope) = (vec![vec![0.0; n]; n], vec![0.0; n]);
            for &(sample, target) in samples {
                x.iter_mut().zip(self.columns).for_each(|(x, &c)| *x = sample.numbers[c] as f64);
                let odds: f64 = x.iter().zip(&found).map(|(x, f)| x * f).sum();
                let p = 1.0 / (1.0 + (-odds).exp());
                for i in (0..n).filter(|&i| x[i] != 0.0) {
                    slope[i] += (target - p) * x[i];
                    let by = p * (1.0 - p) * x[i];
                    matrix[i][..=i].iter_mut().zip(&x).for_each(|(m, x)| *m += by * x);
                }
            }
            for (i, &c) in self.columns.iter().enumerate() {
                let ridge = if c < PIECES.start { 0.0 } else { ridge };
                let ridge = ridge * samples.len() as f64 * self.deviations[c] * self.deviations[c];
                matrix[i][i] += ridge + 1e-9;
                slope[i] -= ridge * found[i];
            }
            solve(&mut matrix, &mut slope);
            found.iter_mut().zip(&slope).for_each(|(f, s)| *f += s);
            if slope.iter().zip(self.columns).all(|(s, &c)| (s * self.deviations[c].max(1e-3)).abs() < 1e-4) {
                break;
            }
        }
        found
    }

    fn loss(&self, found: &[f64], (sample, target): &(&Sample, f64)) -> f64 {
        let odds: f64 = self.columns.iter().zip(found).map(|(&c, f)| sample.numbers[c] as f64 * f).sum();
        cross_entropy(sigmoid(odds as f32), *target as f32) as f64
    }

    /// The coefficients with the penalty that predicts a quarter of the games best.
    fn best(&self, samples: &[(&Sample, f64)]) -> Vec<f64> {
        let (quarter, rest): (Vec<_>, Vec<_>) = samples.iter().partition(|s| s.0.game / FOLDS % 4 == 3);
        let loss_with = |&ridge: &f64| {
            let found = self.with(ridge, &rest);
            (quarter.iter().map(|s| self.loss(&found, s)).sum::<f64>(), ridge)
        };
        let penalised = self.columns.iter().any(|&c| c >= PIECES.start);
        let chosen = RIDGES.iter().filter(|_| penalised).map(loss_with).min_by(|a, b| a.0.total_cmp(&b.0));
        self.with(chosen.map_or(0.0, |c| c.1), samples)
    }

    /// By game: the sum of the cross-validated losses, and the number of positions.
    fn held_out(&self, samples: &[(&Sample, f64)], games: usize) -> Vec<(f64, f64)> {
        let mut losses = vec![(0.0, 0.0); games];
        for part in 0..FOLDS {
            let (held, fitted): (Vec<_>, Vec<_>) = samples.iter().partition(|s| s.0.game % FOLDS == part);
            let found = self.best(&fitted);
            for sample in &held {
                let (loss, count) = losses[sample.0.game];
                losses[sample.0.game] = (loss + self.loss(&found, sample), count + 1.0);
            }
        }
        losses
    }
}

/// The reduction of the mean loss in thousandths, with a 95 % interval by bootstrap.
fn gain(from: &[(f64, f64)], to: &[(f64, f64)]) -> String {
    let mean = |games: &mut dyn Iterator<Item = usize>| {
        let (mut less, mut count) = (0.0, 0.0);
        games.for_each(|g| (less, count) = (less + from[g].0 - to[g].0, count + from[g].1));
        1000.0 * less / count
    };
    let mut random = Random::new(7, 0);
    let mut draw = |_| mean(&mut (0..from.len()).map(|_| random.below(from.len())));
    let mut drawn: Vec<f64> = (0..BOOTSTRAP_SAMPLES).map(&mut draw).collect();
    drawn.sort_by(f64::total_cmp);
    let reduction = mean(&mut (0..from.len()));
    format!(
        "{reduction:+7.2} [{:+7.2}, {:+7.2}]",
        drawn[BOOTSTRAP_SAMPLES / 40],
        drawn[BOOTSTRAP_SAMPLES - 1 - BOOTSTRAP_SAMPLES / 40]
    )
}

fn columns(parts: &[Range<usize>]) -> Vec<usize> {
    parts.iter().cloned().flatten().collect()
}

fn print_table(name: &str, samples: &[(&Sample, f64)], games: usize) {
    let deviations: Vec<f64> = (0..NUMBERS)
        .map(|c| {
            let values = || samples.iter().map(|s| s.0.numbers[c] as f64);
            let mean = values().sum::<f64>() / samples.len() as f64;
            (values().map(|v| (v - mean) * (v - mean)).sum::<f64>() / samples.len() as f64).sqrt().max(1e-3)
        })
        .collect();
    let counted = |i: usize| COUNTED + GROUPS[i].1.start..COUNTED + GROUPS[i].1.end;
    let base = [0..1, TABLE..TABLE + 1];
    let of =
        |parts: &[Range<usize>]| Fit { columns: &columns(parts), deviations: &deviations }.held_out(samples, games);
    let mean = |losses: &[(f64, f64)]| losses.iter().map(|t| t.0).sum::<f64>() / samples.len() as f64;
    println!("\n{name}: {} positions", samples.len());
    println!("{:<32} {:>8} {:>30} {:>30}", "", "loss", "gain", "gain over all others");
    let alone = of(&base);
    println!("{:<32} {:>8.5}", "table", mean(&alone));
    let row = |name: &str, parts: &[Range<usize>]| {
        let losses = of(parts);
        println!("{name:<32} {:>8.5} {:>30}", mean(&losses), gain(&alone, &losses));
        losses
    };
    row("hand-made table instead", &[0..1, HAND_MADE..HAND_MADE + 1]);
    row("table, refitted pieces", &[0..1, TABLE..TABLE + 1, PIECES]);
    row("table, all counted", &[0..1, TABLE..TABLE + 1, COUNTED..ATTACKED]);
    let all = row("table, refitted pieces, all counted", &[0..1, TABLE..TABLE + 1, PIECES.start..ATTACKED]);
    row("table, ring squares attacked", &[0..1, TABLE..TABLE + 1, ATTACKED..NUMBERS]);
    for (i, (name, _)) in GROUPS.iter().enumerate() {
        let one = of(&[0..1, TABLE..TABLE + 1, counted(i)]);
        let rest = of(&[0..1, TABLE..TABLE + 1, PIECES.start..counted(i).start, counted(i).end..ATTACKED]);
        let (first, last) = (gain(&alone, &one), gain(&rest, &all));
        println!("{:<32} {:>8.5} {first:>30} {last:>30}", format!("table, {name}"), mean(&one));
    }
    let all = columns(&[0..1, TABLE..TABLE + 1, COUNTED..ATTACKED]);
    let found = Fit { columns: &all, deviations: &deviations }.best(samples);
    println!("weights in centipawns, fitted as `table, all counted`:");
    for (name, range) in GROUPS {
        let weights = range.map(|i| format!("{:.1}", found[2 + i] / found[1] * SCALE));
        println!("  {name:<30} {}", weights.collect::<Vec<_>>().join(" "));
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench").peekable();
    let (mut files, mut step, mut nodes) = (Vec::<PathBuf>::new(), 3, 0);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|n| n.parse().ok()).filter(|&n: &usize| n > 0);
        match argument.as_str() {
            "--step" => step = number().expect("`--step` needs a number from 1"),
            "--nodes" => nodes = number().expect("`--nodes` needs a number from 1"),
            "--games" => {
                while let Some(file) = arguments.next_if(|a| !a.starts_with("--")) {
                    files.push(file.into());
                }
            }
            other => panic!("`{other}` is not an argument; hint: use --games RECORDS… [--step N] [--nodes N]"),
        }
    }
    if files.is_empty() {
        return println!("no records; hint: cargo bench -p hayasashi-lab --bench richer -- --games RECORDS…");
    }
    let mut games = records::read(&files, &mut |_| {}).expect("records").games;
    Random::new(1, 1).shuffle(&mut games);
    let eval = Arc::new(default_table());
    let weights = [eval.clone(), Arc::new(first_table())].map(Weights::new);
    let source = MoveSource::open(open(&BackendSpec::Model).expect("the model").chip, eval).expect("a source");
    let mut searcher = Searcher::new(source, 16);
    let limits = SearchLimits { nodes: Some(nodes as u64), ..SearchLimits::default() };
    let mut search = |path: &GamePath| {
        (nodes > 0).then(|| searcher.search(path, &limits, &[], &Control::default(), &mut |_| {}).report.score)
    };
    let (mut quiet, mut samples) = (QuiescenceSearch::new(&weights[0]), Vec::new());
    for (number, game) in games.iter().enumerate() {
        sample(game, number, step, &weights, &mut quiet, &mut search, &mut samples);
    }
    println!("{} games; gains in thousandths of the mean loss", games.len());
    for (i, name) in ["the game's result", "the score of a deeper search"].iter().enumerate() {
        let labelled: Vec<_> = samples.iter().filter_map(|s| Some((s, s.targets[i]?))).collect();
        if labelled.len() >= 1000 {
            print_table(name, &labelled, games.len());
        }
    }
}
