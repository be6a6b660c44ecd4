//! `analyze --search chip`: one position, or each of a file, searched by the chip itself.

use super::{
    analyze::LimitArguments,
    args::Global,
    backend,
    positions::{self, Positions},
    session::{progress, say, Exit, Interrupt},
};
use anyhow::{bail, Context};
use hayasashi_accel::{AccelError, Capability};
use hayasashi_engine::search::{GamePath, UsiScore};
use hayasashi_lab::{
    analysis::{Analysed, Analysis},
    compare::grouped,
};
use hayasashi_spec::search::{SearchHead, MAX_DEPTH};
use serde_json::json;

/// Plies without a limit.
const USUAL_DEPTH: u32 = 8;

/// Searches the positions, and prints a line for each in their order.
pub fn run(global: &Global, arguments: &LimitArguments) -> anyhow::Result<Exit> {
    let head = head(arguments)?;
    // Every position is read first, so that a bad line is found before hours of searches.
    let paths = match &global.positions {
        None => vec![positions::single(global)?],
        Some(file) => read(file)?,
    };
    let evaluation = backend::evaluation(global.table.as_deref())?;
    let opened = backend::with_evaluation(global, &evaluation)?;
    if !opened.chip.has(Capability::Search.bit())? {
        return Err(AccelError::MissingCapability { target: opened.chip.name(), capability: Capability::Search }.into());
    }
    let analysis = Analysis {
        head,
        table: evaluation.for_chip(opened.chip.identity()?.capabilities).checksum(),
        positions: paths,
        part: arguments.part,
        journal: arguments.results.clone(),
    };
    let interrupt = Interrupt::install(|| {})?;
    let bar = progress(analysis.numbers().count() as u64, "positions", global.quiet);
    let (mut sums, mut failure) = (Sums::default(), None);
    let mut on_result = |found: &Analysed| {
        sums.add(found);
        let path = &analysis.positions[found.position];
        let shown = bar.suspend(|| say(text(path, found, &opened.chip.name(), global.json)));
        failure = failure.take().or(shown.err());
    };
    let ended = analysis.run(
        &*opened.chip,
        &|| !interrupt.is_set(),
        &mut |known| bar.set_position(known as u64),
        &mut on_result,
    );
    bar.finish_and_clear();
    if let Some(failure) = failure {
        return Err(failure);
    }
    if global.positions.is_some() {
        say(sums.text(global.json, interrupt.is_set()))?;
    }
    let is_whole = ended?;
    Ok(if is_whole { Exit::Done } else { Exit::Interrupted })
}

fn head(arguments: &LimitArguments) -> anyhow::Result<SearchHead> {
    if let Some(time) = arguments.time_ms {
        bail!(
            "`--time-ms {time}` does not go with `--search chip`, whose results are the same in every run; hint: use --depth or \
             --nodes, or `hayasashi search --time-ms {time}`"
        );
    }
    let most = match arguments.nodes {
        Some(_) => MAX_DEPTH as u32,
        None => USUAL_DEPTH,
    };
    let depth = arguments.depth.unwrap_or(most);
    if depth > MAX_DEPTH as u32 {
        bail!("`--depth {depth}` is more than the chip's {MAX_DEPTH} plies; hint: give at most {MAX_DEPTH}");
    }
    Ok(SearchHead { depth: depth as u8, nodes: arguments.nodes.unwrap_or(0), ..SearchHead::default() })
}

fn read(file: &str) -> anyhow::Result<Vec<GamePath>> {
    let mut lines = Positions::open(file)?;
    let mut paths = Vec::new();
    while let Some((number, text)) = lines.line()? {
        paths.push(positions::parse(&text).with_context(|| format!("{}:{number}", lines.name))?);
    }
    if paths.is_empty() {
        bail!("`{file}` has no position; hint: give a file with one SFEN on each line");
    }
    Ok(paths)
}

/// A result as one line.
fn text(path: &GamePath, found: &Analysed, backend: &str, as_json: bool) -> String {
    let Analysed { score, depth, nodes, steps, line, .. } = found;
    let score = UsiScore::of(*score as i32);
    if as_json {
        let (kind, value) = match score {
            UsiScore::Centipawns(cp) => ("centipawns", cp),
            UsiScore::Mate(plies) => ("mate_plies", plies),
        };
        return json!({
            "sfen": path.to_sfen(), "backend": backend, "best": line.first(), "pv": line, "score": { kind: value },
            "depth": depth, "nodes": nodes, "steps": steps,
        })
        .to_string();
    }
    let line = if line.is_empty() { "-".into() } else { line.join(" ") };
    format!("{}: {score}, depth {depth}, {} nodes, line {line}", path.to_sfen(), grouped(*nodes))
}

/// Sums over a file.
#[derive(Default)]
struct Sums {
    positions: usize,
    nodes: u64,
    steps: u64,
}

impl Sums {
    fn add(&mut self, found: &Analysed) {
        self.positions += 1;
        self.nodes += found.nodes;
        self.steps += found.steps;
    }

    fn text(&self, as_json: bool, interrupted: bool) -> String {
        let Sums { positions, nodes, steps } = *self;
        match as_json {
            true => json!({ "positions": positions, "nodes": nodes, "steps": steps, "interrupted": interrupted })
                .to_string(),
            false => format!("positions: {positions}, nodes: {}, steps: {}", grouped(nodes), grouped(steps)),
        }
    }
}
