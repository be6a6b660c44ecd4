//! `mate`: is there a mate by checks, in one position or in each of a file?

use super::{
    args::{Global, MateArguments},
    mate_engine::Engine,
    positions::{self, Positions},
    session::{progress, say, Exit, Interrupt},
};
use anyhow::bail;
use hayasashi_engine::{
    mate::{MateAnswer, MateLimits, MateOutcome, Solver},
    Control,
};
use hayasashi_lab::compare::grouped;
use hayasashi_shogi::rules::Position;
use serde_json::{json, Value};
use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// Milliseconds for a position when no limit is given.
const TIME_MS: u64 = 10_000;

/// Looks for mates and tells what was found.
pub fn run(global: &Global, arguments: &MateArguments) -> anyhow::Result<Exit> {
    let time = arguments.time_ms.or(arguments.nodes.is_none().then_some(TIME_MS)).map(Duration::from_millis);
    let limits = MateLimits { plies: arguments.plies, time, nodes: arguments.nodes.unwrap_or(u64::MAX) };
    // The search that Ctrl-C ends.
    let running: Arc<Mutex<Arc<Control>>> = Arc::default();
    let stopped = running.clone();
    let interrupt = Interrupt::install(move || stopped.lock().unwrap().stop())?;
    let mut solver = match arguments.engine {
        true => Asked::Engine(Box::new(Engine::new(global, arguments)?)),
        false => Asked::Solver(Solver::new(arguments.hash_mib as usize)),
    };
    let mut solve = |pos: &Position| -> anyhow::Result<(MateAnswer, Duration)> {
        let control = Arc::new(Control::default());
        *running.lock().unwrap() = control.clone();
        match &mut solver {
            Asked::Engine(engine) => engine.solve(pos, &limits, &control),
            Asked::Solver(solver) => {
                let answer = solver.solve(pos, &limits, &control);
                Ok((answer, control.elapsed()))
            }
        }
    };
    let Some(file) = &global.positions else {
        let path = positions::single_problem(global)?;
        let (answer, time) = solve(path.position())?;
        say(match global.json {
            true => object(path.position(), &answer, time).to_string(),
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
        let (answer, time) = solve(&pos)?;
        if interrupt.is_set() && matches!(answer.outcome, MateOutcome::Unknown) {
            break;
        }
        let answered = match global.json {
            true => {
                let mut object = object(&pos, &answer, time);
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
            "{}: {} lines are no problems; hint: each is `sfen BOARD SIDE HANDS NUMBER`, with or without `moves` and a \
             solution",
            positions.name,
            totals.bad
        );
    }
    Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Done })
}

/// Who looks for mates.
enum Asked {
    Solver(Solver),
    Engine(Box<Engine>),
}

/// What came out for all positions of a file.
#[derive(Default)]
struct Totals {
    mates: u64,
    nomates: u64,
    unsolved: u64,
    bad: u64,
    nodes: u64,
}

impl Totals {
    fn add(&mut self, answer: &MateAnswer) {
        match answer.outcome {
            MateOutcome::Mate(_) => self.mates += 1,
            MateOutcome::NoMate => self.nomates += 1,
            MateOutcome::Unknown | MateOutcome::InvalidStrategy(_) => self.unsolved += 1,
        }
        self.nodes += answer.nodes;
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

fn object(pos: &Position, answer: &MateAnswer, time: Duration) -> Value {
    let mut object = json!({
        "sfen": pos.to_sfen(),
        "outcome": "unsolved",
        "solved": matches!(answer.outcome, MateOutcome::Mate(_) | MateOutcome::NoMate),
        "nodes": answer.nodes,
        "milliseconds": time.as_millis() as u64,
    });
    match &answer.outcome {
        MateOutcome::Mate(mate) => {
            object["outcome"] = "mate".into();
            object["line"] = mate.line.iter().map(|m| m.to_usi()).collect();
            object["plies"] = mate.plies.into();
            object["counted_plies"] = mate.counted.into();
            object["shortest"] = mate.shortest.into();
            object["answers"] = mate.strategy.len().into();
        }
        MateOutcome::NoMate => object["outcome"] = "nomate".into(),
        MateOutcome::Unknown => {}
        MateOutcome::InvalidStrategy(flaw) => object["error"] = flaw.to_string().into(),
    }
    object
}

fn text(answer: &MateAnswer, time: Duration) -> String {
    let found = match &answer.outcome {
        MateOutcome::Mate(mate) => {
            let line: Vec<String> = mate.line.iter().map(|m| m.to_usi()).collect();
            format!("mate in {}{}: {}", mate.counted, if mate.shortest { "" } else { " or less" }, line.join(" "))
        }
        MateOutcome::NoMate => "no mate".into(),
        MateOutcome::Unknown => "unsolved".into(),
        MateOutcome::InvalidStrategy(flaw) => format!("unsolved, {flaw}"),
    };
    format!("{found} ({} nodes, {} ms)", grouped(answer.nodes), time.as_millis())
}
