//! `mate`: searches for a mate by consecutive checks, or for a brinkmate, in one position or in each problem of a file.

use super::{
    args::Global,
    backend,
    positions::{self, Positions},
    session::{progress, say, Exit, Interrupt},
};
use anyhow::bail;
use clap::Args;
use hayasashi_engine::{
    mate::{BrinkmateAnswer, BrinkmateSolver, MateAnswer, MateLimits, MateOutcome, Solver},
    search::{MoveSource, Searcher},
    Control,
};
use hayasashi_lab::{
    announced_mates::AnnouncedMates,
    compare::grouped,
    matches::{results::checksum, Journal},
    parts::Part,
};
use hayasashi_shogi::rules::{Move, Position};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// Arguments of `mate`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
In a file of problems, the moves after `moves` are the given solution. They are not played; their number is printed \
beside the length of the mate found. A mate by checks is reported only after every line of its solution has been \
replayed by the rules. The line of a brinkmate ends where only checks follow. A line that is not a problem is reported \
and skipped; the exit code is then 2. With --results the answers of an earlier run are printed again, and the problems without \
one are solved.")]
pub struct MateArguments {
    /// Time per position in milliseconds [default: 10000 if --nodes is not given].
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub time_ms: Option<u64>,
    /// Nodes per position. The result is then the same in every run.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Length of the longest mate to search for.
    #[arg(long, value_name = "PLIES", default_value_t = hayasashi_engine::mate::MAX_PLIES,
        value_parser = clap::value_parser!(u32).range(1..=hayasashi_engine::mate::MAX_PLIES as i64))]
    pub plies: u32,
    /// Size of the solver's table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=hayasashi_engine::search::settings::MAX_HASH_MIB))]
    pub hash_mib: u64,
    /// Search for a brinkmate (hisshi) instead: a mate that may begin with moves that only threaten mate.
    #[arg(long, conflicts_with = "engine")]
    pub brinkmate: bool,
    /// Use the engine's game search instead of the mate solver. The solver then verifies each mate that the search
    /// announces.
    #[arg(long, conflicts_with = "plies")]
    pub engine: bool,
    /// Switch a technique of that search off, such as `RootMate`. May be repeated.
    #[arg(long, value_name = "TECHNIQUE", requires = "engine")]
    pub without: Vec<String>,
    /// Write each answer to this file. The same command resumes from it.
    #[arg(long, value_name = "FILE", requires = "positions")]
    pub results: Option<PathBuf>,
    /// Solve only this share of the problems, the K-th of N parts. `merge` joins the files of results.
    #[arg(long, value_name = "K/N", requires = "positions", default_value_t)]
    pub part: Part,
}

/// Milliseconds per position without a limit.
const DEFAULT_TIME_MS: u64 = 10_000;

/// Searches for mates and prints the answers.
pub fn run(global: &Global, arguments: &MateArguments) -> anyhow::Result<Exit> {
    let time = arguments.time_ms.or(arguments.nodes.is_none().then_some(DEFAULT_TIME_MS)).map(Duration::from_millis);
    let limits = MateLimits { plies: arguments.plies, time, nodes: arguments.nodes.unwrap_or(u64::MAX) };
    // The search that Ctrl-C stops.
    let running: Arc<Mutex<Arc<Control>>> = Arc::default();
    let stopped = running.clone();
    let interrupt = Interrupt::install(move || stopped.lock().unwrap().stop())?;
    let hash_mib = arguments.hash_mib as usize;
    let mut solver = if arguments.engine {
        MateSearch::Engine(Box::new(AnnouncedMates::new(searcher(global, arguments)?)))
    } else if arguments.brinkmate {
        MateSearch::Brinkmates(BrinkmateSolver::new(hash_mib))
    } else {
        MateSearch::Solver(Solver::new(hash_mib))
    };
    // The back end is that of the engine; the solver has none.
    let mut solve = |pos: &Position| -> (Answer, Duration, Option<String>) {
        let control = Arc::new(Control::default());
        *running.lock().unwrap() = control.clone();
        match &mut solver {
            MateSearch::Engine(engine) => {
                let (answer, time) = engine.solve(pos, &limits, &control);
                (Answer::Mate(answer), time, Some(engine.backend()))
            }
            MateSearch::Solver(solver) => {
                let answer = solver.solve(pos, &limits, &control);
                (Answer::Mate(answer), control.elapsed(), None)
            }
            MateSearch::Brinkmates(solver) => {
                let answer = solver.solve(pos, &limits, true, &control);
                (Answer::Brinkmate(answer), control.elapsed(), None)
            }
        }
    };
    let Some(file) = &global.positions else {
        let path = positions::single_problem(global)?;
        let (answer, time, backend) = solve(path.position());
        let answered = Answered::new(path.position(), &answer, time, backend);
        say(if global.json { serde_json::to_string(&answered)? } else { answered.text() })?;
        return Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Done });
    };
    let mut results = match &arguments.results {
        Some(results) => Some(Results::open(results, &heading(global, arguments, file)?)?),
        None => None,
    };
    let mut positions = Positions::open(file)?;
    let bar = progress(positions.bytes, "bytes of problems", global.quiet);
    let mut totals = Totals::default();
    let begun = Instant::now();
    let mut problems = 0..;
    while let Some((number, line)) = positions.line()? {
        if interrupt.is_set() {
            break;
        }
        if !problems.next().is_some_and(|problem| arguments.part.has(problem)) {
            continue;
        }
        let (pos, given) = match positions::problem(&line) {
            Ok(problem) => problem,
            Err(error) => {
                totals.bad += 1;
                bar.suspend(|| eprintln!("{}:{number}: {error:#}", positions.name));
                if global.json {
                    bar.suspend(|| say(json!({ "number": number, "error": format!("{error:#}") })))?;
                }
                continue;
            }
        };
        let known = results.as_mut().and_then(|results| results.known.remove(&number));
        let answered = match known {
            Some(answered) => answered,
            None => {
                let (answer, time, backend) = solve(&pos);
                if interrupt.is_set() && answer.is_open() {
                    break;
                }
                let answered = Answered::new(&pos, &answer, time, backend).of_line(number, given);
                if let Some(results) = &mut results {
                    results.journal.add(&answered)?;
                }
                answered
            }
        };
        totals.add(&answered);
        let shown = match global.json {
            true => serde_json::to_string(&answered)?,
            false => format!("{number}: {}", answered.text()),
        };
        bar.suspend(|| say(shown))?;
        bar.set_position(positions.read);
        bar.set_message(format!("{} solved, {} unsolved, bytes", totals.mates + totals.nomates, totals.unsolved));
    }
    bar.finish_and_clear();
    say(totals.show(begun.elapsed(), interrupt.is_set(), global.json))?;
    if totals.bad > 0 {
        bail!(
            "{}: {}; hint: a problem is `sfen BOARD SIDE HANDS NUMBER`, with or without `moves` and a solution",
            positions.name,
            match totals.bad {
                1 => "1 line is not a problem".to_string(),
                lines => format!("{lines} lines are not problems"),
            }
        );
    }
    Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Done })
}

