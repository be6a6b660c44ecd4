//! The match of one pairing of an experiment.

use super::{Experiment, ExperimentError, Pairing, Player};
use crate::matches::{
    play, results, statistics::Elo, Adjudication, EngineSpec, GameRecord, MatchPlan, MatchSettings, MoveLimit, Opening,
    ResultsFile, WinLossDraw,
};
use crate::parts::Part;
use hayasashi_shogi::rules::DeclarationRule;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::Duration,
};

/// Length in plies at which a game is drawn, as in Taketoshi et al. (2002).
pub const MAX_PLIES: usize = 300;
/// Seed of the order of the openings.
const SEED: u64 = 1;
/// Half the width of a two-sided 95 % interval of a normal distribution, in standard deviations.
pub(super) const Z_95: f64 = 1.96;

/// Options that all pairings share.
pub struct PairingOptions<'a> {
    /// Path of this program.
    pub program: &'a Path,
    /// Start positions.
    pub openings: &'a [Opening],
    /// Nodes for each move, instead of the pairing's.
    pub nodes: Option<u64>,
    /// Number of games, instead of the pairing's.
    pub games: Option<u64>,
    /// The share of the games that is played here.
    pub part: Part,
    /// Games played at the same time.
    pub concurrency: usize,
}

/// The match of a pairing, ready to be played.
pub struct PairingMatch {
    plan: MatchPlan,
    settings: MatchSettings,
    file: PathBuf,
}

impl PairingMatch {
    /// Prepares the match of a pairing, with its results file in `folder`.
    ///
    /// # Errors
    /// An option that this program does not have.
    pub fn new(
        experiment: &Experiment,
        pairing: &Pairing,
        options: &PairingOptions,
        folder: &Path,
    ) -> Result<PairingMatch, ExperimentError> {
        let engine = |player: &Player| {
            player.configured()?;
            let engine_options = player.all_options().map(|(name, value)| (name.into(), value.into())).collect();
            let command = vec![options.program.display().to_string(), "usi".into()];
            Ok::<_, ExperimentError>(EngineSpec { command, options: engine_options })
        };
        let plan = MatchPlan {
            engines: [engine(&pairing.first)?, engine(&pairing.second)?],
            limits: [MoveLimit::Nodes(options.nodes.unwrap_or(pairing.nodes)); 2],
            openings: options.openings.to_vec(),
            seed: SEED,
            games: options.games.unwrap_or(pairing.games).next_multiple_of(2),
            part: options.part,
            concurrency: options.concurrency,
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
        let settings = MatchSettings { engine, against, ..plan.settings() };
        Ok(PairingMatch { plan, settings, file: experiment.file(folder, pairing.name) })
    }

    /// Number of games that are played here.
    pub fn games(&self) -> u64 {
        self.plan.numbers().count() as u64
    }

    /// Plays the missing games. Calls `on_game` once at the start and after each game.
    ///
    /// # Errors
    /// A results file of other settings, or an engine that does not start.
    pub fn play(&self, interrupt: &AtomicBool, on_game: &mut dyn FnMut(&ResultsFile)) -> Result<(), ExperimentError> {
        let mut results = ResultsFile::open(&self.file, &self.settings)?;
        on_game(&results);
        Ok(play(&self.plan, &mut results, interrupt, &|_, _| {}, &mut |results, _| on_game(results))?)
    }
}

/// The result of a pairing.
#[derive(Clone, Debug, PartialEq)]
pub struct PairingResult {
    /// The settings of the match.
    pub settings: MatchSettings,
    /// Wins, losses and draws of the first engine.
    pub tally: WinLossDraw,
    /// Score of the first engine, with its 95 % interval from pairs of games.
    pub score: Proportion,
    /// The Elo difference.
    pub elo: Elo,
}

/// A proportion from 0 to 1 with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proportion {
    /// The estimate; for a match, points per game.
    pub value: f64,
    /// Half the width of the interval.
    pub error: f64,
}

impl PairingResult {
    /// The result of the games on the disk; `None` if no pair of games is complete.
    ///
    /// # Errors
    /// A results file that cannot be read or parsed.
    pub fn read(
        experiment: &Experiment,
        pairing: &Pairing,
        folder: &Path,
    ) -> Result<Option<PairingResult>, ExperimentError> {
        let read = ResultsFile::read(&experiment.file(folder, pairing.name))?;
        Ok(read.and_then(|(settings, games)| PairingResult::of(settings, games)))
    }

    /// The result of complete pairs of games; other games are ignored.
    fn of(settings: MatchSettings, mut games: BTreeMap<u64, GameRecord>) -> Option<PairingResult> {
        let numbers: Vec<u64> = games.keys().copied().collect();
        numbers.iter().filter(|&n| numbers.binary_search(&(n ^ 1)).is_err()).for_each(|n| drop(games.remove(n)));
        let pairs = results::pentanomial(&games);
        if pairs.pairs() == 0 {
            return None;
        }
        let (value, variance) = pairs.moments();
        let error = Z_95 * (variance / pairs.pairs() as f64).sqrt();
        Some(PairingResult {
            settings,
            tally: results::tally(&games),
            score: Proportion { value, error },
            elo: pairs.elo(),
        })
    }
}

impl Proportion {
    /// The score of published games, which are assumed to be independent.
    pub fn published([wins, losses, draws]: [u64; 3]) -> Proportion {
        let games = (wins + losses + draws) as f64;
        let value = (wins as f64 + draws as f64 / 2.0) / games;
        let squares = wins as f64 + draws as f64 / 4.0;
        Proportion { value, error: Z_95 * ((squares / games - value * value) / games).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> MatchSettings {
        let text = String::new;
        let (engine, against, pace, against_pace) = (text(), text(), text(), text());
        MatchSettings { engine, against, pace, against_pace, adjudication: text(), openings: text(), seed: 1 }
    }

    fn record(game: u64, half_points: u8) -> (u64, GameRecord) {
        let text = String::new;
        (game, GameRecord { game, opening: 0, half_points, winner: text(), ending: text(), usi: text() })
    }

    #[test]
    fn only_complete_pairs_count() {
        let games = [(0, 2), (1, 2), (2, 2), (3, 0), (4, 1), (5, 0), (7, 2)].map(|(n, p)| record(n, p));
        let result = PairingResult::of(settings(), games.into()).unwrap();
        // Pairs of 2, 1 and ½ points: 1, ½ and ¼ for each game; mean 7/12, variance of the three 7/72.
        assert_eq!(result.tally, WinLossDraw { wins: 3, losses: 2, draws: 1 });
        assert!((result.score.value - 7.0 / 12.0).abs() < 1e-12);
        assert!((result.score.error - 1.96 * (7.0f64 / 72.0 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(PairingResult::of(settings(), [record(3, 1)].into()), None);
    }

    #[test]
    fn a_published_score_has_the_error_of_independent_games() {
        // 53 wins, 44 losses, 3 draws: 54.5 points; variance 0.5375 - 0.545².
        let score = Proportion::published([53, 44, 3]);
        assert!((score.value - 0.545).abs() < 1e-12);
        assert!((score.error - 1.96 * (0.240475f64 / 100.0).sqrt()).abs() < 1e-12);
    }
}
