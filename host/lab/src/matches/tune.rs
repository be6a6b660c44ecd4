//! Tuning the constants of the search by matches of the engine against itself: simultaneous perturbation stochastic
//! approximation (SPSA; Spall, 1992).
//!
//! Each pair of games is played with all parameters moved at once, each up or down by chance: the first engine has
//! them so, the second has them moved the other way. The values then go a little towards the side that won. Moves and changes
//! shrink with the pairs as Spall proposes (exponents 0.101 and 0.602); in the last pair a parameter is moved by its step.

use super::{
    journal::Journal,
    openings::order,
    pairs::{in_parallel, MatchPlan},
    results::{checksum, MatchSettings},
    MatchError,
};
use hayasashi_engine::search::{Parameter, Parameters};
use hayasashi_shogi::random::Random;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    path::Path,
    sync::{atomic::AtomicBool, Mutex},
};

/// Spall's exponent of the change.
const CHANGE_EXPONENT: f64 = 0.602;
/// Spall's exponent of the move.
const MOVE_EXPONENT: f64 = 0.101;
/// The pairs that Spall's stability constant stands for, as a share of all.
const STABILITY: f64 = 0.1;

/// A parameter that is tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct TunedParameter {
    /// Its name.
    pub name: &'static str,
    /// The value to begin with.
    pub start: f64,
    /// Least value.
    pub least: f64,
    /// Greatest value.
    pub most: f64,
    /// How far it is moved in the last pair.
    pub step: f64,
}

impl From<&Parameter> for TunedParameter {
    fn from(p: &Parameter) -> TunedParameter {
        let [start, least, most, step] = [p.value, p.least, p.most, p.step].map(f64::from);
        TunedParameter { name: p.name, start, least, most, step }
    }
}

/// All parameters of the engine, as its sources have them.
pub fn all_parameters() -> Vec<TunedParameter> {
    Parameters::ALL.iter().map(TunedParameter::from).collect()
}

/// Reads a file with a parameter on each line: `name start least most step`. Blank lines are skipped; `#` begins a comment.
///
/// # Errors
/// A file that cannot be read or has no parameters, a line that is not one, or values that the engine does not accept.
pub fn read(file: &Path) -> Result<Vec<TunedParameter>, MatchError> {
    let text =
        std::fs::read_to_string(file).map_err(|reason| MatchError::File { verb: "read", file: file.into(), reason })?;
    let mut parameters: Vec<TunedParameter> = Vec::new();
    for (number, line) in text.trim_start_matches('\u{FEFF}').lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let wrong = |reason| MatchError::Parameter { file: file.into(), line: number + 1, reason };
        let parameter = parse(line).map_err(wrong)?;
        if parameters.iter().any(|other| other.name == parameter.name) {
            return Err(wrong(format!("`{}` is there twice", parameter.name)));
        }
        parameters.push(parameter);
    }
    match parameters.is_empty() {
        true => Err(MatchError::NoParameters(file.into())),
        false => Ok(parameters),
    }
}

fn parse(line: &str) -> Result<TunedParameter, String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let [name, values @ ..] = &words[..] else { return Err("an empty line".into()) };
    let known = Parameters::ALL.iter().find(|p| p.name == *name);
    let known = known.ok_or_else(|| format!("`{name}` is no parameter of the search"))?;
    let numbers: Option<Vec<i32>> = values.iter().map(|word| word.parse().ok()).collect();
    let Some(&[start, least, most, step]) = numbers.as_deref() else {
        return Err(format!("`{line}` does not have four whole numbers after its name"));
    };
    if !(known.least <= least
        && least <= start
        && start <= most
        && most <= known.most
        && 0 < step
        && step <= most - least)
    {
        let (least, most) = (known.least, known.most);
        return Err(format!("`{line}` does not lie in the engine's range of {least} to {most}, or in its own"));
    }
    Ok(TunedParameter::from(&Parameter { value: start, least, most, step, ..*known }))
}

/// What is tuned, and how.
pub struct TunePlan {
    /// Twice the same engine, and how its games are played.
    pub plan: MatchPlan,
    /// The parameters.
    pub parameters: Vec<TunedParameter>,
    /// Change after the last pair, in steps, for each game that one side is ahead.
    pub rate: f64,
}

/// The settings that identify a tuning in its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct TuneSettings {
    games: MatchSettings,
    parameters: String,
    pairs: u64,
    rate: String,
}

impl TuneSettings {
    fn fields(&self) -> Vec<(&'static str, String)> {
        let own =
            [("parameters", self.parameters.clone()), ("pairs", self.pairs.to_string()), ("rate", self.rate.clone())];
        self.games.fields().into_iter().chain(own).collect()
    }
}

/// A pair of games that has been played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunePair {
    /// Its number, from 0.
    pub pair: u64,
    /// Half points of the first engine in both games: 0 to 4.
    pub half_points: u8,
    /// The values after it.
    pub values: Vec<f64>,
}

/// The values of a tuning, in memory and on disk.
pub struct Tuning {
    journal: Journal,
    played: BTreeSet<u64>,
    values: Vec<f64>,
}

