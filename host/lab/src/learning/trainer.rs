//! Training steps on several threads and ranks. The result does not depend on their number.

use super::{
    features::{of_table, to_table, PARAMETERS},
    objective::{LossEvaluator, LossStats, Objective},
    optimiser::{Rates, State},
    together::{self, Message},
    LearnError,
};
use hayasashi_cluster::Ranks;
use hayasashi_engine::search::accumulator::Weights;
use hayasashi_model::{evaluate::EvalTable, link::frame::CRC};
use hayasashi_shogi::{random::Random, records::RecordedGame};
use std::sync::{
    atomic::{AtomicUsize, Ordering},
    Arc, Mutex,
};

/// Games per chunk. Gradients are summed within chunks first, because the order of a floating-point sum must not depend on the
/// threads and ranks.
const CHUNK_GAMES: usize = 8;
/// In held-out games, the moves of every fourth position are ranked.
const RANKED_STEP: usize = 4;

/// The games, the objective and the settings of a training run.
pub struct Trainer {
    /// Games of the training set.
    pub games: Vec<RecordedGame>,
    /// Games of the held-out set.
    pub held_out: Vec<RecordedGame>,
    /// Games whose moves are compared with the table's ranking.
    pub compared: Vec<RecordedGame>,
    /// The loss to minimise.
    pub objective: Objective,
    /// Step sizes and penalties.
    pub rates: Rates,
    /// Games per step.
    pub batch: usize,
    /// Number of threads.
    pub threads: usize,
    /// Seed of the order of the games.
    pub seed: u64,
    start: Vec<f32>,
}

impl Trainer {
    /// A trainer that starts from a table.
    ///
    /// # Errors
    /// A table with weights for empty squares or hands.
    pub fn new(start: &EvalTable, objective: Objective, rates: Rates) -> Result<Trainer, LearnError> {
        let start = of_table(start)?;
        Ok(Trainer {
            games: Vec::new(),
            held_out: Vec::new(),
            compared: Vec::new(),
            objective,
            rates,
            batch: 64,
            threads: 1,
            seed: 1,
            start,
        })
    }

    /// The settings that a resumed run must share.
    pub fn setting(&self) -> String {
        let mut digest = CRC.digest();
        for list in [&self.games, &self.held_out, &self.compared] {
            for game in list {
                digest.update(game.start.to_sfen().as_bytes());
                game.moves.iter().for_each(|mv| digest.update(&mv.bits().to_le_bytes()));
                digest.update(format!("{:?} {:?}", game.result, game.scores).as_bytes());
            }
        }
        self.start.iter().for_each(|w| digest.update(&w.to_le_bytes()));
        let (objective, rates, batch, seed) = (self.objective, self.rates, self.batch, self.seed);
        let [learned, held_out, compared] = [&self.games, &self.held_out, &self.compared].map(Vec::len);
        let digest = digest.finalize();
        format!(
            "{objective}; {rates}; batch {batch}; seed {seed}; games: {learned} to learn from, {held_out} held out, {compared} \
             compared; digest {digest:#010x}"
        )
    }

    /// Number of steps per pass.
    pub fn steps(&self) -> usize {
        self.games.len().div_ceil(self.batch)
    }

    /// The quantised table of a state.
    pub fn table(&self, state: &State, version: u32) -> EvalTable {
        to_table(&state.rounded(&self.start), version)
    }

    /// Makes step `batch` of a pass together with the other ranks. Returns the loss before the step.
    ///
    /// # Errors
    /// A rank that is lost.
    pub fn step(&self, ranks: &dyn Ranks, state: &mut State, pass: u32, batch: usize) -> Result<LossStats, LearnError> {
        let mut order: Vec<usize> = (0..self.games.len()).collect();
        Random::new(self.seed, pass as u64 + 1).shuffle(&mut order);
        let games: Vec<&RecordedGame> =
            order.iter().skip(batch * self.batch).take(self.batch).map(|&i| &self.games[i]).collect();
        let (stats, mut gradient) = self.gradient(ranks, state, &games)?;
        let share = 1.0 / stats.positions.max(1) as f32;
        gradient.iter_mut().for_each(|g| *g *= share);
        state.step(gradient, &self.rates, pass);
        Ok(stats)
    }

