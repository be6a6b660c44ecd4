//! `bench`: searches fixed positions to a fixed depth. The number of nodes is a checksum of the engine's behaviour: a change
//! without effect on the search keeps it.

use super::{
    args::Global,
    backend,
    matches::show_note,
    session::{progress, say, Exit, Interrupt},
};
use anyhow::Context;
use clap::Args;
use hayasashi_engine::search::{
    settings::{MAX_HASH_MIB, MAX_THREADS},
    MoveSource, SearchLimits, Searcher,
};
use hayasashi_engine::{Control, BENCH_POSITIONS};
use hayasashi_lab::matches::{
    engine::{EngineFailure, EngineProcess},
    EngineSpec,
};
use serde_json::json;
use std::{
    sync::{
        atomic::{AtomicBool, Ordering},
        Arc, Mutex,
    },
    time::Duration,
};

/// Arguments of `bench`.
#[derive(Args, Debug, Clone)]
pub struct BenchArguments {
    /// Depth of each search in plies.
    #[arg(long, value_name = "PLIES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: u32,
    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=MAX_HASH_MIB))]
    pub hash_mib: u64,
    /// Threads. With more than one, the number of nodes varies between runs.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    pub threads: u64,
    /// Switch a technique off, such as `NullMove`. May be repeated.
    #[arg(long, value_name = "TECHNIQUE")]
    pub without: Vec<String>,
    /// Switch a technique on that is off by default, such as `ForcedLines`. May be repeated.
    #[arg(long, value_name = "TECHNIQUE")]
    pub with: Vec<String>,
    /// Compare the nodes per second with another USI program, given with its arguments. Both search each position in turn for
    /// the same time. Each program counts nodes in its own way.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["depth", "without", "with"])]
    pub against: Option<String>,
    /// An option of that program, as `Name=value`. May be repeated.
    #[arg(long, value_name = "NAME=VALUE", requires = "against")]
    pub against_option: Vec<String>,
    /// Time per position with `--against`, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 1000, requires = "against",
        value_parser = clap::value_parser!(u64).range(10..))]
    pub ms: u64,
}

/// Searches the positions. The last line is `N nodes M nps`.
pub fn run(global: &Global, arguments: &BenchArguments) -> anyhow::Result<Exit> {
    if let Some(command) = &arguments.against {
        return against(global, arguments, command);
    }
    let evaluation = backend::evaluation(global.table.as_deref())?;
    let source = MoveSource::open(backend::opened(global)?.chip, evaluation)?;
    let mut searcher = Searcher::new(source, arguments.hash_mib as usize);
    searcher.settings.threads = arguments.threads as usize;
    for name in &arguments.without {
        searcher.settings.techniques.set(name, false)?;
    }
    for name in &arguments.with {
        searcher.settings.techniques.set(name, true)?;
    }
    let running = Arc::new(Mutex::new(Arc::new(Control::default())));
    let stopped = running.clone();
    let interrupt = Interrupt::install(move || stopped.lock().expect("no thread panics with the lock").stop())?;
    let bar = progress(BENCH_POSITIONS.len() as u64, "positions", global.quiet);
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for sfen in BENCH_POSITIONS {
        let path = super::positions::parse(sfen)?;
        let control = Arc::new(Control::default());
        *running.lock().expect("no thread panics with the lock") = control.clone();
        if interrupt.is_set() {
            return Ok(Exit::Interrupted);
        }
        searcher.clear();
        let limits = SearchLimits { depth: Some(arguments.depth), ..SearchLimits::default() };
        let outcome = searcher.search(&path, &limits, &[], &control, &mut |_| {});
        if let Some(failure) = outcome.failure {
            bar.suspend(|| eprintln!("{failure}"));
        }
        let report = outcome.report;
        nodes += report.nodes;
        time += report.elapsed;
        let best = report.pv.first().map_or("-".into(), |mv| mv.to_usi());
        bar.suspend(|| match global.json {
            true => say(json!({
                "sfen": sfen, "best": best, "score": report.usi_score().to_string(), "nodes": report.nodes,
                "milliseconds": report.elapsed.as_millis() as u64,
            })),
            false => say(format!("{:>10} nodes, {best:5} {}, {sfen}", report.nodes, report.usi_score())),
        })?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let rate = rate(nodes, time);
    match global.json {
        true => say(json!({
            "nodes": nodes, "nodes_per_second": rate, "interrupted": interrupt.is_set(),
            "backend": searcher.source().answering(),
        }))?,
        false => say(format!("{nodes} nodes {rate} nps"))?,
    }
    Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Done })
}

