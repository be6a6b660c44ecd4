//! `bench`: the search of a fixed set of positions to a fixed depth. The number of nodes is a checksum of the engine's
//! behaviour: a change that is meant to change nothing leaves it as it is.

use super::{
    args::Global,
    backend,
    session::{progress, say, Exit, Interrupt},
};
use crate::{
    duel::{
        engine::{Engine, Lost},
        EngineSpec,
    },
    search::{Control, Limits, Searcher, Source},
};
use anyhow::Context;
use clap::Args;
use serde_json::json;
use std::{
    sync::{
        atomic::{AtomicBool, Ordering},
        Arc, Mutex,
    },
    time::Duration,
};

/// Positions of all phases: the initial one; `matsuri`, many moves; from games between programs.
pub const POSITIONS: [&str; 10] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "lnsgk2nl/1r4gs1/p1pppp1pp/6p2/1p5P1/2P6/PPbPPPP1P/2G2G1R1/LNS1K1SNL b b 15",
    "lnsgk2nl/1r4g2/p1ppppsp1/6p1p/1p5P1/2P5P/PPSPPPP2/2G3SR1/LN2KG1NL w Bb 18",
    "l4g1nl/4gk3/p1B1p1sp1/2ppsp2p/2+bn2RP1/P3PP3/3P4P/1PGSG4/LN1K3NL w RPs3p 54",
    "ln1gk2nl/1r4gp1/2Pppps2/7P1/p5P2/1P2PP2p/3P1SN2/2G2G3/LN2K2RL w BS2Pbs3p 58",
    "l2+Rgs1nl/1+P2g1g2/p3p2k1/6ppp/Pp1pss3/2S1N1P1P/1P1P+bp3/1KG6/LN5+nL b RB3Pp 89",
    "lRsk2s2/1S7/2ngp3l/p1pp2p2/6g2/P1P2P2P/1P1PP1+p1N/1SGKG2p1/LN6L b 2Pr2bn2p 89",
    "3sk2nl/+B3s1gp1/2n1pps2/7P1/p2N1NP2/4PP3/1P1K1G3/9/L+pg2s2+p b RGL3Prbl4p 119",
    "lS7/2s1g4/2k1n1p+B1/p1gpp4/2N3+RN1/P1P2P3/4PSK1S/5N3/L5+r2 b BGL7Pgl3p 175",
];

/// Arguments of `bench`.
#[derive(Args, Debug, Clone)]
pub struct BenchArguments {
    /// Plies of each search.
    #[arg(long, value_name = "PLIES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: u32,
    /// Mebibytes of the transposition table.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=65536))]
    pub hash_mib: u64,
    /// Threads; with more than one the number of nodes differs from run to run.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=512))]
    pub threads: u64,
    /// Switch a technique off, as `NullMove`; may be given more than once.
    #[arg(long, value_name = "TECHNIQUE")]
    pub without: Vec<String>,
    /// Switch a technique on that is off by default, as `ForcedLines`; may be given more than once.
    #[arg(long, value_name = "TECHNIQUE")]
    pub with: Vec<String>,
    /// Let another USI program, given with its arguments, think about each position for as long as this one in turn, and tell
    /// the ratio of nodes per second. Each program counts nodes in its own way.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["depth", "without", "with"])]
    pub against: Option<String>,
    /// Options of that program, as `Name=value`; may be given more than once.
    #[arg(long, value_name = "NAME=VALUE", requires = "against")]
    pub against_option: Vec<String>,
    /// Milliseconds for each position with `--against`.
    #[arg(long, value_name = "MS", default_value_t = 1000, requires = "against",
        value_parser = clap::value_parser!(u64).range(10..))]
    pub ms: u64,
}

