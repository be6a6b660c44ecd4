//! The speed of this project's software on one core and on all cores.
//!
//! The rules and the model get positions in their own form; the chip has to decode and check the link's format first. On several
//! cores each core does the whole work, so that no time is lost in distributing it.

use super::{machine, CompareError, Figure, Monitor, PerftTree, PositionQuery, Sample};
use hayasashi_model::{
    evaluate::EvalTable,
    movegen::{count, generate, make_move},
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

/// Number of measurements; the result is their median.
const REPEATS: u32 = 5;

/// The rate of one program.
#[derive(Clone, Debug, Serialize)]
pub struct SoftwareRate {
    /// `rules` or `model`.
    pub name: &'static str,
    /// Number of cores.
    pub cores: usize,
    /// Units of work per second.
    pub rate: Figure,
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

/// Positions per second. Only the model has an evaluation.
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
    let measurement =
        Measurement { effort, units: sample.images.len() as u64, unit: "positions/s", work: question.name(), monitor };
    let Sample { rules, model, .. } = sample;
    let mut rates = Vec::new();
    match question {
        PositionQuery::Moves => {
            measurement.measure("rules", &mut rates, || {
                let mut moves = MoveList::new();
                move || {
                    for position in rules {
                        moves.clear();
                        black_box(position).legal_moves(&mut moves);
                        black_box(&moves);
                    }
                }
            })?;
            measurement.measure("model", &mut rates, || {
                let mut moves = Vec::new();
                move || {
                    for position in model {
                        moves.clear();
                        generate(black_box(position), &mut moves);
                        black_box(&moves);
                    }
                }
            })?;
        }
        PositionQuery::Counts => {
            measurement.measure("rules", &mut rates, || {
                || {
                    for position in rules {
                        black_box(black_box(position).count_legal_moves());
                    }
                }
            })?;
            measurement.measure("model", &mut rates, || {
                || {
                    for position in model {
                        black_box(count(black_box(position)));
                    }
                }
            })?;
        }
        PositionQuery::Evaluation => measurement.measure("model", &mut rates, || {
            || {
                for position in model {
                    black_box(table.score(black_box(position)));
                }
            }
        })?,
    }
    Ok(rates)
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
    let measurement =
        Measurement { effort, units: perft_counts.expansions, unit: "expansions/s", work: tree.name, monitor };
    let mut rates = Vec::new();
    measurement.measure("rules", &mut rates, || {
        let mut root = tree.root.clone();
        move || assert_eq!(black_box(&mut root).perft(tree.depth as u32), perft_counts.leaves)
    })?;
    let image = hayasashi_accel::view::image(&tree.root);
    let root = ModelPosition::from(&image);
    measurement.measure("model", &mut rates, || {
        let mut lists = vec![Vec::new(); tree.depth as usize];
        move || assert_eq!(walk(black_box(&root), &mut lists), perft_counts.leaves)
    })?;
    Ok(rates)
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
    /// Measures one program on one core and on all cores. `worker` creates the closure that a core repeats.
    fn measure<P: FnMut()>(
        &self,
        name: &'static str,
        rates: &mut Vec<SoftwareRate>,
        worker: impl Fn() -> P + Sync,
    ) -> Result<(), CompareError> {
        let core_counts = if self.effort.cores > 1 { vec![1, self.effort.cores] } else { vec![1] };
        for cores in core_counts {
            self.monitor.step(&format!("{}: {name} on {}", self.work, machine::cores(cores)));
            let mut samples = Vec::new();
            for _ in 0..REPEATS {
                self.monitor.check()?;
                samples.push(self.units as f64 * self.passes(cores, &worker));
            }
            rates.extend(Figure::median(samples, self.unit).map(|rate| SoftwareRate { name, cores, rate }));
        }
        Ok(())
    }

    /// Passes per second of all cores together.
    fn passes<P: FnMut()>(&self, cores: usize, worker: &(impl Fn() -> P + Sync)) -> f64 {
        let (time, barrier) = (self.effort.time / REPEATS, Barrier::new(cores));
        let work = || {
            let mut pass = worker();
            pass();
            barrier.wait();
            let (start, mut passes) = (Instant::now(), 0u32);
            loop {
                pass();
                passes += 1;
                let elapsed = start.elapsed();
                if elapsed >= time {
                    return passes as f64 / elapsed.as_secs_f64();
                }
            }
        };
        std::thread::scope(|scope| {
            let mut others = Vec::new();
            for _ in 1..cores {
                others.push(scope.spawn(work));
            }
            let own = work();
            own + others.into_iter().map(|other| other.join().expect("a worker does not panic")).sum::<f64>()
        })
    }
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
            let expected = if question == PositionQuery::Evaluation { 2 } else { 4 };
            assert_eq!(rates.len(), expected);
            assert!(rates.iter().all(|s| s.rate.value > 0.0 && s.rate.low <= s.rate.high));
            assert_eq!(fastest(&rates).unwrap().cores, 1);
        }
    }
}
