//! A training run: passes over the games, their figures, and checkpoints.

use super::{
    checkpoint::{file, from_bytes, load, save, to_bytes, Progress, Row},
    together::of_first,
    trainer::Trainer,
    LearnError,
};
use hayasashi_cluster::Ranks;
use hayasashi_model::link::frame::CRC;
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

/// Trains until `passes` passes are complete or `stop` returns true on any rank. With a folder, the run resumes from its checkpoint
/// and writes new ones. An interrupted run that is resumed gives the same numbers as an uninterrupted one. Rank 0 alone has files and
/// events.
///
/// # Errors
/// A checkpoint that cannot be read or written, or that belongs to another run; an error of `on_event`; a rank that is lost, or has
/// other games.
pub fn run(
    ranks: &dyn Ranks,
    trainer: &Trainer,
    passes: u32,
    folder: Option<&Path>,
    stop: &dyn Fn() -> bool,
    on_event: &mut dyn FnMut(TrainingEvent) -> Result<(), LearnError>,
) -> Result<Progress, LearnError> {
    let setting = trainer.setting();
    let settings = ranks.gather(CRC.checksum(setting.as_bytes()).into())?;
    if let Some(rank) = settings.iter().position(|other| *other != settings[0]) {
        return Err(LearnError::OtherRank { rank });
    }
    let is_first = ranks.rank() == 0;
    let folder = folder.filter(|_| is_first);
    let mut on_event = |event: TrainingEvent| if is_first { on_event(event) } else { Ok(()) };
    let mut progress = match folder {
        Some(folder) => load(folder, &setting)?.unwrap_or_default(),
        None => Progress::default(),
    };
    if ranks.count() > 1 {
        let bytes = of_first(ranks, &to_bytes(&setting, &progress))?;
        progress = from_bytes(&file(Path::new("rank 0")), &setting, &bytes)?;
    }
    let save_progress = |progress: &Progress| folder.map_or(Ok(()), |folder| save(folder, &setting, progress));
    if progress.rows.is_empty() {
        progress.rows.push(row(ranks, trainer, &progress, 0)?);
        save_progress(&progress)?;
    }
    on_event(TrainingEvent::Pass(&progress))?;
    let mut saved = Instant::now();
    while (progress.rows.len() as u32) <= passes {
        let pass = progress.rows.len() as u32;
        while progress.steps < trainer.steps() {
            if !ranks.all(!stop())? {
                save_progress(&progress)?;
                return Ok(progress);
            }
            let stats = trainer.step(ranks, &mut progress.state, pass - 1, progress.steps)?;
            progress.stats.add(&stats);
            progress.steps += 1;
            let (steps, of, loss) = (progress.steps, trainer.steps(), progress.stats.mean_loss());
            on_event(TrainingEvent::Step { pass, steps, of, loss })?;
            if saved.elapsed() > SAVE_INTERVAL {
                save_progress(&progress)?;
                saved = Instant::now();
            }
        }
        progress.rows.push(row(ranks, trainer, &progress, pass)?);
        (progress.steps, progress.stats) = Default::default();
        save_progress(&progress)?;
        on_event(TrainingEvent::Pass(&progress))?;
    }
    Ok(progress)
}

fn row(ranks: &dyn Ranks, trainer: &Trainer, progress: &Progress, pass: u32) -> Result<Row, LearnError> {
    let (held_out, compared) = trainer.measure(ranks, &progress.state)?;
    let [first, first_three] = compared.agreement();
    Ok(Row { pass, loss: progress.stats.mean_loss(), held_out: held_out.mean_loss(), first, first_three })
}
