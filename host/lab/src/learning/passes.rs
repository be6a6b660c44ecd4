//! A whole run: passes, the table of what they gained, checkpoints.

use super::{
    checkpoint::{load, save, Progress, Row},
    trainer::Trainer,
    LearnError,
};
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// A checkpoint is written so often within a pass.
const SAVE_EVERY: Duration = Duration::from_secs(20);

/// What is heard of a run.
pub enum News<'a> {
    /// So many steps of a pass are made.
    Step {
        /// The pass, from 1.
        pass: u32,
        /// Steps made.
        steps: usize,
        /// Steps of the pass.
        of: usize,
        /// Loss of a position so far.
        loss: f64,
    },
    /// A pass is done, and here is where the run stands.
    Pass(&'a Progress),
}

/// Makes passes until there are so many, or `stop` says so. With a folder, goes on from its checkpoint, and keeps one.
/// Whether the run was broken off or not, the same passes give the same numbers.
pub fn run(
    trainer: &Trainer,
    passes: u32,
    folder: Option<&Path>,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(News) -> Result<(), LearnError>,
) -> Result<Progress, LearnError> {
    let setting = trainer.setting();
    let known = folder.map(|folder| load(folder, &setting)).transpose()?.flatten();
    let mut progress = known.unwrap_or_default();
    let keep = |progress: &Progress| folder.map_or(Ok(()), |folder| save(folder, &setting, progress));
    if progress.rows.is_empty() {
        progress.rows.push(row(trainer, &progress, 0));
        keep(&progress)?;
    }
    tell(News::Pass(&progress))?;
    let mut saved = Instant::now();
    while (progress.rows.len() as u32) <= passes {
        let pass = progress.rows.len() as u32;
        while progress.steps < trainer.steps() {
            if stop() {
                keep(&progress)?;
                return Ok(progress);
            }
            let tally = trainer.step(&mut progress.state, pass - 1, progress.steps);
            progress.tally.add(&tally);
            progress.steps += 1;
            let (steps, of, loss) = (progress.steps, trainer.steps(), progress.tally.mean_loss());
            tell(News::Step { pass, steps, of, loss })?;
            if saved.elapsed() > SAVE_EVERY {
                keep(&progress)?;
                saved = Instant::now();
            }
        }
        progress.rows.push(row(trainer, &progress, pass));
        (progress.steps, progress.tally) = Default::default();
        keep(&progress)?;
        tell(News::Pass(&progress))?;
    }
    Ok(progress)
}

fn row(trainer: &Trainer, progress: &Progress, pass: u32) -> Row {
    let (held_out, compared) = trainer.measure(&progress.state);
    let [first, first_three] = compared.agreement();
    Row { pass, loss: progress.tally.mean_loss(), held_out: held_out.mean_loss(), first, first_three }
}