/// Searches the positions; the last line is `N nodes M nps`.
pub fn run(global: &Global, arguments: &BenchArguments) -> anyhow::Result<Exit> {
    if let Some(command) = &arguments.against {
        return against(global, arguments, command);
    }
    let table = backend::table(global.table.as_deref())?;
    let source = Source::open(backend::opened(global)?.chip, &table)?;
    let mut searcher = Searcher::new(source, arguments.hash_mib as usize);
    searcher.threads = arguments.threads as usize;
    let switched = arguments.without.iter().map(|name| (name, false));
    for (name, state) in switched.chain(arguments.with.iter().map(|name| (name, true))) {
        match searcher.techniques.switch(name) {
            Some(on) => *on = state,
            None => {
                anyhow::bail!("no technique `{name}`; hint: there are {}", crate::search::Techniques::NAMES.join(", "))
            }
        }
    }
    let running = Arc::new(Mutex::new(Arc::new(Control::default())));
    let stopped = running.clone();
    let interrupt = Interrupt::install(move || stopped.lock().expect("nothing panics with it").stop())?;
    let bar = progress(POSITIONS.len() as u64, "positions", global.quiet);
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for sfen in POSITIONS {
        let path = super::positions::parse(sfen)?;
        let control = Arc::new(Control::default());
        *running.lock().expect("nothing panics with it") = control.clone();
        if interrupt.is_set() {
            return Ok(Exit::Interrupted);
        }
        searcher.clear();
        let limits = Limits { depth: Some(arguments.depth), ..Limits::default() };
        let outcome = searcher.search(&path, &limits, &[], &control, &mut |_| {});
        if let Some(failure) = outcome.failure {
            return Err(failure.into());
        }
        let report = outcome.report;
        nodes += report.nodes;
        time += report.elapsed;
        let best = report.pv.first().map_or("-".into(), |mv| mv.to_usi());
        bar.suspend(|| match global.json {
            true => say(json!({
                "sfen": sfen, "best": best, "score": report.told().to_string(), "nodes": report.nodes,
                "milliseconds": report.elapsed.as_millis() as u64,
            })),
            false => say(format!("{:>10} nodes, {best:5} {}, {sfen}", report.nodes, report.told())),
        })?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let rate = rate(nodes, time);
    match global.json {
        true => say(json!({ "nodes": nodes, "nodes_per_second": rate, "interrupted": interrupt.is_set() }))?,
        false => say(format!("{nodes} nodes {rate} nps"))?,
    }
    Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Done })
}

/// Both programs think about each position in turn.
fn against(global: &Global, arguments: &BenchArguments, command: &str) -> anyhow::Result<Exit> {
    let this = std::env::current_exe().context("this program does not know its own path")?;
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
    let stopped = Arc::new(AtomicBool::new(false));
    let stop = stopped.clone();
    let interrupt = Interrupt::install(move || stop.store(true, Ordering::Relaxed))?;
    let mut engines = Vec::new();
    for spec in [&spec, &other] {
        match Engine::start(spec, &stopped)? {
            Some(engine) => engines.push(engine),
            None => return Ok(Exit::Interrupted),
        }
    }
    let bar = progress(POSITIONS.len() as u64, "positions", global.quiet);
    let time = Duration::from_millis(arguments.ms);
    let mut sums = [(0, Duration::ZERO); 2];
    for sfen in POSITIONS {
        let mut rates = [0; 2];
        for (i, engine) in engines.iter_mut().enumerate() {
            let go = format!("movetime {}", arguments.ms);
            let position = format!("sfen {sfen}");
            let lost = |lost| anyhow::anyhow!("{}: {lost:?} at {sfen}", [&spec, &other][i]);
            let answer = match engine
                .new_game(&stopped)
                .and_then(|()| engine.think(&position, &go, time + Duration::from_secs(10), &stopped))
            {
                Err(Lost::Interrupted) => return Ok(Exit::Interrupted),
                answer => answer.map_err(lost)?,
            };
            let nodes = answer.nodes.with_context(|| format!("{} tells no nodes", [&spec, &other][i]))?;
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
        for sfen in POSITIONS {
            let path = crate::cli::positions::parse(sfen).unwrap();
            assert!(path.has_legal_move(), "{sfen}");
        }
    }
}
