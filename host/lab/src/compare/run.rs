//! The order of things.

use super::{
    chip::{self, Batches},
    clock::Device,
    link::{Linear, Link, Shape},
    machine::Machine,
    report::{Attached, Comparison, SampleNote, Simulation, Work},
    software::{self, Effort},
    CompareError, Figure, Question, Sample, Tree, Watch,
};
use hayasashi_accel::{CoProcessor, ModelBackend};
use hayasashi_model::{evaluate::EvalTable, Model};
use hayasashi_spec::registers::{CAP_EVALUATE, CAP_MOVEGEN, CAP_PERFT};
use std::{sync::Arc, time::Duration};

/// What to compare.
pub struct CompareJob {
    /// The chip's clock and line.
    pub device: Device,
    /// The positions.
    pub sample: Sample,
    /// The evaluation table.
    pub table: Arc<EvalTable>,
    /// Time for each figure of the software and of an attached board.
    pub time: Duration,
    /// Plies below the initial position.
    pub depth: u8,
}

/// The chips at hand, with the job's table loaded where they evaluate.
pub struct Chips {
    /// Tells the clocks.
    pub simulated: Arc<dyn CoProcessor>,
    /// Of it.
    pub simulation: Simulation,
    /// One that is timed.
    pub attached: Option<(Arc<dyn CoProcessor>, Attached)>,
}

/// Compares. Where it is stopped, the report has what was measured until then.
pub fn run(job: &CompareJob, chips: &Chips, watch: &Watch) -> Result<Comparison, CompareError> {
    let links = vec![Link::uart(job.device.baud_hz), Link::pcie()];
    let moves: usize = job.sample.rules.iter().map(|p| p.count_legal_moves()).sum();
    let positions = job.sample.images.len();
    let mut report = Comparison {
        machine: Machine::here(),
        device: job.device.clone(),
        simulation: chips.simulation.clone(),
        links,
        sample: SampleNote {
            positions,
            source: job.sample.source.clone(),
            moves_each: Figure::measured(moves as f64 / positions.max(1) as f64, "moves/position"),
        },
        attached: chips.attached.as_ref().map(|(_, note)| note.clone()),
        works: Vec::new(),
        interrupted: false,
    };
    let effort = Effort { time: job.time, cores: report.machine.cores };
    let run = Run { job, chips, effort, watch };
    let all = Question::ALL
        .into_iter()
        .map(Task::Positions)
        .chain(Tree::all(job.depth).into_iter().map(|tree| Task::Walks(Box::new(tree))));
    for task in all {
        let work = match task {
            Task::Positions(question) => run.positions(question, &report.links),
            Task::Walks(tree) => run.walks(&tree, &report.links),
        };
        match work {
            Ok(work) => report.works.push(work),
            Err(_) if watch.stopped() => {
                report.interrupted = true;
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(report)
}

enum Task {
    Positions(Question),
    Walks(Box<Tree>),
}

struct Run<'a> {
    job: &'a CompareJob,
    chips: &'a Chips,
    effort: Effort,
    watch: &'a Watch<'a>,
}

impl Run<'_> {
    fn positions(&self, question: Question, links: &[Link]) -> Result<Work, CompareError> {
        let CompareJob { sample, table, device, .. } = self.job;
        let mut work = Work {
            work: question.name().into(),
            unit: "positions",
            software: software::positions(question, sample, table, self.effort, self.watch)?,
            chip: None,
            no_chip: None,
            linked: Vec::new(),
            attached: None,
            walks: Vec::new(),
            depth: None,
            leaves_each: None,
        };
        let model = ModelBackend::with_model(Model::with_table(table.clone()));
        let able = |chip: &dyn CoProcessor| -> Result<bool, CompareError> {
            let needs = match question {
                Question::Moves => CAP_MOVEGEN,
                Question::Evaluation => CAP_EVALUATE,
                Question::Counts => 0,
            };
            Ok(chip.has(needs)?)
        };
        let simulated = &*self.chips.simulated;
        if able(simulated)? {
            let batches = Batches::new(question, sample, simulated.max_batch(), &model)?;
            let (request, answers) = batches.bytes();
            let clocks = batches.clocks(simulated, self.watch)?;
            let shape =
                Shape { request, answers, clocks: Linear { fixed: 0.0, each: clocks.value }, most: batches.most() };
            work.add_chip(clocks, shape, device, links, &[1, 8, batches.most(), 32 * batches.most()]);
        } else {
            work.no_chip = Some(format!("the chip of `{}` has no unit for that", device.board));
        }
        if let Some((chip, _)) = self.chips.attached.as_ref() {
            if able(&**chip)? {
                let batches = Batches::new(question, sample, chip.max_batch(), &model)?;
                work.attached = Some(batches.rate(&**chip, self.job.time.as_secs_f64(), self.watch)?);
            }
        }
        Ok(work)
    }

    fn walks(&self, tree: &Tree, links: &[Link]) -> Result<Work, CompareError> {
        let counted = software::counted(tree, tree.depth);
        let mut work = Work {
            work: tree.name.into(),
            unit: "expansions",
            software: software::walks(tree, counted, self.effort, self.watch)?,
            chip: None,
            no_chip: None,
            linked: Vec::new(),
            attached: None,
            walks: Vec::new(),
            depth: Some(tree.depth),
            leaves_each: Some(Figure::measured(counted.leaves as f64 / counted.expansions as f64, "leaves/expansion")),
        };
        let right = |chip: &dyn CoProcessor, walk: &chip::Walk| {
            let right = software::counted(tree, walk.depth);
            match (walk.leaves, walk.expansions) == (right.leaves, right.expansions) {
                true => Ok(()),
                false => Err(CompareError::Wrong {
                    target: chip.name(),
                    work: format!("{} {}", tree.name, walk.depth),
                    reason: format!("{} leaves instead of {}", walk.leaves, right.leaves),
                }),
            }
        };
        let simulated = &*self.chips.simulated;
        if simulated.has(CAP_PERFT)? {
            for depth in 1..=tree.depth {
                let walk = chip::walk(simulated, tree, depth, self.watch)?;
                right(simulated, &walk)?;
                work.walks.push(walk);
            }
        } else {
            work.no_chip = Some(format!("the chip of `{}` has no unit that walks", self.job.device.board));
        }
        if let (Some(shape), Some(last)) = (chip::shape(&work.walks, tree), work.walks.last()) {
            let clocks = Figure::measured(last.clocks as f64 / last.expansions as f64, "clocks/expansion");
            let sizes: Vec<u64> = work.walks.iter().map(|walk| walk.expansions).collect();
            work.add_chip(clocks, shape, &self.job.device, links, &sizes);
        }
        if let Some((chip, _)) = self.chips.attached.as_ref() {
            if chip.has(CAP_PERFT)? {
                let mut rates = Vec::new();
                for _ in 0..3 {
                    let walk = chip::walk(&**chip, tree, tree.depth, self.watch)?;
                    right(&**chip, &walk)?;
                    rates.push(walk.expansions as f64 / walk.seconds);
                }
                work.attached = Figure::median(rates, "expansions/s");
            }
        }
        Ok(work)
    }
}
