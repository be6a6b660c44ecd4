//! A training session: the games are divided into a training and a held-out set, the table is trained pass by pass and written
//! after each.

use super::{
    checkpoint::{replace, Row},
    objective::Objective,
    optimiser::Rates,
    passes::{self, TrainingEvent},
    trainer::Trainer,
    LearnError,
};
use hayasashi_cluster::Ranks;
use hayasashi_model::evaluate::EvalTable;
use hayasashi_shogi::{random::Random, records::RecordedGame};
use std::{path::PathBuf, sync::Arc};

/// Held-out games whose moves are compared if no other games are given. The comparison takes as long as a pass.
const COMPARED_GAMES: usize = 100;

/// The settings of a training session.
pub struct TrainingSession {
    /// The table that training starts from.
    pub start: Arc<EvalTable>,
    /// The loss to minimise.
    pub objective: Objective,
    /// Step sizes and penalties.
    pub rates: Rates,
    /// Percentage of the games in the held-out set.
    pub held_out_percent: f32,
    /// Passes over the training set.
    pub passes: u32,
    /// Games per step.
    pub batch: usize,
    /// Number of threads.
    pub threads: usize,
    /// Seed of the order of the games.
    pub seed: u64,
    /// File of the trained table, replaced after each pass.
    pub out: PathBuf,
    /// Version in its header; `None` for the version of the start table plus one.
    pub table_version: Option<u32>,
    /// Folder of the checkpoint, which exists.
    pub checkpoint: PathBuf,
}

/// Progress of a training session.
pub enum SessionEvent<'a> {
    /// A step was made.
    Step {
        /// The pass, from 1.
        pass: u32,
        /// Steps made in this pass.
        steps: usize,
        /// Total steps of the pass.
        of: usize,
        /// Mean loss of a position in this pass so far.
        loss: f64,
    },
    /// The figures of a pass. Passes of an earlier run that the checkpoint contains come first.
    Pass(&'a Row),
}

impl TrainingSession {
    /// A trainer with a random part of `games` in its held-out set. The moves of `compared` are compared with the table's
    /// ranking; if it is `None`, those of some held-out games.
    ///
    /// # Errors
    /// Too few games, or a start table with weights for empty squares or hands.
    pub fn trainer(
        &self,
        mut games: Vec<RecordedGame>,
        compared: Option<Vec<RecordedGame>>,
    ) -> Result<Trainer, LearnError> {
        let mut trainer = Trainer::new(&self.start, self.objective, self.rates)?;
        // The held-out set must not depend on the order of the games in the files.
        Random::new(self.seed, 0).shuffle(&mut games);
        let held_out = (games.len() as f32 * self.held_out_percent / 100.0).ceil() as usize;
        if held_out >= games.len() || held_out == 0 {
            return Err(LearnError::TooFew { games: games.len(), held_out: self.held_out_percent });
        }
        trainer.held_out = games.split_off(games.len() - held_out);
        trainer.compared = compared.unwrap_or_else(|| trainer.held_out.iter().take(COMPARED_GAMES).cloned().collect());
        trainer.games = games;
        (trainer.batch, trainer.threads, trainer.seed) = (self.batch, self.threads, self.seed);
        Ok(trainer)
    }

    /// Trains until all passes are complete or `stop` returns true. A session with the same settings and games resumes from the
    /// checkpoint, whatever the number of its ranks. Rank 0 alone has files and events.
    ///
    /// # Errors
    /// A checkpoint of another run, or a file that cannot be read or written; a rank that is lost, or has other games.
    pub fn run(
        &self,
        ranks: &dyn Ranks,
        trainer: &Trainer,
        stop: &dyn Fn() -> bool,
        on_event: &mut dyn FnMut(SessionEvent),
    ) -> Result<(), LearnError> {
        let version = self.table_version.unwrap_or(self.start.header().version + 1);
        let mut reported = 0;
        let mut on_training = |event: TrainingEvent| match event {
            TrainingEvent::Step { pass, steps, of, loss } => {
                on_event(SessionEvent::Step { pass, steps, of, loss });
                Ok(())
            }
            TrainingEvent::Pass(progress) => {
                for row in progress.rows.iter().skip(reported) {
                    on_event(SessionEvent::Pass(row));
                }
                reported = progress.rows.len();
                // The first row describes the start table.
                match progress.rows.len() {
                    0 | 1 => Ok(()),
                    _ => replace(&self.out, &trainer.table(&progress.state, version).to_bytes()),
                }
            }
        };
        passes::run(ranks, trainer, self.passes, Some(&self.checkpoint), stop, &mut on_training)?;
        Ok(())
    }
}
