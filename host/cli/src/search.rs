//! `search`: the chip searches by itself, one position or each of a file.

use super::{
    args::Global,
    backend,
    positions::{self, Positions},
    session::{progress, say, Exit, Interrupt},
};
use anyhow::bail;
use clap::Args;
use hayasashi_accel::{
    search::{line, many, USUAL_IN_FLIGHT},
    AccelError, Capability, CoProcessor, SearchResult,
};
use hayasashi_engine::search::{chip_request, GamePath, UsiScore};
use hayasashi_lab::compare::grouped;
use hayasashi_spec::search::{
    Found, SearchHead, Technique, MAX_DEPTH, MAX_TABLE_BITS, MIN_TABLE_BITS, USUAL_TABLE_BITS,
};
use serde_json::{json, Value};
use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Arguments of `search`.
#[derive(Args, Debug, Clone)]
pub struct SearchArguments {
    /// Depth in plies [default: 8 if no other limit is given].
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=MAX_DEPTH as i64))]
    pub depth: Option<u8>,
    /// Nodes to search. The result is then the same on every back end.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Steps of the walker. The result is then the same on every back end.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: Option<u64>,
    /// Search time in milliseconds.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub time_ms: Option<u64>,
    /// Entries of the table, as a power of two.
    #[arg(long, value_name = "BITS", default_value_t = USUAL_TABLE_BITS,
        value_parser = clap::value_parser!(u8).range(MIN_TABLE_BITS as i64..=MAX_TABLE_BITS as i64))]
    pub table_bits: u8,
    /// Switch a technique off, such as `null-move`. May be repeated.
    #[arg(long, value_name = "TECHNIQUE")]
    pub without: Vec<String>,
}

impl SearchArguments {
    fn head(&self) -> anyhow::Result<SearchHead> {
        let mut techniques = SearchHead::default().techniques;
        for name in &self.without {
            match Technique::ALL.iter().find(|technique| technique.name() == name) {
                Some(technique) => techniques &= !(*technique as u32),
                None => {
                    let names: Vec<&str> = Technique::ALL.iter().map(|technique| technique.name()).collect();
                    bail!("`{name}` is no technique of the search; hint: use one of {}", names.join(", "));
                }
            }
        }
        let unlimited = self.nodes.is_none() && self.steps.is_none() && self.time_ms.is_none();
        Ok(SearchHead {
            depth: self.depth.unwrap_or(if unlimited { 8 } else { MAX_DEPTH }),
            nodes: self.nodes.unwrap_or(0),
            steps: self.steps.unwrap_or(0),
            table_bits: self.table_bits,
            techniques,
            ..SearchHead::default()
        })
    }
}

/// Searches, and prints a line for each position.
pub fn run(global: &Global, arguments: &SearchArguments) -> anyhow::Result<Exit> {
    let head = arguments.head()?;
    let opened = backend::with_evaluation(global, &backend::evaluation(global.table.as_deref())?)?;
    let chip = &*opened.chip;
    if !chip.has(Capability::Search.bit())? {
        return Err(AccelError::MissingCapability { target: chip.name(), capability: Capability::Search }.into());
    }
    let interrupt = Interrupt::install(|| {})?;
    let job = Job { chip, head, time: arguments.time_ms.map(Duration::from_millis), json: global.json, interrupt };
    match &global.positions {
        None => job.one(positions::single(global)?, global.quiet),
        Some(file) => job.file(Positions::open(file)?, global.quiet),
    }
}

/// What is searched for, and where.
struct Job<'a> {
    chip: &'a dyn CoProcessor,
    head: SearchHead,
    time: Option<Duration>,
    json: bool,
    interrupt: Interrupt,
}

