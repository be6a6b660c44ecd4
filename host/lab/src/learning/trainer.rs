//! Passes over the games, on several threads, with the same result for any number of them.

use super::{
    checkpoint::Row,
    features::{of_table, to_table, Features, PARAMETERS},
    neural::Network,
    objective::{Judge, Objective, Tally},
    optimiser::{Rates, State},
    LearnError,
};
use hayasashi_engine::search::accumulator::Weights;
use hayasashi_model::{evaluate::EvalTable, link::frame::CRC};
use hayasashi_shogi::{random::Random, records::RecordedGame};
use std::sync::{
    atomic::{AtomicUsize, Ordering},
    Arc, Mutex,
};

/// Games whose slopes are added up before the others': sums of floating-point numbers depend on their order, and this
/// one does not depend on the threads.
const CHUNK: usize = 8;
/// Every so manieth position of a held-out game has its moves ranked.
const RANKED_STEP: usize = 4;

/// What is learned from what, and how.
pub struct Trainer {
    /// Games to learn from.
    pub games: Vec<RecordedGame>,
    /// Games to measure by.
    pub held_out: Vec<RecordedGame>,
    /// Games whose moves are compared with those of the table.
    pub compared: Vec<RecordedGame>,
    /// What is minimised.
    pub objective: Objective,
    /// How fast.
    pub rates: Rates,
    /// Games of a step.
    pub batch: usize,
    /// Threads.
    pub threads: usize,
    /// Of the order of the games.
    pub seed: u64,
    start: Vec<f32>,
}

impl Trainer {
    /// A trainer that begins with a table.
    ///
    /// # Errors
    /// A table that has weights for empty squares.
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

    /// What must be the same for a run to go on.
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
        let counts = [self.games.len(), self.held_out.len(), self.compared.len()];
        let digest = digest.finalize();
        format!("{objective:?}, {rates:?}, batch {batch}, seed {seed}, {counts:?} games, digest {digest:#010x}")
    }

    /// Steps of a pass.
    pub fn steps(&self) -> usize {
        self.games.len().div_ceil(self.batch)
    }

    /// The table of a state.
    pub fn table(&self, state: &State, version: u32) -> EvalTable {
        to_table(&state.rounded(&self.start), version)
    }

    /// Makes one step: games `batch` of the pass's order. Gives the loss before it.
    pub fn step(&self, state: &mut State, pass: u32, batch: usize) -> Tally {
        let mut order: Vec<usize> = (0..self.games.len()).collect();
        Random::new(self.seed, pass as u64 + 1).shuffle(&mut order);
        let games: Vec<&RecordedGame> =
            order.iter().skip(batch * self.batch).take(self.batch).map(|&i| &self.games[i]).collect();
        let (tally, mut gradient) = self.slopes(state, &games);
        let share = 1.0 / tally.positions.max(1) as f32;
        gradient.iter_mut().for_each(|g| *g *= share);
        state.step(gradient, &self.rates, pass);
        tally
    }

    /// The loss of games and its slopes in the parameters.
    pub fn slopes(&self, state: &State, games: &[&RecordedGame]) -> (Tally, Vec<f32>) {
        let weights = Weights::new(Arc::new(self.table(state, 1)));
        let parts = self.in_chunks(games, |chunk| {
            let (mut judge, mut tally, mut gradient) = (Judge::new(&weights), Tally::default(), vec![0.0; PARAMETERS]);
            chunk.iter().for_each(|game| judge.game(&self.objective, game, &mut tally, &mut gradient));
            (tally, gradient)
        });
        let (mut tally, mut gradient) = (Tally::default(), vec![0.0; PARAMETERS]);
        for (of_chunk, slopes) in &parts {
            tally.add(of_chunk);
            gradient.iter_mut().zip(slopes).for_each(|(g, s)| *g += s);
        }
        (tally, gradient)
    }

    /// Loss on the held-out games, and agreement with the moves of those to compare.
    pub fn measure(&self, state: &State) -> (Tally, Tally) {
        let weights = Weights::new(Arc::new(self.table(state, 1)));
        let (held_out, compared): (Vec<&RecordedGame>, Vec<&RecordedGame>) =
            (self.held_out.iter().collect(), self.compared.iter().collect());
        let sum = |parts: Vec<Tally>| {
            parts.iter().fold(Tally::default(), |mut sum, part| {
                sum.add(part);
                sum
            })
        };
        let loss = self.in_chunks(&held_out, |chunk| {
            let (mut judge, mut tally, mut gradient) = (Judge::new(&weights), Tally::default(), vec![0.0; PARAMETERS]);
            chunk.iter().for_each(|game| judge.game(&self.objective, game, &mut tally, &mut gradient));
            tally
        });
        let agreement = self.in_chunks(&compared, |chunk| {
            let (mut judge, mut tally) = (Judge::new(&weights), Tally::default());
            chunk.iter().for_each(|game| judge.agreement(game, RANKED_STEP, &mut tally, None));
            tally
        });
        (sum(loss), sum(agreement))
    }

    /// A pass of a network over the games, with the leaves that the state's table finds: its loss while it learned, its
    /// loss on the held-out games, and its agreement. `None` where the objective is no outcome.
    pub fn pass_of(&self, network: &mut Network, state: &State, pass: u32) -> Option<Row> {
        let Objective::Result { scale, result } = self.objective else { return None };
        let weights = Weights::new(Arc::new(self.table(state, 1)));
        let mut judge = Judge::new(&weights);
        let mut order: Vec<&RecordedGame> = self.games.iter().collect();
        Random::new(self.seed, pass as u64).shuffle(&mut order);
        let [mut learned, mut held_out, mut compared] = [Tally::default(); 3];
        let count = |tally: &mut Tally, loss: f32| {
            tally.loss += loss as f64;
            tally.positions += 1;
        };
        for game in order {
            judge.outcomes(scale, result, game, &mut |leaf| {
                count(&mut learned, network.learn(leaf.features, leaf.goal));
            });
        }
        for game in &self.held_out {
            judge.outcomes(scale, result, game, &mut |leaf| {
                count(&mut held_out, network.loss(leaf.features, leaf.goal));
            });
        }
        for game in &self.compared {
            let mut value = |features: &Features| network.odds(features);
            judge.agreement(game, RANKED_STEP, &mut compared, Some(&mut value));
        }
        let [first, first_three] = compared.agreement();
        Some(Row { pass, loss: learned.mean_loss(), held_out: held_out.mean_loss(), first, first_three })
    }

    /// Has each chunk worked on by some thread; the results in order.
    fn in_chunks<T: Send>(&self, games: &[&RecordedGame], work: impl Fn(&[&RecordedGame]) -> T + Sync) -> Vec<T> {
        let chunks: Vec<&[&RecordedGame]> = games.chunks(CHUNK).collect();
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
        let mut done = done.into_inner().expect("nor here");
        done.sort_by_key(|(at, _)| *at);
        done.into_iter().map(|(_, result)| result).collect()
    }
}
