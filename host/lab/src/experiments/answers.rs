//! What an engine answers to next-move problems.

use super::{problems::Problem, Experiment, ExperimentError, Player};
use crate::matches::{journal, results::checksum, Journal};
use hayasashi_accel::{open, BackendSpec};
use hayasashi_engine::search::{Decision, GamePath, MoveSource, SearchLimits, SearchReport, Searcher};
use hayasashi_engine::Control;
use hayasashi_model::evaluate::default_table;
use serde::{Deserialize, Serialize};
use std::{path::Path as FilePath, sync::Arc};

/// What was asked: an engine's journal begins with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The engine.
    pub engine: String,
    /// Nodes for each problem.
    pub nodes: u64,
    /// The problems: number, and a checksum of them.
    pub problems: String,
}

/// The answer to a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemAnswer {
    /// Which problem, from 0.
    pub problem: usize,
    /// Its category.
    pub category: String,
    /// The engine's move; empty if it has none.
    pub best: String,
    /// Whether it is one of those that solve the problem.
    pub solved: bool,
    /// Whether the mate search before the tree had it.
    pub mate: bool,
    /// Nodes at the end of each iteration that was completed.
    pub iterations: Vec<u64>,
    /// Nodes of the tree by ply.
    pub by_ply: Vec<u64>,
}

impl Question {
    /// Of an engine and problems.
    pub fn new(player: &Player, nodes: u64, problems: &[Problem]) -> Question {
        let texts: Vec<String> = problems.iter().map(Problem::text).collect();
        let sum = checksum(texts.iter().map(String::as_str));
        Question { engine: player.identity(), nodes, problems: format!("{} {sum:016x}", texts.len()) }
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        vec![("engine", self.engine.clone()), ("nodes", self.nodes.to_string()), ("problems", self.problems.clone())]
    }
}

/// Reads the answers of an engine; `None` where there are none yet.
///
/// # Errors
/// A file that cannot be understood.
pub fn read(
    experiment: &Experiment,
    player: &Player,
    folder: &FilePath,
) -> Result<Option<(Question, Vec<ProblemAnswer>)>, ExperimentError> {
    Ok(journal::read(&experiment.file(folder, &part(player)))?)
}

/// The part of the file's name that is the engine's.
fn part(player: &Player) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let dashed: String = player.name.chars().map(letter).collect();
    dashed.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// Asks an engine for what it has not answered yet; `tell` hears of the number of answers. Returns early when `stop` says so;
/// a problem that was begun is then asked again another time.
///
/// # Errors
/// Answers to another question, or a back end that fails.
pub fn ask(
    experiment: &Experiment,
    player: &Player,
    nodes: u64,
    problems: &[Problem],
    folder: &FilePath,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(usize),
) -> Result<(), ExperimentError> {
    let file = experiment.file(folder, &part(player));
    let (mut journal, answers) =
        Journal::open::<_, ProblemAnswer>(&file, &Question::new(player, nodes, problems), Question::fields)?;
    let mut done = answers.len();
    tell(done);
    if done >= problems.len() {
        return Ok(());
    }
    let options = player.configured()?;
    let source = MoveSource::open(open(&BackendSpec::Model)?.chip, &Arc::new(default_table()))?;
    let mut searcher = Searcher::new(source, options.hash_mib);
    searcher.settings = options.search;
    for (number, problem) in problems.iter().enumerate().skip(done) {
        if stop() {
            break;
        }
        journal.add(&answer(&mut searcher, number, problem, nodes))?;
        done += 1;
        tell(done);
    }
    Ok(())
}

/// Searches a problem with nothing left of the ones before.
fn answer(searcher: &mut Searcher, number: usize, problem: &Problem, nodes: u64) -> ProblemAnswer {
    searcher.clear();
    let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
    let mut iterations = Vec::new();
    let mut tell = |report: &SearchReport| iterations.push(report.nodes);
    let path = GamePath::new(problem.position.clone());
    let outcome = searcher.search(&path, &limits, &[], &Control::default(), &mut tell);
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
