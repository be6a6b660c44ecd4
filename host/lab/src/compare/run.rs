//! Runs all measurements of a comparison.

use super::{
    chip::{self, RequestStream},
    clock::Device,
    link::{LinearCost, Link, Port, RequestCost},
    machine::Machine,
    report::{AttachedChip, Comparison, SampleSummary, Simulation, Workload},
    search,
    software::{self, MeasurementBudget},
    CompareError, Figure, Monitor, PerftTree, PositionQuery, Sample,
};
use hayasashi_accel::{CoProcessor, ModelBackend};
use hayasashi_model::{evaluate::Evaluation, Model};
use hayasashi_shogi::rules::Position;
use hayasashi_spec::registers::CAP_PERFT;
use std::{sync::Arc, time::Duration};

/// The input of a comparison.
pub struct CompareJob {
    /// The board's chip.
    pub device: Device,
    /// The positions.
    pub sample: Sample,
    /// What searches evaluate by. Its table gives the static evaluations.
    pub evaluation: Evaluation,
    /// Time for each rate of the software and of an attached board.
    pub time: Duration,
    /// Perft depth in the initial position.
    pub depth: u8,
}

/// The chips. Those that evaluate have the job's evaluation loaded, as far as they take it.
pub struct Chips {
    /// The simulated chip, whose clocks are counted.
    pub simulated: Arc<dyn CoProcessor>,
    /// Description of the simulation.
    pub simulation: Simulation,
    /// The same chip behind its word port, if it is counted too.
    pub word_port: Option<(Arc<dyn CoProcessor>, Simulation)>,
    /// The attached chip, which is timed.
    pub attached: Option<(Arc<dyn CoProcessor>, AttachedChip)>,
}

/// Runs a comparison. After an interrupt, the report has the figures measured so far.
///
/// # Errors
/// A back end that fails or gives a wrong answer.
pub fn run(job: &CompareJob, chips: &Chips, monitor: &Monitor) -> Result<Comparison, CompareError> {
    let fast = if chips.word_port.is_some() { Port::Words } else { Port::Bytes };
    let links = vec![Link::uart(job.device.baud_hz), Link::pcie(fast, 1), Link::pcie(fast, 4)];
    let moves: usize = job.sample.rules.iter().map(Position::count_legal_moves).sum();
    let positions = job.sample.images.len();
    let mut report = Comparison {
        machine: Machine::here(),
        device: job.device.clone(),
        simulation: chips.simulation.clone(),
        word_port: chips.word_port.as_ref().map(|(_, simulation)| simulation.clone()),
        links,
        sample: SampleSummary {
            positions,
            source: job.sample.source.clone(),
            moves_each: Figure::measured(moves as f64 / positions.max(1) as f64, "moves/position"),
        },
        attached: chips.attached.as_ref().map(|(_, note)| note.clone()),
        works: Vec::new(),
        search: None,
        interrupted: false,
    };
    let effort = MeasurementBudget { time: job.time, cores: report.machine.cores };
    let run = Runner { job, chips, effort, monitor };
    let all = PositionQuery::ALL
        .into_iter()
        .map(Task::Positions)
        .chain(PerftTree::all(job.depth).into_iter().map(|tree| Task::Walks(Box::new(tree))));
    for task in all {
        let work = match task {
            Task::Positions(question) => run.positions(question, &report.links),
            Task::Walks(tree) => run.walks(&tree, &report.links),
        };
        match work {
            Ok(work) => report.works.push(work),
            Err(_) if monitor.stopped() => {
                report.interrupted = true;
                break;
            }
            Err(error) => return Err(error),
        }
    }
    if !report.interrupted {
        let chip = (&*chips.simulated, job.device.clock_hz(), job.device.search_walkers);
        match search::searches(&job.sample, &job.evaluation, chip, &report.links, effort, monitor) {
            Ok(searches) => report.search = Some(searches),
            Err(_) if monitor.stopped() => report.interrupted = true,
            Err(error) => return Err(error),
        }
    }
    Ok(report)
}

enum Task {
    Positions(PositionQuery),
    Walks(Box<PerftTree>),
}

struct Runner<'a> {
    job: &'a CompareJob,
    chips: &'a Chips,
    effort: MeasurementBudget,
    monitor: &'a Monitor<'a>,
}