/// What identifies the run of the arguments in its file of results.
fn heading(global: &Global, arguments: &MateArguments, file: &str) -> anyhow::Result<Heading> {
    if file == "-" {
        bail!("`--results` needs a file of problems, which the same command reads again; hint: write the problems to a file");
    }
    let mut problems = Positions::open(file)?;
    let mut texts = Vec::new();
    while let Some((_, line)) = problems.line()? {
        texts.push(line);
    }
    let MateArguments { time_ms, nodes, plies, hash_mib, .. } = arguments;
    let search = match (arguments.engine, arguments.brinkmate) {
        (true, _) => {
            let evaluation = backend::evaluation(global.table.as_deref())?.checksum();
            let without = arguments.without.join(", ");
            format!(
                "engine, table {evaluation:#010x}, without {}",
                if without.is_empty() { "nothing" } else { &without }
            )
        }
        (_, true) => "brinkmate".into(),
        _ => "mate".into(),
    };
    let limit = |limit: &Option<u64>, unit| limit.map_or(String::new(), |limit| format!(", {limit} {unit}"));
    Ok(Heading {
        search,
        limits: format!("{plies} plies, {hash_mib} MiB{}{}", limit(nodes, "nodes"), limit(time_ms, "ms")),
        problems: format!("{} {:016x}", texts.len(), checksum(&texts)),
    })
}

/// The engine's game search on the back end of the arguments, without the techniques that are switched off.
fn searcher(global: &Global, arguments: &MateArguments) -> anyhow::Result<Searcher> {
    let evaluation = backend::evaluation(global.table.as_deref())?;
    let source = MoveSource::open(backend::opened(global)?.chip, evaluation)?;
    let mut searcher = Searcher::new(source, arguments.hash_mib as usize);
    searcher.settings.network_delay = Duration::ZERO;
    for name in &arguments.without {
        searcher.settings.techniques.set(name, false)?;
    }
    Ok(searcher)
}

/// The search that answers the problems.
enum MateSearch {
    Solver(Solver),
    Brinkmates(BrinkmateSolver),
    Engine(Box<AnnouncedMates>),
}

/// The answer to a problem.
enum Answer {
    Mate(MateAnswer),
    Brinkmate(BrinkmateAnswer),
}

impl Answer {
    /// Whether more nodes could change the answer.
    fn is_open(&self) -> bool {
        match self {
            Answer::Mate(answer) => matches!(answer.outcome, MateOutcome::Unknown),
            Answer::Brinkmate(answer) => answer.found.is_none(),
        }
    }

    fn nodes(&self) -> u64 {
        match self {
            Answer::Mate(answer) => answer.nodes,
            Answer::Brinkmate(answer) => answer.nodes,
        }
    }
}

/// The sums over all positions of a file.
#[derive(Default)]
struct Totals {
    mates: u64,
    nomates: u64,
    unsolved: u64,
    bad: u64,
    nodes: u64,
}