impl TunePlan {
    fn pairs(&self) -> u64 {
        self.plan.games / 2
    }

    fn settings(&self) -> TuneSettings {
        let text = |p: &TunedParameter| format!("{} {} {} {} {}", p.name, p.start, p.least, p.most, p.step);
        let texts: Vec<String> = self.parameters.iter().map(text).collect();
        TuneSettings {
            games: self.plan.settings(),
            parameters: format!("{} {:016x}", texts.len(), checksum(&texts)),
            pairs: self.pairs(),
            rate: self.rate.to_string(),
        }
    }

    /// How far the parameter is moved in a pair.
    fn moved(&self, parameter: &TunedParameter, pair: u64) -> f64 {
        parameter.step * (self.pairs() as f64 / (pair + 1) as f64).powf(MOVE_EXPONENT)
    }

    /// The change of the parameter after a pair, for each game that the engine with the greater value is ahead.
    fn change(&self, parameter: &TunedParameter, pair: u64) -> f64 {
        let stability = STABILITY * self.pairs() as f64;
        let shrinks = ((stability + self.pairs() as f64) / (stability + (pair + 1) as f64)).powf(CHANGE_EXPONENT);
        let last = self.rate * parameter.step * parameter.step;
        last * shrinks / self.moved(parameter, pair)
    }

    /// Whether each parameter is moved up in the first engine, and the generator behind these draws.
    fn signs(&self, pair: u64) -> (Vec<f64>, Random) {
        let mut random = Random::new(self.plan.seed, pair + 1);
        let signs = self.parameters.iter().map(|_| if random.next() >> 63 == 0 { 1.0 } else { -1.0 }).collect();
        (signs, random)
    }

    /// The options of both engines in a pair. A value between two whole numbers is rounded by chance.
    fn options(&self, values: &[f64], pair: u64) -> [Vec<(String, String)>; 2] {
        let (signs, mut random) = self.signs(pair);
        [1.0, -1.0].map(|side| {
            let of = |((parameter, value), sign): ((&TunedParameter, &f64), &f64)| {
                let moved = (value + side * sign * self.moved(parameter, pair)).clamp(parameter.least, parameter.most);
                let chance = random.next() as f64 / u64::MAX as f64;
                let whole = moved.floor() + if chance < moved.fract().rem_euclid(1.0) { 1.0 } else { 0.0 };
                (parameter.name.to_string(), (whole as i64).to_string())
            };
            self.parameters.iter().zip(values).zip(&signs).map(of).collect()
        })
    }

    /// The values after a pair.
    fn learn(&self, values: &mut [f64], pair: u64, half_points: u8) {
        let ahead = half_points as f64 - 2.0;
        let (signs, _) = self.signs(pair);
        for ((parameter, value), sign) in self.parameters.iter().zip(values).zip(signs) {
            *value = (*value + self.change(parameter, pair) * sign * ahead).clamp(parameter.least, parameter.most);
        }
    }
}

impl Tuning {
    /// Opens or creates the file of a tuning.
    ///
    /// # Errors
    /// A file of another tuning or of a match, or one that cannot be read, parsed or locked.
    pub fn open(file: &Path, plan: &TunePlan) -> Result<Tuning, MatchError> {
        let (journal, pairs) = Journal::open::<_, TunePair>(file, &plan.settings(), TuneSettings::fields)?;
        let start = plan.parameters.iter().map(|p| p.start).collect();
        let values = pairs.last().map_or(start, |last| last.values.clone());
        let played = pairs.iter().map(|pair| pair.pair).collect();
        Ok(Tuning { journal, played, values })
    }

    /// The pairs that have been played.
    pub fn pairs(&self) -> u64 {
        self.played.len() as u64
    }

    /// The present values.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    fn add(&mut self, plan: &TunePlan, pair: u64, half_points: u8) -> Result<TunePair, MatchError> {
        plan.learn(&mut self.values, pair, half_points);
        let record = TunePair { pair, half_points, values: self.values.clone() };
        self.journal.add(&record)?;
        self.played.insert(pair);
        Ok(record)
    }
}

