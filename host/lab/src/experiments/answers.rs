//! An engine's answers to next-move problems.

use super::{problems::Problem, Experiment, ExperimentError, Player};
use crate::{
    matches::{journal, results::checksum, Journal},
    parts::Part,
};
use hayasashi_accel::{open, BackendSpec};
use hayasashi_engine::search::{Decision, GamePath, MoveSource, SearchLimits, SearchReport, Searcher};
use hayasashi_engine::Control;
use hayasashi_model::evaluate::default_table;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, path::Path as FilePath};

/// The settings of a problem run; the heading of the engine's journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemSettings {
    /// The engine.
    pub engine: String,
    /// Nodes for each problem.
    pub nodes: u64,
    /// The problems: their number and a checksum.
    pub problems: String,
}

/// The answer to a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemAnswer {
    /// Index of the problem.
    pub problem: usize,
    /// Category of the problem.
    pub category: String,
    /// The engine's move; empty if it resigns or declares.
    pub best: String,
    /// Whether the move solves the problem.
    pub solved: bool,
    /// Whether the mate search before the tree search found the move.
    pub mate: bool,
    /// Nodes at the end of each completed iteration.
    pub iterations: Vec<u64>,
    /// Nodes of the tree search by ply.
    pub by_ply: Vec<u64>,
}

impl ProblemSettings {
    /// The settings for an engine and problems.
    pub fn new(player: &Player, nodes: u64, problems: &[Problem]) -> ProblemSettings {
        let texts: Vec<String> = problems.iter().map(Problem::text).collect();
        let sum = checksum(&texts);
        ProblemSettings { engine: player.identity(), nodes, problems: format!("{} {sum:016x}", texts.len()) }
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        vec![("engine", self.engine.clone()), ("nodes", self.nodes.to_string()), ("problems", self.problems.clone())]
    }
}

/// Reads the answers of an engine; `None` if it has no journal.
///
/// # Errors
/// A journal that cannot be read or parsed.
pub fn read(
    experiment: &Experiment,
    player: &Player,
    folder: &FilePath,
) -> Result<Option<(ProblemSettings, Vec<ProblemAnswer>)>, ExperimentError> {
    Ok(journal::read(&experiment.file(folder, &file_part(player)))?)
}

/// The engine's part of the file name: its name in lower case, with dashes.
fn file_part(player: &Player) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let dashed: String = player.name.chars().map(letter).collect();
    dashed.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// The problems of an experiment, and where the answers go.
pub struct ProblemRun<'a> {
    /// Nodes for each problem.
    pub nodes: u64,
    /// All problems.
    pub problems: &'a [Problem],
    /// The share of them that is solved here.
    pub part: Part,
    /// The folder of the journals.
    pub folder: &'a FilePath,
}

/// Lets an engine solve the problems of the part that its journal lacks, and passes the number of answers to `on_progress`. Stops
/// between two problems when `stop` returns true.
///
/// # Errors
/// A journal of other settings, or a back end that fails.
pub fn solve(
    experiment: &Experiment,
    player: &Player,
    run: &ProblemRun,
    stop: &dyn Fn() -> bool,
    on_progress: &mut dyn FnMut(usize),
) -> Result<(), ExperimentError> {
    let ProblemRun { nodes, problems, part, folder } = *run;
    let file = experiment.file(folder, &file_part(player));
    let (mut journal, answers) = Journal::open::<_, ProblemAnswer>(
        &file,
        &ProblemSettings::new(player, nodes, problems),
        ProblemSettings::fields,
    )?;
    let known: BTreeSet<usize> = answers.iter().map(|answer| answer.problem).collect();
    let missing: Vec<usize> = part.items(problems.len()).filter(|number| !known.contains(number)).collect();
    let mut done = part.items(problems.len()).count() - missing.len();
    on_progress(done);
    if missing.is_empty() {
        return Ok(());
    }
    let options = player.configured()?;
    let source = MoveSource::open(open(&BackendSpec::Model)?.chip, default_table())?;
    let mut searcher = Searcher::new(source, options.hash_mib);
    searcher.settings = options.search;
    for number in missing {
        if stop() {
            break;
        }
        journal.add(&solve_one(&mut searcher, number, &problems[number], nodes))?;
        done += 1;
        on_progress(done);
    }
    Ok(())
}

/// Searches one problem, with the tables cleared.
fn solve_one(searcher: &mut Searcher, number: usize, problem: &Problem, nodes: u64) -> ProblemAnswer {
    searcher.clear();
    let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
    let mut iterations = Vec::new();
    let mut on_iteration = |report: &SearchReport| iterations.push(report.nodes);
    let path = GamePath::new(problem.position.clone());
    let outcome = searcher.search(&path, &limits, &[], &Control::default(), &mut on_iteration);
    let best = match outcome.decision {
        Decision::Move(mv, _) => Some(mv),
        Decision::Declare | Decision::Resign => None,
    };
    let by_ply = outcome.report.nodes_by_ply;
    ProblemAnswer {
        problem: number,
        category: problem.category.clone(),
        best: best.map_or(String::new(), |mv| mv.to_string()),
        solved: best.is_some_and(|mv| problem.accepted.contains(&mv)),
        mate: by_ply.is_empty() && best.is_some(),
        iterations,
        by_ply,
    }
}
