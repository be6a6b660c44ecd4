//! The speed of this project's own software, on one core and on all.
//!
//! The rules and the model get positions in the form that each works with, not images that must be read and checked
//! first as the chip does. On several cores each does the whole work by itself, so that nothing is lost by sharing it out.

use super::{CompareError, Figure, Question, Sample, Tree, Watch};
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

/// Measurements of which the median is taken.
const REPEATS: u32 = 5;

/// How fast one program is.
#[derive(Clone, Debug, Serialize)]
pub struct Software {
    /// `rules` or `model`.
    pub name: &'static str,
    /// Cores at work.
    pub cores: usize,
    /// Units of work a second.
    pub rate: Figure,
}

/// The one-core software that is fastest.
pub fn fastest(all: &[Software]) -> Option<&Software> {
    all.iter().filter(|s| s.cores == 1).max_by(|a, b| a.rate.value.total_cmp(&b.rate.value))
}

/// How long each figure may take, and on how many cores the second of each pair runs.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// For all repetitions of one figure.
    pub time: Duration,
    /// All of them.
    pub cores: usize,
}

/// Positions a second. The rules of shogi have no evaluation: there the model is alone.
pub fn positions(
    question: Question,
    sample: &Sample,
    table: &EvalTable,
    effort: Effort,
    watch: &Watch,
) -> Result<Vec<Software>, CompareError> {
    let pace = Pace { effort, units: sample.images.len() as u64, unit: "positions/s", work: question.name(), watch };
    let Sample { rules, model, .. } = sample;
    let mut found = Vec::new();
    match question {
        Question::Moves => {
            pace.measure("rules", &mut found, || {
                let mut moves = MoveList::new();
                move || {
                    for position in rules {
                        moves.clear();
                        black_box(position).legal_moves(&mut moves);
                        black_box(&moves);
                    }
                }
            })?;
            pace.measure("model", &mut found, || {
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
        Question::Counts => {
            pace.measure("rules", &mut found, || {
                || {
                    for position in rules {
                        black_box(black_box(position).count_legal_moves());
                    }
                }
            })?;
            pace.measure("model", &mut found, || {
                || {
                    for position in model {
                        black_box(count(black_box(position)));
                    }
                }
            })?;
        }
        Question::Evaluation => pace.measure("model", &mut found, || {
            || {
                for position in model {
                    black_box(table.score(black_box(position)));
                }
            }
        })?,
    }
    Ok(found)
}

/// What a walk counts, by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Leaves.
    pub leaves: u64,
    /// Positions one ply above them.
    pub expansions: u64,
}

/// Counts a tree.
pub fn counted(tree: &Tree, depth: u8) -> Counted {
    let mut root = tree.root.clone();
    Counted { leaves: root.perft(depth as u32), expansions: root.perft(depth as u32 - 1) }
}

/// Expansions a second, leaves counted only, at the tree's whole depth.
pub fn walks(tree: &Tree, counted: Counted, effort: Effort, watch: &Watch) -> Result<Vec<Software>, CompareError> {
    let pace = Pace { effort, units: counted.expansions, unit: "expansions/s", work: tree.name, watch };
    let mut found = Vec::new();
    pace.measure("rules", &mut found, || {
        let mut root = tree.root.clone();
        move || assert_eq!(black_box(&mut root).perft(tree.depth as u32), counted.leaves)
    })?;
    let image = hayasashi_accel::view::image(&tree.root);
    let root = ModelPosition::from(&image);
    pace.measure("model", &mut found, || {
        let mut lists = vec![Vec::new(); tree.depth as usize];
        move || assert_eq!(walk(black_box(&root), &mut lists), counted.leaves)
    })?;
    Ok(found)
}

/// Leaves as many plies below a position as there are lists.
fn walk(position: &ModelPosition, lists: &mut [Vec<MoveRecord>]) -> u64 {
    let [list, below @ ..] = lists else { return 1 };
    if below.is_empty() {
        return count(position).moves as u64;
    }
    list.clear();
    generate(position, list);
    list.iter().map(|record| walk(&make_move(position, record.mv), below)).sum()
}

struct Pace<'a> {
    effort: Effort,
    /// Units of work in one pass.
    units: u64,
    unit: &'static str,
    work: &'static str,
    watch: &'a Watch<'a>,
}

impl Pace<'_> {
    /// On one core and on all; `worker` makes what a core repeats.
    fn measure<P: FnMut()>(
        &self,
        name: &'static str,
        found: &mut Vec<Software>,
        worker: impl Fn() -> P + Sync,
    ) -> Result<(), CompareError> {
        let both = if self.effort.cores > 1 { vec![1, self.effort.cores] } else { vec![1] };
        for cores in both {
            self.watch.tell(&format!("{}: {name} on {cores} core{}", self.work, if cores > 1 { "s" } else { "" }));
            let mut rates = Vec::new();
            for _ in 0..REPEATS {
                self.watch.check()?;
                rates.push(self.units as f64 * self.passes(cores, &worker));
            }
            found.extend(Figure::median(rates, self.unit).map(|rate| Software { name, cores, rate }));
        }
        Ok(())
    }

    /// Passes a second of all cores together.
    fn passes<P: FnMut()>(&self, cores: usize, worker: &(impl Fn() -> P + Sync)) -> f64 {
        let (time, barrier) = (self.effort.time / REPEATS, Barrier::new(cores));
        let work = || {
            let mut pass = worker();
            pass();
            barrier.wait();
            let (begun, mut passes) = (Instant::now(), 0u32);
            loop {
                pass();
                passes += 1;
                let elapsed = begun.elapsed();
                if elapsed >= time {
                    return passes as f64 / elapsed.as_secs_f64();
                }
            }
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..cores).map(|_| scope.spawn(work)).collect();
            let own = work();
            own + others.into_iter().map(|other| other.join().expect("it only counts")).sum::<f64>()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_of_the_model_counts_what_the_rules_do() {
        for tree in Tree::all(3) {
            let root = ModelPosition::from(&hayasashi_accel::view::image(&tree.root));
            for depth in 1..=tree.depth {
                let mut lists = vec![Vec::new(); depth as usize];
                assert_eq!(walk(&root, &mut lists), counted(&tree, depth).leaves, "{} {depth}", tree.name);
            }
        }
        assert_eq!(counted(&Tree::all(4)[0], 4), Counted { leaves: 719_731, expansions: 25_470 });
    }

    #[test]
    fn every_program_is_measured_on_one_core_and_on_all() {
        let sample = Sample::built_in(8);
        let table = hayasashi_model::evaluate::first_table();
        let effort = Effort { time: Duration::from_millis(5), cores: 2 };
        for question in Question::ALL {
            let found = positions(question, &sample, &table, effort, &Watch::silent()).unwrap();
            let expected = if question == Question::Evaluation { 2 } else { 4 };
            assert_eq!(found.len(), expected);
            assert!(found.iter().all(|s| s.rate.value > 0.0 && s.rate.low <= s.rate.high));
            assert_eq!(fastest(&found).unwrap().cores, 1);
        }
    }
}
