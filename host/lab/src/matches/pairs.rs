//! The games of a match on several threads.

use super::{
    engine::{EngineProcess, EngineSpec, MoveLimit},
    game::{self, Adjudication, Ending, FinishedGame},
    openings::{order, Opening},
    results::{checksum, GameRecord, MatchSettings, ResultsFile},
    statistics::{Sprt, Verdict},
    MatchError,
};
use crate::parts::Part;
use hayasashi_shogi::rules::Color;
use std::{
    collections::HashSet,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{channel, RecvTimeoutError},
        Mutex, PoisonError,
    },
    time::Duration,
};

/// The engines, openings and limits of a match.
pub struct MatchPlan {
    /// The first engine, whose score is reported, and the second.
    pub engines: [EngineSpec; 2],
    /// Search limits of the two engines.
    pub limits: [MoveLimit; 2],
    /// Openings; each is played as a pair of games, and the list is repeated as needed.
    pub openings: Vec<Opening>,
    /// Seed of the order of the openings; 0 keeps the given order.
    pub seed: u64,
    /// Number of games; even.
    pub games: u64,
    /// The share of the pairs that is played here.
    pub part: Part,
    /// Games played at the same time.
    pub concurrency: usize,
    /// When the match itself ends a game.
    pub adjudication: Adjudication,
    /// A sequential test that can end the match early.
    pub sprt: Option<Sprt>,
}

impl MatchPlan {
    /// The numbers of the games that are played here.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + use<> {
        self.part.items((self.games / 2) as usize).flat_map(|pair| [2 * pair as u64, 2 * pair as u64 + 1])
    }

    /// The settings that identify the match in its results file.
    pub fn settings(&self) -> MatchSettings {
        let texts: Vec<String> = self.openings.iter().map(|o| o.usi([])).collect();
        let Adjudication { max_plies, resign_score, resign_moves, rule, .. } = self.adjudication;
        let [engine, against] = EngineSpec::names(&self.engines);
        MatchSettings {
            engine,
            against,
            pace: self.limits[0].to_string(),
            against_pace: self.limits[1].to_string(),
            adjudication: format!("{max_plies} plies, {resign_score} x {resign_moves}, {rule:?}"),
            openings: format!("{} {:016x}", texts.len(), checksum(&texts)),
            seed: self.seed,
        }
    }
}

/// Plays the games that are missing in `results` and calls `on_game` after each one. Stops early on an interrupt, or when the
/// sequential test has a verdict. `on_note` gets the number of an engine (0 the first, 1 the second) and what it says at its start,
/// each text once.
///
/// # Errors
/// An engine that does not start, or a results file that cannot be written.
pub fn play(
    plan: &MatchPlan,
    results: &mut ResultsFile,
    interrupt: &AtomicBool,
    on_note: &(dyn Fn(usize, &str) + Sync),
    on_game: &mut dyn FnMut(&ResultsFile, &GameRecord),
) -> Result<(), MatchError> {
    let decided = |results: &ResultsFile| plan.sprt.is_some_and(|s| s.verdict(&results.pentanomial()) != Verdict::Open);
    let missing: Vec<u64> = plan.numbers().filter(|n| !results.games().contains_key(n)).collect();
    if missing.is_empty() || decided(results) {
        return Ok(());
    }
    let order = order(plan.openings.len(), plan.seed);
    in_parallel(
        plan,
        &missing,
        interrupt,
        |engines, number| engines.play(number, order[(number / 2) as usize % order.len()]),
        on_note,
        &mut |record: GameRecord| {
            results.add(record.clone())?;
            on_game(results, &record);
            Ok(!decided(results))
        },
    )
}