impl Runner<'_> {
    fn positions(&self, question: PositionQuery, links: &[Link]) -> Result<Workload, CompareError> {
        let CompareJob { sample, evaluation, device, .. } = self.job;
        let mut work = Workload {
            work: question.name().into(),
            unit: "positions",
            software: software::positions(question, sample, &evaluation.table, self.effort, self.monitor)?,
            chip: None,
            word_port: None,
            no_chip: None,
            linked: Vec::new(),
            attached: None,
            walks: Vec::new(),
            depth: None,
            leaves_each: None,
        };
        let model = ModelBackend::with_model(Model::with_evaluation(evaluation.clone()));
        let capable = |chip: &dyn CoProcessor| -> Result<bool, CompareError> { Ok(chip.answers(question.opcode())?) };
        let simulated = &*self.chips.simulated;
        if capable(simulated)? {
            let stream = RequestStream::new(question, sample, simulated.max_batch(), &model)?;
            for (port, chip) in self.ports() {
                let (request, answers) = stream.bytes(port.framing());
                let clocks = stream.clocks(chip, self.monitor)?;
                let cost = RequestCost {
                    request,
                    answers,
                    clocks: LinearCost { fixed: 0.0, each: clocks.value },
                    max_units: stream.max_batch(),
                };
                work.add_chip(port, clocks, cost, device);
            }
            work.add_links(device, links, &[1, 8, stream.max_batch(), 32 * stream.max_batch()]);
        } else {
            work.no_chip = Some(format!("the chip of `{}` does not implement this request", device.board));
        }
        work.attached = self.of_attached(|chip| {
            if !capable(chip)? {
                return Ok(None);
            }
            let stream = RequestStream::new(question, sample, chip.max_batch(), &model)?;
            stream.rate(chip, self.job.time.as_secs_f64(), self.monitor).map(Some)
        })?;
        Ok(work)
    }

    fn walks(&self, tree: &PerftTree, links: &[Link]) -> Result<Workload, CompareError> {
        let counts = software::perft_counts(tree, tree.depth);
        let mut work = Workload {
            work: tree.name.into(),
            unit: "expansions",
            software: software::walks(tree, counts, self.effort, self.monitor)?,
            chip: None,
            word_port: None,
            no_chip: None,
            linked: Vec::new(),
            attached: None,
            walks: Vec::new(),
            depth: Some(tree.depth),
            leaves_each: Some(Figure::measured(counts.leaves as f64 / counts.expansions as f64, "leaves/expansion")),
        };
        let check = |chip: &dyn CoProcessor, walk: &chip::PerftRun| {
            let expected = software::perft_counts(tree, walk.depth);
            match (walk.leaves, walk.expansions) == (expected.leaves, expected.expansions) {
                true => Ok(()),
                false => Err(CompareError::WrongAnswer {
                    target: chip.name(),
                    work: format!("{} {}", tree.name, walk.depth),
                    reason: format!("{} leaves instead of {}", walk.leaves, expected.leaves),
                }),
            }
        };
        let simulated = &*self.chips.simulated;
        if simulated.has(CAP_PERFT)? {
            for depth in 1..=tree.depth {
                let walk = chip::walk(simulated, tree, depth, self.monitor)?;
                check(simulated, &walk)?;
                work.walks.push(walk);
            }
        } else {
            work.no_chip = Some(format!("the chip of `{}` has no perft unit", self.job.device.board));
        }
        // A walk takes the same clocks behind either port.
        for (port, _) in self.ports() {
            let cost = chip::request_cost(port.framing(), &work.walks, tree);
            if let (Some(cost), Some(last)) = (cost, work.walks.last()) {
                let clocks = Figure::simulated(last.clocks as f64 / last.expansions as f64, "clocks/expansion");
                work.add_chip(port, clocks, cost, &self.job.device);
            }
        }
        let sizes: Vec<u64> = work.walks.iter().map(|walk| walk.expansions).collect();
        work.add_links(&self.job.device, links, &sizes);
        work.attached = self.of_attached(|chip| {
            let mut rates = Vec::new();
            for _ in 0..if chip.has(CAP_PERFT)? { 3 } else { 0 } {
                let walk = chip::walk(chip, tree, tree.depth, self.monitor)?;
                check(chip, &walk)?;
                rates.push(walk.expansions as f64 / walk.seconds);
            }
            Ok(Figure::median(rates, "expansions/s"))
        })?;
        Ok(work)
    }

    /// The simulated chip behind each port.
    fn ports(&self) -> impl Iterator<Item = (Port, &dyn CoProcessor)> {
        let words = self.chips.word_port.as_ref().map(|(chip, _)| (Port::Words, &**chip));
        [(Port::Bytes, &*self.chips.simulated)].into_iter().chain(words)
    }

    /// The figure of the attached chip; none without a chip, or if the chip is lost, which is reported.
    fn of_attached(
        &self,
        measure: impl FnOnce(&dyn CoProcessor) -> Result<Option<Figure>, CompareError>,
    ) -> Result<Option<Figure>, CompareError> {
        let Some((chip, _)) = self.chips.attached.as_ref() else { return Ok(None) };
        match measure(&**chip) {
            Err(CompareError::Accel(error)) if error.is_lost() => {
                tracing::error!("{error}; the comparison goes on without its figure");
                Ok(None)
            }
            measured => measured,
        }
    }
}
