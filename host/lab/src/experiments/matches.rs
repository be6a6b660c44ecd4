//! One pairing of an experiment.

use super::{Experiment, ExperimentError, Pairing, Player};
use crate::matches::{
    play, results, statistics::Elo, Adjudication, EngineSpec, GameRecord, MatchPlan, MatchSettings, MoveLimit, Opening,
    ResultsFile, WinLossDraw,
};
use hayasashi_shogi::rules::DeclarationRule;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::Duration,
};

/// A game is drawn after so many plies, as it was in 2002.
pub const MAX_PLIES: usize = 300;
/// Seed of the order of the openings.
const SEED: u64 = 1;

/// What is the same for all pairings.
pub struct Terms<'a> {
    /// This program.
    pub program: &'a Path,
    /// Positions to play from.
    pub openings: &'a [Opening],
    /// Nodes for each move, instead of the experiment's.
    pub nodes: Option<u64>,
    /// Games of each pairing, instead of the experiment's.
    pub games: Option<u64>,
    /// Games played at a time.
    pub concurrency: usize,
}

/// A pairing as it will be played.
pub struct Match {
    plan: MatchPlan,
    setting: MatchSettings,
    file: PathBuf,
}

impl Match {
    /// Prepares a pairing, whose results lie in `folder`.
    ///
    /// # Errors
    /// An engine's option that this program does not have.
    pub fn new(
        experiment: &Experiment,
        pairing: &Pairing,
        terms: &Terms,
        folder: &Path,
    ) -> Result<Match, ExperimentError> {
        let engine = |player: &Player| {
            player.configured()?;
            let options = player.all_options().map(|(name, value)| (name.into(), value.into())).collect();
            let command = vec![terms.program.display().to_string(), "usi".into()];
            Ok::<_, ExperimentError>(EngineSpec { command, options })
        };
        let plan = MatchPlan {
            engines: [engine(&pairing.first)?, engine(&pairing.second)?],
            limits: [MoveLimit::Nodes(terms.nodes.unwrap_or(pairing.nodes)); 2],
            openings: terms.openings.to_vec(),
            seed: SEED,
            games: terms.games.unwrap_or(pairing.games).next_multiple_of(2),
            concurrency: terms.concurrency,
            adjudication: Adjudication {
                max_plies: MAX_PLIES,
                resign_score: 3000,
                resign_moves: 3,
                rule: DeclarationRule::default(),
                grace: Duration::ZERO,
                reply_timeout: Duration::from_secs(120),
            },
            sprt: None,
        };
        let [engine, against] = [&pairing.first, &pairing.second].map(Player::identity);
        let setting = MatchSettings { engine, against, ..plan.settings() };
        Ok(Match { plan, setting, file: experiment.file(folder, pairing.name) })
    }

    /// Games there will be.
    pub fn games(&self) -> u64 {
        self.plan.games
    }

    /// Plays what is left; `tell` hears of the games there were, and of each one finished.
    ///
    /// # Errors
    /// ResultsFile of another setting, or an engine that does not start.
    pub fn play(&self, interrupt: &AtomicBool, tell: &mut dyn FnMut(&ResultsFile)) -> Result<(), ExperimentError> {
        let mut results = ResultsFile::open(&self.file, &self.setting)?;
        tell(&results);
        Ok(play(&self.plan, &mut results, interrupt, &mut |results, _| tell(results))?)
    }
}

/// What was found of a pairing.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What was played.
    pub setting: MatchSettings,
    /// Wins, losses, draws of the first engine.
    pub tally: WinLossDraw,
    /// Its score, and the 95 % interval by pairs of games.
    pub score: Share,
    /// The same in Elo.
    pub elo: Elo,
}

/// A part of something, from 0 to 1, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The part; of a match points for each game.
    pub value: f64,
    /// Half the width of the interval.
    pub error: f64,
}

impl Found {
    /// Of the games that are on the disk; `None` where there is no pair of games.
    ///
    /// # Errors
    /// A file that is no results file.
    pub fn read(experiment: &Experiment, pairing: &Pairing, folder: &Path) -> Result<Option<Found>, ExperimentError> {
        let read = ResultsFile::read(&experiment.file(folder, pairing.name))?;
        Ok(read.and_then(|(setting, games)| Found::of(setting, games)))
    }

    /// Of games; of a pair of which only one is finished, neither counts.
    fn of(setting: MatchSettings, mut games: BTreeMap<u64, GameRecord>) -> Option<Found> {
        let numbers: Vec<u64> = games.keys().copied().collect();
        numbers.iter().filter(|&n| numbers.binary_search(&(n ^ 1)).is_err()).for_each(|n| drop(games.remove(n)));
        let pairs = results::pentanomial(&games);
        if pairs.pairs() == 0 {
            return None;
        }
        let (value, variance) = pairs.moments();
        let error = 1.96 * (variance / pairs.pairs() as f64).sqrt();
        Some(Found { setting, tally: results::tally(&games), score: Share { value, error }, elo: pairs.elo() })
    }
}

impl Share {
    /// Of published games: they are taken for independent of each other.
    pub fn published([wins, losses, draws]: [u64; 3]) -> Share {
        let games = (wins + losses + draws) as f64;
        let value = (wins as f64 + draws as f64 / 2.0) / games;
        let squares = wins as f64 + draws as f64 / 4.0;
        Share { value, error: 1.96 * ((squares / games - value * value) / games).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting() -> MatchSettings {
        let text = String::new;
        let (engine, against, pace, against_pace) = (text(), text(), text(), text());
        MatchSettings { engine, against, pace, against_pace, adjudication: text(), openings: text(), seed: 1 }
    }

    fn record(game: u64, half_points: u8) -> (u64, GameRecord) {
        let text = String::new;
        (game, GameRecord { game, opening: 0, half_points, winner: text(), ending: text(), usi: text() })
    }

    #[test]
    fn a_score_is_that_of_whole_pairs() {
        let games = [(0, 2), (1, 2), (2, 2), (3, 0), (4, 1), (5, 0), (7, 2)].map(|(n, p)| record(n, p));
        let found = Found::of(setting(), games.into()).unwrap();
        // Pairs of 2, 1 and ½ points: 1, ½ and ¼ for each game; mean 7/12, variance of the three 7/72.
        assert_eq!(found.tally, WinLossDraw { wins: 3, losses: 2, draws: 1 });
        assert!((found.score.value - 7.0 / 12.0).abs() < 1e-12);
        assert!((found.score.error - 1.96 * (7.0f64 / 72.0 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(Found::of(setting(), [record(3, 1)].into()), None);
    }

    #[test]
    fn a_published_score_has_the_error_of_so_many_games() {
        // 53 wins, 44 losses, 3 draws: 54.5 points; variance 0.5375 - 0.545².
        let score = Share::published([53, 44, 3]);
        assert!((score.value - 0.545).abs() < 1e-12);
        assert!((score.error - 1.96 * (0.240475f64 / 100.0).sqrt()).abs() < 1e-12);
    }
}