/// Lets both programs search each position in turn.
fn against(global: &Global, arguments: &BenchArguments, command: &str) -> anyhow::Result<Exit> {
    let this = std::env::current_exe().context("cannot find the path of this program")?;
    let option = |name: &str, value: String| (name.to_string(), value);
    let spec = EngineSpec {
        command: vec![this.display().to_string(), "--backend".into(), global.backend.clone(), "usi".into()],
        options: vec![
            option("USI_Hash", arguments.hash_mib.to_string()),
            option("Threads", arguments.threads.to_string()),
            option("RootMate", false.to_string()),
        ],
    };
    let other = EngineSpec::parse(command, &arguments.against_option)?;
    let specs = [spec, other];
    let names = EngineSpec::names(&specs);
    let stopped = Arc::new(AtomicBool::new(false));
    let stop = stopped.clone();
    let interrupt = Interrupt::install(move || stop.store(true, Ordering::Relaxed))?;
    let bar = progress(BENCH_POSITIONS.len() as u64, "positions", global.quiet);
    let mut engines = Vec::new();
    for (number, spec) in specs.iter().enumerate() {
        match EngineProcess::start(spec, &stopped, |text| show_note(global, &bar, number, text))? {
            Some(engine) => engines.push(engine),
            None => return Ok(Exit::Interrupted),
        }
    }
    let time = Duration::from_millis(arguments.ms);
    let mut sums = [(0, Duration::ZERO); 2];
    for sfen in BENCH_POSITIONS {
        let mut rates = [0; 2];
        for (i, engine) in engines.iter_mut().enumerate() {
            let go = format!("movetime {}", arguments.ms);
            let position = format!("sfen {sfen}");
            let lost = |lost| anyhow::anyhow!("`{}`: {lost:?} at `{sfen}`", names[i]);
            let answer = match engine
                .new_game(&stopped)
                .and_then(|()| engine.search(&position, &go, time + Duration::from_secs(10), &stopped))
            {
                Err(EngineFailure::Interrupted) => return Ok(Exit::Interrupted),
                answer => answer.map_err(lost)?,
            };
            let nodes = answer.nodes.with_context(|| format!("`{}` reports no nodes", names[i]))?;
            sums[i] = (sums[i].0 + nodes, sums[i].1 + answer.elapsed);
            rates[i] = rate(nodes, answer.elapsed);
        }
        bar.suspend(|| match global.json {
            true => say(json!({ "sfen": sfen, "nodes_per_second": rates[0], "against": rates[1] })),
            false => say(format!("{:>10} against {:>10} nps, {sfen}", rates[0], rates[1])),
        })?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let [own, others] = sums.map(|(nodes, time)| rate(nodes, time));
    let ratio = own as f64 / others.max(1) as f64;
    match global.json {
        true => say(json!({
            "nodes_per_second": own, "against": others, "ratio": ratio, "interrupted": interrupt.is_set(),
        }))?,
        false => say(format!("{own} against {others} nps: ratio {ratio:.2}"))?,
    }
    Ok(Exit::Done)
}

fn rate(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_legal() {
        for sfen in BENCH_POSITIONS {
            let path = crate::positions::parse(sfen).unwrap();
            assert!(path.has_legal_move(), "{sfen}");
        }
    }
}