/// Does `jobs` on the plan's threads, each with its own engines. `play` returns nothing when it was interrupted; `on_done`
/// returns whether to go on.
pub(super) fn in_parallel<T: Send>(
    plan: &MatchPlan,
    jobs: &[u64],
    interrupt: &AtomicBool,
    play: impl Fn(&mut EnginePair, u64) -> Result<Option<T>, MatchError> + Sync,
    on_note: &(dyn Fn(usize, &str) + Sync),
    on_done: &mut dyn FnMut(T) -> Result<bool, MatchError>,
) -> Result<(), MatchError> {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let (sender, finished) = channel::<Result<T, MatchError>>();
    let said = Mutex::new(HashSet::new());
    let on_new_note = |engine: usize, text: &str| {
        let is_new = said.lock().unwrap_or_else(PoisonError::into_inner).insert((engine, text.to_string()));
        if is_new {
            on_note(engine, text);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..plan.concurrency.clamp(1, jobs.len().max(1)) {
            let sender = sender.clone();
            let (play, next, stop, on_note) = (&play, &next, &stop, &on_new_note);
            scope.spawn(move || {
                let mut engines = EnginePair {
                    plan,
                    interrupt: stop,
                    on_note,
                    engines: [None, None],
                    options: [const { Vec::new() }; 2],
                };
                while let Some(&job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // The thread ends on an interrupt, after an error, and when the receiver is gone.
                    let Some(outcome) = play(&mut engines, job).transpose() else { return };
                    let failed = outcome.is_err();
                    if sender.send(outcome).is_err() || failed {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut outcome = Ok(());
        loop {
            match finished.recv_timeout(Duration::from_millis(50)) {
                Ok(done) => match done.and_then(&mut *on_done) {
                    Ok(true) => {}
                    Ok(false) => stop.store(true, Ordering::Relaxed),
                    Err(error) => {
                        outcome = outcome.and(Err(error));
                        stop.store(true, Ordering::Relaxed);
                    }
                },
                Err(RecvTimeoutError::Disconnected) => return outcome,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if interrupt.load(Ordering::Relaxed) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    })
}

/// The two engine processes of one thread.
pub(super) struct EnginePair<'a> {
    plan: &'a MatchPlan,
    interrupt: &'a AtomicBool,
    on_note: &'a (dyn Fn(usize, &str) + Sync),
    engines: [Option<EngineProcess>; 2],
    /// Options to set before each game, beside those of the plan.
    pub options: [Vec<(String, String)>; 2],
}

impl EnginePair<'_> {
    /// Plays one game; `None` when interrupted.
    pub fn play(&mut self, number: u64, opening: usize) -> Result<Option<GameRecord>, MatchError> {
        for (number, engine) in self.engines.iter_mut().enumerate() {
            if engine.is_none() {
                let on_note = |text: &str| (self.on_note)(number, text);
                *engine = EngineProcess::start(&self.plan.engines[number], self.interrupt, on_note)?;
            }
        }
        let [Some(first), Some(second)] = &mut self.engines else { return Ok(None) };
        for (engine, options) in [&mut *first, &mut *second].into_iter().zip(&self.options) {
            options.iter().for_each(|(name, value)| engine.set_option(name, value));
        }
        let mut limits = self.plan.limits;
        // The first engine is Black in even games.
        let swapped = number % 2 == 1;
        let engines = match swapped {
            false => [first, second],
            true => {
                limits.swap(0, 1);
                [second, first]
            }
        };
        let start = &self.plan.openings[opening];
        let Some(game) = game::play(engines, limits, start, &self.plan.adjudication, self.interrupt) else {
            return Ok(None);
        };
        let FinishedGame { winner, ending, moves } = game;
        if matches!(ending, Ending::Exited | Ending::NoReply | Ending::Time) {
            // The engine's state is unknown: the next game starts with new processes.
            self.engines = [None, None];
        }
        let first_colour = if swapped { Color::White } else { Color::Black };
        Ok(Some(GameRecord {
            game: number,
            opening,
            half_points: winner.map_or(1, |w| if w == first_colour { 2 } else { 0 }),
            winner: match winner {
                None => "draw",
                Some(Color::Black) => "black",
                Some(Color::White) => "white",
            }
            .into(),
            ending: ending.to_string(),
            usi: start.usi(&moves),
        }))
    }
}