impl Job<'_> {
    fn one(&self, path: GamePath, quiet: bool) -> anyhow::Result<Exit> {
        let bar = progress(0, "nodes", quiet);
        let (result, elapsed) = self.search(&path, &mut |found| {
            bar.set_message(format!("depth {}, {}, nodes", found.depth, UsiScore::of(found.score as i32)));
            bar.set_position(found.nodes);
        })?;
        bar.finish_and_clear();
        say(self.text(&path, &result, elapsed))?;
        Ok(self.exit())
    }

    /// Searches the positions of a file, several at a time, and prints them in order.
    fn file(&self, mut file: Positions, quiet: bool) -> anyhow::Result<Exit> {
        let bar = progress(0, "positions", quiet);
        let (start, mut sums) = (Instant::now(), Sums::default());
        loop {
            let mut paths = Vec::new();
            while paths.len() < CHUNK {
                let Some((number, text)) = file.line()? else { break };
                let context = || format!("{}:{number}", file.name);
                paths.push(anyhow::Context::with_context(positions::parse(&text), context)?);
            }
            if paths.is_empty() {
                break;
            }
            for (path, answer) in paths.iter().zip(self.together(&paths)) {
                let Some(answer) = answer else { continue };
                let (result, elapsed) = answer?;
                let text = self.text(path, &result, elapsed);
                bar.suspend(|| say(text))?;
                bar.inc(1);
                sums.add(&result.found);
            }
            if self.interrupt.is_set() {
                break;
            }
        }
        bar.finish_and_clear();
        say(sums.text(start.elapsed(), self.json, self.interrupt.is_set()))?;
        Ok(self.exit())
    }

    /// Searches positions, several at a time; those not begun before Ctrl-C have no answer.
    fn together(&self, paths: &[GamePath]) -> Vec<Option<anyhow::Result<(SearchResult, Duration)>>> {
        let mut all: Vec<_> = paths.iter().map(|_| None).collect();
        if self.time.is_some() {
            // The end of one search's time would end the others.
            for (path, answer) in paths.iter().zip(&mut all).take_while(|_| !self.interrupt.is_set()) {
                *answer = Some(self.search(path, &mut |_| {}));
            }
            return all;
        }
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let started: Vec<Mutex<Option<Instant>>> = paths.iter().map(|_| Mutex::new(None)).collect();
        let begun = |at: usize| started[at].lock().unwrap_or_else(PoisonError::into_inner);
        let requests = paths.iter().enumerate().map(|(at, path)| {
            *begun(at) = Some(Instant::now());
            chip_request(self.head, path)
        });
        many(self.chip, requests, cores.max(USUAL_IN_FLIGHT), &|| !self.interrupt.is_set(), &mut |at, outcome| {
            let elapsed = begun(at).map_or(Duration::ZERO, |start| start.elapsed());
            all[at] = Some(outcome.map_err(Into::into).and_then(|found| Ok((found?, elapsed))));
        });
        all
    }

    fn search(&self, path: &GamePath, watch: &mut dyn FnMut(&Found)) -> anyhow::Result<(SearchResult, Duration)> {
        let request = chip_request(self.head, path);
        let start = Instant::now();
        let result = self.chip.search(&request, &mut |found| {
            watch(&found);
            !self.interrupt.is_set() && self.time.is_none_or(|time| start.elapsed() < time)
        })??;
        Ok((result, start.elapsed()))
    }

    /// The answer as one line.
    fn text(&self, path: &GamePath, result: &SearchResult, elapsed: Duration) -> String {
        let SearchResult { found, complete } = result;
        let line: Vec<String> = line(found, path.position()).iter().map(|mv| mv.to_usi()).collect();
        let score = UsiScore::of(found.score as i32);
        if self.json {
            let (kind, value) = match score {
                UsiScore::Centipawns(cp) => ("centipawns", cp),
                UsiScore::Mate(plies) => ("mate_plies", plies),
            };
            return json!({
                "sfen": path.to_sfen(), "backend": self.chip.name(), "best": line.first(), "pv": line,
                "score": { kind: value }, "depth": found.depth, "nodes": found.nodes, "steps": found.steps,
                "clocks": found.clocks, "milliseconds": elapsed.as_millis() as u64,
                "nodes_per_second": rate(found.nodes, elapsed), "complete": complete,
            })
            .to_string();
        }
        format!(
            "{}: {score}, depth {}, {} nodes, {} steps, {} nodes/s, line {}",
            path.to_sfen(),
            found.depth,
            grouped(found.nodes),
            grouped(found.steps),
            grouped(rate(found.nodes, elapsed)),
            if line.is_empty() { "-".into() } else { line.join(" ") },
        )
    }

    fn exit(&self) -> Exit {
        match self.interrupt.is_set() {
            true => Exit::Interrupted,
            false => Exit::Done,
        }
    }
}

/// Positions of a file read at a time.
const CHUNK: usize = 64;

/// Sums over a file.
#[derive(Default)]
struct Sums {
    positions: u64,
    nodes: u64,
    steps: u64,
}

impl Sums {
    fn add(&mut self, found: &Found) {
        self.positions += 1;
        self.nodes += found.nodes;
        self.steps += found.steps;
    }

    fn text(&self, elapsed: Duration, as_json: bool, interrupted: bool) -> String {
        let Sums { positions, nodes, steps } = *self;
        let steps_a_node = steps as f64 / nodes.max(1) as f64;
        let object: Value = json!({
            "positions": positions, "nodes": nodes, "steps": steps, "nodes_per_second": rate(nodes, elapsed),
            "milliseconds": elapsed.as_millis() as u64, "interrupted": interrupted,
        });
        match as_json {
            true => object.to_string(),
            false => format!(
                "positions: {positions}, nodes: {}, steps a node: {steps_a_node:.3}, nodes/s: {}",
                grouped(nodes),
                grouped(rate(nodes, elapsed))
            ),
        }
    }
}

fn rate(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}
