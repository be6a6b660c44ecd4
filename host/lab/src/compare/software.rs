//! The speed of this project's software on one core and on all cores.
//!
//! The rules and the model get positions in their own form; the chip has to decode and check the link's format first. On several
//! cores each core does the whole work, so that no time is lost in distributing it. All programs take turns, round by round, so that
//! a disturbance hits all of them.

use super::{CompareError, Figure, Monitor, PerftTree, PositionQuery, Sample};
use cpu_time::ThreadTime;
use hayasashi_model::{
    evaluate::EvalTable,
    movegen::{count, expand, generate, make_move},
    position::Position as ModelPosition,
};
use hayasashi_shogi::rules::MoveList;
use hayasashi_spec::moves::MoveRecord;
use serde::Serialize;
use std::{
    hint::black_box,
    sync::Barrier,
    time::{Duration, Instant},
};

/// Number of rounds; a rate is the median over them.
const ROUNDS: u32 = 5;

/// The rate of one program.
#[derive(Clone, Debug, Serialize)]
pub struct SoftwareRate {
    /// `rules` or `model`.
    pub name: &'static str,
    /// Number of cores.
    pub cores: usize,
    /// Units of work per second.
    pub rate: Figure,
    /// Processor time per elapsed time, of the thread and the round with the least: 1 on an idle machine.
    pub processor_share: Figure,
}

/// The fastest software on one core.
pub fn fastest(all: &[SoftwareRate]) -> Option<&SoftwareRate> {
    all.iter().filter(|s| s.cores == 1).max_by(|a, b| a.rate.value.total_cmp(&b.rate.value))
}

/// Time and cores of the measurements.
#[derive(Clone, Copy, Debug)]
pub struct MeasurementBudget {
    /// Time for all measurements of one rate.
    pub time: Duration,
    /// Number of cores of the multi-core measurements.
    pub cores: usize,
}

/// Positions per second. Only the model has an evaluation and expansions.
///
/// # Errors
/// An interrupt.
pub fn positions(
    question: PositionQuery,
    sample: &Sample,
    table: &EvalTable,
    effort: MeasurementBudget,
    monitor: &Monitor,
) -> Result<Vec<SoftwareRate>, CompareError> {
    let Sample { rules, model, .. } = sample;
    let programs = match question {
        PositionQuery::Moves => vec![
            Program::new("rules", || {
                let mut moves = MoveList::new();
                Box::new(move || {
                    for position in rules {
                        moves.clear();
                        black_box(position).legal_moves(&mut moves);
                        black_box(&moves);
                    }
                })
            }),
            Program::new("model", || {
                let mut moves = Vec::new();
                Box::new(move || {
                    for position in model {
                        moves.clear();
                        generate(black_box(position), &mut moves);
                        black_box(&moves);
                    }
                })
            }),
        ],
        PositionQuery::Counts => vec![
            Program::new("rules", || {
                Box::new(|| {
                    for position in rules {
                        black_box(black_box(position).count_legal_moves());
                    }
                })
            }),
            Program::new("model", || {
                Box::new(|| {
                    for position in model {
                        black_box(count(black_box(position)));
                    }
                })
            }),
        ],
        PositionQuery::Evaluation => vec![Program::new("model", || {
            Box::new(|| {
                for position in model {
                    black_box(table.score(black_box(position)));
                }
            })
        })],
        PositionQuery::Expansion => vec![Program::new("model", || {
            let (mut moves, mut scores) = (Vec::new(), Vec::new());
            Box::new(move || {
                for position in model {
                    moves.clear();
                    scores.clear();
                    expand(black_box(position), table, &mut moves, &mut scores);
                    black_box((&moves, &scores));
                }
            })
        })],
    };
    let units = sample.images.len() as u64;
    Measurement { effort, units, unit: "positions/s", work: question.name(), monitor }.measure(&programs)
}

/// The counts of a walk, by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftCounts {
    /// Leaves.
    pub leaves: u64,
    /// Positions one ply above them.
    pub expansions: u64,
}

/// Counts a tree by the rules.
pub fn perft_counts(tree: &PerftTree, depth: u8) -> PerftCounts {
    let mut root = tree.root.clone();
    PerftCounts { leaves: root.perft(depth as u32), expansions: root.perft(depth as u32 - 1) }
}

/// Expansions per second at the tree's depth; leaves are counted, not made.
///
/// # Errors
/// An interrupt.
pub fn walks(
    tree: &PerftTree,
    perft_counts: PerftCounts,
    effort: MeasurementBudget,
    monitor: &Monitor,
) -> Result<Vec<SoftwareRate>, CompareError> {
    let image = hayasashi_accel::view::image(&tree.root);
    let model = ModelPosition::from(&image);
    let programs = [
        Program::new("rules", || {
            let mut root = tree.root.clone();
            Box::new(move || assert_eq!(black_box(&mut root).perft(tree.depth as u32), perft_counts.leaves))
        }),
        Program::new("model", || {
            let mut lists = vec![Vec::new(); tree.depth as usize];
            let model = &model;
            Box::new(move || assert_eq!(walk(black_box(model), &mut lists), perft_counts.leaves))
        }),
    ];
    let units = perft_counts.expansions;
    Measurement { effort, units, unit: "expansions/s", work: tree.name, monitor }.measure(&programs)
}

