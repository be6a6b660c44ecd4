//! A training run: passes over the games, their figures, and checkpoints.

use super::{
    checkpoint::{load, save, Progress, Row},
    trainer::Trainer,
    LearnError,
};
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// Interval between checkpoints within a pass.
const SAVE_INTERVAL: Duration = Duration::from_secs(20);

/// Progress of a training run.
pub enum TrainingEvent<'a> {
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
    /// A pass is complete; the state of the run.
    Pass(&'a Progress),
}

/// Trains until `passes` passes are complete or `stop` returns true. With a folder, the run resumes from its checkpoint and writes
/// new ones. An interrupted run that is resumed gives the same numbers as an uninterrupted one.
///
/// # Errors
/// A checkpoint that cannot be read or written, or that belongs to another run; an error of `on_event`.
pub fn run(
    trainer: &Trainer,
    passes: u32,
    folder: Option<&Path>,
    stop: &dyn Fn() -> bool,
    on_event: &mut dyn FnMut(TrainingEvent) -> Result<(), LearnError>,
) -> Result<Progress, LearnError> {
    let setting = trainer.setting();
    let saved_progress = folder.map(|folder| load(folder, &setting)).transpose()?.flatten();
    let mut progress = saved_progress.unwrap_or_default();
    let save_progress = |progress: &Progress| folder.map_or(Ok(()), |folder| save(folder, &setting, progress));
    if progress.rows.is_empty() {
        progress.rows.push(row(trainer, &progress, 0));
        save_progress(&progress)?;
    }
    on_event(TrainingEvent::Pass(&progress))?;
    let mut saved = Instant::now();
    while (progress.rows.len() as u32) <= passes {
        let pass = progress.rows.len() as u32;
        while progress.steps < trainer.steps() {
            if stop() {
                save_progress(&progress)?;
                return Ok(progress);
            }
            let stats = trainer.step(&mut progress.state, pass - 1, progress.steps);
            progress.stats.add(&stats);
            progress.steps += 1;
            let (steps, of, loss) = (progress.steps, trainer.steps(), progress.stats.mean_loss());
            on_event(TrainingEvent::Step { pass, steps, of, loss })?;
            if saved.elapsed() > SAVE_INTERVAL {
                save_progress(&progress)?;
                saved = Instant::now();
            }
        }
        progress.rows.push(row(trainer, &progress, pass));
        (progress.steps, progress.stats) = Default::default();
        save_progress(&progress)?;
        on_event(TrainingEvent::Pass(&progress))?;
    }
    Ok(progress)
}

fn row(trainer: &Trainer, progress: &Progress, pass: u32) -> Row {
    let (held_out, compared) = trainer.measure(&progress.state);
    let [first, first_three] = compared.agreement();
    Row { pass, loss: progress.stats.mean_loss(), held_out: held_out.mean_loss(), first, first_three }
}
