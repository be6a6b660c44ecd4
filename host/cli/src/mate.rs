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
use hayasashi_lab::{announced_mates::AnnouncedMates, compare::grouped};
use hayasashi_shogi::rules::{Move, Position};
use serde_json::{json, Value};
use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// Arguments of `mate`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
In a file of problems, the moves after `moves` are the given solution. They are not played; their number is printed \
beside the length of the mate found. A mate by checks is reported only after every line of its solution has been \
replayed by the rules. The line of a brinkmate ends where only checks follow. A line that is not a problem is reported \
and skipped; the exit code is then 2.")]
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
    /// Start at this line of the file, to resume after an interruption.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "positions",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub from_line: u64,
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
        say(match global.json {
            true => object(path.position(), &answer, time, backend).to_string(),
            false => text(&answer, time),
        })?;
        return Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Done });
    };
    let mut positions = Positions::open(file)?;
    let bar = progress(positions.bytes, "bytes of problems", global.quiet);
    let mut totals = Totals::default();
    let begun = Instant::now();
    while let Some((number, line)) = positions.line()? {
        if interrupt.is_set() {
            break;
        }
        if (number as u64) < arguments.from_line {
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
        let (answer, time, backend) = solve(&pos);
        if interrupt.is_set() && answer.is_open() {
            break;
        }
        let answered = match global.json {
            true => {
                let mut object = object(&pos, &answer, time, backend);
                object["number"] = number.into();
                object["given_plies"] = given.into();
                object.to_string()
            }
            false => format!("{number}: {}", text(&answer, time)),
        };
        totals.add(&answer);
        bar.suspend(|| say(answered))?;
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

/// The engine's game search on the back end of the arguments, without the techniques that are switched off.
fn searcher(global: &Global, arguments: &MateArguments) -> anyhow::Result<Searcher> {
    let evaluation = backend::evaluation(global.table.as_deref())?;
    let source = MoveSource::open(backend::opened(global)?.chip, &evaluation.table)?;
    let mut searcher = Searcher::new(source, arguments.hash_mib as usize);
    searcher.network = evaluation.network;
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
    fn add(&mut self, answer: &Answer) {
        match answer {
            Answer::Mate(answer) => match answer.outcome {
                MateOutcome::Mate(_) => self.mates += 1,
                MateOutcome::NoMate => self.nomates += 1,
                MateOutcome::Unknown | MateOutcome::InvalidStrategy(_) => self.unsolved += 1,
            },
            Answer::Brinkmate(answer) if answer.found.is_some() => self.mates += 1,
            Answer::Brinkmate(_) => self.unsolved += 1,
        }
        self.nodes += answer.nodes();
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

fn usi(line: &[Move]) -> Vec<String> {
    line.iter().map(|m| m.to_usi()).collect()
}

fn object(pos: &Position, answer: &Answer, time: Duration, backend: Option<String>) -> Value {
    let mut object = json!({
        "sfen": pos.to_sfen(),
        "outcome": "unsolved",
        "solved": false,
        "nodes": answer.nodes(),
        "milliseconds": time.as_millis() as u64,
    });
    match answer {
        Answer::Mate(answer) => match &answer.outcome {
            MateOutcome::Mate(mate) => {
                object["outcome"] = "mate".into();
                object["solved"] = true.into();
                object["line"] = usi(&mate.line).into();
                object["plies"] = mate.plies.into();
                object["counted_plies"] = mate.counted.into();
                object["shortest"] = mate.shortest.into();
                object["answers"] = mate.strategy.len().into();
            }
            MateOutcome::NoMate => {
                object["outcome"] = "nomate".into();
                object["solved"] = true.into();
            }
            MateOutcome::Unknown => {}
            MateOutcome::InvalidStrategy(error) => object["error"] = error.to_string().into(),
        },
        Answer::Brinkmate(BrinkmateAnswer { found: Some(brinkmate), .. }) => {
            object["outcome"] = "brinkmate".into();
            object["solved"] = true.into();
            object["line"] = usi(&brinkmate.line).into();
            object["plies"] = brinkmate.plies.into();
        }
        Answer::Brinkmate(_) => {}
    }
    if let Some(backend) = backend {
        object["backend"] = backend.into();
    }
    object
}

fn text(answer: &Answer, time: Duration) -> String {
    let found = match answer {
        Answer::Mate(answer) => match &answer.outcome {
            MateOutcome::Mate(mate) => {
                let or_less = if mate.shortest { "" } else { " or less" };
                format!("mate in {}{or_less}: {}", mate.counted, usi(&mate.line).join(" "))
            }
            MateOutcome::NoMate => "no mate".into(),
            MateOutcome::Unknown => "unsolved".into(),
            MateOutcome::InvalidStrategy(error) => format!("unsolved, {error}"),
        },
        Answer::Brinkmate(BrinkmateAnswer { found: Some(brinkmate), .. }) => {
            format!("brinkmate in {} or less: {}", brinkmate.plies, usi(&brinkmate.line).join(" "))
        }
        Answer::Brinkmate(_) => "unsolved".into(),
    };
    format!("{found} ({} nodes, {} ms)", grouped(answer.nodes()), time.as_millis())
}