/// The number of leaves at a depth of `lists.len()` plies.
fn walk(position: &ModelPosition, lists: &mut [Vec<MoveRecord>]) -> u64 {
    let [list, below @ ..] = lists else { return 1 };
    if below.is_empty() {
        return count(position).moves as u64;
    }
    list.clear();
    generate(position, list);
    list.iter().map(|record| walk(&make_move(position, record.mv), below)).sum()
}

/// One pass over the whole workload.
type Pass<'a> = Box<dyn FnMut() + 'a>;

/// A program that is measured.
struct Program<'a> {
    name: &'static str,
    /// Makes the closure that a core repeats.
    worker: Box<dyn Fn() -> Pass<'a> + Sync + 'a>,
}

impl<'a> Program<'a> {
    fn new(name: &'static str, worker: impl Fn() -> Pass<'a> + Sync + 'a) -> Program<'a> {
        Program { name, worker: Box::new(worker) }
    }
}

/// How one workload is measured.
struct Measurement<'a> {
    effort: MeasurementBudget,
    /// Units of work in one pass.
    units: u64,
    unit: &'static str,
    work: &'static str,
    monitor: &'a Monitor<'a>,
}

impl Measurement<'_> {
    /// Measures each program on one core and on all cores.
    fn measure(&self, programs: &[Program]) -> Result<Vec<SoftwareRate>, CompareError> {
        let core_counts = if self.effort.cores > 1 { vec![1, self.effort.cores] } else { vec![1] };
        let runs: Vec<(&Program, usize)> =
            programs.iter().flat_map(|program| core_counts.iter().map(move |&cores| (program, cores))).collect();
        let mut rounds = vec![Vec::new(); runs.len()];
        for round in 1..=ROUNDS {
            self.monitor.step(&format!("{}: software, round {round} of {ROUNDS}", self.work));
            for (&(program, cores), results) in runs.iter().zip(&mut rounds) {
                self.monitor.check()?;
                results.push(self.passes(cores, program));
            }
        }
        let rate = |((program, cores), results): ((&Program, usize), Vec<Speed>)| {
            let rates = results.iter().map(|speed| self.units as f64 * speed.passes_per_second).collect();
            let share = results.iter().map(|speed| speed.processor_share).fold(1.0, f64::min);
            let processor_share = Figure::measured(share, "s/s");
            Figure::median(rates, self.unit).map(|rate| SoftwareRate {
                name: program.name,
                cores,
                rate,
                processor_share,
            })
        };
        Ok(runs.into_iter().zip(rounds).filter_map(rate).collect())
    }

    /// The speed of all cores together.
    fn passes(&self, cores: usize, program: &Program) -> Speed {
        let (time, barrier) = (self.effort.time / ROUNDS, Barrier::new(cores));
        let work = || {
            let mut pass = (program.worker)();
            pass();
            barrier.wait();
            let (start, processor, mut passes) = (Instant::now(), ThreadTime::now(), 0u32);
            loop {
                pass();
                passes += 1;
                let elapsed = start.elapsed();
                if elapsed >= time {
                    let seconds = elapsed.as_secs_f64();
                    return Speed {
                        passes_per_second: passes as f64 / seconds,
                        processor_share: (processor.elapsed().as_secs_f64() / seconds).min(1.0),
                    };
                }
            }
        };
        std::thread::scope(|scope| {
            let mut others = Vec::new();
            for _ in 1..cores {
                others.push(scope.spawn(work));
            }
            let own = work();
            let others = others.into_iter().map(|other| other.join().expect("a worker does not panic"));
            others.fold(own, |sum, speed| Speed {
                passes_per_second: sum.passes_per_second + speed.passes_per_second,
                processor_share: sum.processor_share.min(speed.processor_share),
            })
        })
    }
}

/// The result of one round.
#[derive(Clone, Copy)]
struct Speed {
    passes_per_second: f64,
    /// Processor time per elapsed time, of the thread with the least.
    processor_share: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn model_and_rules_count_the_same_leaves() {
        for tree in PerftTree::all(3) {
            let root = ModelPosition::from(&hayasashi_accel::view::image(&tree.root));
            for depth in 1..=tree.depth {
                let mut lists = vec![Vec::new(); depth as usize];
                assert_eq!(walk(&root, &mut lists), perft_counts(&tree, depth).leaves, "{} {depth}", tree.name);
            }
        }
        assert_eq!(perft_counts(&PerftTree::all(4)[0], 4), PerftCounts { leaves: 719_731, expansions: 25_470 });
    }

    #[test]
    fn every_program_is_measured_on_one_core_and_on_all_cores() {
        let sample = Sample::built_in(8);
        let table = hayasashi_model::evaluate::first_table();
        let effort = MeasurementBudget { time: Duration::from_millis(5), cores: 2 };
        for question in PositionQuery::ALL {
            let rates = positions(question, &sample, &table, effort, &Monitor::silent()).unwrap();
            let by_model = matches!(question, PositionQuery::Evaluation | PositionQuery::Expansion);
            let expected = if by_model { 2 } else { 4 };
            assert_eq!(rates.len(), expected);
            assert!(rates
                .iter()
                .all(|s| s.rate.value > 0.0 && s.rate.low <= s.rate.high && s.processor_share.value > 0.0));
            assert_eq!(fastest(&rates).unwrap().cores, 1);
        }
    }
}