/// Plays the pairs that are missing and calls `on_pair` after each one. Stops early on an interrupt. With one game at a time the
/// values are the same in every run. `on_note` is that of [`play`](super::play).
///
/// # Errors
/// An engine that does not start, or a file that cannot be written.
pub fn tune(
    plan: &TunePlan,
    tuning: &mut Tuning,
    interrupt: &AtomicBool,
    on_note: &(dyn Fn(usize, &str) + Sync),
    on_pair: &mut dyn FnMut(&Tuning, &TunePair),
) -> Result<(), MatchError> {
    let missing: Vec<u64> = (0..plan.pairs()).filter(|pair| !tuning.played.contains(pair)).collect();
    let order = order(plan.plan.openings.len(), plan.plan.seed);
    let values = Mutex::new(tuning.values.clone());
    let lock = || values.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    in_parallel(
        &plan.plan,
        &missing,
        interrupt,
        |engines, pair| {
            engines.options = plan.options(&lock(), pair);
            let opening = order[pair as usize % order.len()];
            let mut half_points = 0;
            for game in [2 * pair, 2 * pair + 1] {
                let Some(record) = engines.play(game, opening)? else { return Ok(None) };
                half_points += record.half_points;
            }
            Ok(Some((pair, half_points)))
        },
        on_note,
        &mut |(pair, half_points)| {
            let record = tuning.add(plan, pair, half_points)?;
            lock().clone_from(&tuning.values);
            on_pair(tuning, &record);
            Ok(true)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::{Adjudication, EngineSpec, MoveLimit, Opening};
    use crate::parts::Part;
    use hayasashi_shogi::rules::DeclarationRule;
    use std::time::Duration;

    fn plan(games: u64) -> TunePlan {
        let engine = EngineSpec { command: vec!["engine".into()], options: Vec::new() };
        TunePlan {
            plan: MatchPlan {
                part: Part::WHOLE,
                engines: [engine.clone(), engine],
                limits: [MoveLimit::Nodes(1); 2],
                openings: vec![Opening::parse("startpos").unwrap()],
                seed: 3,
                games,
                concurrency: 1,
                adjudication: Adjudication {
                    max_plies: 1,
                    resign_score: 0,
                    resign_moves: 0,
                    rule: DeclarationRule::default(),
                    grace: Duration::ZERO,
                    reply_timeout: Duration::ZERO,
                },
                sprt: None,
            },
            parameters: all_parameters(),
            rate: 0.02,
        }
    }

    /// Both engines' distances from the best values decide a pair, as a stand-in for games: the values find the best ones.
    #[test]
    fn values_approach_the_best_ones() {
        let plan = plan(8_000);
        let best: Vec<f64> = plan.parameters.iter().map(|p| (p.start + 3.0 * p.step).min(p.most)).collect();
        let distance = |values: &[f64]| -> f64 {
            let parts = plan.parameters.iter().zip(values.iter().zip(&best));
            parts.map(|(p, (v, b))| ((v - b) / p.step).powi(2)).sum()
        };
        let mut values: Vec<f64> = plan.parameters.iter().map(|p| p.start).collect();
        let first = distance(&values);
        let mut random = Random::from_state(1);
        for pair in 0..plan.pairs() {
            let [plus, minus] = plan
                .options(&values, pair)
                .map(|options| -> Vec<f64> { options.iter().map(|(_, value)| value.parse().unwrap()).collect() });
            // 25 Elo for each unit of squared distance would be 3.6 % of the points.
            let expected = 0.5 + (0.004 * (distance(&minus) - distance(&plus))).clamp(-0.5, 0.5);
            let won = |random: &mut Random| 2 * ((random.next() as f64 / u64::MAX as f64) < expected) as u8;
            plan.learn(&mut values, pair, won(&mut random) + won(&mut random));
        }
        assert!(distance(&values) < first / 4.0, "{first} to {}", distance(&values));
    }

    #[test]
    fn both_sides_are_moved_by_the_step_in_the_last_pair() {
        let plan = plan(100);
        let values: Vec<f64> = plan.parameters.iter().map(|p| p.start).collect();
        let [plus, minus] = plan.options(&values, 49);
        for ((parameter, (name, plus)), (_, minus)) in plan.parameters.iter().zip(plus).zip(minus) {
            let [plus, minus]: [f64; 2] = [plus, minus].map(|v| v.parse().unwrap());
            let inside = |v: f64| v.clamp(parameter.least, parameter.most);
            let [up, down] = [parameter.start + parameter.step, parameter.start - parameter.step].map(inside);
            assert!([plus, minus] == [up, down] || [plus, minus] == [down, up], "{name}: {plus} {minus}");
        }
        assert!(plan.moved(&plan.parameters[0], 0) > plan.parameters[0].step);
    }

    #[test]
    fn a_draw_changes_nothing_and_two_wins_change_the_most() {
        let plan = plan(100);
        let start: Vec<f64> = plan.parameters.iter().map(|p| p.start).collect();
        let after = |half_points| {
            let mut values = start.clone();
            plan.learn(&mut values, 49, half_points);
            values
        };
        assert_eq!(after(2), start);
        let p = &plan.parameters[0];
        assert!((after(4)[0] - start[0]).abs() <= 2.0 * plan.rate * p.step + 1e-9);
        assert!(((after(4)[0] - start[0]) + (after(0)[0] - start[0])).abs() < 1e-9);
    }

    #[test]
    fn lines_of_a_file_are_checked() {
        let known = &Parameters::ALL[0];
        let line = format!("{} {} {} {} {}", known.name, known.value, known.least, known.most, known.step);
        assert_eq!(parse(&line).unwrap(), TunedParameter::from(known));
        for wrong in ["Foo 1 0 2 1", known.name, &format!("{} 1 2 3 1", known.name), &format!("{} x 0 1 1", known.name)]
        {
            assert!(parse(wrong).unwrap_err().contains('`'), "{wrong}");
        }
    }
}
