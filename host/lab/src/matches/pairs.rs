//! Many games on several threads.

use super::{
    engine::{EngineProcess, EngineSpec, Pace},
    game::{self, Adjudication, Played},
    openings::{order, Opening},
    results::{checksum, GameRecord, Results, Setting},
    statistics::{Sprt, Verdict},
    DuelError,
};
use hayasashi_shogi::rules::Color;
use std::sync::{
    atomic::{AtomicBool, AtomicUsize, Ordering},
    mpsc::channel,
};

/// A match.
pub struct Plan {
    /// The first engine, whose score it is, and the second.
    pub engines: [EngineSpec; 2],
    /// Their limits.
    pub paces: [Pace; 2],
    /// Openings; a pair of games for each, over and over.
    pub openings: Vec<Opening>,
    /// Seed of their order; 0 for the order given.
    pub seed: u64,
    /// Games to play, an even number.
    pub games: u64,
    /// Games played at a time.
    pub concurrency: usize,
    /// When games end.
    pub adjudication: Adjudication,
    /// A sequential test that ends the match.
    pub sprt: Option<Sprt>,
}

impl Plan {
    /// What identifies the match.
    pub fn setting(&self) -> Setting {
        let texts: Vec<String> = self.openings.iter().map(|o| o.usi([])).collect();
        let Adjudication { max_plies, resign_score, resign_moves, rule, .. } = self.adjudication;
        Setting {
            engine: self.engines[0].to_string(),
            against: self.engines[1].to_string(),
            pace: self.paces[0].to_string(),
            against_pace: self.paces[1].to_string(),
            adjudication: format!("{max_plies} plies, {resign_score} x {resign_moves}, {rule:?}"),
            openings: format!("{} {:016x}", texts.len(), checksum(texts.iter().map(|t| t.as_str()))),
            seed: self.seed,
        }
    }
}

/// Plays the games that `results` does not hold yet; `tell` hears of each one finished. Ends early when interrupted, or
/// when the sequential test is decided.
pub fn play(
    plan: &Plan,
    results: &mut Results,
    interrupt: &AtomicBool,
    tell: &mut dyn FnMut(&Results, &GameRecord),
) -> Result<(), DuelError> {
    let decided = |results: &Results| plan.sprt.is_some_and(|s| s.verdict(&results.pentanomial()) != Verdict::Open);
    let missing: Vec<u64> = (0..plan.games).filter(|n| !results.games().contains_key(n)).collect();
    if missing.is_empty() || decided(results) {
        return Ok(());
    }
    let order = order(plan.openings.len(), plan.seed);
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let (sender, finished) = channel::<Result<GameRecord, DuelError>>();
    std::thread::scope(|scope| {
        for _ in 0..plan.concurrency.clamp(1, missing.len()) {
            let sender = sender.clone();
            let (missing, order, next, stop) = (&missing, &order, &next, &stop);
            scope.spawn(move || {
                let mut table = Table { plan, interrupt: stop, engines: [None, None] };
                while let Some(&number) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let opening = order[(number / 2) as usize % order.len()];
                    match table.play(number, opening) {
                        Ok(None) => return,
                        outcome => {
                            let failed = outcome.is_err();
                            let told = outcome.transpose().is_none_or(|o| sender.send(o).is_ok());
                            if failed || !told {
                                return;
                            }
                        }
                    }
                }
            });
        }
        drop(sender);
        let mut outcome = Ok(());
        loop {
            match finished.recv_timeout(std::time::Duration::from_millis(50)) {
                Ok(Ok(record)) => {
                    if let Err(error) = results.add(record.clone()) {
                        outcome = Err(error);
                        stop.store(true, Ordering::Relaxed);
                        continue;
                    }
                    tell(results, &record);
                    if decided(results) {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                Ok(Err(error)) => {
                    outcome = outcome.and(Err(error));
                    stop.store(true, Ordering::Relaxed);
                }
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return outcome,
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
            }
            if interrupt.load(Ordering::Relaxed) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    })
}

/// Two engines that play one game after another.
struct Table<'a> {
    plan: &'a Plan,
    interrupt: &'a AtomicBool,
    engines: [Option<EngineProcess>; 2],
}

impl Table<'_> {
    /// Plays a game; `None` when interrupted.
    fn play(&mut self, number: u64, opening: usize) -> Result<Option<GameRecord>, DuelError> {
        for (engine, spec) in self.engines.iter_mut().zip(&self.plan.engines) {
            if engine.is_none() {
                *engine = EngineProcess::start(spec, self.interrupt)?;
            }
        }
        let [Some(first), Some(second)] = &mut self.engines else { return Ok(None) };
        let mut paces = self.plan.paces;
        // The first engine is Black in even games.
        let swapped = number % 2 == 1;
        let engines = match swapped {
            false => [first, second],
            true => {
                paces.swap(0, 1);
                [second, first]
            }
        };
        let start = &self.plan.openings[opening];
        let Some(played) = game::play(engines, paces, start, &self.plan.adjudication, self.interrupt) else {
            return Ok(None);
        };
        let Played { winner, ending, moves } = played;
        if matches!(ending, game::Ending::Ended | game::Ending::Silent | game::Ending::Time) {
            // Whatever state it is in, the next game begins with new processes.
            self.engines = [None, None];
        }
        let first_is = if swapped { Color::White } else { Color::Black };
        Ok(Some(GameRecord {
            game: number,
            opening,
            half_points: winner.map_or(1, |w| if w == first_is { 2 } else { 0 }),
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