impl Totals {
    fn add(&mut self, answered: &Answered) {
        match answered.outcome {
            Outcome::Mate | Outcome::Brinkmate => self.mates += 1,
            Outcome::Nomate => self.nomates += 1,
            Outcome::Unsolved => self.unsolved += 1,
        }
        self.nodes += answered.nodes;
    }

    fn show(&self, time: Duration, interrupted: bool, json: bool) -> String {
        let Totals { mates, nomates, unsolved, bad, nodes } = self;
        let (solved, positions) = (mates + nomates, mates + nomates + unsolved);
        if json {
            return json!({
                "positions": positions, "solved": solved, "mates": mates, "nomates": nomates, "unsolved": unsolved,
                "bad_lines": bad, "nodes": nodes, "milliseconds": time.as_millis() as u64, "interrupted": interrupted,
            })
            .to_string();
        }
        let seconds = time.as_secs_f64();
        let ended = if interrupted { "interrupted, " } else { "" };
        format!(
            "{ended}positions: {positions}, solved: {solved} ({mates} mates, {nomates} without), unsolved: {unsolved}, \
             bad lines: {bad}; {} nodes in {seconds:.2} s, {} nodes/s",
            grouped(*nodes),
            grouped((*nodes as f64 / seconds.max(1e-6)) as u64)
        )
    }
}

/// The first line of a file of results.
#[derive(Serialize, Deserialize)]
struct Heading {
    search: String,
    limits: String,
    problems: String,
}

/// The answers on the disk.
struct Results {
    journal: Journal,
    /// Those of earlier runs, by their lines in the file.
    known: BTreeMap<usize, Answered>,
}

impl Results {
    fn open(file: &Path, heading: &Heading) -> anyhow::Result<Results> {
        let fields = |heading: &Heading| {
            let Heading { search, limits, problems } = heading;
            vec![("search", search.clone()), ("limits", limits.clone()), ("problems", problems.clone())]
        };
        let (journal, answers) = Journal::open::<_, Answered>(file, heading, fields)?;
        let known = answers.into_iter().filter_map(|answered| Some((answered.number?, answered))).collect();
        Ok(Results { journal, known })
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Mate,
    Brinkmate,
    Nomate,
    Unsolved,
}

/// An answer as it is printed and kept: docs/json.md describes the fields.
#[derive(Debug, Serialize, Deserialize)]
struct Answered {
    /// Line in the file of problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    sfen: String,
    outcome: Outcome,
    solved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counted_plies: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shortest: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    nodes: u64,
    milliseconds: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_plies: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    backend: Option<String>,
}

impl Answered {
    fn new(pos: &Position, answer: &Answer, time: Duration, backend: Option<String>) -> Answered {
        let usi = |line: &[Move]| Some(line.iter().map(|mv| mv.to_usi()).collect());
        let mut answered = Answered {
            number: None,
            sfen: pos.to_sfen(),
            outcome: Outcome::Unsolved,
            solved: false,
            line: None,
            plies: None,
            counted_plies: None,
            shortest: None,
            answers: None,
            error: None,
            nodes: answer.nodes(),
            milliseconds: time.as_millis() as u64,
            given_plies: None,
            backend,
        };
        match answer {
            Answer::Mate(answer) => match &answer.outcome {
                MateOutcome::Mate(mate) => {
                    answered.outcome = Outcome::Mate;
                    answered.line = usi(&mate.line);
                    answered.plies = Some(mate.plies as usize);
                    answered.counted_plies = Some(mate.counted as usize);
                    answered.shortest = Some(mate.shortest);
                    answered.answers = Some(mate.strategy.len());
                }
                MateOutcome::NoMate => answered.outcome = Outcome::Nomate,
                MateOutcome::Unknown => {}
                MateOutcome::InvalidStrategy(error) => answered.error = Some(error.to_string()),
            },
            Answer::Brinkmate(BrinkmateAnswer { found: Some(brinkmate), .. }) => {
                answered.outcome = Outcome::Brinkmate;
                answered.line = usi(&brinkmate.line);
                answered.plies = Some(brinkmate.plies as usize);
            }
            Answer::Brinkmate(_) => {}
        }
        answered.solved = answered.outcome != Outcome::Unsolved;
        answered
    }

    fn of_line(self, number: usize, given_plies: Option<usize>) -> Answered {
        Answered { number: Some(number), given_plies, ..self }
    }

    fn text(&self) -> String {
        let line = self.line.iter().flatten().cloned().collect::<Vec<_>>().join(" ");
        let plies = self.counted_plies.or(self.plies).unwrap_or(0);
        let found = match (self.outcome, &self.error) {
            (Outcome::Mate, _) if self.shortest == Some(true) => format!("mate in {plies}: {line}"),
            (Outcome::Mate, _) => format!("mate in {plies} or less: {line}"),
            (Outcome::Brinkmate, _) => format!("brinkmate in {plies} or less: {line}"),
            (Outcome::Nomate, _) => "no mate".into(),
            (Outcome::Unsolved, Some(error)) => format!("unsolved, {error}"),
            (Outcome::Unsolved, None) => "unsolved".into(),
        };
        format!("{found} ({} nodes, {} ms)", grouped(self.nodes), self.milliseconds)
    }
}