    /// The loss of games and its gradient in the parameters, on every rank.
    ///
    /// # Errors
    /// A rank that is lost.
    pub fn gradient(
        &self,
        ranks: &dyn Ranks,
        state: &State,
        games: &[&RecordedGame],
    ) -> Result<(LossStats, Vec<f32>), LearnError> {
        let weights = Weights::new(Arc::new(self.table(state, 1)));
        let parts = self.in_chunks(ranks, games, |chunk| {
            let (mut evaluator, mut stats, mut gradient) =
                (LossEvaluator::new(&weights), LossStats::default(), vec![0.0; PARAMETERS]);
            chunk.iter().for_each(|game| evaluator.game(&self.objective, game, &mut stats, &mut gradient));
            (stats, gradient)
        })?;
        let (mut stats, mut gradient) = (LossStats::default(), vec![0.0; PARAMETERS]);
        for (chunk_stats, slopes) in &parts {
            stats.add(chunk_stats);
            gradient.iter_mut().zip(slopes).for_each(|(g, s)| *g += s);
        }
        Ok((stats, gradient))
    }

    /// Loss of the held-out games, and agreement with the moves of the compared games, on every rank.
    ///
    /// # Errors
    /// A rank that is lost.
    pub fn measure(&self, ranks: &dyn Ranks, state: &State) -> Result<(LossStats, LossStats), LearnError> {
        let weights = Weights::new(Arc::new(self.table(state, 1)));
        let (held_out, compared): (Vec<&RecordedGame>, Vec<&RecordedGame>) =
            (self.held_out.iter().collect(), self.compared.iter().collect());
        let sum = |parts: Vec<LossStats>| {
            parts.iter().fold(LossStats::default(), |mut sum, part| {
                sum.add(part);
                sum
            })
        };
        let loss = self.in_chunks(ranks, &held_out, |chunk| {
            let (mut evaluator, mut stats, mut gradient) =
                (LossEvaluator::new(&weights), LossStats::default(), vec![0.0; PARAMETERS]);
            chunk.iter().for_each(|game| evaluator.game(&self.objective, game, &mut stats, &mut gradient));
            stats
        })?;
        let agreement = self.in_chunks(ranks, &compared, |chunk| {
            let (mut evaluator, mut stats) = (LossEvaluator::new(&weights), LossStats::default());
            chunk.iter().for_each(|game| evaluator.agreement(game, RANKED_STEP, &mut stats));
            stats
        })?;
        Ok((sum(loss), sum(agreement)))
    }

    /// Processes the chunks on all threads of all ranks and returns the results in order.
    fn in_chunks<T: Send + Message>(
        &self,
        ranks: &dyn Ranks,
        games: &[&RecordedGame],
        work: impl Fn(&[&RecordedGame]) -> T + Sync,
    ) -> Result<Vec<T>, LearnError> {
        let all: Vec<&[&RecordedGame]> = games.chunks(CHUNK_GAMES).collect();
        let chunks: Vec<&[&RecordedGame]> = together::own(ranks, all.len()).map(|at| all[at]).collect();
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, chunks.len().max(1)) {
                scope.spawn(|| loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(chunk) = chunks.get(at) else { break };
                    let result = work(chunk);
                    done.lock().expect("no thread panics while it pushes").push((at, result));
                });
            }
        });
        let mut done = done.into_inner().expect("no thread panics while it pushes");
        done.sort_by_key(|(at, _)| *at);
        together::all(ranks, all.len(), done.into_iter().map(|(_, result)| result).collect())
    }
}
